/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-log-writer.c - what writers put into a log, however they end */

/*
 * Facts and texts come back as they were given; a writer that is cancelled or
 * killed leaves all that it had flushed; tracks of several threads do not
 * disturb each other; no file of somebody else's is touched.
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

#include "tests/log-expect.h"

static int setup(void **state)
{
	(void)state;
	return expect_dir_make();
}

static int teardown(void **state)
{
	(void)state;
	return expect_dir_remove();
}

/* ------------------------------------------------------------ facts, texts */

static void test_meta(void **state)
{
	struct gen g = {.seed = 3};
	const char *key, *value;
	unsigned int i = 0, nr = 0;
	struct mmt *log;

	(void)state;
	gen_open(&g, expect_path("meta.mmt"), 0, 3);
	assert_int_equal(mmt_writer_meta(g.w, "stop.reason", ""), 0);
	assert_int_equal(mmt_writer_meta(g.w, "kernel.release", "new"), 0);
	gen_close(&g, 0);
	log = expect_open(expect_path("meta.mmt"));
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
	gen_open(&g, expect_path("text.mmt"), 0, 3);
	gen_add_track(&g, 0);
	assert_int_equal(mmt_writer_text(g.w, "vmstat", 5, "a 1\n", 4), 0);
	gen_events(&g, 0, 100);
	assert_int_equal(mmt_writer_text(g.w, "vmstat", 9, "", 0), 0);
	assert_int_equal(mmt_writer_text(g.w, "big", 9, big, sizeof(big)), 0);
	gen_close(&g, 0);

	log = expect_open(expect_path("text.mmt"));
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
	gen_open(&g, expect_path("killed.mmt"), 0, 30);
	gen_fill(&g);
	/* finish() flushes the tracks, but writes neither end nor index */
	gen_close(&g, -ECANCELED);
	log = expect_open(expect_path("killed.mmt"));
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
	log = expect_open(path);
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
	sudden_death(0, expect_path("dead.mmt"));
	sudden_death(MMT_DIRECT, expect_path("dead-direct.mmt"));
}

static void test_direct(void **state)
{
	static const char *const names[] = {"plain.mmt", "direct.mmt"};
	unsigned int i;
	char command[400];

	(void)state;
	for (i = 0; i < 2; i++) {
		struct gen g = {.seed = 13};

		gen_open(&g, expect_path(names[i]), i ? MMT_DIRECT : 0, 20);
		gen_fill(&g);
		gen_close(&g, 0);
		gen_free(&g);
	}
	snprintf(command, sizeof(command), "cmp %s %s", expect_path(names[0]),
		 expect_path(names[1]));
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
	gen_open(&g, expect_path("threads.mmt"), 0, 2);
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
	log = expect_open(expect_path("threads.mmt"));
	s = expect_stream(log, NULL);
	for (n = 0; (ev = mmt_stream_next(s)); n++) {
		assert_int_equal(ev->time_ns, n / 4);
		assert_int_equal(ev->cpu, n % 4);
		assert_int_equal(ev->v[0], n / 4);
	}
	assert_int_equal(n, 800000);
	expect_end(s);
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
	assert_int_equal(
		close(open(expect_path("there"), O_CREAT | O_WRONLY, 0644)), 0);
	assert_int_equal(mmt_writer_create(&w, expect_path("there"), 0, &err),
			 -EEXIST);
	assert_non_null(strstr(err.text, "there"));
	assert_true(*err.hint);
	assert_int_equal(symlink("there", expect_path("link")), 0);
	assert_true(mmt_writer_create(&w, expect_path("link"), 0, &err) < 0);
	assert_true(mmt_writer_create(&w, expect_path("link"), MMT_OVERWRITE,
				      &err) < 0);
	assert_int_equal(stat(expect_path("there"), &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_int_equal(mmt_writer_create(&w, expect_path("there"),
					   MMT_OVERWRITE, &err),
			 0);
	assert_int_equal(mmt_writer_finish(w, -ECANCELED, &err), -ECANCELED);
	assert_int_equal(mmt_writer_create(&w, expect_path("no/dir"), 0, &err),
			 -ENOENT);
}

static void test_late_schema(void **state)
{
	struct gen g = {.seed = 15};

	(void)state;
	gen_open(&g, expect_path("late.mmt"), 0, 3);
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
	gen_open(&g, expect_path("header.mmt"), 0, GEN_MAX_TYPES);
	for (i = 0; i < 30; i++) {
		snprintf(key, sizeof(key), "key%u", i);
		memset(value, 'a' + (int)i % 26, sizeof(value));
		value[sizeof(value) - 1] = '\0';
		assert_int_equal(mmt_writer_meta(g.w, key, value), 0);
	}
	gen_close(&g, 0);
	assert_int_equal(stat(expect_path("header.mmt"), &st), 0);
	assert_true(st.st_size <= 16384);
	gen_free(&g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
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

	return cmocka_run_group_tests_name("log writer", tests, setup,
					   teardown);
}
