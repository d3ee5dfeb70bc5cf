/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-reuse-engine.c - the reuse engine on batches of the page stream */

/*
 * Known answers through the engine: counts, misses of each size and both
 * ratios, with other entries of the page stream strewn in between, which must
 * not matter.  Then sizes where the curve is only exact at bucket ends.
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/reuse.h"
#include "analyze/stackdist.h"
#include "tests/mrc-cases.h"

static struct page_batch batch;

static void put(enum page_op op, unsigned int detail, uint64_t page)
{
	batch.op[batch.nr] = (uint8_t)op;
	batch.detail[batch.nr] = (uint8_t)detail;
	batch.page[batch.nr] = page;
	batch.time_ns[batch.nr] = batch.nr;
	batch.nr++;
}

static void feed(struct reuse *r)
{
	assert_int_equal(reuse_batch(r, &batch), 0);
	batch.nr = 0;
}

static struct reuse *engine(void)
{
	struct reuse *r;

	assert_int_equal(reuse_new(&r, 4096), 0);
	batch.nr = 0;
	return r;
}

/* ---------------------------------------------------------- known answers */

static void check_sizes(const struct reuse *r, const struct mrc_case *c)
{
	const struct mrc_size *size;
	char text[16];

	for (size = c->size; size < c->size + c->nr_sizes; size++) {
		assert_int_equal(reuse_misses(r, size->cache_pages),
				 size->misses);
		mrc_ratio_text(text, reuse_miss_ratio(r, size->cache_pages));
		assert_string_equal(text, size->ratio);
		mrc_ratio_text(text, reuse_miss_ratio_without_cold(
					     r, size->cache_pages));
		assert_string_equal(text, size->ratio_without_cold);
	}
}

/* Every distance of the case is in the histogram, as often as in the text. */
static void check_distances(const struct reuse *r, const struct mrc_case *c)
{
	uint64_t want[MRC_MAX_ACCESSES] = {0};
	unsigned int i;

	for (i = 0; i < c->nr; i++)
		if (c->distance[i] != STACKDIST_COLD)
			want[c->distance[i]]++;
	for (i = 0; i < MRC_MAX_ACCESSES; i++)
		assert_int_equal(r->hist->count[i], want[i]);
}

static void check_case(const struct mrc_case *c, unsigned int every)
{
	struct reuse *r = engine();
	unsigned int i;

	for (i = 0; i < c->nr; i++) {
		put(PAGE_ACCESS, i % 2 ? PAGE_READ : PAGE_FAULT, c->key[i]);
		if (every && i % every == 0) {
			put(PAGE_ADD, PAGE_DEMAND, 1000 + i);
			put(PAGE_ACCESS, PAGE_FAULT_AROUND, c->key[0]);
			put(PAGE_REMOVE, PAGE_RECLAIM, c->key[i]);
			put(PAGE_LOSS, 0, MMT_LOST_UNKNOWN);
			feed(r);
		}
	}
	feed(r);
	reuse_end(r);
	assert_int_equal(reuse_accesses(r), c->nr_accesses);
	assert_int_equal(r->nr_accesses[PAGE_FAULT], (c->nr + 1) / 2);
	assert_int_equal(r->nr_accesses[PAGE_FAULT_AROUND],
			 every ? (c->nr + every - 1) / every : 0);
	assert_int_equal(r->nr_cold, c->nr_cold);
	assert_int_equal(r->nr_distinct, c->nr_distinct);
	check_distances(r, c);
	check_sizes(r, c);
	reuse_free(r);
}

static void known_answers(void **state)
{
	static struct mrc_case cases[MRC_MAX_CASES];
	unsigned int i, nr = mrc_cases_read(cases);

	(void)state;
	assert_int_equal(nr, 6);
	for (i = 0; i < nr; i++) {
		check_case(&cases[i], 0);
		check_case(&cases[i], 3);
	}
}

/* ------------------------------------------------------------------ edges */

static void no_access_at_all(void **state)
{
	struct reuse *r = engine();

	(void)state;
	feed(r);
	reuse_end(r);
	assert_int_equal(reuse_accesses(r), 0);
	assert_int_equal(reuse_misses(r, 0), 0);
	assert_true(isnan(reuse_miss_ratio(r, 1)));
	assert_true(isnan(reuse_miss_ratio_without_cold(r, 1)));
	reuse_free(r);
}

/* Loops of 511, 512 and 5000 pages: the step lies at each loop's length. */
static void steps_of_loops(void **state)
{
	static const unsigned int length[] = {511, 512, 5000};
	unsigned int i, n, round;
	struct reuse *r;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(length); n++) {
		r = engine();
		for (i = 0, round = 0; round < 3; i++) {
			put(PAGE_ACCESS, PAGE_READ, i);
			if (batch.nr == PAGES_BATCH)
				feed(r);
			if (i == length[n] - 1) {
				i = -1U;
				round++;
			}
		}
		feed(r);
		reuse_end(r);
		assert_int_equal(r->hist->max, length[n] - 1);
		assert_int_equal(reuse_misses(r, reuse_size(length[n] - 1)),
				 3 * length[n]);
		assert_int_equal(reuse_misses(r, length[n] + 20), length[n]);
		reuse_free(r);
	}
}

static void sizes_are_bucket_ends(void **state)
{
	uint64_t v;

	(void)state;
	for (v = 0; v < HIST_EXACT; v++)
		assert_int_equal(reuse_size(v), v);
	assert_int_equal(reuse_size(655360), 655360);
	assert_int_equal(reuse_size(1ULL << 40), 1ULL << 40);
	assert_true(reuse_size(1000003) <= 1000003);
	assert_true(reuse_size(1000003) > 1000003 - 1000003 / 128);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answers),
		cmocka_unit_test(no_access_at_all),
		cmocka_unit_test(steps_of_loops),
		cmocka_unit_test(sizes_are_bucket_ends),
	};

	return cmocka_run_group_tests_name("reuse", tests, NULL, NULL);
}
