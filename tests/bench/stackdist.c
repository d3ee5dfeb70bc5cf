/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist.c - bench tool: speed and memory of the exact reuse engine */

/*
 * usage: stackdist [-t THREADS] [-H FILE] KEYS
 *
 * KEYS holds 64-bit keys in the order of this machine.  They are in memory
 * before the clock starts, as those of the yardstick are.  One line comes out:
 *
 *	accesses N distinct N wall_s S cpu_s S caller_s S
 *	bytes_page B peak_page B
 *
 * the CPU time of all threads, of the caller's; the engine's own memory at the
 * end and anonymous memory at its peak by distinct page.  FILE gets the histogram as the yardstick writes it.
 */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyze/stackdist.h"

#define BATCH 4096U

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A line of /proc/self/status, in bytes; 0 if it is not there. */
static uint64_t status_bytes(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	uint64_t kib = 0;

	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			kib = strtoull(line + strlen(name), NULL, 10);
	fclose(f);
	return kib << 10;
}

static int write_hist(const struct hist *h, uint64_t nr_cold, const char *path)
{
	FILE *f = fopen(path, "w");
	unsigned int i;
	int ret;

	if (!f)
		return -errno;
	for (i = 0; i < HIST_BUCKETS; i++)
		if (h->count[i])
			fprintf(f, "%" PRIu64 " %" PRIu64 "\n", hist_low(i),
				h->count[i]);
	fprintf(f, "cold %" PRIu64 "\n", nr_cold);
	ret = ferror(f) ? -EIO : 0;
	return fclose(f) ? -errno : ret;
}

static int feed(struct stackdist *s, const uint64_t *key, uint64_t nr,
		struct hist *h)
{
	uint64_t i;
	int ret;

	for (i = 0; i < nr; i += BATCH) {
		ret = stackdist_hist(s, key + i,
				     (unsigned int)MIN(BATCH, nr - i), h);
		if (ret)
			return ret;
	}
	stackdist_sync(s);
	return 0;
}

static int run(const uint64_t *key, uint64_t nr, unsigned int nr_threads,
	       const char *path)
{
	double wall = seconds(CLOCK_MONOTONIC);
	double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	double caller = seconds(CLOCK_THREAD_CPUTIME_ID);
	uint64_t before = status_bytes("RssAnon:"), pages;
	struct stackdist *s = NULL;
	struct hist *h = NULL;
	int ret;

	ret = hist_new(&h);
	if (!ret)
		ret = stackdist_new(&s);
	if (!ret)
		ret = stackdist_threads(s, nr_threads);
	if (!ret)
		ret = feed(s, key, nr, h);
	if (ret)
		goto out;
	wall = seconds(CLOCK_MONOTONIC) - wall;
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	caller = seconds(CLOCK_THREAD_CPUTIME_ID) - caller;
	pages = stackdist_distinct(s);
	printf("accesses %" PRIu64 " distinct %" PRIu64
	       " wall_s %.4f cpu_s %.4f caller_s %.4f"
	       " bytes_page %.1f peak_page %.1f\n",
	       nr, pages, wall, cpu, caller,
	       (double)stackdist_bytes(s) / (double)pages,
	       (double)(status_bytes("VmHWM:") - status_bytes("RssFile:") -
			before) /
		       (double)pages);
	if (path)
		ret = write_hist(h, pages, path);
out:
	stackdist_free(s);
	hist_free(h);
	return ret;
}

static const uint64_t *map_keys(const char *path, uint64_t *nr)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || st.st_size < (off_t)sizeof(uint64_t)) {
		close(fd);
		return NULL;
	}
	*nr = (uint64_t)st.st_size / sizeof(uint64_t);
	p = mmap(NULL, (size_t)st.st_size, PROT_READ,
		 MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	return p == MAP_FAILED ? NULL : p;
}

int main(int argc, char **argv)
{
	unsigned int nr_threads = 1;
	const char *path = NULL;
	const uint64_t *key;
	uint64_t nr;
	int opt, ret;

	while ((opt = getopt(argc, argv, "t:H:")) != -1) {
		if (opt == 't')
			nr_threads = (unsigned int)atoi(optarg);
		else if (opt == 'H')
			path = optarg;
		else
			return 2;
	}
	if (optind + 1 != argc)
		return 2;
	key = map_keys(argv[optind], &nr);
	if (!key) {
		fprintf(stderr, "stackdist: %s: no keys to be had\n",
			argv[optind]);
		return 1;
	}
	ret = run(key, nr, nr_threads, path);
	if (ret)
		fprintf(stderr, "stackdist: %s: %s\n", argv[optind],
			strerror(-ret));
	return ret || fflush(stdout) ? 1 : 0;
}
