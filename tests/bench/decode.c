/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decode.c - bench tool: how fast a log becomes typed events */

/*
 * usage: decode ROUNDS FILE.mmt...
 *
 * Reads every value of every event through the merged stream, one thread, all
 * files in each round, and prints a line per log:
 *
 *   FILE events N bytes_per_event B M_events_per_s R sum X
 *
 * where R is of CPU time, the best of the rounds, and the sum over all values
 * is there so that nothing is optimized away.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/stream.h"
#include "tests/bench/bench.h"

struct log {
	const char *path;
	struct mmt *log;
	uint64_t nr, sum;
	double best_s;
};

/* Reads every value of every event. */
static int drain(struct log *l, struct errbuf *err)
{
	const struct mmt_event *ev;
	struct mmt_stream *s;
	unsigned int i;
	int ret = mmt_stream_open(&s, l->log, NULL, err);

	if (ret)
		return ret;
	l->nr = 0;
	while ((ev = mmt_stream_next(s))) {
		l->sum += ev->time_ns ^ (uint32_t)ev->pid;
		for (i = 0; i < ev->nr; i++)
			l->sum += ev->v[i];
		l->nr++;
	}
	ret = mmt_stream_error(s, err);
	mmt_stream_close(s);
	return ret;
}

static int run_round(struct log *logs, int nr, struct errbuf *err)
{
	double start_s;
	int i, ret = 0;

	for (i = 0; i < nr && !ret; i++) {
		start_s = bench_cpu_s();
		ret = drain(&logs[i], err);
		bench_round(start_s, &logs[i].best_s);
	}
	return ret;
}

static void print_log(const struct log *l)
{
	double nr = (double)l->nr;

	printf("%s events %" PRIu64 " bytes_per_event %.3f M_events_per_s %.1f "
	       "sum %" PRIx64 "\n",
	       l->path, l->nr, (double)mmt_counts(l->log)->nr_bytes / nr,
	       nr / l->best_s / 1e6, l->sum);
}

int main(int argc, char **argv)
{
	int i, ret = 0, rounds, nr = argc - 2;
	struct errbuf err = {0};
	struct log *logs;

	if (argc < 3 || (rounds = atoi(argv[1])) < 1)
		return 2;
	logs = calloc((size_t)nr, sizeof(*logs));
	if (!logs)
		return 1;
	for (i = 0; i < nr && !ret; i++) {
		logs[i].path = argv[i + 2];
		ret = mmt_open(&logs[i].log, logs[i].path, 0, &err);
	}
	while (!ret && rounds--)
		ret = run_round(logs, nr, &err);
	if (ret)
		fprintf(stderr, "decode: %s\n", err.text);
	for (i = 0; i < nr; i++) {
		if (!ret)
			print_log(&logs[i]);
		mmt_close(logs[i].log);
	}
	free(logs);
	return ret || fflush(stdout) ? 1 : 0;
}
