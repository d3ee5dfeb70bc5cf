/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outfile.c - a file that gets its name when it is whole */

/*
 * Whoever converts a file leaves either all of the result or nothing, and
 * keeps what it replaces until then.  The kernel does that by itself for a
 * file without a name (O_TMPFILE), however the program ends.  Some file
 * systems have none, and without /proc it could not be named later: then it
 * has a temporary name, which outfile_clean() removes if a signal ends the
 * program.
 */

#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/outfile.h"
#include "formats/units.h"

#define MAX_TRIES 100

struct outfile {
	struct outfile *next; /* of those that have a temporary name */
	int fd;
	bool replace;
	bool named; /* temp is its name */
	char *path, *dir, *temp;
};

/* Changed only while signals are blocked, so that a handler can walk it. */
static struct outfile *volatile unfinished;

static void block_signals(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, old);
}

static void restore_signals(const sigset_t *old)
{
	sigprocmask(SIG_SETMASK, old, NULL);
}

void outfile_clean(void)
{
	const struct outfile *o;

	for (o = unfinished; o; o = o->next)
		unlink(o->temp);
}

/* ----------------------------------------------------------- may it be made */

static int refuse_existing(const char *path, mode_t mode, bool replace,
			   struct errbuf *err)
{
	char safe[256];

	units_escape(safe, sizeof(safe), path);
	if (S_ISREG(mode) && replace)
		return 0;
	if (S_ISREG(mode)) {
		errbuf_set(err, -EEXIST, "%s: %s", safe, strerror(EEXIST));
		errbuf_hint(err, "-f replaces it, -o FILE names another");
		return -EEXIST;
	}
	errbuf_set(err, -EEXIST, "%s: is %s", safe,
		   S_ISLNK(mode)   ? "a symbolic link"
		   : S_ISDIR(mode) ? "a directory"
				   : "not a regular file");
	if (S_ISLNK(mode))
		errbuf_hint(
			err,
			"no link is followed: name the file itself with -o, or remove the link");
	else
		errbuf_hint(err, "-o FILE names another");
	return -EEXIST;
}

int outfile_check(const char *path, bool replace, struct errbuf *err)
{
	size_t len = strlen(path);
	struct stat st;
	char safe[256];

	units_escape(safe, sizeof(safe), path);
	if (!len)
		return errbuf_set(err, -ENOENT, "output: has no name");
	if (!lstat(path, &st))
		return refuse_existing(path, st.st_mode, replace, err);
	if (errno == ENOENT && path[len - 1] == '/')
		errno = EISDIR;
	if (errno == ENOENT)
		return 0;
	return errbuf_set(err, -errno, "%s: %s", safe, strerror(errno));
}

static unsigned int env_id(const char *name)
{
	const char *text = getenv(name);
	uint64_t id;

	if (!text || units_parse_u64(text, &id) || id >= UINT32_MAX)
		return UINT32_MAX;
	return (unsigned int)id;
}

int outfile_give_away(int fd)
{
	unsigned int uid = env_id("SUDO_UID");

	if (geteuid() || uid == UINT32_MAX)
		return 0;
	return fchown(fd, uid, env_id("SUDO_GID")) ? -errno : 0;
}

/* ----------------------------------------------------------------- the file */

static void outfile_free(struct outfile *o)
{
	free(o->path);
	free(o->dir);
	free(o->temp);
	free(o);
}

/* Another name that nobody else is likely to have. */
static int next_temp(struct outfile *o, unsigned int try)
{
	free(o->temp);
	if (asprintf(&o->temp, "%s/.mmt-%d-%u", o->dir, (int)getpid(), try) < 0)
		o->temp = NULL;
	return o->temp ? 0 : -ENOMEM;
}

static struct outfile *outfile_new(const char *path, bool replace)
{
	const char *slash = strrchr(path, '/');
	struct outfile *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->fd = -1;
	o->replace = replace;
	o->path = strdup(path);
	if (slash)
		o->dir = strndup(path, MAX((size_t)(slash - path), (size_t)1));
	else
		o->dir = strdup(".");
	if (o->path && o->dir)
		return o;
	outfile_free(o);
	return NULL;
}

static void proc_name(char *name, size_t size, int fd)
{
	snprintf(name, size, "/proc/self/fd/%d", fd);
}

