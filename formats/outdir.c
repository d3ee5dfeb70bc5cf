/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outdir.c - result files in a directory: whole or not at all */

/*
 * The content is made in memory and written by outfile.c, with signals held
 * back for that moment: no failure and no Ctrl-C leaves half a file or a
 * temporary one, and a full disk leaves the former result.
 */

#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/outdir.h"
#include "formats/outfile.h"
#include "formats/units.h"

static int fail(const char *path, int ret, struct errbuf *err)
{
	char safe[384];

	return errbuf_set(err, ret, "%s: %s",
			  units_escape(safe, sizeof(safe), path),
			  strerror(-ret));
}

/* ------------------------------------------------------------- directory */

int outdir_open(struct outdir *d, const char *path, struct errbuf *err)
{
	int fd, ret = 0;

	d->made = !mkdir(path, 0777);
	if (!d->made && errno != EEXIST)
		return fail(path, -errno, err);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fail(path, -errno, err);
	if (d->made)
		ret = outfile_give_away(fd);
	close(fd);
	d->path = ret ? NULL : strdup(path);
	if (d->path)
		return 0;
	if (d->made)
		rmdir(path);
	return fail(path, ret ? ret : -ENOMEM, err);
}

void outdir_close(struct outdir *d)
{
	/* the kernel knows whether it is empty */
	if (d->made)
		rmdir(d->path);
	free(d->path);
}

char *outdir_path(const struct outdir *d, const char *name)
{
	const char *dir = d->path, *here = "./", *slash = "/";
	char *path;

	if (!strcmp(dir, "."))
		dir = slash = "";
	if (!strchr("-|<~", *dir ? *dir : *name))
		here = "";
	if (asprintf(&path, "%s%s%s%s", here, dir, slash, name) < 0)
		return NULL;
	return path;
}

/* ------------------------------------------------------------------ files */

static int write_all(int fd, const struct buf *data)
{
	size_t done = 0;
	ssize_t n;

	while (done < data->len) {
		n = write(fd, data->p + done, data->len - done);
		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* data NULL: only tries how far it would get. */
static int put_path(const char *path, const struct buf *data,
		    struct errbuf *err)
{
	struct outfile *o;
	int fd, ret;

	ret = outfile_open(&o, path, true, err);
	if (ret == -EEXIST)
		errbuf_hint(err,
			    "remove it, or name another directory with -o");
	if (ret)
		return ret;
	fd = outfile_fd(o);
	ret = outfile_give_away(fd);
	if (!ret && data)
		ret = write_all(fd, data);
	if (ret || !data)
		outfile_drop(o);
	else
		ret = outfile_publish(o);
	return ret ? fail(path, ret, err) : 0;
}

static int put(const struct outdir *d, const char *name, const struct buf *data,
	       struct errbuf *err)
{
	char *path = outdir_path(d, name);
	sigset_t all, before;
	int ret;

	if (!path)
		return errbuf_set(err, -ENOMEM, "%s: out of memory", name);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	ret = put_path(path, data, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(path);
	return ret;
}

int outdir_check(const struct outdir *d, const char *name, struct errbuf *err)
{
	return put(d, name, NULL, err);
}

int outdir_put(const struct outdir *d, const char *name, const struct buf *data,
	       struct errbuf *err)
{
	return put(d, name, data, err);
}

int outdir_write(const struct outdir *d, const char *name,
		 int (*write)(const void *arg, FILE *out), const void *arg,
		 struct errbuf *err)
{
	struct buf data = {0};
	char *text = NULL;
	FILE *mem;
	int ret;

	mem = open_memstream(&text, &data.len);
	ret = mem ? write(arg, mem) : -errno;
	if (mem && fclose(mem) && !ret)
		ret = -errno;
	data.p = (uint8_t *)text;
	if (ret)
		fail(name, ret, err);
	else
		ret = put(d, name, &data, err);
	free(text);
	return ret;
}
