/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - kernel counters and the tasks that exist, as texts of the log */

/*
 * The scan of the tasks begins after the events are on: a task is then in the
 * scan, or in an event, or in both, but never in neither.
 */

#include "config.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/snapshot.h"
#include "formats/units.h"

int snapshot_counters(const struct host *h, const struct session *s,
		      struct mmt_writer *w)
{
	static const char *const files[][2] = {
		{"vmstat", "/proc/vmstat"},
		{"meminfo", "/proc/meminfo"},
	};
	struct buf text = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(files) && !ret; i++) {
		if (host_read(h, &text, files[i][1]))
			continue;
		ret = mmt_writer_text(w, files[i][0], session_now(s), text.p,
				      text.len);
	}
	buf_free(&text);
	return ret;
}

static int add_task(const struct host *h, const char *tgid, const char *tid,
		    struct buf *out)
{
	char path[PATH_MAX], comm[64], safe[256];

	if (host_path(h, path, "/proc/%s/task/%s/comm", tgid, tid) ||
	    file_read_line(path, comm, sizeof(comm)))
		return 0; /* it has ended meanwhile */
	return buf_printf(out, "%s %s %s\n", tid, tgid,
			  units_escape(safe, sizeof(safe), comm));
}

static int add_process(const struct host *h, const char *tgid, struct buf *out)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;
	int ret = 0;

	if (host_path(h, path, "/proc/%s/task", tgid))
		return 0;
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			ret = add_task(h, tgid, d->d_name, out);
	closedir(dir);
	return ret;
}

int snapshot_tasks(const struct host *h, const struct session *s,
		   struct mmt_writer *w)
{
	uint64_t now = session_now(s);
	struct buf text = {0};
	char path[PATH_MAX];
	struct dirent *d;
	int ret = 0;
	DIR *dir;

	if (host_path(h, path, "/proc"))
		return -ENAMETOOLONG;
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			ret = add_process(h, d->d_name, &text);
	closedir(dir);
	if (!ret)
		ret = mmt_writer_text(w, "tasks", now, text.p, text.len);
	buf_free(&text);
	return ret;
}
