/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - the command line that all analyzers share */
#ifndef ANALYZE_OPTIONS_H
#define ANALYZE_OPTIONS_H

#include "analyze/analysis.h"
#include "formats/import.h"

/* --time A,B: times since a log's first event, or shares of its length. */
struct options_time {
	const char *text; /* as typed; NULL: the whole log */
	bool percent;
	uint64_t from_ns, to_ns; /* to_ns 0: to the end */
	double from_share, to_share;
};

/* All strings point into argv. */
struct options {
	char **file; /* [LABEL=]FILE, nr_files of them */
	unsigned int nr_files;
	const char *csv; /* --csv: the one table that goes to stdout */
	const char *dir;
	const char *stem; /* default: the program's name without "mm-" */
	struct options_time time;
	const char *cpus_text; /* -C as typed, NULL: all */
	uint16_t *cpus;        /* ascending, each once */
	unsigned int nr_cpus;
	struct import_options import; /* for inputs that are no log */
	bool json, plot, strict, salvage, help, version;
};

/*
 * Fills o (to be freed by options_free() on every path).  -EINVAL with the
 * reason in err if the command line makes no sense, -ENOMEM.
 */
int options_parse(struct options *o, const struct analysis *a, int argc,
		  char **argv, struct errbuf *err);
void options_free(struct options *o);

/* The text of --help. */
void options_help(const struct analysis *a, FILE *out);

#endif
