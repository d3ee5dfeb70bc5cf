/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-input.c - inputs of an import: files, pipes, standard input */

/*
 * An input is looked at more than once: by the detection of its kind, then by
 * the importer, which may want two passes.  A pipe gives its bytes only once,
 * so what comes out of it is copied to a file without a name, which is kept
 * under the name of the pipe until the program ends.  A list of such copies is
 * the only thing that is global here; imports run in one thread.
 */

#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/import-frame.h"
#include "formats/units.h"

struct copy {
	struct copy *next;
	int fd;
	char path[];
};

static struct copy *copies;

const char *import_name(char out[IMPORT_NAME_MAX], const char *path)
{
	size_t len;

	if (!strcmp(path, "-"))
		return "standard input";
	/* the end of a long path says more than its begin */
	len = strlen(path);
	if (len > 200)
		path += len - 200;
	return units_escape(out, IMPORT_NAME_MAX, path);
}

static int failed(const char *path, int ret, struct errbuf *err)
{
	char name[IMPORT_NAME_MAX];

	return errbuf_set(err, ret, "%s: %s", import_name(name, path),
			  strerror(-ret));
}

int import_nameless(struct errbuf *err)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	fd = open(dir && *dir == '/' ? dir : "/tmp",
		  O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	/* not every file system can, not every user may */
	if (fd < 0)
		fd = memfd_create("mmcap", MFD_CLOEXEC);
	if (fd < 0)
		return errbuf_set(err, -errno, "temporary file: %s",
				  strerror(errno));
	return fd;
}

ssize_t import_read(int fd, uint8_t *p, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(fd, p + got, len - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static int write_all(int fd, const uint8_t *p, size_t len)
{
	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -ENOSPC;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

/* ----------------------------------------------------------------- pipes */

static bool is_known(const struct import_options *o, const uint8_t *head,
		     size_t len, const char *path)
{
	return o->from || import_is_log(head, len) ||
	       import_detect(o, head, len, path);
}

/* Copies the pipe; what nobody knows only as far as it was looked at. */
static int copy_pipe(int to, int from, const char *path,
		     const struct import_options *detect)
{
	uint8_t *piece = malloc(IMPORT_HEAD);
	bool first = true;
	ssize_t n;
	int ret = 0;

	if (!piece)
		return -ENOMEM;
	while (!ret && (n = import_read(from, piece, IMPORT_HEAD)) > 0) {
		ret = write_all(to, piece, (size_t)n);
		if (first && detect &&
		    !is_known(detect, piece, (size_t)n, path))
			break;
		first = false;
	}
	free(piece);
	return !ret && n < 0 ? (int)n : ret;
}

static int keep_copy(const char *path, int fd)
{
	size_t len = strlen(path) + 1;
	struct copy *copy = malloc(sizeof(*copy) + len);

	if (!copy)
		return -ENOMEM;
	memcpy(copy->path, path, len);
	copy->fd = fd;
	copy->next = copies;
	copies = copy;
	return 0;
}

/* Replaces the open pipe by its copy: the caller's descriptor of it. */
static int spool(int from, const char *path,
		 const struct import_options *detect, struct errbuf *err)
{
	int fd = import_nameless(err), ret;

	if (fd < 0)
		return fd;
	ret = copy_pipe(fd, from, path, detect);
	if (!ret)
		ret = keep_copy(path, fd);
	if (ret) {
		close(fd);
		return failed(path, ret, err);
	}
	fd = dup(fd);
	return fd < 0 ? failed(path, -errno, err) : fd;
}

/* ------------------------------------------------------------------ open */

static int open_path(const char *path)
{
	const struct copy *copy;
	int fd;

	for (copy = copies; copy; copy = copy->next)
		if (!strcmp(copy->path, path))
			break;
	if (copy)
		fd = dup(copy->fd);
	else if (!strcmp(path, "-"))
		fd = dup(STDIN_FILENO);
	else
		fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int import_input(const char *path, const struct import_options *detect,
		 struct errbuf *err)
{
	int fd = open_path(path), ret;
	struct stat st;

	if (fd < 0)
		return failed(path, fd, err);
	if (fstat(fd, &st))
		ret = failed(path, -errno, err);
	else if (S_ISREG(st.st_mode))
		return fd;
	else if (S_ISDIR(st.st_mode))
		ret = failed(path, -EISDIR, err);
	else
		ret = spool(fd, path, detect, err);
	close(fd);
	return ret;
}

int import_map(struct import_map *map, const char *path, struct errbuf *err)
{
	int fd = import_input(path, NULL, err);
	struct stat st;
	void *p;

	*map = (struct import_map){0};
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) || (uint64_t)st.st_size > SIZE_MAX / 2) {
		close(fd);
		return failed(path, -EFBIG, err);
	}
	if (st.st_size) {
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
			 0);
		if (p == MAP_FAILED) {
			int ret = failed(path, -errno, err);

			close(fd);
			return ret;
		}
		*map = (struct import_map){p, (size_t)st.st_size, true};
	}
	close(fd);
	return 0;
}

void import_unmap(struct import_map *map)
{
	if (map->mapped)
		munmap((void *)(uintptr_t)map->p, map->len);
	*map = (struct import_map){0};
}
