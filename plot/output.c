/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - chart files: whole or not at all */

/*
 * A file is written under a temporary name (O_EXCL|O_NOFOLLOW) with its whole
 * content at hand and then renamed, with signals held back for that moment: no
 * failure and no Ctrl-C leaves half a file.  Something with the final name
 * that is not a regular file, a link above all, is refused.
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/units.h"
#include "plot/output.h"

static int fail(const char *path, int ret, struct errbuf *err)
{
	char safe[384];

	return errbuf_set(err, ret, "%s: %s",
			  units_escape(safe, sizeof(safe), path),
			  strerror(-ret));
}

static unsigned int env_id(const char *name)
{
	const char *text = getenv(name);
	uint64_t id;

	if (!text || units_parse_u64(text, &id) || id >= UINT32_MAX)
		return UINT32_MAX;
	return (unsigned int)id;
}

/* What root makes under sudo belongs to the user who typed it. */
static int give_away(int fd)
{
	unsigned int uid = env_id("SUDO_UID");

	if (geteuid() || uid == UINT32_MAX)
		return 0;
	return fchown(fd, uid, env_id("SUDO_GID")) ? -errno : 0;
}

int output_open(struct output *o, const char *dir, const char *base,
		struct errbuf *err)
{
	bool made = !mkdir(dir, 0777);
	int ret = 0;

	if (!made && errno != EEXIST)
		return fail(dir, -errno, err);
	o->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (o->fd < 0)
		return fail(dir, -errno, err);
	if (made)
		ret = give_away(o->fd);
	o->dir = strdup(dir);
	o->base = strdup(base);
	if (!ret && (!o->dir || !o->base))
		ret = -ENOMEM;
	if (ret) {
		output_close(o);
		return fail(dir, ret, err);
	}
	return 0;
}

void output_close(struct output *o)
{
	free(o->dir);
	free(o->base);
	close(o->fd);
}

char *output_path(const struct output *o, const char *suffix)
{
	const char *dir = o->dir, *here = "./", *slash = "/";
	char *path;

	if (!strcmp(dir, "."))
		dir = slash = "";
	if ((*dir && !strchr("-|<~", *dir)) ||
	    (!*dir && !strchr("-|<~", *o->base)))
		here = "";
	if (asprintf(&path, "%s%s%s%s.%s", here, dir, slash, o->base, suffix) <
	    0)
		return NULL;
	return path;
}

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

static int write_temp(const struct output *o, const char *temp,
		      const struct buf *data)
{
	int fd, ret;

	fd = openat(o->fd, temp,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	ret = give_away(fd);
	if (!ret)
		ret = write_all(fd, data);
	if (close(fd) && !ret)
		ret = -errno;
	if (ret)
		unlinkat(o->fd, temp, 0);
	return ret;
}

static int check_target(const struct output *o, const char *name)
{
	struct stat st;

	if (fstatat(o->fd, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	return S_ISREG(st.st_mode) ? 0 : -EEXIST;
}

static int write_named(const struct output *o, const char *name,
		       const struct buf *data)
{
	char temp[64];
	int ret;

	ret = check_target(o, name);
	if (ret)
		return ret;
	snprintf(temp, sizeof(temp), ".mm-plot-%ld.tmp", (long)getpid());
	ret = write_temp(o, temp, data);
	if (!ret && renameat(o->fd, temp, o->fd, name)) {
		ret = -errno;
		unlinkat(o->fd, temp, 0);
	}
	return ret;
}

int output_write(const struct output *o, const char *suffix,
		 const struct buf *data, struct errbuf *err)
{
	sigset_t all, before;
	char *name, *path;
	int ret = -ENOMEM;

	path = output_path(o, suffix);
	if (!path)
		return fail(o->base, ret, err);
	if (asprintf(&name, "%s.%s", o->base, suffix) >= 0) {
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, &before);
		ret = write_named(o, name, data);
		sigprocmask(SIG_SETMASK, &before, NULL);
		free(name);
	}
	if (ret == -ELOOP)
		errbuf_set(err, ret, "%s: is a symbolic link, not replaced",
			   path);
	else if (ret)
		fail(path, ret, err);
	free(path);
	return ret;
}
