/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pagewl.c - a workload of known pages, for the live test of the recorder */

/*
 *   pagewl create FILE PAGES        a file of so many pages, not in the cache
 *   pagewl read FILE TIMES INDEX... reads each page so many times, one page a
 *                                   read, then drops them
 *   pagewl spin FILE PAGES ROUNDS   reads and drops all pages, many times
 *
 * Readahead is off (FADV_RANDOM), so that a page is added if, and only if, it
 * is read while it is not there: the recorder must see exactly one add and
 * one removal per page, and TIMES reads.  "read" prints "MAJOR:MINOR INODE".
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define PAGE 4096

static int fail(const char *what)
{
	fprintf(stderr, "pagewl: %s: %s\n", what, strerror(errno));
	return 1;
}

/* The cache forgets the file; dirty pages are written first. */
static int drop(int fd)
{
	if (fsync(fd))
		return fail("fsync");
	errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return errno ? fail("fadvise") : 0;
}

static int create(const char *path, unsigned long nr)
{
	static char page[PAGE];
	unsigned long i;
	int fd, ret;

	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		return fail(path);
	for (i = 0; i < nr; i++) {
		snprintf(page, sizeof(page), "page %lu\n", i);
		if (pwrite(fd, page, PAGE, (off_t)i * PAGE) != PAGE)
			return fail("write");
	}
	ret = drop(fd);
	return close(fd) ? fail("close") : ret;
}

static int open_random(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd >= 0)
		errno = posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	return fd >= 0 && errno ? -1 : fd;
}

static int read_page(int fd, unsigned long index)
{
	char page[PAGE];

	return pread(fd, page, PAGE, (off_t)index * PAGE) == PAGE
		       ? 0
		       : fail("read");
}

static int read_pages(int fd, unsigned long times, char **index)
{
	struct stat st;
	unsigned long i;

	if (fstat(fd, &st))
		return fail("stat");
	printf("%u:%u %" PRIu64 "\n", major(st.st_dev), minor(st.st_dev),
	       (uint64_t)st.st_ino);
	for (i = 0; i < times; i++) {
		char **p;

		for (p = index; *p; p++)
			if (read_page(fd, strtoul(*p, NULL, 10)))
				return 1;
	}
	return drop(fd);
}

static int spin(int fd, unsigned long nr, unsigned long rounds)
{
	unsigned long i, round;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < nr; i++)
			if (read_page(fd, i))
				return 1;
		if (drop(fd))
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int fd;

	if (argc == 4 && !strcmp(argv[1], "create"))
		return create(argv[2], strtoul(argv[3], NULL, 10));
	if (argc < 5) {
		fputs("usage: pagewl create|read|spin FILE NUMBER...\n",
		      stderr);
		return 2;
	}
	fd = open_random(argv[2]);
	if (fd < 0)
		return fail(argv[2]);
	if (!strcmp(argv[1], "read"))
		return read_pages(fd, strtoul(argv[3], NULL, 10), argv + 4);
	return spin(fd, strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
}
