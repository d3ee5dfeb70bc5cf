/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record-options.h - the command line of mmcap record */
#ifndef CAPTURE_RECORD_OPTIONS_H
#define CAPTURE_RECORD_OPTIONS_H

#include "capture/cpus.h"
#include "capture/plan.h"
#include "capture/session.h"

struct record_options {
	struct plan_request *req;
	unsigned int nr_req;
	struct session_options session;
	struct cpus cpus;
	bool have_cpus;
	uint64_t max_bytes;   /* 0: no limit */
	uint64_t duration_ns; /* 0: until a signal or the command's end */
	uint64_t snap_ns;     /* between snapshots; 0: at start and end */
	const char *note;
	const char *output;
	const char *root;
	bool force, strict, quiet, help;
	char **argv;    /* all of it */
	char **command; /* NULL: none */
};

/* 0, or -EINVAL with the reason: usage. */
int record_options_parse(struct record_options *o, int argc, char **argv,
			 struct errbuf *err);
void record_options_free(struct record_options *o);

#endif
