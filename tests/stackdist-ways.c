/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-ways.c - every way to count stack distances, and two oracles */

/*
 * With last[i] the index + 1 of the access before i to the same key, 0 if
 * there is none, the distance of i is the number of distinct keys in between.
 *
 * Fenwick: walking through time, a mark lies on the last access to each key;
 * the distance is the number of marks between last[i] and i.
 *
 * Merge: a key's first access j in between is one with last[j] <= last[i].
 * All j up to last[i] fulfil that too, so the distance is the number of j < i
 * with last[j] <= last[i], less last[i] itself.  Pairs like that are what a
 * merge sort of last[] meets.
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/stackdist-ways.h"

const struct way ways[NR_WAYS] = {
	{"avx512", 1}, {"avx2", 1}, {"plain", 1},
	{"avx512", 2}, {"avx2", 2}, {"plain", 2},
};

struct stackdist *way_engine(const struct way *way)
{
	struct stackdist *s;

	setenv("MMCAP_CPU", way->cpu, 1);
	assert_int_equal(stackdist_new(&s), 0);
	assert_int_equal(stackdist_threads(s, way->nr_threads), 0);
	return s;
}

void way_run(struct stackdist *s, const uint64_t *key, unsigned int nr,
	     unsigned int batch, uint64_t *distance)
{
	unsigned int i;

	for (i = 0; i < nr; i += batch)
		assert_int_equal(stackdist_batch(s, key + i, MIN(batch, nr - i),
						 distance + i),
				 0);
	stackdist_sync(s);
}

uint64_t random_next(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15ULL;
	return hash_u64(*state);
}

/* The inverse of the integral of rank^-0.99. */
uint64_t random_zipf(uint64_t *state, uint64_t nr)
{
	double u = (double)(random_next(state) >> 11) / (double)(1ULL << 53);
	double top = pow((double)nr + 1, 0.01);

	return (uint64_t)pow(1 + u * (top - 1), 100) - 1;
}

/* ---------------------------------------------------------------- oracles */

struct item {
	uint64_t key;
	uint32_t at;
};

static int by_key_and_time(const void *va, const void *vb)
{
	const struct item *a = va, *b = vb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void *alloc(uint64_t nr, size_t size)
{
	void *p = calloc(nr, size);

	assert_non_null(p);
	return p;
}

uint32_t *oracle_last(const uint64_t *key, uint32_t nr)
{
	struct item *item = alloc((uint64_t)nr + 1, sizeof(*item));
	uint32_t *last = alloc((uint64_t)nr + 1, sizeof(*last)), i;

	for (i = 0; i < nr; i++)
		item[i] = (struct item){key[i], i};
	qsort(item, nr, sizeof(*item), by_key_and_time);
	for (i = 1; i < nr; i++)
		if (item[i].key == item[i - 1].key)
			last[item[i].at] = item[i - 1].at + 1;
	free(item);
	return last;
}

void oracle_fenwick(const uint32_t *last, uint32_t nr, uint64_t *distance)
{
	int32_t *tree = alloc((uint64_t)nr + 1, sizeof(*tree));
	int64_t marks, live = 0;
	uint32_t i, at;

	for (i = 0; i < nr; i++) {
		distance[i] = STACKDIST_COLD;
		if (last[i]) {
			for (marks = 0, at = last[i]; at; at &= at - 1)
				marks += tree[at];
			distance[i] = (uint64_t)(live - marks);
			for (at = last[i]; at <= nr; at += at & -at)
				tree[at]--;
			live--;
		}
		for (at = i + 1; at <= nr; at += at & -at)
			tree[at]++;
		live++;
	}
	free(tree);
}

/* Sorts the accesses [from, to) by last[]; pairs over the middle count. */
static void merge(const uint32_t *last, uint32_t *order, uint32_t *spare,
		  uint32_t range[2], uint64_t *distance)
{
	uint32_t from = range[0], to = range[1], mid = from + (to - from) / 2;
	uint32_t left[2] = {from, mid}, right[2] = {mid, to}, a, b, i;

	if (to - from < 2)
		return;
	merge(last, order, spare, left, distance);
	merge(last, order, spare, right, distance);
	for (i = a = from, b = mid; i < to; i++) {
		if (b == to || (a < mid && last[order[a]] <= last[order[b]])) {
			spare[i] = order[a++];
		} else {
			distance[order[b]] += a - from;
			spare[i] = order[b++];
		}
	}
	memcpy(order + from, spare + from, (to - from) * sizeof(*order));
}

void oracle_merge(const uint32_t *last, uint32_t nr, uint64_t *distance)
{
	uint32_t *order = alloc((uint64_t)nr + 1, sizeof(*order));
	uint32_t *spare = alloc((uint64_t)nr + 1, sizeof(*spare));
	uint32_t i, range[2] = {0, nr};

	for (i = 0; i < nr; i++) {
		order[i] = i;
		distance[i] = 0;
	}
	merge(last, order, spare, range, distance);
	for (i = 0; i < nr; i++)
		distance[i] = last[i] ? distance[i] - last[i] : STACKDIST_COLD;
	free(spare);
	free(order);
}
