/* SPDX-License-Identifier: GPL-2.0-or-later */
/* zipfread.c - a small page-cache workload to record */

/*
 * usage: zipfread -c [-s MIB] FILE
 *        zipfread [-n READS] [-t THETA] [-r SEED] FILE
 *
 * With -c, makes FILE (default 256 MiB) and drops it from the page cache: a
 * step of its own, because the writing would be in the recording, and because
 * dropping a file also drops the kernel's shadows of its evicted pages.
 *
 * Without, reads single pages of FILE: most with a Zipf distribution (a few
 * pages often, many rarely), and, after every thousand of those, a run of 256
 * pages in order, as a scan does, with readahead.  Run it in a memory cgroup
 * smaller than FILE to see reclaim and refaults.
 */

#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAGE       4096
#define SCAN_EVERY 1000
#define SCAN_PAGES 256

struct load {
	const char *path;
	uint64_t nr_pages, nr_reads;
	double theta;
	uint64_t seed;
	double *cdf; /* of rank i, scaled so that the last is 1 */
};

static uint64_t next_random(uint64_t *state)
{
	/* xorshift64: Marsaglia 2003 */
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int make_cdf(struct load *l)
{
	double sum = 0;
	uint64_t i;

	l->cdf = malloc(l->nr_pages * sizeof(*l->cdf));
	if (!l->cdf)
		return -1;
	for (i = 0; i < l->nr_pages; i++)
		l->cdf[i] = sum += 1 / pow((double)(i + 1), l->theta);
	for (i = 0; i < l->nr_pages; i++)
		l->cdf[i] /= sum;
	return 0;
}

/* The rank, spread over the file so that hot pages are not neighbours. */
static uint64_t zipf_page(struct load *l)
{
	double u = (double)(next_random(&l->seed) >> 11) * 0x1p-53;
	uint64_t low = 0, high = l->nr_pages - 1;

	while (low < high) {
		uint64_t mid = (low + high) / 2;

		if (l->cdf[mid] < u)
			low = mid + 1;
		else
			high = mid;
	}
	return low * 2654435761U % l->nr_pages;
}

static int make_file(const struct load *l)
{
	static char chunk[1 << 20];
	uint64_t left = l->nr_pages * PAGE;
	int fd = open(l->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int ret = fd < 0 ? -1 : 0;

	memset(chunk, 'z', sizeof(chunk));
	while (!ret && left) {
		size_t len = left < sizeof(chunk) ? left : sizeof(chunk);

		if (write(fd, chunk, len) != (ssize_t)len)
			ret = -1;
		left -= len;
	}
	if (!ret)
		ret = fsync(fd);
	if (!ret)
		ret = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (fd >= 0)
		close(fd);
	return ret;
}

static int read_page(int fd, uint64_t page)
{
	char data[PAGE];

	return pread(fd, data, PAGE, (off_t)(page * PAGE)) == PAGE ? 0 : -1;
}

static int read_all(struct load *l, int random_fd, int scan_fd)
{
	uint64_t i, j, at = 0;

	for (i = 0; i < l->nr_reads; i++) {
		if (read_page(random_fd, zipf_page(l)))
			return -1;
		for (j = 0; (i + 1) % SCAN_EVERY == 0 && j < SCAN_PAGES; j++)
			if (read_page(scan_fd, at++ % l->nr_pages))
				return -1;
	}
	return 0;
}

static int read_file(struct load *l)
{
	struct timespec a, b;
	struct stat st;
	int random_fd, scan_fd, ret;

	random_fd = open(l->path, O_RDONLY | O_CLOEXEC);
	scan_fd = open(l->path, O_RDONLY | O_CLOEXEC);
	if (random_fd < 0 || scan_fd < 0 || fstat(scan_fd, &st))
		return -1;
	l->nr_pages = (uint64_t)st.st_size / PAGE;
	if (!l->nr_pages || make_cdf(l))
		return -1;
	/* no readahead for the random part: what is added was asked for */
	posix_fadvise(random_fd, 0, 0, POSIX_FADV_RANDOM);
	clock_gettime(CLOCK_MONOTONIC, &a);
	ret = read_all(l, random_fd, scan_fd);
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("zipfread: %" PRIu64 " reads of a file of %" PRIu64
	       " pages in %.2f s\n",
	       l->nr_reads + l->nr_reads / SCAN_EVERY * SCAN_PAGES, l->nr_pages,
	       (double)(b.tv_sec - a.tv_sec) +
		       1e-9 * (double)(b.tv_nsec - a.tv_nsec));
	close(random_fd);
	close(scan_fd);
	free(l->cdf);
	return ret;
}

int main(int argc, char **argv)
{
	struct load l = {.nr_pages = 256ULL << 20 >> 12,
			 .nr_reads = 100000,
			 .theta = 0.9,
			 .seed = 12345};
	int c, create = 0;

	while ((c = getopt(argc, argv, "cs:n:t:r:")) != -1) {
		if (c == 'c')
			create = 1;
		else if (c == 's')
			l.nr_pages = strtoull(optarg, NULL, 10) << 20 >> 12;
		else if (c == 'n')
			l.nr_reads = strtoull(optarg, NULL, 10);
		else if (c == 't')
			l.theta = strtod(optarg, NULL);
		else if (c == 'r')
			l.seed = strtoull(optarg, NULL, 10) | 1;
		else
			return 2;
	}
	if (optind + 1 != argc || !l.nr_pages) {
		fprintf(stderr,
			"usage: zipfread -c [-s MIB] FILE\n"
			"       zipfread [-n READS] [-t THETA] [-r SEED] FILE\n");
		return 2;
	}
	l.path = argv[optind];
	if (create ? make_file(&l) : read_file(&l)) {
		perror(l.path);
		return 1;
	}
	return 0;
}
