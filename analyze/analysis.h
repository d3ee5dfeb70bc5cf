/* SPDX-License-Identifier: GPL-2.0-or-later */
/* analysis.h - what an analyzer supplies, and the main() that all share */
#ifndef ANALYZE_ANALYSIS_H
#define ANALYZE_ANALYSIS_H

#include <stdio.h>

#include "formats/pages.h"
#include "formats/table.h"

/* One [LABEL=]FILE of the command line, with its finished engine. */
struct run {
	char *label; /* as typed, else the file's stem */
	char *path;
	char *column; /* unique and safe as a column prefix: base, fg, fg_2 */
	struct mmt *log;
	void *engine;
	struct pages_stats stats; /* of the page stream, once it has ended */
	bool incomplete;          /* salvaged, or not closed in order */
};

/* All runs in command line order; the first label is the baseline. */
struct runset {
	struct run *run;
	unsigned int nr;
	const char *time; /* --time as typed, NULL: all of each log */
	const char *cpus; /* -C as typed, NULL: all CPUs */
};

/* Makes columns and rows from all runs. */
struct analysis_table {
	const char *name;
	int (*fill)(struct table *t, const struct runset *set);
	bool chart; /* --plot draws it */
};

/*
 * An engine is a pure state machine on batches of the page stream: no I/O, no
 * globals.  Callbacks return 0 or a negative errno; text for the user goes to
 * err.
 */
struct analysis {
	const char *program;  /* "mm-reuse" */
	const char *synopsis; /* one line for --help: what it computes */
	const struct analysis_table *tables; /* one without a name ends them */

	/* May refuse a log that lacks what it needs: -ENODATA, reason in err */
	int (*engine_new)(void **engine, const struct run *run,
			  struct errbuf *err);
	int (*engine_batch)(void *engine, const struct page_batch *batch);
	/* After the last batch; stats of the run are set. */
	int (*engine_end)(void *engine, const struct run *run);
	void (*engine_free)(void *engine);
	/*
	 * What the engine was fed of what it counts ("access"): a part of a
	 * log without any is refused, as it is no result.
	 */
	uint64_t (*engine_counted)(const void *engine);
	const char *counts;

	/* What all tables say in their head: definition, sources. */
	int (*note)(struct table *t, const struct runset *set);
	/* The default report: ASCII, at most 72 columns, definition included */
	int (*print_report)(const struct runset *set, FILE *out);
};

/* Parses options, reads logs, prints.  Returns the exit status. */
int analysis_main(const struct analysis *a, int argc, char **argv);

#endif
