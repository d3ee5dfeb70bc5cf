/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup.c - where a task's memory is charged, and the limit there */

/*
 * /proc/PID/cgroup names the cgroup relative to the root of its hierarchy,
 * /proc/self/mountinfo says where that hierarchy is mounted, and which part
 * of it.  A limit binds everything below it, so that the smallest on the way
 * up is the one that counts.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "capture/cgroup.h"

#define NO_LIMIT (1ULL << 62) /* v1 writes "none" as a huge number */

struct hierarchy {
	char mount[PATH_MAX]; /* below the host's root */
	char top[PATH_MAX];   /* the part of it that is mounted there */
};

/* Has the comma list this word? */
static bool list_has(const char *list, const char *word)
{
	size_t len = strlen(word);
	const char *p;

	for (p = list; *p;
	     p += p[strcspn(p, ",")] ? strcspn(p, ",") + 1 : strlen(p))
		if (strcspn(p, ",") == len && !strncmp(p, word, len))
			return true;
	return false;
}

/* One line: "36 35 0:29 TOP MOUNT rw - TYPE SOURCE OPTIONS". */
static bool mountinfo_line(char *line, bool v1, struct hierarchy *hi)
{
	char type[32], options[256];
	char *dash = strstr(line, " - ");

	if (!dash || sscanf(dash + 3, "%31s %*s %255s", type, options) != 2)
		return false;
	if (strcmp(type, v1 ? "cgroup" : "cgroup2") ||
	    (v1 && !list_has(options, "memory")))
		return false;
	return sscanf(line, "%*s %*s %*s %4095s %4095s", hi->top, hi->mount) ==
	       2;
}

static int hierarchy_find(struct hierarchy *hi, const struct host *h, bool v1)
{
	struct buf text = {0};
	char *line, *save;
	int ret;

	ret = host_read(h, &text, "/proc/self/mountinfo");
	if (ret)
		goto out;
	ret = -ENOENT;
	for (line = strtok_r((char *)text.p, "\n", &save); line && ret;
	     line = strtok_r(NULL, "\n", &save))
		if (mountinfo_line(line, v1, hi))
			ret = 0;
out:
	buf_free(&text);
	return ret;
}

/* v1's memory controller if it has one, else the one line of v2. */
int cgroup_find(struct cgroup *cg, const struct host *h, int pid)
{
	char file[64], *line, *save, *list, *path;
	struct buf text = {0};
	int ret;

	snprintf(file, sizeof(file),
		 pid ? "/proc/%d/cgroup" : "/proc/self/cgroup", pid);
	memset(cg, 0, sizeof(*cg));
	ret = host_read(h, &text, file);
	if (ret)
		goto out;
	for (line = strtok_r((char *)text.p, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		list = strchr(line, ':');
		path = list ? strchr(list + 1, ':') : NULL;
		if (!path)
			continue;
		*path++ = '\0';
		if (list[1] && !list_has(list + 1, "memory"))
			continue;
		/* the empty list is v2's; v1's memory wins over it */
		if (!list[1] && cg->v1)
			continue;
		cg->v1 = list[1];
		snprintf(cg->path, sizeof(cg->path), "%s", path);
	}
	if (!cg->path[0])
		ret = -ENOENT;
out:
	buf_free(&text);
	return ret;
}

const char *cgroup_limit_file(const struct cgroup *cg)
{
	return cg->v1 ? "memory.limit_in_bytes" : "memory.max";
}

static void read_limit(struct cgroup *cg, const struct host *h,
		       const struct hierarchy *hi, const char *below)
{
	char path[PATH_MAX], line[64];
	unsigned long long bytes;

	if (host_path(h, path, "%s%s/%s", hi->mount, below,
		      cgroup_limit_file(cg)) ||
	    file_read_line(path, line, sizeof(line)) ||
	    sscanf(line, "%llu", &bytes) != 1 || bytes >= NO_LIMIT)
		return;
	if (!cg->has_limit || bytes < cg->max_bytes)
		cg->max_bytes = bytes;
	cg->has_limit = true;
}

/* Its path below the mount, which may show a part of the hierarchy only. */
static const char *below_mount(const struct cgroup *cg,
			       const struct hierarchy *hi)
{
	size_t len = strcmp(hi->top, "/") ? strlen(hi->top) : 0;

	return strncmp(cg->path, hi->top, len) ? cg->path : cg->path + len;
}

int cgroup_dir(const struct cgroup *cg, const struct host *h,
	       char out[PATH_MAX])
{
	struct hierarchy hi;
	int ret = cg->path[0] ? hierarchy_find(&hi, h, cg->v1) : -ENOENT;

	return ret ? ret
		   : host_path(h, out, "%s%s", hi.mount, below_mount(cg, &hi));
}

int cgroup_read_limit(struct cgroup *cg, const struct host *h)
{
	struct hierarchy hi;
	char below[PATH_MAX], *slash;
	int ret = hierarchy_find(&hi, h, cg->v1);

	if (ret)
		return ret;
	cg->has_limit = false;
	snprintf(below, sizeof(below), "%s", below_mount(cg, &hi));
	for (;;) {
		read_limit(cg, h, &hi, below);
		slash = strrchr(below, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	return 0;
}

int cgroup_of_task(struct cgroup *cg, const struct host *h, int pid)
{
	int ret = cgroup_find(cg, h, pid);

	return ret ? ret : cgroup_read_limit(cg, h);
}
