/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - kernel counters and the tasks that exist, as texts of the log */
#ifndef CAPTURE_SNAPSHOT_H
#define CAPTURE_SNAPSHOT_H

#include "capture/cgroup.h"
#include "capture/session.h"
#include "formats/mmt.h"

/* Where it is taken, and into which log. */
struct snapshot {
	const struct host *host;
	const struct session *session;
	struct mmt_writer *writer;
	const struct cgroup *cgroup; /* NULL: of none */
};

/*
 * The kernel's counters as they are now, each file that there is as a text:
 * vmstat, meminfo, stat, diskstats, psi.*, lru_gen, lru_gen_full,
 * zramN.mm_stat; memcg, of the cgroup and those below it, see cgroup_tree().
 */
int snapshot_counters(const struct snapshot *sn);
/* "tasks": a line "TID TGID COMM" for every thread, COMM escaped. */
int snapshot_tasks(const struct snapshot *sn);

#endif
