/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.h - the events of a log, all CPUs merged by time */
#ifndef FORMATS_STREAM_H
#define FORMATS_STREAM_H

#include "formats/mmt.h"

/*
 * Part of a log.  Zeroed, it selects everything.  Loss is always delivered.
 */
struct mmt_select {
	uint64_t from_ns, to_ns; /* in the log's clock; to_ns 0: to the end */
	unsigned __int128 kinds; /* MMT_KIND_BIT() of each; 0: all */
	const uint16_t *cpus;    /* nr_cpus of them; NULL: all */
	unsigned int nr_cpus;
};

struct mmt_stream;

int mmt_stream_open(struct mmt_stream **sp, struct mmt *log,
		    const struct mmt_select *select, struct errbuf *err);
void mmt_stream_close(struct mmt_stream *s);

/*
 * The next event by (time, CPU, order within the CPU); NULL at the end, or
 * where the log is damaged: then mmt_stream_error() is not 0.  Within a CPU
 * the order of the kernel's buffer is kept, even where the clock went back.
 * The event is valid until the next call.
 */
const struct mmt_event *mmt_stream_next(struct mmt_stream *s);
int mmt_stream_error(const struct mmt_stream *s, struct errbuf *err);

/* Share of the log's events already delivered, 0 to 1, for progress. */
double mmt_stream_progress(const struct mmt_stream *s);
/* How often a CPU's clock stepped back so far. */
uint64_t mmt_stream_clock_back(const struct mmt_stream *s);

#endif
