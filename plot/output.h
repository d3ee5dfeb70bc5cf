/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - the files of one chart: same directory, same name, suffixes */
#ifndef PLOT_OUTPUT_H
#define PLOT_OUTPUT_H

#include "formats/outdir.h"

struct output {
	struct outdir dir;
	char *base; /* STEM-TABLE */
};

/* Opens the directory, or makes it. */
int output_open(struct output *o, const char *dir, const char *base,
		struct errbuf *err);
void output_close(struct output *o);

/* DIR/STEM-TABLE.SUFFIX, as outdir_path(), to be freed. */
char *output_path(const struct output *o, const char *suffix);

/* Writes one file: as outdir_put() and outdir_write(). */
int output_put(const struct output *o, const char *suffix,
	       const struct buf *data, struct errbuf *err);
int output_write(const struct output *o, const char *suffix,
		 int (*write)(const void *arg, FILE *out), const void *arg,
		 struct errbuf *err);

#endif
