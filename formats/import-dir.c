/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-dir.c - a directory as input: the raw pages of all its CPUs */

/*
 * A raw recording has one file per CPU, so that a directory names it as a
 * whole: its files "cpuN" and "cpuN.raw", whatever stands before, in the order
 * of N.  Statistics, formats and compressed files beside them are no input.
 */

#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "formats/import-frame.h"

#define MAX_FILES 8192

bool import_is_dir(const char *path)
{
	struct stat st;

	return strcmp(path, "-") && !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* The CPU of a file's name, or -1 if it is none of a CPU. */
static long cpu_of(const char *name)
{
	const char *at = NULL, *p;
	unsigned long cpu;
	char *end;

	for (p = name; (p = strstr(p, "cpu")); p += 3)
		at = p + 3;
	if (!at || *at < '0' || *at > '9')
		return -1;
	cpu = strtoul(at, &end, 10);
	return cpu <= UINT16_MAX && (!*end || !strcmp(end, ".raw")) ? (long)cpu
								    : -1;
}

static int by_cpu(const void *a, const void *b)
{
	const char *x = strrchr(*(char *const *)a, '/');
	const char *y = strrchr(*(char *const *)b, '/');
	long i = cpu_of(x), j = cpu_of(y);

	return i != j ? (i < j ? -1 : 1) : strcmp(x, y);
}

static int add_file(struct import_files *files, const char *dir,
		    const char *name)
{
	char **path;

	if (cpu_of(name) < 0)
		return 0;
	if (files->nr == MAX_FILES)
		return -E2BIG;
	path = realloc(files->path, (files->nr + 1) * sizeof(*path));
	if (!path)
		return -ENOMEM;
	files->path = path;
	if (asprintf(&path[files->nr], "%s/%s", dir, name) < 0)
		return -ENOMEM;
	files->nr++;
	return 0;
}

int import_list_dir(struct import_files *files, const char *dir,
		    struct errbuf *err)
{
	char name[IMPORT_NAME_MAX];
	struct dirent *entry;
	DIR *d = opendir(dir);
	int ret = d ? 0 : -errno;

	*files = (struct import_files){0};
	while (!ret && (entry = readdir(d)))
		ret = add_file(files, dir, entry->d_name);
	if (d)
		closedir(d);
	if (ret) {
		import_files_free(files);
		return errbuf_set(err, ret, "%s: %s", import_name(name, dir),
				  strerror(-ret));
	}
	if (files->nr) {
		qsort(files->path, files->nr, sizeof(*files->path), by_cpu);
		return 0;
	}
	errbuf_set(err, -EISDIR, "%s: is a directory without files cpuN",
		   import_name(name, dir));
	errbuf_hint(err, "a directory can be raw pages only, with --formats");
	return -EISDIR;
}

void import_files_free(struct import_files *files)
{
	unsigned int i;

	for (i = 0; i < files->nr; i++)
		free(files->path[i]);
	free(files->path);
	*files = (struct import_files){0};
}
