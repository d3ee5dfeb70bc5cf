/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-log.c - a log gives back what was written, in order, whole or in part */

/*
 * One log of random events is read by every test: all of it, what is known of
 * it, and parts by kind, CPU and time, each beside the generated events.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/log-expect.h"

static struct gen whole; /* in "whole.mmt" */

static int setup(void **state)
{
	(void)state;
	if (expect_dir_make())
		return -1;
	gen_open(&whole, expect_path("whole.mmt"), 0, 30);
	gen_fill(&whole);
	gen_close(&whole, 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	gen_free(&whole);
	return expect_dir_remove();
}

/* -------------------------------------------------------------- round trip */

static void test_round_trip(void **state)
{
	struct mmt *log = expect_open(expect_path("whole.mmt"));

	(void)state;
	expect_all(&whole, log);
	mmt_close(log);
}

static void test_one_schema(void **state)
{
	struct gen g = {.seed = 7};
	struct mmt *log;

	(void)state;
	gen_open(&g, expect_path("wide.mmt"), 0, 2);
	gen_add_track(&g, 1);
	gen_events(&g, 0, 3000);
	gen_close(&g, 0);
	log = expect_open(expect_path("wide.mmt"));
	assert_int_equal(mmt_schema(log, 1)->nr_fields, MMT_MAX_FIELDS);
	expect_all(&g, log);
	mmt_close(log);
	gen_free(&g);
}

static void test_counts(void **state)
{
	struct mmt *log = expect_open(expect_path("whole.mmt"));
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
	assert_int_equal(stat(expect_path("whole.mmt"), &st), 0);
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
	struct mmt *log = expect_open(expect_path("whole.mmt"));
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
	struct mmt *log = expect_open(expect_path("whole.mmt"));
	struct errbuf err = {0};

	(void)state;
	assert_int_equal(mmt_verify(log, &err), 0);
	mmt_close(log);
}

/* --------------------------------------------------------------- selection */

static void expect_part(const struct mmt_select *select)
{
	struct mmt *log = expect_open(expect_path("whole.mmt"));
	struct mmt_stream *s = expect_stream(log, select);
	const struct mmt_event *want, *got;
	struct expect_merge m = {0};
	unsigned int i;
	bool cpu;

	while ((want = expect_next(&m, &whole))) {
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
	expect_end(s);
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
	gen_open(&g, expect_path("back.mmt"), 0, 4);
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
	log = expect_open(expect_path("back.mmt"));
	s = expect_stream(log, &select);
	for (i = 1; i <= 2; i++) {
		ev = mmt_stream_next(s);
		assert_non_null(ev);
		assert_int_equal(ev->time_ns, times[i]);
	}
	assert_null(mmt_stream_next(s));
	expect_end(s);
	mmt_close(log);
	gen_free(&g);
}

static void test_clock_back(void **state)
{
	struct mmt *log = expect_open(expect_path("whole.mmt"));
	struct mmt_stream *s = expect_stream(log, NULL);
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
	expect_end(s);
	mmt_close(log);
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
	};

	return cmocka_run_group_tests_name("log", tests, setup, teardown);
}
