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

/* Users can nest cgroups as they like: neither stack nor files are theirs. */
#define MAX_DEPTH 32

struct walk {
	struct buf *out;
	bool v1;
	bool more; /* than were taken */
	unsigned int nr, depth;
	char dir[PATH_MAX];  /* the cgroup's directory, and its path, ... */
	char name[PATH_MAX]; /* ... both cut back when it is done */
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

static int put_files(struct walk *w)
{
	const char *const *files = w->v1 ? v1_files : v2_files;
	unsigned int i,
		nr = w->v1 ? ARRAY_SIZE(v1_files) : ARRAY_SIZE(v2_files);
	char path[PATH_MAX + 64];
	struct buf text = {0};
	int ret = 0;

	for (i = 0; i < nr && !ret; i++) {
		snprintf(path, sizeof(path), "%s/%s", w->dir, files[i]);
		if (file_read(path, &text) || !text.len)
			continue;
		ret = buf_printf(w->out, "file %s\n%s%s", files[i],
				 (char *)text.p,
				 text.p[text.len - 1] == '\n' ? "" : "\n");
	}
	buf_free(&text);
	return ret;
}

static int walk_tree(struct walk *w);

/* Steps into the directory of this name and back. */
static int walk_child(struct walk *w, const char *child)
{
	size_t dir_len = strlen(w->dir), name_len = strlen(w->name);
	int n = snprintf(w->dir + dir_len, sizeof(w->dir) - dir_len, "/%s",
			 child);
	int m = snprintf(w->name + name_len, sizeof(w->name) - name_len, "/%s",
			 child);
	int ret = 0;

	if ((size_t)n < sizeof(w->dir) - dir_len &&
	    (size_t)m < sizeof(w->name) - name_len)
		ret = walk_tree(w);
	w->dir[dir_len] = w->name[name_len] = '\0';
	return ret;
}

static int put_cgroup(struct walk *w)
{
	char safe[PATH_MAX];
	int ret = buf_printf(w->out, "cgroup %s\n",
			     units_escape(safe, sizeof(safe), w->name));

	return ret ? ret : put_files(w);
}

static int walk_tree(struct walk *w)
{
	struct dirent *d;
	DIR *entries;
	int ret;

	if (w->nr == CGROUP_TREE_MAX || w->depth == MAX_DEPTH) {
		w->more = true;
		return 0;
	}
	w->nr++;
	ret = put_cgroup(w);
	entries = ret ? NULL : opendir(w->dir);
	w->depth++;
	while (entries && !ret && (d = readdir(entries)))
		if (d->d_type == DT_DIR && d->d_name[0] != '.')
			ret = walk_child(w, d->d_name);
	w->depth--;
	if (entries)
		closedir(entries);
	return ret;
}

int cgroup_tree(const struct cgroup *cg, const struct host *h, struct buf *out)
{
	struct walk w = {.out = out, .v1 = cg->v1};
	int ret;

	/* what all of the machine has is in vmstat and meminfo */
	if (!strcmp(cg->path, "/") || cgroup_dir(cg, h, w.dir))
		return 0;
	snprintf(w.name, sizeof(w.name), "%s", cg->path);
	ret = walk_tree(&w);
	return ret || !w.more ? ret : buf_printf(out, "more\n");
}
