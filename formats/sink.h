/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sink.h - the file a log is written to, kept out of the page cache */
#ifndef FORMATS_SINK_H
#define FORMATS_SINK_H

#include "formats/base.h"

struct sink;

#define SINK_REPLACE 1U /* a regular file that is there */
#define SINK_DIRECT  2U /* O_DIRECT, else writes dropped from the cache */
#define SINK_WHOLE   4U /* no name before sink_close(): see outfile.h */

/*
 * Creates the file: O_EXCL|O_NOFOLLOW, 0600, given to SUDO_UID:SUDO_GID.  What
 * it replaces is unlinked first, or, with SINK_WHOLE, at the end.
 */
int sink_create(struct sink **sp, const char *path, unsigned int flags,
		struct errbuf *err);

/*
 * The same for an open file, which belongs to the sink even if this fails: a
 * file without a name, of which nothing needs to reach a disk.
 */
int sink_create_fd(struct sink **sp, int fd);

/*
 * Appends two pieces as one; after 0 both are in the file, as far as a killed
 * process is concerned.  On an error the file is cut back to where it was.
 */
int sink_write(struct sink *s, const void *head, size_t head_len,
	       const void *body, size_t body_len);
uint64_t sink_bytes(const struct sink *s);

/*
 * Cuts the padding, syncs, closes, frees.  ret, if it is not 0, is why the file
 * is not whole.  Returns that, or 0, or the first error.
 */
int sink_close(struct sink *s, int ret);

#endif
