/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup.h - where a task's memory is charged, and the limit there */
#ifndef CAPTURE_CGROUP_H
#define CAPTURE_CGROUP_H

#include "capture/host.h"

struct cgroup {
	char path[PATH_MAX]; /* as /proc/PID/cgroup has it; "" if unknown */
	bool v1;             /* with the memory controller */
	bool has_limit;
	uint64_t max_bytes; /* the smallest up to the root */
};

/*
 * The memory cgroup of a task (v2, or v1 with the memory controller).  pid 0
 * is ourselves.  0, or -ENOENT if there is none.
 */
int cgroup_of_task(struct cgroup *cg, const struct host *h, int pid);
/* Its two halves: where the task is, at the cost of one small file; ... */
int cgroup_find(struct cgroup *cg, const struct host *h, int pid);
/* ... and the limit there, for which the mounts have to be read. */
int cgroup_read_limit(struct cgroup *cg, const struct host *h);

/* Its directory.  0 or a negative errno. */
int cgroup_dir(const struct cgroup *cg, const struct host *h,
	       char out[PATH_MAX]);

/*
 * Appends the memory files of the cgroup and of those below it.  "more" at the
 * end: some lie deeper than 32, or beyond CGROUP_TREE_MAX.
 *
 *   cgroup /w/child
 *   file memory.current
 *   4096
 *   file memory.stat
 *   anon 0
 *   ...
 */
int cgroup_tree(const struct cgroup *cg, const struct host *h, struct buf *out);
#define CGROUP_TREE_MAX 1024

/* Name of the file in which its kind of cgroup has the limit. */
const char *cgroup_limit_file(const struct cgroup *cg);

#endif
