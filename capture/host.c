/* SPDX-License-Identifier: GPL-2.0-or-later */
/* host.c - the files of the machine we record on, and where tracefs is */

/*
 * tracefs may be missing in five ways that look alike to open(2) but need
 * different answers.  We tell them apart with /proc/filesystems (does the
 * kernel know it), /proc/mounts (is it mounted), the directory itself, and
 * the lockdown file of the security modules.
 */

#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/host.h"

#define TRACEFS_PATH "/sys/kernel/tracing"
#define DEBUGFS_PATH "/sys/kernel/debug/tracing"

int host_path(const struct host *h, char out[PATH_MAX], const char *fmt, ...)
{
	size_t len = strlen(h->root);
	va_list ap;
	int n;

	if (len >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(out, h->root, len);
	va_start(ap, fmt);
	n = vsnprintf(out + len, PATH_MAX - len, fmt, ap);
	va_end(ap);
	return n < 0 || (size_t)n >= PATH_MAX - len ? -ENAMETOOLONG : 0;
}

/* Files in proc and tracefs have no size: read until there is no more. */
int file_read(const char *path, struct buf *out)
{
	ssize_t n;
	int fd, ret;

	out->len = 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	do {
		ret = buf_reserve(out, 65536);
		if (ret)
			goto out;
		n = read(fd, out->p + out->len, out->cap - out->len - 1);
		if (n < 0) {
			ret = -errno;
			goto out;
		}
		out->len += (size_t)n;
	} while (n);
	out->p[out->len] = '\0';
out:
	close(fd);
	return ret;
}

int file_read_line(const char *path, char *out, size_t size)
{
	ssize_t n;
	int fd;

	out[0] = '\0';
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	n = read(fd, out, size - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	out[n] = '\0';
	out[strcspn(out, "\n")] = '\0';
	return 0;
}

int file_write(const char *path, const char *text)
{
	ssize_t n, len = (ssize_t)strlen(text);
	int fd, ret = 0;

	fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC);
	if (fd < 0)
		return -errno;
	n = write(fd, text, (size_t)len);
	if (n < 0)
		ret = -errno;
	else if (n != len)
		ret = -EIO;
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

int host_read(const struct host *h, struct buf *out, const char *path)
{
	char full[PATH_MAX];
	int ret = host_path(h, full, "%s", path);

	return ret ? ret : file_read(full, out);
}

int host_read_line(const struct host *h, const char *path, char *out,
		   size_t size)
{
	char full[PATH_MAX];
	int ret = host_path(h, full, "%s", path);

	if (ret) {
		out[0] = '\0';
		return ret;
	}
	return file_read_line(full, out, size);
}

/* Entries of a directory that are not dots: 0, 1 (some), or an errno. */
static int dir_has_entries(const char *path)
{
	struct dirent *d;
	int nr = 0;
	DIR *dir;

	dir = opendir(path);
	if (!dir)
		return -errno;
	while (!nr && (d = readdir(dir)))
		nr = strcmp(d->d_name, ".") && strcmp(d->d_name, "..");
	closedir(dir);
	return nr;
}

/* Has a line of the file this word? */
static bool file_has_word(const struct host *h, const char *path,
			  const char *word)
{
	struct buf text = {0};
	bool found = false;
	char *save, *p;

	if (!host_read(h, &text, path))
		for (p = strtok_r((char *)text.p, " \t\n", &save); p && !found;
		     p = strtok_r(NULL, " \t\n", &save))
			found = !strcmp(p, word);
	buf_free(&text);
	return found;
}

void host_lockdown(const struct host *h, char *out, size_t size)
{
	char line[128], *open, *end;

	snprintf(out, size, "unknown");
	if (host_read_line(h, "/sys/kernel/security/lockdown", line,
			   sizeof(line)))
		return;
	open = strchr(line, '[');
	end = open ? strchr(open, ']') : NULL;
	if (!end)
		return;
	*end = '\0';
	snprintf(out, size, "%s", open + 1);
}

const char *host_container(const struct host *h)
{
	static const struct {
		const char *file, *name;
	} marks[] = {
		{"/.dockerenv", "docker"},
		{"/run/.containerenv", "podman"},
		{"/run/systemd/container", "container"},
	};
	char path[PATH_MAX];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(marks); i++)
		if (!host_path(h, path, "%s", marks[i].file) &&
		    !access(path, F_OK))
			return marks[i].name;
	return NULL;
}

static int say_denied(const char *path, int ret, struct errbuf *err)
{
	errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
	errbuf_hint(err, "run as root (in a container: on its host)");
	return ret;
}

static int say_empty(const struct host *h, const char *path, struct errbuf *err)
{
	char lockdown[32];

	host_lockdown(h, lockdown, sizeof(lockdown));
	if (!strcmp(lockdown, "confidentiality")) {
		errbuf_set(err, -EPERM,
			   "%s: empty, the kernel is locked down (%s)", path,
			   lockdown);
		errbuf_hint(err, "boot with lockdown=integrity or less");
		return -EPERM;
	}
	errbuf_set(err, -ENOENT, "%s: mounted, but empty (lockdown is %s)",
		   path, lockdown);
	errbuf_hint(err, "look for tracefs in the kernel log");
	return -ENOENT;
}

static int say_missing(const struct host *h, enum tracing_state *state,
		       const char *path, struct errbuf *err)
{
	if (!file_has_word(h, "/proc/filesystems", "tracefs")) {
		*state = TRACING_ABSENT;
		errbuf_set(err, -ENODEV, "this kernel has no tracefs");
		errbuf_hint(err, "it needs CONFIG_TRACING in the kernel");
		return -ENODEV;
	}
	*state = TRACING_NOT_MOUNTED;
	errbuf_set(err, -ENOENT, "%s: tracefs is not mounted", path);
	errbuf_hint(err, "mount -t tracefs nodev %s%s", path,
		    host_container(h) ? " (in a container: on its host)" : "");
	return -ENOENT;
}

int host_find_tracing(struct host *h, enum tracing_state *state,
		      struct errbuf *err)
{
	char path[PATH_MAX], old[PATH_MAX], events[PATH_MAX + 8];
	int ret;

	*state = TRACING_OK;
	ret = host_path(h, path, "%s", TRACEFS_PATH);
	if (!ret)
		ret = host_path(h, old, "%s", DEBUGFS_PATH);
	if (ret)
		return errbuf_set(err, ret, "%s: %s", h->root, strerror(-ret));
	snprintf(h->tracing, sizeof(h->tracing), "%s", path);
	snprintf(events, sizeof(events), "%s/events", path);
	if (dir_has_entries(events) == 1)
		return 0;
	snprintf(events, sizeof(events), "%s/events", old);
	if (dir_has_entries(events) == 1) {
		snprintf(h->tracing, sizeof(h->tracing), "%s", old);
		return 0;
	}

	ret = dir_has_entries(path);
	if (ret == -EACCES || ret == -EPERM || ret == 1) {
		*state = TRACING_DENIED;
		return say_denied(path, ret < 0 ? ret : -EACCES, err);
	}
	if (!ret && file_has_word(h, "/proc/mounts", TRACEFS_PATH)) {
		*state = TRACING_EMPTY;
		return say_empty(h, path, err);
	}
	return say_missing(h, state, path, err);
}

int host_pid_start(const struct host *h, int pid, uint64_t *ticks)
{
	char path[PATH_MAX], line[1024], *p;
	unsigned int i;

	if (host_path(h, path, "/proc/%d/stat", pid) ||
	    file_read_line(path, line, sizeof(line)))
		return -ESRCH;
	/* the name, in brackets, may hold anything; field 22 is the start */
	p = strrchr(line, ')');
	for (i = 2; p && i < 22; i++)
		p = strchr(p + 1, ' ');
	if (!p || sscanf(p, " %" SCNu64, ticks) != 1)
		return -ESRCH;
	return 0;
}
