/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outfile.h - a file that gets its name when it is whole */
#ifndef FORMATS_OUTFILE_H
#define FORMATS_OUTFILE_H

#include "formats/base.h"

struct outfile;

/*
 * Can a file be made here?  0, or why not: replace allows a regular file to be
 * there; anything else, also a symbolic link, never is replaced.
 */
int outfile_check(const char *path, bool replace, struct errbuf *err);

/*
 * Opens a file of mode 0600, in the directory of path, that nobody sees yet.
 * Ended by outfile_publish() or outfile_drop().
 */
int outfile_open(struct outfile **op, const char *path, bool replace,
		 struct errbuf *err);
/* Its descriptor, which stays the outfile's. */
int outfile_fd(const struct outfile *o);

/* What root makes under sudo belongs to the user who typed it: SUDO_UID. */
int outfile_give_away(int fd);

/* Gives it its name; without replace -EEXIST if that is taken.  Frees. */
int outfile_publish(struct outfile *o);
/* As if it had never been; frees. */
void outfile_drop(struct outfile *o);

/* Removes what is not published, for a signal's handler: the program ends. */
void outfile_clean(void);

#endif
