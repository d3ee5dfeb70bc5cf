/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-log.c - a log gives back what was written, in order, whole or in part */

/*
 * The oracle of the merge is the definition: again and again the CPU whose
 * next event has the smallest key, its time but never less than the key
 * before it on that CPU.
 */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/log-gen.h"

static char dir[64];

static const char *in_dir(const char *name)
{
	static char path[2][128];
	static unsigned int n;

	n = !n;
	snprintf(path[n], sizeof(path[n]), "%s/%s", dir, name);
	return path[n];
}

static struct mmt *open_log(const char *path)
{
	struct errbuf err = {0};
	struct mmt *log;

	if (mmt_open(&log, path, 0, &err))
		fail_msg("%s", err.text);
	return log;
}

static struct mmt_stream *open_stream(struct mmt *log,
				      const struct mmt_select *select)
{
	struct errbuf err = {0};
	struct mmt_stream *s;

	if (mmt_stream_open(&s, log, select, &err))
		fail_msg("%s", err.text);
	return s;
}

static void close_stream(struct mmt_stream *s)
{
	struct errbuf err = {0};

	if (mmt_stream_error(s, &err))
		fail_msg("%s", err.text);
	mmt_stream_close(s);
}

/* Places in the generated tracks, and the key each has reached. */
struct merge {
	unsigned int next[GEN_MAX_CPUS];
	uint64_t key[GEN_MAX_CPUS];
};

static const struct mmt_event *merge_next(struct merge *m, const struct gen *g)
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

/* All of the log, merged, is what was generated. */
static void expect_all(const struct gen *g, struct mmt *log)
{
	struct mmt_stream *s = open_stream(log, NULL);
	const struct mmt_event *want, *got;
	struct merge m = {0};
	uint64_t nr = 0;

	while ((want = merge_next(&m, g))) {
		got = mmt_stream_next(s);
		if (!got || !gen_same(g, want, got))
			fail_msg("event %llu differs", (unsigned long long)nr);
		nr++;
	}
	assert_null(mmt_stream_next(s));
	assert_true(mmt_stream_progress(s) >= 1.0);
	close_stream(s);
}

/* CPUs in order (the tie rule), one of them without events, one over a block.
 */
static void fill(struct gen *g)
{
	gen_add_track(g, 0);
	gen_add_track(g, 3);
	gen_add_track(g, 4);
	gen_add_track(g, 65535);
	gen_events(g, 0, 70000);
	gen_events(g, 1, 1);
	gen_events(g, 3, 12000);
}

static struct gen whole; /* in "whole.mmt" */