/* -EOPNOTSUPP if it has to have a name. */
static int open_nameless(struct outfile *o)
{
	int fd = open(o->dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	char name[32];

	/* what this error means depends on the file system */
	if (fd < 0 && (errno == EISDIR || errno == EINVAL || errno == ENOSYS))
		return -EOPNOTSUPP;
	if (fd < 0)
		return -errno;
	proc_name(name, sizeof(name), fd);
	if (!access(name, F_OK)) {
		o->fd = fd;
		return 0;
	}
	close(fd);
	return -EOPNOTSUPP;
}

static int open_named(struct outfile *o)
{
	unsigned int try = 0;
	sigset_t old;
	int ret;

	block_signals(&old);
	do {
		ret = next_temp(o, try++);
		if (ret)
			break;
		o->fd = open(o->temp,
			     O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			     0600);
		ret = o->fd < 0 ? -errno : 0;
	} while (ret == -EEXIST && try < MAX_TRIES);
	if (!ret) {
		o->named = true;
		o->next = unfinished;
		unfinished = o;
	}
	restore_signals(&old);
	return ret;
}

int outfile_open(struct outfile **op, const char *path, bool replace,
		 struct errbuf *err)
{
	struct outfile *o;
	char safe[256];
	int ret = outfile_check(path, replace, err);

	if (ret)
		return ret;
	units_escape(safe, sizeof(safe), path);
	o = outfile_new(path, replace);
	if (!o)
		return errbuf_set(err, -ENOMEM, "%s: out of memory", safe);
	ret = open_nameless(o);
	if (ret == -EOPNOTSUPP)
		ret = open_named(o);
	if (!ret) {
		*op = o;
		return 0;
	}
	errbuf_set(err, ret, "%s: %s", safe, strerror(-ret));
	outfile_free(o);
	return ret;
}

int outfile_fd(const struct outfile *o)
{
	return o->fd;
}

/* ------------------------------------------------------------------ the end */

/* Only what outfile_check() let pass is replaced, also if it is new. */
static int rename_over(const char *temp, const char *path)
{
	struct stat st;

	if (!lstat(path, &st) && !S_ISREG(st.st_mode))
		return -EEXIST;
	return rename(temp, path) ? -errno : 0;
}

static int publish_nameless(struct outfile *o)
{
	const char *to = o->path;
	unsigned int try = 0;
	char from[32];
	int ret;

	proc_name(from, sizeof(from), o->fd);
	for (;;) {
		ret = linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW)
			      ? -errno
			      : 0;
		if (ret != -EEXIST || !o->replace || try >= MAX_TRIES)
			break;
		/* no link replaces a file, but a name can be moved over it */
		if (next_temp(o, try++))
			return -ENOMEM;
		to = o->temp;
	}
	if (ret || to == o->path)
		return ret;
	ret = rename_over(o->temp, o->path);
	if (ret)
		unlink(o->temp);
	return ret;
}

static int publish_named(struct outfile *o)
{
	int fd, ret;

	if (o->replace)
		return rename_over(o->temp, o->path);
	/* the name is claimed first, as not all file systems have links */
	fd = open(o->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		  0600);
	if (fd < 0)
		return -errno;
	close(fd);
	ret = rename_over(o->temp, o->path);
	if (ret)
		unlink(o->path);
	return ret;
}

static void forget(struct outfile *o)
{
	struct outfile *before;

	if (unfinished == o) {
		unfinished = o->next;
		return;
	}
	for (before = unfinished; before; before = before->next)
		if (before->next == o)
			before->next = o->next;
}

/* Signals are blocked: a name is there for a moment that must not stay. */
static int end(struct outfile *o, bool publish)
{
	sigset_t old;
	int ret = 0;

	block_signals(&old);
	if (publish)
		ret = o->named ? publish_named(o) : publish_nameless(o);
	if (o->named && (ret || !publish))
		unlink(o->temp);
	if (o->named)
		forget(o);
	restore_signals(&old);
	if (close(o->fd) && !ret)
		ret = -errno;
	outfile_free(o);
	return ret;
}

int outfile_publish(struct outfile *o)
{
	return end(o, true);
}

void outfile_drop(struct outfile *o)
{
	end(o, false);
}
