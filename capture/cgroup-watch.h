/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup-watch.h - the cgroup in which the recorded command really runs */
#ifndef CAPTURE_CGROUP_WATCH_H
#define CAPTURE_CGROUP_WATCH_H

#include "capture/cgroup.h"

struct cgroup_watch {
	const struct host *host;
	int pid;
	char own[PATH_MAX]; /* where the command itself was last */
	struct cgroup best; /* what to put into the log */
	bool moved;         /* best is not what it was at the start */
};

/* pid is the command's, which still waits; 0: there is none, it is ours. */
void cgroup_watch_start(struct cgroup_watch *w, const struct host *h, int pid);

/*
 * To be called now and then, and once after the command's end before it is
 * waited for.
 */
void cgroup_watch_look(struct cgroup_watch *w);

#endif
