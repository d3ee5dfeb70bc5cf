/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-merge.c - a repacked log gives every reader what the log gave */

/*
 * Random logs and a page cache in small are repacked and read beside the
 * original, whole and in parts.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/mmt-index.h"
#include "tests/merge-gen.h"

/* ----------------------------------------------------------- side by side */

static bool same_event(const struct mmt *log, const struct mmt_event *a,
		       const struct mmt_event *b)
{
	struct gen g = {.nr_types = 1};
	struct mmt_event x = *a, y = *b;

	/* gen_same() wants a table of types: one is enough */
	if (a->type != b->type)
		return false;
	g.schema[0] = *mmt_schema(log, a->type);
	x.type = 0;
	y.type = 0;
	return gen_same(&g, &x, &y);
}

static uint64_t same_events(struct mmt *a, struct mmt *b,
			    const struct mmt_select *select)
{
	const struct mmt_event *x, *y;
	struct mmt_stream *s, *t;
	struct errbuf err;
	uint64_t nr = 0;

	assert_int_equal(mmt_stream_open(&s, a, select, &err), 0);
	assert_int_equal(mmt_stream_open(&t, b, select, &err), 0);
	do {
		x = mmt_stream_next(s);
		y = mmt_stream_next(t);
		if (!x != !y || (x && !same_event(a, x, y)))
			fail_msg("event %ju differs", (uintmax_t)nr);
		nr += x != NULL;
	} while (x);
	assert_int_equal(mmt_stream_error(s, NULL), 0);
	assert_int_equal(mmt_stream_error(t, NULL), 0);
	assert_int_equal(mmt_stream_clock_back(s), mmt_stream_clock_back(t));
	mmt_stream_close(s);
	mmt_stream_close(t);
	return nr;
}

static void same_pairs(const struct mmt *a, const struct mmt *b)
{
	const char *k, *l, *v, *w;
	unsigned int i = 0, j = 0;

	while (mmt_meta_next(a, &i, &k, &v)) {
		assert_true(mmt_meta_next(b, &j, &l, &w));
		assert_string_equal(k, l);
		assert_string_equal(v, w);
	}
	assert_false(mmt_meta_next(b, &j, &l, &w));
}

static void same_texts(struct mmt *a, struct mmt *b)
{
	struct mmt_text x, y;
	unsigned int i = 0, j = 0;
	struct errbuf err;

	do {
		assert_int_equal(mmt_text_next(a, &i, &x, &err), 0);
		assert_int_equal(mmt_text_next(b, &j, &y, &err), 0);
		assert_int_equal(!x.name, !y.name);
		if (!x.name)
			break;
		assert_string_equal(x.name, y.name);
		assert_int_equal(x.time_ns, y.time_ns);
		assert_int_equal(x.len, y.len);
		assert_memory_equal(x.text, y.text, x.len);
	} while (x.name);
}

static void same_types(const struct mmt *a, const struct mmt *b)
{
	unsigned int i, nr = mmt_nr_types(a);

	assert_int_equal(nr, mmt_nr_types(b));
	assert_memory_equal(mmt_type_counts(a), mmt_type_counts(b),
			    nr * sizeof(uint64_t));
	for (i = 0; i < nr; i++)
		assert_memory_equal(mmt_schema(a, i), mmt_schema(b, i),
				    sizeof(struct mmt_schema));
}

static void same_counts(const struct mmt *a, const struct mmt *b)
{
	const struct mmt_counts *x = mmt_counts(a), *y = mmt_counts(b);

	assert_int_equal(x->nr_events, y->nr_events);
	assert_int_equal(x->nr_lost, y->nr_lost);
	assert_int_equal(x->nr_gaps_uncounted, y->nr_gaps_uncounted);
	assert_int_equal(x->nr_cpus, y->nr_cpus);
	assert_true(y->complete);
	assert_false(y->damaged);
}

/* Is all equal, and whatever part one asks for? */
static void same_logs(const char *from, const char *to)
{
	static const uint16_t cpus[] = {1, 300};
	struct mmt *a = expect_open(from), *b = expect_open(to);
	struct mmt_select select = {0};
	struct errbuf err;
	unsigned int kind;

	same_pairs(a, b);
	same_types(a, b);
	same_counts(a, b);
	same_texts(a, b);
	assert_int_equal(mmt_verify(b, &err), 0);
	same_events(a, b, NULL);
	for (kind = 0; kind < MMT_NR_KINDS; kind++) {
		select.kinds = MMT_KIND_BIT(kind);
		same_events(a, b, &select);
	}
	select.kinds = 0;
	select.cpus = cpus;
	select.nr_cpus = ARRAY_SIZE(cpus);
	same_events(a, b, &select);
	mmt_close(a);
	mmt_close(b);
}

/* ------------------------------------------------------------ random logs */

static void test_random(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 4; seed++) {
		merge_make_random(seed, (unsigned int)(2 + seed * 9), 3000);
		merge_repack(merge_from.path, merge_to.fd);
		same_logs(merge_from.path, merge_to.path);
	}
}

static void test_again(void **state)
{
	(void)state;
	merge_make_random(5, 30, 2000);
	merge_repack(merge_from.path, merge_to.fd);
	merge_repack(merge_to.path, merge_again.fd);
	same_logs(merge_from.path, merge_again.path);
	same_logs(merge_to.path, merge_again.path);
}

static void test_empty(void **state)
{
	(void)state;
	merge_make_random(6, 5, 0);
	merge_repack(merge_from.path, merge_to.fd);
	same_logs(merge_from.path, merge_to.path);
}

/* ------------------------------------------------- a page cache in small */

/* More than a block; a prediction that fails shows in the size. */
static void test_cache(void **state)
{
	const struct mmt_counts *counts;
	struct mmt *log;

	(void)state;
	merge_make_cache(300000);
	merge_repack(merge_from.path, merge_to.fd);
	same_logs(merge_from.path, merge_to.path);
	log = expect_open(merge_to.path);
	counts = mmt_counts(log);
	assert_true(counts->nr_events > MERGED_EVENTS);
	/* a step's noise is log2(50) bits, which kind comes next 1 or 2 */
	if (counts->nr_bytes * 10 > counts->nr_events * 14)
		fail_msg("%ju bytes", (uintmax_t)counts->nr_bytes);
	mmt_close(log);
}

/* A part by time: where the clock never steps back, it is the same part. */
static void test_time(void **state)
{
	struct mmt_select select = {0};
	struct mmt *a, *b;

	(void)state;
	merge_make_cache(5000);
	merge_repack(merge_from.path, merge_to.fd);
	a = expect_open(merge_from.path);
	b = expect_open(merge_to.path);
	select.from_ns = mmt_counts(a)->first_ns + 1000000;
	select.to_ns = mmt_counts(a)->first_ns + 2000000;
	assert_true(same_events(a, b, &select) > 1000);
	mmt_close(a);
	mmt_close(b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random), cmocka_unit_test(test_again),
		cmocka_unit_test(test_empty),  cmocka_unit_test(test_cache),
		cmocka_unit_test(test_time),
	};

	return cmocka_run_group_tests_name("merge", tests, merge_setup, NULL);
}