static int setup(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/mmcap-t-log.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	gen_open(&whole, in_dir("whole.mmt"), 0, 30);
	fill(&whole);
	gen_close(&whole, 0);
	return 0;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	gen_free(&whole);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

/* -------------------------------------------------------------- round trip */

static void test_round_trip(void **state)
{
	struct mmt *log = open_log(in_dir("whole.mmt"));

	(void)state;
	expect_all(&whole, log);
	mmt_close(log);
}

static void test_one_schema(void **state)
{
	struct gen g = {.seed = 7};
	struct mmt *log;

	(void)state;
	gen_open(&g, in_dir("wide.mmt"), 0, 2);
	gen_add_track(&g, 1);
	gen_events(&g, 0, 3000);
	gen_close(&g, 0);
	log = open_log(in_dir("wide.mmt"));
	assert_int_equal(mmt_schema(log, 1)->nr_fields, MMT_MAX_FIELDS);
	expect_all(&g, log);
	mmt_close(log);
	gen_free(&g);
}

static void test_counts(void **state)
{
	struct mmt *log = open_log(in_dir("whole.mmt"));
	const struct mmt_counts *c = mmt_counts(log);
	uint64_t by_type[GEN_MAX_TYPES] = {0};
	unsigned int i, k;
	struct stat st;

	(void)state;
	for (i = 0; i < whole.nr_tracks; i++)
		for (k = 0; k < whole.track[i].nr; k++)
			by_type[whole.track[i].ev[k].type]++;
	for (i = 0; i < whole.nr_types; i++)
		assert_int_equal(mmt_type_counts(log)[i], by_type[i]);
	assert_int_equal(stat(in_dir("whole.mmt"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(c->nr_bytes, st.st_size);
	assert_int_equal(c->nr_events, whole.nr_events);
	assert_true(whole.nr_lost && whole.nr_gaps);
	assert_int_equal(c->nr_lost, whole.nr_lost);
	assert_int_equal(c->nr_gaps_uncounted, whole.nr_gaps);
	assert_int_equal(c->nr_cpus, 3);
	assert_true(c->complete);
	assert_false(c->damaged);
	mmt_close(log);
}

static void test_schemas(void **state)
{
	struct mmt *log = open_log(in_dir("whole.mmt"));
	unsigned int i;

	(void)state;
	assert_int_equal(mmt_nr_types(log), whole.nr_types);
	for (i = 0; i < whole.nr_types; i++)
		assert_memory_equal(mmt_schema(log, i), &whole.schema[i],
				    sizeof(whole.schema[i]));
	assert_null(mmt_schema(log, whole.nr_types));
	assert_true(mmt_has_kind(log, MMT_ADD));
	mmt_close(log);
}

static void test_verify(void **state)
{
	struct mmt *log = open_log(in_dir("whole.mmt"));
	struct errbuf err = {0};

	(void)state;
	assert_int_equal(mmt_verify(log, &err), 0);
	mmt_close(log);
}

/* --------------------------------------------------------------- selection */

static void expect_part(const struct mmt_select *select)
{
	struct mmt *log = open_log(in_dir("whole.mmt"));
	struct mmt_stream *s = open_stream(log, select);
	const struct mmt_event *want, *got;
	struct merge m = {0};
	unsigned int i;
	bool cpu;

	while ((want = merge_next(&m, &whole))) {
		for (cpu = !select->cpus, i = 0; i < select->nr_cpus; i++)
			cpu |= want->cpu == select->cpus[i];
		if (!cpu || want->time_ns < select->from_ns ||
		    (select->to_ns && want->time_ns > select->to_ns) ||
		    (select->kinds && want->kind != MMT_LOSS &&
		     !(select->kinds >> want->kind & 1)))
			continue;
		got = mmt_stream_next(s);
		assert_non_null(got);
		assert_true(gen_same(&whole, want, got));
	}
	assert_null(mmt_stream_next(s));
	close_stream(s);
	mmt_close(log);
}

static void test_select_kinds(void **state)
{
	struct mmt_select select = {.kinds = 1ULL << MMT_ADD |
					     1ULL << MMT_TASK_NEW |
					     1ULL << MMT_OTHER};

	(void)state;
	expect_part(&select);
	select.kinds = 1ULL << MMT_LOSS;
	expect_part(&select);
}

static void test_select_cpus(void **state)
{
	static const uint16_t some[] = {65535, 3}, none[] = {17};
	struct mmt_select select = {.cpus = some, .nr_cpus = 2};

	(void)state;
	expect_part(&select);
	select.cpus = none;
	select.nr_cpus = 1;
	expect_part(&select);
}

/* Events are as scarce as their times: take those of two that were written. */
static void test_select_time(void **state)
{
	const struct gen_track *t = &whole.track[0];
	struct mmt_select select = {.from_ns = t->ev[100].time_ns,
				    .to_ns = t->ev[5000].time_ns};

	(void)state;
	expect_part(&select);
	select.to_ns = 0;
	select.from_ns = t->ev[66000].time_ns;
	expect_part(&select);
	select.from_ns = UINT64_MAX;
	expect_part(&select);
}

/*
 * The middle of a block lies before its first and its last event: its header
 * must not hide it from a selection by time.
 */
static void test_select_step_back(void **state)
{
	static const uint64_t times[] = {5000, 100, 200, 6000};
	struct mmt_select select = {.from_ns = 50, .to_ns = 300};
	const struct mmt_event *ev;
	struct mmt_stream *s;
	struct gen g = {.seed = 5};
	struct mmt *log;
	unsigned int i;

	(void)state;
	gen_open(&g, in_dir("back.mmt"), 0, 4);
	gen_add_track(&g, 0);
	for (i = 0; i < ARRAY_SIZE(times); i++) {
		struct mmt_event loss = {.time_ns = times[i]};
		uint64_t v[2] = {1, times[i]};

		loss.kind = MMT_LOSS;
		loss.nr = 2;
		loss.v = v;
		assert_int_equal(mmt_track_append(g.out[0], &loss), 0);
	}
	gen_close(&g, 0);
	log = open_log(in_dir("back.mmt"));
	s = open_stream(log, &select);
	for (i = 1; i <= 2; i++) {
		ev = mmt_stream_next(s);
		assert_non_null(ev);
		assert_int_equal(ev->time_ns, times[i]);
	}
	assert_null(mmt_stream_next(s));
	close_stream(s);
	mmt_close(log);
	gen_free(&g);
}

static void test_clock_back(void **state)
{
	struct mmt *log = open_log(in_dir("whole.mmt"));
	struct mmt_stream *s = open_stream(log, NULL);
	uint64_t back = 0;
	unsigned int i, k;

	(void)state;
	for (i = 0; i < whole.nr_tracks; i++)
		for (k = 1; k < whole.track[i].nr; k++)
			back += whole.track[i].ev[k].time_ns <
				whole.track[i].ev[k - 1].time_ns;
	while (mmt_stream_next(s))
		;
	assert_true(back > 0);
	assert_int_equal(mmt_stream_clock_back(s), back);
	close_stream(s);
	mmt_close(log);
}

/* ------------------------------------------------------------ facts, texts */

static void test_meta(void **state)
{
	struct gen g = {.seed = 3};
	const char *key, *value;
	unsigned int i = 0, nr = 0;
	struct mmt *log;

	(void)state;
	gen_open(&g, in_dir("meta.mmt"), 0, 3);
	assert_int_equal(mmt_writer_meta(g.w, "stop.reason", ""), 0);
	assert_int_equal(mmt_writer_meta(g.w, "kernel.release", "new"), 0);
	gen_close(&g, 0);
	log = open_log(in_dir("meta.mmt"));
	while (mmt_meta_next(log, &i, &key, &value))
		nr++;
	assert_int_equal(nr, 3);
	assert_string_equal(mmt_meta(log, "kernel.release"), "new");
	assert_string_equal(mmt_meta(log, "stop.reason"), "");
	assert_null(mmt_meta(log, "note"));
	mmt_close(log);
	gen_free(&g);
}

static void test_texts(void **state)
{
	struct gen g = {.seed = 4};
	struct errbuf err = {0};
	struct mmt_text text;
	unsigned int i, pos = 0;
	struct mmt *log;
	char big[70000];

	(void)state;
	for (i = 0; i < sizeof(big); i++)
		big[i] = (char)gen_random(&g);
	gen_open(&g, in_dir("text.mmt"), 0, 3);
	gen_add_track(&g, 0);
	assert_int_equal(mmt_writer_text(g.w, "vmstat", 5, "a 1\n", 4), 0);
	gen_events(&g, 0, 100);
	assert_int_equal(mmt_writer_text(g.w, "vmstat", 9, "", 0), 0);
	assert_int_equal(mmt_writer_text(g.w, "big", 9, big, sizeof(big)), 0);
	gen_close(&g, 0);

	log = open_log(in_dir("text.mmt"));
	assert_int_equal(mmt_text_next(log, &pos, &text, &err), 0);
	assert_string_equal(text.name, "vmstat");
	assert_string_equal(text.text, "a 1\n");
	assert_int_equal(text.time_ns, 5);
	assert_int_equal(mmt_text_next(log, &pos, &text, &err), 0);
	assert_int_equal(text.len, 0);
	assert_int_equal(mmt_text_next(log, &pos, &text, &err), 0);
	assert_string_equal(text.name, "big");
	assert_int_equal(text.len, sizeof(big));
	assert_memory_equal(text.text, big, sizeof(big));
	assert_int_equal(mmt_text_next(log, &pos, &text, &err), 0);
	assert_null(text.name);
	mmt_close(log);
	gen_free(&g);
}

/* -------------------------------------------------- writers that were killed */

static void test_killed(void **state)
{
	struct gen g = {.seed = 11};
	struct mmt *log;

	(void)state;
	gen_open(&g, in_dir("killed.mmt"), 0, 30);
	fill(&g);
	/* finish() flushes the tracks, but writes neither end nor index */
	gen_close(&g, -ECANCELED);
	log = open_log(in_dir("killed.mmt"));
	assert_false(mmt_counts(log)->complete);
	assert_false(mmt_counts(log)->damaged);
	assert_int_equal(mmt_counts(log)->nr_events, g.nr_events);
	assert_int_equal(mmt_counts(log)->nr_lost, g.nr_lost);
	assert_int_equal(mmt_counts(log)->nr_gaps_uncounted, g.nr_gaps);
	expect_all(&g, log);
	mmt_close(log);
	gen_free(&g);
}

/* A process that dies behind a flush, with direct writes and without. */
static void sudden_death(unsigned int flags, const char *path)
{
	struct gen g = {.seed = 12};
	struct mmt *log;
	int status;
	pid_t pid;

	gen_open(&g, path, flags, 10);
	gen_add_track(&g, 2);
	gen_events(&g, 0, 5000);
	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(mmt_track_flush(g.out[0]) ? 1 : 42);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 42);
	/* the parent's copy of the writer still knows an empty file */
	log = open_log(path);
	assert_false(mmt_counts(log)->complete);
	assert_false(mmt_counts(log)->damaged);
	expect_all(&g, log);
	mmt_close(log);
	gen_close(&g, -ECANCELED);
	gen_free(&g);
}

static void test_sudden_death(void **state)
{
	(void)state;
	sudden_death(0, in_dir("dead.mmt"));
	sudden_death(MMT_DIRECT, in_dir("dead-direct.mmt"));
}

static void test_direct(void **state)
{
	static const char *const names[] = {"plain.mmt", "direct.mmt"};
	unsigned int i;
	char command[400];

	(void)state;
	for (i = 0; i < 2; i++) {
		struct gen g = {.seed = 13};

		gen_open(&g, in_dir(names[i]), i ? MMT_DIRECT : 0, 20);
		fill(&g);
		gen_close(&g, 0);
		gen_free(&g);
	}
	snprintf(command, sizeof(command), "cmp %s %s", in_dir(names[0]),
		 in_dir(names[1]));
	assert_int_equal(system(command), 0);
}

/* ------------------------------------------------------------------ threads */

static void *write_track(void *arg)
{
	struct mmt_track *t = arg;
	unsigned int i;

	for (i = 0; i < 200000; i++) {
		uint64_t v[2] = {i, i / 2};
		struct mmt_event ev = {.time_ns = i, .v = v, .pid = 5};

		ev.kind = MMT_LOSS;
		ev.nr = 2;
		if (mmt_track_append(t, &ev))
			return t;
	}
	return NULL;
}

static void test_threads(void **state)
{
	pthread_t thread[4];
	struct gen g = {.seed = 14};
	const struct mmt_event *ev;
	struct mmt_stream *s;
	unsigned int i, n = 0;
	struct mmt *log;
	void *failed;

	(void)state;
	gen_open(&g, in_dir("threads.mmt"), 0, 2);
	for (i = 0; i < 4; i++)
		gen_add_track(&g, i);
	for (i = 0; i < 4; i++)
		assert_int_equal(
			pthread_create(&thread[i], NULL, write_track, g.out[i]),
			0);
	for (i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(thread[i], &failed), 0);
		assert_null(failed);
	}
	gen_close(&g, 0);
	log = open_log(in_dir("threads.mmt"));
	s = open_stream(log, NULL);
	for (n = 0; (ev = mmt_stream_next(s)); n++) {
		assert_int_equal(ev->time_ns, n / 4);
		assert_int_equal(ev->cpu, n % 4);
		assert_int_equal(ev->v[0], n / 4);
	}
	assert_int_equal(n, 800000);
	close_stream(s);
	mmt_close(log);
	gen_free(&g);
}

/* ---------------------------------------------------------------- creating */

static void test_existing(void **state)
{
	struct errbuf err = {0};
	struct mmt_writer *w;
	struct stat st;

	(void)state;
	assert_int_equal(close(open(in_dir("there"), O_CREAT | O_WRONLY, 0644)),
			 0);
	assert_int_equal(mmt_writer_create(&w, in_dir("there"), 0, &err),
			 -EEXIST);
	assert_non_null(strstr(err.text, "there"));
	assert_true(*err.hint);
	assert_int_equal(symlink("there", in_dir("link")), 0);
	assert_true(mmt_writer_create(&w, in_dir("link"), 0, &err) < 0);
	assert_true(mmt_writer_create(&w, in_dir("link"), MMT_OVERWRITE, &err) <
		    0);
	assert_int_equal(stat(in_dir("there"), &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_int_equal(
		mmt_writer_create(&w, in_dir("there"), MMT_OVERWRITE, &err), 0);
	assert_int_equal(mmt_writer_finish(w, -ECANCELED, &err), -ECANCELED);
	assert_int_equal(mmt_writer_create(&w, in_dir("no/dir"), 0, &err),
			 -ENOENT);
}

static void test_late_schema(void **state)
{
	struct gen g = {.seed = 15};

	(void)state;
	gen_open(&g, in_dir("late.mmt"), 0, 3);
	assert_int_equal(mmt_writer_schema(g.w, &g.schema[1]), -EBUSY);
	gen_close(&g, 0);
	gen_free(&g);
}

/* What a log costs before its first event: all kinds, a talkative header. */
static void test_header_size(void **state)
{
	struct gen g = {.seed = 16};
	struct stat st;
	char key[32], value[200];
	unsigned int i;

	(void)state;
	gen_open(&g, in_dir("header.mmt"), 0, GEN_MAX_TYPES);
	for (i = 0; i < 30; i++) {
		snprintf(key, sizeof(key), "key%u", i);
		memset(value, 'a' + (int)i % 26, sizeof(value));
		value[sizeof(value) - 1] = '\0';
		assert_int_equal(mmt_writer_meta(g.w, key, value), 0);
	}
	gen_close(&g, 0);
	assert_int_equal(stat(in_dir("header.mmt"), &st), 0);
	assert_true(st.st_size <= 16384);
	gen_free(&g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_one_schema),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_schemas),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_select_kinds),
		cmocka_unit_test(test_select_cpus),
		cmocka_unit_test(test_select_time),
		cmocka_unit_test(test_select_step_back),
		cmocka_unit_test(test_clock_back),
		cmocka_unit_test(test_meta),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_sudden_death),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_existing),
		cmocka_unit_test(test_late_schema),
		cmocka_unit_test(test_header_size),
	};

	return cmocka_run_group_tests_name("log", tests, setup, teardown);
}
