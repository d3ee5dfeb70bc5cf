/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-expect.c - opens logs and knows what their streams must give */

/*
 * The oracle of the merge is the definition: again and again the CPU whose
 * next event has the smallest key, its time but never less than the key
 * before it on that CPU.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/log-expect.h"

static char dir[64];

int expect_dir_make(void)
{
	snprintf(dir, sizeof(dir), "/tmp/mmcap-t-log.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

int expect_dir_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

const char *expect_path(const char *name)
{
	static char path[2][128];
	static unsigned int n;

	n = !n;
	snprintf(path[n], sizeof(path[n]), "%s/%s", dir, name);
	return path[n];
}

struct mmt *expect_open(const char *path)
{
	struct errbuf err = {0};
	struct mmt *log;

	if (mmt_open(&log, path, 0, &err))
		fail_msg("%s", err.text);
	return log;
}

struct mmt_stream *expect_stream(struct mmt *log,
				 const struct mmt_select *select)
{
	struct errbuf err = {0};
	struct mmt_stream *s;

	if (mmt_stream_open(&s, log, select, &err))
		fail_msg("%s", err.text);
	return s;
}

void expect_end(struct mmt_stream *s)
{
	struct errbuf err = {0};

	if (mmt_stream_error(s, &err))
		fail_msg("%s", err.text);
	mmt_stream_close(s);
}

const struct mmt_event *expect_next(struct expect_merge *m, const struct gen *g)
{
	unsigned int i, best = GEN_MAX_CPUS;
	uint64_t key, best_key = 0;

	for (i = 0; i < g->nr_tracks; i++) {
		if (m->next[i] == g->track[i].nr)
			continue;
		key = MAX(m->key[i], g->track[i].ev[m->next[i]].time_ns);
		if (best == GEN_MAX_CPUS || key < best_key) {
			best = i;
			best_key = key;
		}
	}
	if (best == GEN_MAX_CPUS)
		return NULL;
	m->key[best] = best_key;
	return &g->track[best].ev[m->next[best]++];
}

void expect_all(const struct gen *g, struct mmt *log)
{
	struct mmt_stream *s = expect_stream(log, NULL);
	const struct mmt_event *want, *got;
	struct expect_merge m = {0};
	uint64_t nr = 0;

	while ((want = expect_next(&m, g))) {
		got = mmt_stream_next(s);
		if (!got || !gen_same(g, want, got))
			fail_msg("event %llu differs", (unsigned long long)nr);
		nr++;
	}
	assert_null(mmt_stream_next(s));
	assert_true(mmt_stream_progress(s) >= 1.0);
	expect_end(s);
}
