/* SPDX-License-Identifier: GPL-2.0-or-later */
/* host.h - the files of the machine we record on, and where tracefs is */
#ifndef CAPTURE_HOST_H
#define CAPTURE_HOST_H

#include <limits.h>

#include "formats/base.h"

/*
 * All paths are the real ones below root, which is "" on a real machine and
 * the directory of --root in tests.
 */
struct host {
	const char *root;
	char tracing[PATH_MAX]; /* set by host_find_tracing() */
};

/* Joins root and the path.  0 or -ENAMETOOLONG. */
int host_path(const struct host *h, char out[PATH_MAX], const char *fmt, ...)
	PRINTF(3, 4);

/* Any path, without a root: the whole file, with a NUL behind its end. */
int file_read(const char *path, struct buf *out);
/* The first line, without its end. */
int file_read_line(const char *path, char *out, size_t size);
/* One write(), as tracefs wants it. */
int file_write(const char *path, const char *text);

/* The same for a path below root. */
int host_read(const struct host *h, struct buf *out, const char *path);
int host_read_line(const struct host *h, const char *path, char *out,
		   size_t size);

enum tracing_state {
	TRACING_OK,
	TRACING_ABSENT,      /* this kernel knows no tracefs */
	TRACING_NOT_MOUNTED, /* it does, but nobody mounted it */
	TRACING_EMPTY,       /* mounted, and nothing in it: lockdown */
	TRACING_DENIED,      /* it is there, not for us */
};

/*
 * Finds the tracing directory (tracefs, else its old place in debugfs) and
 * fills h->tracing.  0, or a negative errno with the reason and what to do.
 */
int host_find_tracing(struct host *h, enum tracing_state *state,
		      struct errbuf *err);

/* "none", "integrity", "confidentiality", or "unknown". */
void host_lockdown(const struct host *h, char *out, size_t size);

/*
 * Is there a mark of a container?  Its name ("docker"), or NULL.  A virtual
 * machine made from a container image may have the mark, too.
 */
const char *host_container(const struct host *h);

/* Start of a process in clock ticks since boot.  -ESRCH if there is none. */
int host_pid_start(const struct host *h, int pid, uint64_t *ticks);

#endif
