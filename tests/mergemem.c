/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mergemem.c - test tool: a log of many CPUs, and what merging it costs */

/*
 * usage: mergemem make OUT.mmt CPUS EVENTS
 *        mergemem read FILE.mmt
 *
 * "make" writes EVENTS of each CPU, 13 bytes each: pages of random files are
 * added at random places, so that columns are as large as those of the worst
 * recording (real ones take a quarter of the bytes), all CPUs at the same
 * time, so that each event of the merged stream comes from another CPU.
 * "read" merges it, checks order and number of the events, and prints
 *
 *   events N seconds S peak_mb N
 *
 * with "-" instead of the memory where a sanitizer makes it meaningless.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "formats/stream.h"
#include "tests/kind-schema.h"

#define TURN 4096 /* events of a CPU before it is the next one's turn */

static void die(const char *what, const struct errbuf *err)
{
	fprintf(stderr, "mergemem: %s: %s\n", what, err ? err->text : "failed");
	exit(1);
}

static int add_type(struct mmt_writer *w)
{
	struct mmt_schema s = kind_schema("mergemem", MMT_ADD);

	return mmt_writer_schema(w, &s);
}

/* Nothing in it can be foreseen. */
static void add_event(struct mmt_track *t, uint16_t type, uint64_t nr,
		      uint64_t seed)
{
	uint64_t *vals, r = hash_u64(seed ^ nr << 9);
	struct mmt_event *ev = mmt_track_slot(t, &vals);

	if (!ev)
		die("slot", NULL);
	ev->time_ns = nr * 1000 + r % 1000;
	ev->pid = (int32_t)(r >> 40 & 0x3fff);
	ev->kind = MMT_ADD;
	ev->type = type;
	ev->flags = ev->preempt = 0;
	ev->nr = 5;
	vals[ADD_DEV] = 8 << DEV_MINOR_BITS | 1;
	vals[ADD_INO] = r >> 10 & 0xff;
	r = hash_u64(r);
	vals[ADD_INDEX] = r & 0xffffff;
	vals[ADD_PFN] = r >> 24 & 0xfffffff;
	vals[ADD_ORDER] = r >> 60 & 3;
	mmt_track_commit(t);
}

static void make(const char *path, unsigned int nr_cpus, uint64_t nr_events)
{
	struct mmt_track **t = calloc(nr_cpus, sizeof(*t));
	struct mmt_writer *w;
	struct errbuf err = {0};
	uint64_t nr = 0;
	unsigned int c, i;
	int type;

	if (!t || mmt_writer_create(&w, path, MMT_OVERWRITE, &err))
		die(path, &err);
	type = add_type(w);
	if (type < 0 || mmt_writer_start(w))
		die(path, NULL);
	for (c = 0; c < nr_cpus; c++)
		if (mmt_track_open(&t[c], w, c))
			die("track", NULL);
	for (nr = 0; nr < nr_events; nr += TURN)
		for (c = 0; c < nr_cpus; c++)
			for (i = 0; i < MIN(TURN, nr_events - nr); i++)
				add_event(t[c], (uint16_t)type, nr + i,
					  hash_u64(c + 1));
	if (mmt_writer_finish(w, 0, &err))
		die(path, &err);
	free(t);
}

static void read_merged(const char *path)
{
	uint64_t nr = 0, last_ns = 0;
	const struct mmt_event *ev;
	struct errbuf err = {0};
	struct mmt_stream *s;
	struct rusage usage;
	struct mmt *log;

	if (mmt_open(&log, path, 0, &err) ||
	    mmt_stream_open(&s, log, NULL, &err))
		die(path, &err);
	while ((ev = mmt_stream_next(s))) {
		if (ev->time_ns < last_ns)
			die("not in order", NULL);
		last_ns = ev->time_ns;
		nr++;
	}
	if (mmt_stream_error(s, &err))
		die(path, &err);
	if (nr != mmt_counts(log)->nr_events)
		die("events are missing", NULL);
	mmt_stream_close(s);
	mmt_close(log);
	getrusage(RUSAGE_SELF, &usage);
	printf("events %" PRIu64 " seconds %.1f peak_mb ", nr,
	       (double)usage.ru_utime.tv_sec +
		       (double)usage.ru_utime.tv_usec * 1e-6);
#if defined(__SANITIZE_ADDRESS__)
	puts("-");
#else
	printf("%ld\n", usage.ru_maxrss * 1024 / 1000000);
#endif
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "make"))
		make(argv[2], (unsigned int)atoi(argv[3]),
		     strtoull(argv[4], NULL, 10));
	else if (argc == 3 && !strcmp(argv[1], "read"))
		read_merged(argv[2]);
	else
		return 2;
	return 0;
}
