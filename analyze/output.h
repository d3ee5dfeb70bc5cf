/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - tables as files in a directory, and their charts */
#ifndef ANALYZE_OUTPUT_H
#define ANALYZE_OUTPUT_H

#include "formats/table.h"

/* Makes the directory if it is not there. */
int output_dir(const char *dir, struct errbuf *err);

/*
 * Writes DIR/STEM-TABLE.csv, mode 0600, given to SUDO_UID.  The file appears
 * whole or not at all, and replaces what had its name.
 */
int output_csv(const struct table *t, const char *dir, const char *stem,
	       struct errbuf *err);

/* Has mm-plot draw DIR/STEM-TABLE.csv beside it; waits for it. */
int output_plot(const char *dir, const char *stem, const char *table,
		struct errbuf *err);

#endif
