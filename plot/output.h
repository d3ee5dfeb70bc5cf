/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - chart files: whole or not at all */
#ifndef PLOT_OUTPUT_H
#define PLOT_OUTPUT_H

#include "formats/base.h"

/* Where charts go, and under which name. */
struct output {
	char *dir;  /* as typed */
	char *base; /* STEM-TABLE */
	int fd;     /* of the directory */
};

/* Opens the directory, or makes it. */
int output_open(struct output *o, const char *dir, const char *base,
		struct errbuf *err);
void output_close(struct output *o);

/* DIR/STEM-TABLE.SUFFIX, to be freed; never begins with "-", "|" or "<". */
char *output_path(const struct output *o, const char *suffix);

/* Writes one file, mode 0600, given to SUDO_UID; replaces a regular file. */
int output_write(const struct output *o, const char *suffix,
		 const struct buf *data, struct errbuf *err);

#endif
