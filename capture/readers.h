/* SPDX-License-Identifier: GPL-2.0-or-later */
/* readers.h - the readers of all CPUs, and what they saw together */
#ifndef CAPTURE_READERS_H
#define CAPTURE_READERS_H

#include "capture/cpus.h"
#include "capture/reader.h"

struct readers {
	struct reader_config config; /* filled by the caller up to out_ino */
	const struct cpus *cpus;     /* NULL: all */
	struct reader **reader;
	unsigned int nr;
	unsigned int nr_seen;    /* readers ever started */
	unsigned int nr_offline; /* have a directory, but no buffer yet */
	struct own_pids own;
	_Atomic bool full;
};

/*
 * Opens every per_cpu/cpuN of the instance and starts a thread for each that
 * has a buffer; waits until all threads are known as our own.
 */
int readers_start(struct readers *rs, struct errbuf *err);
/* CPUs that came online since; cheap if all were. */
int readers_rescan(struct readers *rs);
/* The first error of a reader that has ended before its time, or 0. */
int readers_error(const struct readers *rs);
/* Drains, joins, reconciles the loss.  Returns the first error. */
int readers_stop(struct readers *rs);
/* Adds the counts of one CPU, one line each, to text. */
int readers_describe(const struct readers *rs, struct buf *text);
void readers_free(struct readers *rs);

/* All CPUs together; after readers_stop(), before the log is finished. */
struct readers_totals {
	uint64_t nr_events, nr_lost, nr_gaps_uncounted;
	uint64_t nr_own, nr_alien;
	uint64_t longest_gap_ns;
	unsigned int nr_cpus_lost;
};
void readers_totals(const struct readers *rs, struct readers_totals *t);
uint64_t readers_hits(const struct readers *rs, int type);

#endif
