/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decode.c - bench tool: how fast a log becomes typed events */

/*
 * usage: decode FILE.mmt...
 *
 * A line per log: events, bytes per event, million events per second of CPU
 * through the merged stream (one thread, best of five), and a sum over all
 * values so that nothing is optimized away.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "formats/stream.h"

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads every value of every event. */
static int drain(struct mmt *log, uint64_t *nr, uint64_t *sum,
		 struct errbuf *err)
{
	const struct mmt_event *ev;
	struct mmt_stream *s;
	unsigned int i;
	int ret = mmt_stream_open(&s, log, NULL, err);

	if (ret)
		return ret;
	*nr = 0;
	while ((ev = mmt_stream_next(s))) {
		*sum += ev->time_ns ^ (uint32_t)ev->pid;
		for (i = 0; i < ev->nr; i++)
			*sum += ev->v[i];
		++*nr;
	}
	ret = mmt_stream_error(s, err);
	mmt_stream_close(s);
	return ret;
}

static int bench(const char *path, struct errbuf *err)
{
	uint64_t nr = 0, sum = 0;
	double best = 0, t;
	struct mmt *log;
	int i, ret = mmt_open(&log, path, 0, err);

	if (ret)
		return ret;
	for (i = 0; i < 5 && !ret; i++) {
		t = cpu_s();
		ret = drain(log, &nr, &sum, err);
		t = cpu_s() - t;
		if (!i || t < best)
			best = t;
	}
	if (!ret)
		printf("%s: %" PRIu64 " events, %.3f bytes each, "
		       "%.1f M events/s (sum %" PRIx64 ")\n",
		       path, nr, (double)mmt_counts(log)->nr_bytes / (double)nr,
		       (double)nr / best / 1e6, sum);
	mmt_close(log);
	return ret;
}

int main(int argc, char **argv)
{
	struct errbuf err;
	int i;

	for (i = 1; i < argc; i++) {
		if (bench(argv[i], &err)) {
			fprintf(stderr, "decode: %s\n", err.text);
			return 1;
		}
	}
	return argc < 2 ? 2 : 0;
}
