/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calibrate.c - learns from a few pages of our own what numbers mean here */

/*
 * A kprobe fetches the address of a folio, a tracepoint tells its page frame.
 * mm_lru_insertion tells both.  It fires when a CPU's batch of new folios is
 * put on the LRU lists, so some hundred new pages of ours are enough for a few
 * batches, wherever we run; what others do meanwhile serves as well.
 */

#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/calibrate.h"
#include "capture/cpus.h"

#define SYSTEM   "pagemap"
#define EVENT    "mm_lru_insertion"
#define NR_PAGES 512

/* The format may not be one that the recording asks for. */
static int add_format(const struct session *s, struct tracefmt *fmt)
{
	char path[PATH_MAX + 64];
	struct buf text = {0};
	struct errbuf err;
	int ret;

	snprintf(path, sizeof(path), "%s/events/" SYSTEM "/" EVENT "/format",
		 s->host->tracing);
	ret = file_read(path, &text);
	if (!ret)
		ret = tracefmt_add(fmt, SYSTEM, (char *)text.p, text.len, &err);
	buf_free(&text);
	return ret;
}

static void touch_pages(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	uint8_t *p = mmap(NULL, NR_PAGES * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return;
	/* each a folio of its own */
	madvise(p, NR_PAGES * page, MADV_NOHUGEPAGE);
	for (i = 0; i < NR_PAGES; i++)
		p[i * page] = 1;
	munmap(p, NR_PAGES * page);
}

static void learn_page(struct tracefmt *fmt, const struct subbuf_layout *layout,
		       const uint8_t *page, size_t size)
{
	const uint8_t *record;
	struct subbuf sb;
	int len;

	if (subbuf_begin(&sb, layout, page, size))
		return;
	while ((len = subbuf_next(&sb, &record)) > 0)
		tracefmt_learn(fmt, record, (size_t)len);
}

static void learn_cpu(const struct session *s, struct tracefmt *fmt,
		      const struct subbuf_layout *layout, unsigned int cpu,
		      uint8_t *page)
{
	char path[PATH_MAX + 64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw", s->dir,
		 cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	while ((n = read(fd, page, s->subbuf_size)) > 0)
		learn_page(fmt, layout, page, (size_t)n);
	close(fd);
}

static int learn(struct session *s, struct tracefmt *fmt,
		 const struct subbuf_layout *layout)
{
	struct cpus *cpus = calloc(1, sizeof(*cpus));
	uint8_t *page = malloc(s->subbuf_size);
	int ret = cpus && page ? 0 : -ENOMEM;
	unsigned int cpu;

	if (!ret && !cpus_read_dirs(cpus, s->dir))
		for (cpu = 0; cpu <= cpus->highest; cpu++)
			if (cpus_have(cpus, cpu))
				learn_cpu(s, fmt, layout, cpu, page);
	free(page);
	free(cpus);
	return ret;
}

int calibrate(struct session *s, struct tracefmt *fmt,
	      const struct subbuf_layout *layout)
{
	int ret;

	if (add_format(s, fmt) < 0 || session_switch(s, SYSTEM, EVENT, true))
		return 0;
	if (!session_start(s))
		touch_pages();
	session_stop(s);
	ret = learn(s, fmt, layout);
	if (!ret)
		tracefmt_settle(fmt);
	/* what it told is nobody's recording */
	session_clear(s);
	return ret;
}
