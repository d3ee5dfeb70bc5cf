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

static int put_file(const struct snapshot *sn, const char *name,
		    const char *path, struct buf *text)
{
	if (host_read(sn->host, text, path) || !text->len)
		return 0;
	return mmt_writer_text(sn->writer, name, session_now(sn->session),
			       text->p, text->len);
}

/* "zram0.mm_stat" and so on, of the devices that there are. */
static int put_zram(const struct snapshot *sn, struct buf *text)
{
	char path[PATH_MAX], name[300];
	struct dirent *d;
	int ret = 0;
	DIR *dir;

	if (host_path(sn->host, path, "/sys/block"))
		return 0;
	dir = opendir(path);
	while (dir && !ret && (d = readdir(dir))) {
		if (strncmp(d->d_name, "zram", 4))
			continue;
		snprintf(path, sizeof(path), "/sys/block/%s/mm_stat",
			 d->d_name);
		snprintf(name, sizeof(name), "%s.mm_stat", d->d_name);
		ret = put_file(sn, name, path, text);
	}
	if (dir)
		closedir(dir);
	return ret;
}

int snapshot_counters(const struct snapshot *sn)
{
	static const char *const files[][2] = {
		{"vmstat", "/proc/vmstat"},
		{"meminfo", "/proc/meminfo"},
		{"stat", "/proc/stat"},
		{"diskstats", "/proc/diskstats"},
		{"psi.cpu", "/proc/pressure/cpu"},
		{"psi.io", "/proc/pressure/io"},
		{"psi.memory", "/proc/pressure/memory"},
		{"lru_gen", "/sys/kernel/debug/lru_gen"},
		{"lru_gen_full", "/sys/kernel/debug/lru_gen_full"},
	};
	struct buf text = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(files) && !ret; i++)
		ret = put_file(sn, files[i][0], files[i][1], &text);
	if (!ret)
		ret = put_zram(sn, &text);
	text.len = 0;
	if (!ret && sn->cgroup)
		ret = cgroup_tree(sn->cgroup, sn->host, &text);
	if (!ret && text.len)
		ret = mmt_writer_text(sn->writer, "memcg",
				      session_now(sn->session), text.p,
				      text.len);
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

int snapshot_tasks(const struct snapshot *sn)
{
	const struct host *h = sn->host;
	uint64_t now = session_now(sn->session);
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
		ret = mmt_writer_text(sn->writer, "tasks", now, text.p,
				      text.len);
	buf_free(&text);
	return ret;
}
