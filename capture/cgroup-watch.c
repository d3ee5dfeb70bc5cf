/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup-watch.c - the cgroup in which the recorded command really runs */

/*
 * A command may move itself into a cgroup after the header was written, or it
 * is a script that starts the workload in one.  So we look again: the last
 * cgroup of the command counts, unless one of its descendants was seen under a
 * tighter limit.
 *
 * On v2 a task that has ended, and was not waited for, is still shown in its
 * cgroup, so the last look is exact.  On v1 it is shown in the root.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "capture/cgroup-watch.h"

/* A pipeline or a launcher, not every process of a build. */
#define MAX_DEPTH 4
#define MAX_TASKS 64

void cgroup_watch_start(struct cgroup_watch *w, const struct host *h, int pid)
{
	memset(w, 0, sizeof(*w));
	w->host = h;
	w->pid = pid;
	if (!cgroup_of_task(&w->best, h, pid))
		strcpy(w->own, w->best.path);
}

/* Its state in /proc/PID/stat, behind the name in brackets. */
static bool has_ended(const struct host *h, int pid)
{
	char path[PATH_MAX], line[256], *p;

	if (host_path(h, path, "/proc/%d/stat", pid) ||
	    file_read_line(path, line, sizeof(line)))
		return true;
	p = strrchr(line, ')');
	return !p || (p[1] && strchr("ZX", p[2]));
}

/* Where is this task?  False if nobody can tell. */
static bool task_cgroup(const struct cgroup_watch *w, int pid,
			struct cgroup *cg)
{
	static const char gone[] = " (deleted)";
	size_t len;

	if (cgroup_find(cg, w->host, pid))
		return false;
	/* the look before this one saw it alive, and with its limit */
	len = strlen(cg->path);
	if (len >= strlen(gone) && !strcmp(cg->path + len - strlen(gone), gone))
		return false;
	return !cg->v1 || !has_ended(w->host, pid);
}

static void take(struct cgroup_watch *w, const struct cgroup *cg)
{
	if (!strcmp(cg->path, w->best.path) &&
	    cg->has_limit == w->best.has_limit &&
	    cg->max_bytes == w->best.max_bytes)
		return;
	w->best = *cg;
	w->moved = true;
}

static void look_at_command(struct cgroup_watch *w)
{
	struct cgroup now;

	if (!task_cgroup(w, w->pid, &now) || cgroup_read_limit(&now, w->host))
		return;
	/* a limit may have changed; a child's cgroup may count more */
	if (strcmp(now.path, w->own) || !strcmp(now.path, w->best.path))
		take(w, &now);
	strcpy(w->own, now.path);
}

static void look_at_child(struct cgroup_watch *w, int pid)
{
	struct cgroup now;

	/* most are where their parent is, whose limit is known */
	if (!task_cgroup(w, pid, &now) || !strcmp(now.path, w->own) ||
	    cgroup_read_limit(&now, w->host) || !now.has_limit)
		return;
	if (!w->best.has_limit || now.max_bytes < w->best.max_bytes ||
	    !strcmp(now.path, w->best.path))
		take(w, &now);
}

/* Children of the main thread only: reading all threads costs too much. */
static void look_below(struct cgroup_watch *w, int pid, unsigned int depth,
		       unsigned int *nr_tasks)
{
	char path[64], *p, *end;
	struct buf text = {0};
	long child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	if (depth == MAX_DEPTH || host_read(w->host, &text, path))
		goto out;
	for (p = (char *)text.p; *nr_tasks < MAX_TASKS; p = end) {
		child = strtol(p, &end, 10);
		if (end == p || child <= 0)
			break;
		++*nr_tasks;
		look_at_child(w, (int)child);
		look_below(w, (int)child, depth + 1, nr_tasks);
	}
out:
	buf_free(&text);
}

void cgroup_watch_look(struct cgroup_watch *w)
{
	unsigned int nr_tasks = 0;

	if (!w->pid)
		return;
	look_at_command(w);
	look_below(w, w->pid, 0, &nr_tasks);
}
