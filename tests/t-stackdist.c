/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-stackdist.c - stack distances against known answers and a plain list */

/*
 * The oracle is the definition itself: a list of keys, last access first; the
 * place of a key in it is its distance.  The streams are long and wide enough
 * that every shard of the table grows and the time line is moved together
 * several times.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/stackdist-priv.h"
#include "tests/mrc-cases.h"
#include "tests/stackdist-ways.h"

/* ----------------------------------------------------------------- oracle */

struct list {
	uint64_t *key;
	unsigned int nr;
};

static uint64_t list_access(struct list *l, uint64_t key)
{
	unsigned int i;
	uint64_t distance;

	for (i = 0; i < l->nr && l->key[i] != key; i++)
		;
	distance = i < l->nr ? i : STACKDIST_COLD;
	if (i == l->nr)
		l->nr++;
	memmove(l->key + 1, l->key, i * sizeof(*l->key));
	l->key[0] = key;
	return distance;
}

/* ---------------------------------------------------------------- streams */

enum stream { UNIFORM, ZIPF, CYCLIC, MIXED };

/* The i-th key of a stream over about `wide` keys. */
static uint64_t stream_key(enum stream kind, uint64_t *state, uint64_t i,
			   uint64_t wide)
{
	uint64_t r = random_next(state);
	double u = (double)(r >> 11) / (double)(1ULL << 53);

	switch (kind) {
	case UNIFORM:
		return r % wide;
	case ZIPF: /* cubed: few keys get most of the accesses */
		return (uint64_t)(u * u * u * (double)wide);
	case CYCLIC:
		return i % wide;
	case MIXED: /* a hot set, and a scan that never comes back */
		return r % 3 ? r % 50 : 1000 + i;
	}
	return 0;
}

struct shape {
	enum stream kind;
	uint64_t seed;
	uint64_t wide;
	unsigned int nr, batch;
};

/* Keys as the page stream makes them: a segment above 36 bits of index. */
static uint64_t page_like(uint64_t v)
{
	return (v % 7) << 36 | v / 7;
}

static void compare(const struct shape *shape)
{
	uint64_t *key = calloc(shape->nr, sizeof(*key));
	uint64_t *got = calloc(shape->nr, sizeof(*got));
	uint64_t *want = calloc(shape->nr, sizeof(*want));
	struct list list = {.key = calloc(shape->nr + 1, sizeof(*key))};
	uint64_t state = shape->seed;
	struct stackdist *s;
	unsigned int i, way;

	assert_true(key && got && want && list.key);
	for (i = 0; i < shape->nr; i++) {
		key[i] = page_like(
			stream_key(shape->kind, &state, i, shape->wide));
		want[i] = list_access(&list, key[i]);
	}
	for (way = 0; way < NR_WAYS; way++) {
		s = way_engine(&ways[way]);
		way_run(s, key, shape->nr, shape->batch, got);
		for (i = 0; i < shape->nr; i++)
			assert_int_equal(got[i], want[i]);
		assert_int_equal(stackdist_distinct(s), list.nr);
		stackdist_free(s);
	}
	free(list.key);
	free(want);
	free(got);
	free(key);
}

/* ------------------------------------------------------------------ tests */

static void known_answers(void **state)
{
	static struct mrc_case cases[MRC_MAX_CASES];
	unsigned int i, j, nr = mrc_cases_read(cases);
	uint64_t got[MRC_MAX_ACCESSES], nr_cold;
	struct stackdist *s;

	(void)state;
	assert_int_equal(nr, 6);
	for (i = 0; i < nr; i++) {
		assert_int_equal(cases[i].nr, cases[i].nr_distances);
		assert_int_equal(cases[i].nr, cases[i].nr_accesses);
		assert_int_equal(stackdist_new(&s), 0);
		assert_int_equal(
			stackdist_batch(s, cases[i].key, cases[i].nr, got), 0);
		for (j = 0, nr_cold = 0; j < cases[i].nr; j++) {
			assert_int_equal(got[j], cases[i].distance[j]);
			nr_cold += got[j] == STACKDIST_COLD;
		}
		assert_int_equal(nr_cold, cases[i].nr_cold);
		assert_int_equal(stackdist_distinct(s), cases[i].nr_distinct);
		stackdist_free(s);
	}
}

