/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup-tree.c - the memory counters of a cgroup and of those below it */

/*
 * The tree is walked in the order of the directory entries; a cgroup that goes
 * away meanwhile has no files, and none of what it had is made up.
 */

#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/cgroup.h"
#include "formats/units.h"

struct walk {
	struct buf *out;
	bool v1;
	unsigned int nr;
};

static const char *const v1_files[] = {
	"memory.usage_in_bytes",
	"memory.limit_in_bytes",
	"memory.memsw.usage_in_bytes",
	"memory.stat",
};
static const char *const v2_files[] = {
	"memory.current",      "memory.max",      "memory.high",
	"memory.swap.current", "memory.swap.max", "memory.events",
	"memory.pressure",     "memory.stat",
};

static int put_files(struct walk *w, const char *dir)
{
	const char *const *files = w->v1 ? v1_files : v2_files;
	unsigned int i,
		nr = w->v1 ? ARRAY_SIZE(v1_files) : ARRAY_SIZE(v2_files);
	char path[PATH_MAX + 64];
	struct buf text = {0};
	int ret = 0;

	for (i = 0; i < nr && !ret; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		if (file_read(path, &text) || !text.len)
			continue;
		ret = buf_printf(w->out, "file %s\n%s%s", files[i],
				 (char *)text.p,
				 text.p[text.len - 1] == '\n' ? "" : "\n");
	}
	buf_free(&text);
	return ret;
}

static int walk_tree(struct walk *w, const char *dir, const char *name)
{
	char safe[PATH_MAX], below[PATH_MAX], path[PATH_MAX];
	struct dirent *d;
	DIR *entries;
	int ret;

	if (w->nr++ == CGROUP_TREE_MAX)
		return buf_printf(w->out, "more\n");
	if (w->nr > CGROUP_TREE_MAX)
		return 0;
	ret = buf_printf(w->out, "cgroup %s\n",
			 units_escape(safe, sizeof(safe), name));
	if (!ret)
		ret = put_files(w, dir);
	entries = ret ? NULL : opendir(dir);
	while (entries && !ret && (d = readdir(entries))) {
		if (d->d_type != DT_DIR || d->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", dir, d->d_name) >=
			    (int)sizeof(path) ||
		    snprintf(below, sizeof(below), "%s/%s",
			     strcmp(name, "/") ? name : "",
			     d->d_name) >= (int)sizeof(below))
			continue;
		ret = walk_tree(w, path, below);
	}
	if (entries)
		closedir(entries);
	return ret;
}

int cgroup_tree(const struct cgroup *cg, const struct host *h, struct buf *out)
{
	struct walk w = {.out = out, .v1 = cg->v1};
	char dir[PATH_MAX];

	/* what all of the machine has is in vmstat and meminfo */
	if (!strcmp(cg->path, "/") || cgroup_dir(cg, h, dir))
		return 0;
	return walk_tree(&w, dir, cg->path);
}
