/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-anon.h - an anonymous copy being made, for the two files that do it */
#ifndef FORMATS_LOG_ANON_H
#define FORMATS_LOG_ANON_H

#include "formats/anon.h"
#include "formats/log-cmd.h"

/* What becomes of the values of a field. */
enum { FIELD_KEEP, FIELD_COMM, FIELD_PATH, FIELD_ADDRESS };

struct anon_copy {
	const struct log_options *o;
	struct mmt *log;
	struct mmt_writer *w;
	struct errbuf *err;
	struct anon anon;
	struct mmt_track **track; /* by CPU */
	/* by type of the log: its number in the copy, what of it changes */
	uint16_t type[MMT_MAX_SCHEMAS];
	bool changes[MMT_MAX_SCHEMAS];
	uint8_t field[MMT_MAX_SCHEMAS][MMT_MAX_FIELDS];
	struct buf text[MMT_MAX_FIELDS]; /* of the event at hand */
	uint64_t nr_events, nr_bad_tasks;
	struct strings dropped, kept_facts, kept_texts;
};

/* Prints what was replaced, what was left out, and what remains. */
int anon_report(FILE *out, const struct anon_copy *c);

#endif
