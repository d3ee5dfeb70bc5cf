/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-stackdist-long.c - 10^7 stack distances against two other programs */

/*
 * Zipf streams, over few pages and over many, as no list can follow them: all
 * kernels, with one thread and with two, must give each access the distance
 * that a Fenwick tree and a merge sort give it.  Then the same near the last
 * slot that 32 bits can number.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/stackdist-priv.h"
#include "tests/stackdist-ways.h"

#define LONG  10000000U
#define BATCH 4096U

struct stream {
	uint64_t *key, *want, *got;
	unsigned int nr;
};

static void stream_new(struct stream *st, unsigned int nr)
{
	st->nr = nr;
	st->key = malloc(nr * sizeof(*st->key));
	st->want = malloc(nr * sizeof(*st->want));
	st->got = malloc(nr * sizeof(*st->got));
	assert_true(st->key && st->want && st->got);
}

static void stream_free(struct stream *st)
{
	free(st->key);
	free(st->want);
	free(st->got);
}

/* Seven tenths Zipf, the rest from reads in sequence, or all Zipf. */
static void stream_fill(struct stream *st, uint64_t pages, bool scans)
{
	uint64_t state = pages, at = 1ULL << 40;
	unsigned int i, left = 0;

	for (i = 0; i < st->nr; i++) {
		if (scans && !left && random_next(&state) % 9557 == 0)
			left = 4096;
		if (left) {
			left--;
			st->key[i] = at++ % (1U << 22) | 1ULL << 40;
		} else {
			st->key[i] = hash_u64(random_zipf(&state, pages));
		}
	}
}

static void same(const uint64_t *a, const uint64_t *b, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr && a[i] == b[i]; i++)
		;
	if (i < nr)
		fail_msg("access %u: distance %llu, not %llu", i,
			 (unsigned long long)a[i], (unsigned long long)b[i]);
}

static void check_histogram(const struct hist *h, const struct stream *st)
{
	struct hist *want;
	unsigned int i;

	assert_int_equal(hist_new(&want), 0);
	for (i = 0; i < st->nr; i++)
		if (st->want[i] != STACKDIST_COLD)
			hist_add(want, st->want[i], 1);
	assert_memory_equal(h->count, want->count, sizeof(h->count));
	assert_int_equal(h->nr, want->nr);
	assert_int_equal(h->min, want->min);
	assert_int_equal(h->max, want->max);
	assert_true(h->sum == want->sum);
	hist_free(want);
}

static void run_histogram(const struct way *way, const struct stream *st)
{
	struct stackdist *s = way_engine(way);
	struct hist *h;
	unsigned int i;

	assert_int_equal(hist_new(&h), 0);
	for (i = 0; i < st->nr; i += BATCH)
		assert_int_equal(stackdist_hist(s, st->key + i,
						MIN(BATCH, st->nr - i), h),
				 0);
	stackdist_sync(s);
	assert_int_equal(stackdist_distinct(s), st->nr - h->nr);
	check_histogram(h, st);
	hist_free(h);
	stackdist_free(s);
}

static void check_stream(struct stream *st)
{
	uint32_t *last = oracle_last(st->key, st->nr);
	struct stackdist *s;
	unsigned int i;

	oracle_fenwick(last, st->nr, st->want);
	oracle_merge(last, st->nr, st->got);
	free(last);
	same(st->got, st->want, st->nr);
	for (i = 0; i < NR_WAYS; i++) {
		s = way_engine(&ways[i]);
		way_run(s, st->key, st->nr, BATCH, st->got);
		same(st->got, st->want, st->nr);
		assert_true(stackdist_bytes(s) <= 34 * stackdist_distinct(s));
		stackdist_free(s);
	}
}

static void few_pages(void **state)
{
	struct stream st;
	unsigned int i;

	(void)state;
	stream_new(&st, LONG);
	stream_fill(&st, 1U << 20, false);
	check_stream(&st);
	for (i = 0; i < NR_WAYS; i++)
		run_histogram(&ways[i], &st);
	stream_free(&st);
}

static void many_pages(void **state)
{
	struct stream st;

	(void)state;
	stream_new(&st, LONG);
	stream_fill(&st, 1U << 24, true);
	check_stream(&st);
	stream_free(&st);
}

/* From a million slots before the end of 32 bits to well behind it. */
static void slots_run_out(void **state)
{
	struct stackdist *s;
	struct stream st;
	uint32_t *last;
	unsigned int i;

	(void)state;
	stream_new(&st, 1500000);
	stream_fill(&st, 1U << 18, true);
	last = oracle_last(st.key, st.nr);
	oracle_fenwick(last, st.nr, st.want);
	free(last);
	for (i = 0; i < NR_WAYS; i++) {
		s = way_engine(&ways[i]);
		assert_int_equal(stackdist_skip(s, SLOTS_MAX - 1000000), 0);
		way_run(s, st.key, st.nr, BATCH, st.got);
		same(st.got, st.want, st.nr);
		stackdist_free(s);
	}
	stream_free(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_pages),
		cmocka_unit_test(many_pages),
		cmocka_unit_test(slots_run_out),
	};

	return cmocka_run_group_tests_name("stackdist-long", tests, NULL, NULL);
}
