/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.h - what the tables of all analyzers are made of */
#ifndef ANALYZE_TABLES_H
#define ANALYZE_TABLES_H

#include "analyze/analysis.h"

/* Makes one of the analyzer's tables, head and all, to be freed. */
int tables_make(struct table **tp, const struct analysis *a,
		const struct analysis_table *what, const struct runset *set);

/* A column of one run, "base_misses"; a share has six decimals. */
int tables_run_column(struct table *t, const struct run *run, const char *what,
		      enum table_type type);

/* A curve for a report: sizes in pages and as words, a column for each run. */
int tables_curve_columns(struct table *t, const struct runset *set,
			 const char *pages, const char *size);

/* "64MiB": one word, so that squeezed blanks do not add a cell. */
int tables_set_size(struct table *t, unsigned int col, uint64_t bytes);

#endif
