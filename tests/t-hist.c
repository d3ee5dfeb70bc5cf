/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-hist.c - the histogram against a naive sorted array */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/hist.h"

#define NR_VALUES 5000

static uint64_t seed = 0x243f6a8885a308d3;

/* Values of every magnitude: a random number shifted by a random amount. */
static uint64_t draw(void)
{
	seed += 0x9e3779b97f4a7c15;
	return hash_u64(seed) >> (hash_u64(~seed) & 63);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t *sorted_values(struct hist *h, unsigned int nr)
{
	uint64_t *v = calloc(nr, sizeof(*v));
	unsigned int i;

	assert_non_null(v);
	for (i = 0; i < nr; i++) {
		v[i] = draw();
		hist_add(h, v[i], 1);
	}
	qsort(v, nr, sizeof(*v), compare);
	return v;
}

/* Buckets follow each other without gap or overlap, to UINT64_MAX. */
static void buckets_tile(void **state)
{
	unsigned int i;

	(void)state;
	assert_int_equal(hist_low(0), 0);
	for (i = 0; i < HIST_BUCKETS; i++) {
		uint64_t low = hist_low(i), high = hist_high(i);

		assert_int_equal(hist_bucket(low), i);
		assert_int_equal(hist_bucket(high), i);
		assert_true(high - low <= low / 256);
		if (i + 1 < HIST_BUCKETS)
			assert_true(hist_low(i + 1) == high + 1);
	}
	assert_true(hist_high(HIST_BUCKETS - 1) == UINT64_MAX);
	assert_int_equal(hist_bucket(UINT64_MAX), HIST_BUCKETS - 1);
}

static void quantiles_match_sorted_array(void **state)
{
	struct hist *h;
	uint64_t *v, q;
	unsigned int i;

	(void)state;
	assert_int_equal(hist_new(&h), 0);
	v = sorted_values(h, NR_VALUES);
	assert_true(h->nr == NR_VALUES);
	assert_true(h->min == v[0]);
	assert_true(h->max == v[NR_VALUES - 1]);
	for (i = 1; i <= 1000; i++) {
		unsigned int rank = (i * NR_VALUES + 999) / 1000;

		q = hist_quantile(h, i / 1000.0);
		assert_true(q == hist_low(hist_bucket(v[rank - 1])));
	}
	assert_true(hist_quantile(h, 0) == hist_low(hist_bucket(v[0])));
	free(v);
	hist_free(h);
}

static void below_matches_sorted_array(void **state)
{
	unsigned int i, k, nr;
	struct hist *h;
	uint64_t *v;

	(void)state;
	assert_int_equal(hist_new(&h), 0);
	v = sorted_values(h, NR_VALUES);
	for (i = 0; i < HIST_BUCKETS; i += 7) {
		nr = 0;
		for (k = 0; k < NR_VALUES && v[k] < hist_low(i); k++)
			nr++;
		assert_true(hist_below(h, hist_low(i)) == nr);
	}
	assert_true(hist_below(h, h->max) < NR_VALUES);
	free(v);
	hist_free(h);
}

static void merge_equals_one(void **state)
{
	struct hist *a, *b, *both;
	unsigned int i;
	uint64_t v;

	(void)state;
	assert_int_equal(hist_new(&a), 0);
	assert_int_equal(hist_new(&b), 0);
	assert_int_equal(hist_new(&both), 0);
	for (i = 0; i < NR_VALUES; i++) {
		v = draw();
		hist_add(i % 3 ? a : b, v, 1 + i % 4);
		hist_add(both, v, 1 + i % 4);
	}
	hist_merge(a, b);
	assert_true(a->nr == both->nr);
	assert_true(a->min == both->min && a->max == both->max);
	assert_true(fabsl(a->sum - both->sum) <= both->sum * 1e-15L);
	assert_memory_equal(a->count, both->count, sizeof(a->count));
	hist_free(a);
	hist_free(b);
	hist_free(both);
}

static void empty_and_zero(void **state)
{
	struct hist *h, *none;

	(void)state;
	assert_int_equal(hist_new(&h), 0);
	assert_int_equal(hist_new(&none), 0);
	assert_int_equal(hist_quantile(h, 0.5), 0);
	assert_int_equal(hist_below(h, 100), 0);
	hist_add(h, 7, 0);
	assert_true(h->nr == 0 && h->max == 0);
	hist_add(h, 7, 3);
	hist_merge(h, none);
	assert_true(h->nr == 3 && h->min == 7 && h->max == 7);
	assert_int_equal(hist_quantile(h, 1), 7);
	hist_free(h);
	hist_free(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_tile),
		cmocka_unit_test(quantiles_match_sorted_array),
		cmocka_unit_test(below_matches_sorted_array),
		cmocka_unit_test(merge_equals_one),
		cmocka_unit_test(empty_and_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
