/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outdir.h - result files in a directory: whole or not at all */
#ifndef FORMATS_OUTDIR_H
#define FORMATS_OUTDIR_H

#include <stdio.h>

#include "formats/base.h"

struct outdir {
	char *path; /* as typed */
	bool made;  /* by us: taken away again if nothing comes into it */
};

/*
 * Opens the directory, or makes it, mode by umask, given to SUDO_UID.  0 or a
 * negative errno with the reason; outdir_close() only after 0.
 */
int outdir_open(struct outdir *d, const char *path, struct errbuf *err);
void outdir_close(struct outdir *d);

/* Can a file of this name be written?  To be asked before long work. */
int outdir_check(const struct outdir *d, const char *name, struct errbuf *err);

/*
 * Writes one file, mode 0600, given to SUDO_UID; it replaces a regular file of
 * that name, nothing else.
 */
int outdir_put(const struct outdir *d, const char *name, const struct buf *data,
	       struct errbuf *err);

/* The same of what write(arg, FILE) prints; it returns 0 or an errno. */
int outdir_write(const struct outdir *d, const char *name,
		 int (*write)(const void *arg, FILE *out), const void *arg,
		 struct errbuf *err);

/*
 * DIR/NAME, to be freed, NULL without memory.  It never begins with what a
 * program takes for an option or a pipe: "-", "|", "<", "~".
 */
char *outdir_path(const struct outdir *d, const char *name);

#endif
