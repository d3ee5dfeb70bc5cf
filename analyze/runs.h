/* SPDX-License-Identifier: GPL-2.0-or-later */
/* runs.h - the runs of a command line: labels, logs, driving the engines */
#ifndef ANALYZE_RUNS_H
#define ANALYZE_RUNS_H

#include "analyze/analysis.h"
#include "analyze/options.h"

/* Is told now and then how far a run has been read, 0 to 1. */
struct runs_watch {
	void (*tell)(void *arg, const struct run *run, double share);
	void *arg;
};

/*
 * Splits [LABEL=]FILE words and gives every run its column; opens nothing.
 * -EINVAL with the reason, -ENOMEM.  runset_free() on every path.
 */
int runset_new(struct runset *set, const struct options *o, struct errbuf *err);
void runset_free(struct runset *set, const struct analysis *a);

/*
 * Opens all logs, imports what is none; refuses those that cannot be compared.
 */
int runset_open(struct runset *set, const struct options *o,
		struct errbuf *err);

/* Feeds one run's page stream to an engine of its own, and ends it. */
int run_read(struct run *run, const struct analysis *a, const struct options *o,
	     const struct runs_watch *watch, struct errbuf *err);

/* Base page of the recorded machine, from the log's head; default 4096. */
uint64_t run_page_size(const struct run *run);
/* memory.max of the recorded cgroup; 0 if the log names none. */
uint64_t run_memory_max(const struct run *run);
/* Is anything of what happened missing from the log? */
bool run_has_loss(const struct run *run);

#endif
