/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - tables as files in a directory, and their charts */
#ifndef ANALYZE_OUTPUT_H
#define ANALYZE_OUTPUT_H

#include "formats/outdir.h"
#include "formats/table.h"

/* Can DIR/STEM-TABLE.csv be written?  To be asked before long work. */
int output_check(const struct outdir *dir, const char *stem, const char *table,
		 struct errbuf *err);

/* Writes DIR/STEM-TABLE.csv, as outdir_write(). */
int output_csv(const struct outdir *dir, const char *stem,
	       const struct table *t, struct errbuf *err);

/* Has mm-plot draw DIR/STEM-TABLE.csv beside it; waits for it. */
int output_plot(const struct outdir *dir, const char *stem, const char *table,
		struct errbuf *err);

#endif
