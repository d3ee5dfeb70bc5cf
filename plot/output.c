/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - the files of one chart: same directory, same name, suffixes */

/*
 * Names only; that a file is whole or not there at all is the work of
 * outdir.c.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "plot/output.h"

int output_open(struct output *o, const char *dir, const char *base,
		struct errbuf *err)
{
	int ret;

	o->base = strdup(base);
	if (!o->base)
		return errbuf_set(err, -ENOMEM, "out of memory");
	ret = outdir_open(&o->dir, dir, err);
	if (ret)
		free(o->base);
	return ret;
}

void output_close(struct output *o)
{
	outdir_close(&o->dir);
	free(o->base);
}

static char *file_name(const struct output *o, const char *suffix)
{
	char *name;

	return asprintf(&name, "%s.%s", o->base, suffix) < 0 ? NULL : name;
}

char *output_path(const struct output *o, const char *suffix)
{
	char *name = file_name(o, suffix), *path = NULL;

	if (name)
		path = outdir_path(&o->dir, name);
	free(name);
	return path;
}

int output_put(const struct output *o, const char *suffix,
	       const struct buf *data, struct errbuf *err)
{
	char *name = file_name(o, suffix);
	int ret;

	ret = name ? outdir_put(&o->dir, name, data, err)
		   : errbuf_set(err, -ENOMEM, "out of memory");
	free(name);
	return ret;
}

int output_write(const struct output *o, const char *suffix,
		 int (*write)(const void *arg, FILE *out), const void *arg,
		 struct errbuf *err)
{
	char *name = file_name(o, suffix);
	int ret;

	ret = name ? outdir_write(&o->dir, name, write, arg, err)
		   : errbuf_set(err, -ENOMEM, "out of memory");
	free(name);
	return ret;
}