static void random_streams(void **state)
{
	static const struct shape shapes[] = {
		{UNIFORM, 1, 1, 100, 7},
		{UNIFORM, 2, 40, 2000, 1},
		{UNIFORM, 3, 3000, 40000, 4096},
		{UNIFORM, 4, 12000, 70000, 100},
		{ZIPF, 5, 5000, 40000, 4096},
		{ZIPF, 6, 5000, 40000, 33},
		{ZIPF, 7, 60000, 40000, 4096},
		{CYCLIC, 8, 511, 40000, 512},
		{CYCLIC, 9, 4096, 70000, 4096},
		{MIXED, 10, 0, 70000, 4096},
		{MIXED, 11, 0, 40000, 1000},
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		compare(&shapes[i]);
}

static void odd_keys(void **state)
{
	static const uint64_t key[] = {
		0, UINT64_MAX, 0, UINT64_MAX - 1, 1ULL << 63, UINT64_MAX,
	};
	static const uint64_t want[] = {
		STACKDIST_COLD, STACKDIST_COLD, 1,
		STACKDIST_COLD, STACKDIST_COLD, 3,
	};
	uint64_t got[ARRAY_SIZE(key)];
	struct stackdist *s;

	(void)state;
	assert_int_equal(stackdist_new(&s), 0);
	assert_int_equal(stackdist_batch(s, key, ARRAY_SIZE(key), got), 0);
	assert_memory_equal(got, want, sizeof(want));
	assert_int_equal(stackdist_batch(s, key, 0, got), 0);
	stackdist_free(s);
}

/* A loop over n pages: every distance is n - 1, through many moves. */
static void long_loop(void **state)
{
	enum { PAGES = 100000, ROUNDS = 12, BATCH = 1000 };
	uint64_t key[BATCH], got[BATCH], base;
	unsigned int round, i;
	struct stackdist *s;

	(void)state;
	assert_int_equal(stackdist_new(&s), 0);
	for (round = 0; round < ROUNDS; round++) {
		for (base = 0; base < PAGES; base += BATCH) {
			for (i = 0; i < BATCH; i++)
				key[i] = base + i;
			assert_int_equal(stackdist_batch(s, key, BATCH, got),
					 0);
			for (i = 0; i < BATCH; i++)
				assert_int_equal(got[i],
						 round ? PAGES - 1
						       : STACKDIST_COLD);
		}
	}
	assert_int_equal(stackdist_distinct(s), PAGES);
	stackdist_free(s);
}

/* Memory follows the distinct keys and not the accesses. */
static void memory_is_modest(void **state)
{
	enum { PAGES = 1000000, BATCH = 1000 };
	uint64_t key[BATCH], got[BATCH], base;
	struct stackdist *s;
	unsigned int i;
	size_t bytes;

	(void)state;
	assert_int_equal(stackdist_new(&s), 0);
	for (base = 0; base < PAGES; base += BATCH) {
		for (i = 0; i < BATCH; i++)
			key[i] = page_like(base + i);
		assert_int_equal(stackdist_batch(s, key, BATCH, got), 0);
		assert_true(base < 50000 ||
			    stackdist_bytes(s) <= 34 * stackdist_distinct(s));
	}
	bytes = stackdist_bytes(s);
	for (i = 0; i < 3000; i++)
		assert_int_equal(stackdist_batch(s, key, BATCH, got), 0);
	assert_true(stackdist_bytes(s) <= bytes + bytes / 10);
	stackdist_free(s);
}

/* How far the most unlucky key of n lies behind its home. */
static uint64_t worst_place(const uint64_t *key, unsigned int nr)
{
	const struct keymap *t;
	uint64_t got[64], worst = 0, i, home;
	struct stackdist *s;
	uint32_t j;

	assert_int_equal(stackdist_new(&s), 0);
	for (i = 0; i < nr; i += 64)
		assert_int_equal(stackdist_batch(s, key + i, 64, got), 0);
	t = &s->table;
	for (i = 0; i < t->nr_buckets; i++) {
		for (j = 0; j < t->bucket[i].nr; j++) {
			home = keymap_home(t, t->bucket[i].key[j]);
			assert_true(home <= i);
			worst = MAX(worst, i - home);
		}
	}
	stackdist_free(s);
	return worst;
}

/*
 * Keys in any progression, or such as a stranger found to collide in a table
 * whose salts were known, spread like any others.
 */
static void keys_spread(void **state)
{
	enum { NR = 64 * 2000 };
	static const unsigned int shifts[] = {0, 1, 9, 12, 20, 32, 36, 47};
	const struct keymap known = {.nr_homes = 1U << 20,
				     .salt = {0, 0x9e3779b97f4a7c15ULL, 3}};
	uint64_t *key = malloc(NR * sizeof(*key)), v = 0;
	unsigned int i, j;

	(void)state;
	assert_non_null(key);
	for (i = 0; i < ARRAY_SIZE(shifts); i++) {
		for (j = 0; j < NR; j++)
			key[j] = (uint64_t)j << shifts[i];
		assert_true(worst_place(key, NR) < 60);
	}
	for (j = 0; j < NR; v++)
		if (keymap_home(&known, v) < (1U << 20) / 64)
			key[j++] = v;
	assert_true(worst_place(key, NR) < 60);
	free(key);
}

static void salts_differ(void **state)
{
	struct stackdist *a, *b;
	unsigned int i;

	(void)state;
	assert_int_equal(stackdist_new(&a), 0);
	assert_int_equal(stackdist_new(&b), 0);
	for (i = 0; i < 3; i++)
		assert_int_not_equal(a->table.salt[i], b->table.salt[i]);
	stackdist_free(a);
	stackdist_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answers),
		cmocka_unit_test(random_streams),
		cmocka_unit_test(odd_keys),
		cmocka_unit_test(long_loop),
		cmocka_unit_test(memory_is_modest),
		cmocka_unit_test(keys_spread),
		cmocka_unit_test(salts_differ),
	};

	return cmocka_run_group_tests_name("stackdist", tests, NULL, NULL);
}
