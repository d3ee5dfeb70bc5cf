/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-refault-engine.c - the refault engine against an oracle that looks back */

/*
 * Random streams of adds, removals, accesses and losses over a few pages.  The
 * oracle keeps no state: for each add it searches backwards for what the page
 * did last, counts removals in between one by one, and searches forwards for
 * the first access.  Counts and the whole list of distances must agree.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/refault.h"

#define NR_PAGES 24

struct oracle {
	uint64_t nr_adds, nr_removals[PAGE_NR_CAUSES];
	uint64_t nr_readds[PAGE_NR_CAUSES], nr_adds_again, nr_across_loss;
	uint64_t nr_removals_new, nr_unread;
	uint64_t nr_demand, nr_readahead, nr_demand_unknown;
	uint64_t nr_distances, sum_distances, sum_ns;
};

struct kernel {
	bool has_reclaim, has_accesses;
};

static uint32_t rnd_state;

static uint32_t rnd(uint32_t below)
{
	rnd_state = rnd_state * 1664525 + 1013904223;
	return (rnd_state >> 8) % below;
}

/* ----------------------------------------------------------------- stream */

static void entry(struct page_batch *b, uint8_t op, uint64_t page,
		  uint8_t detail)
{
	unsigned int i = b->nr++;

	b->op[i] = op;
	b->page[i] = page;
	b->detail[i] = detail;
	b->time_ns[i] = i ? b->time_ns[i - 1] + rnd(100) : 1000;
	b->order[i] = b->flags[i] = 0;
}

static void folio(struct page_batch *b, uint8_t op, uint8_t detail)
{
	unsigned int order = rnd(4) ? 0 : rnd(3), first, i;

	first = rnd(NR_PAGES) >> order << order;
	for (i = 0; i < 1U << order; i++) {
		entry(b, op, first + i, detail);
		b->order[b->nr - 1] = (uint8_t)order;
		b->flags[b->nr - 1] = i ? 0 : PAGE_HEAD;
	}
}

static void stream(struct page_batch *b)
{
	static const uint8_t causes[] = {PAGE_RECLAIM, PAGE_RECLAIM,
					 PAGE_INVALIDATE, PAGE_UNKNOWN};
	bool losses = rnd(2);

	b->nr = 0;
	while (b->nr < PAGES_BATCH / 4) {
		switch (rnd(16)) {
		case 0 ... 5:
			folio(b, PAGE_ADD, (uint8_t)rnd(3));
			break;
		case 6 ... 10:
			folio(b, PAGE_REMOVE, causes[rnd(4)]);
			break;
		case 11:
			if (losses && !rnd(8))
				entry(b, PAGE_LOSS, 1, 0);
			break;
		default:
			entry(b, PAGE_ACCESS, rnd(NR_PAGES),
			      (uint8_t)rnd(PAGE_NR_SOURCES));
			b->flags[b->nr - 1] = rnd(2) ? PAGE_MISS : 0;
		}
	}
}

/* ----------------------------------------------------------------- oracle */

/* The last add or removal of the page before i; lost: records in between. */
static int look_back(const struct page_batch *b, unsigned int i, bool *lost)
{
	int j;

	*lost = false;
	for (j = (int)i - 1; j >= 0; j--) {
		if (b->op[j] == PAGE_LOSS)
			*lost = true;
		else if (b->op[j] != PAGE_ACCESS && b->page[j] == b->page[i])
			break;
	}
	return j;
}

static bool counts(const struct kernel *k, uint8_t cause)
{
	return !k->has_reclaim || cause == PAGE_RECLAIM;
}

static uint64_t pages_between(const struct page_batch *b,
			      const struct kernel *k, int from, unsigned int to)
{
	unsigned int j = (unsigned int)from + 1;
	uint64_t nr = 0;

	while (!(b->flags[j] & PAGE_HEAD) && b->op[j] == PAGE_REMOVE)
		j++; /* the rest of its own folio */
	for (; j < to; j++)
		nr += b->op[j] == PAGE_REMOVE && counts(k, b->detail[j]);
	return nr;
}

/* Was the page added at i asked for?  Its first access tells, if any. */
static void demand_at(struct oracle *o, const struct page_batch *b,
		      const struct kernel *k, unsigned int i)
{
	unsigned int j;

	for (j = i + 1; b->detail[i] == PAGE_DEMAND_UNKNOWN && j < b->nr; j++) {
		if (b->op[j] == PAGE_LOSS) {
			o->nr_demand_unknown++;
			return;
		}
		if (b->page[j] != b->page[i] ||
		    (b->op[j] == PAGE_ACCESS &&
		     b->detail[j] == PAGE_FAULT_AROUND))
			continue;
		if (b->op[j] == PAGE_ACCESS && b->flags[j] & PAGE_MISS)
			o->nr_demand++;
		else if (b->op[j] == PAGE_ACCESS || k->has_accesses)
			o->nr_readahead++;
		else
			o->nr_demand_unknown++;
		return;
	}
	if (b->detail[i] == PAGE_DEMAND)
		o->nr_demand++;
	else if (b->detail[i] == PAGE_READAHEAD || k->has_accesses)
		o->nr_readahead++;
	else
		o->nr_demand_unknown++;
}

static void oracle_add(struct oracle *o, const struct page_batch *b,
		       const struct kernel *k, unsigned int i)
{
	bool lost;
	int j;

	o->nr_adds++;
	j = look_back(b, i, &lost);
	if (j < 0)
		return;
	if (lost) {
		o->nr_across_loss++;
	} else if (b->op[j] == PAGE_ADD) {
		o->nr_adds_again++;
	} else {
		o->nr_readds[b->detail[j]]++;
		if (!counts(k, b->detail[j]))
			return;
		o->nr_distances++;
		o->sum_distances += pages_between(b, k, j, i);
		o->sum_ns += b->time_ns[i] - b->time_ns[j];
		demand_at(o, b, k, i);
	}
}

static void oracle_remove(struct oracle *o, const struct page_batch *b,
			  unsigned int i)
{
	unsigned int n;
	bool lost;
	int j;

	o->nr_removals[b->detail[i]]++;
	j = look_back(b, i, &lost);
	if (j < 0 || b->op[j] == PAGE_REMOVE) {
		o->nr_removals_new++;
		return;
	}
	for (n = (unsigned int)j; n < i; n++)
		if (b->op[n] == PAGE_ACCESS && b->page[n] == b->page[i])
			return;
	o->nr_unread += !lost;
}

static void oracle(struct oracle *o, const struct page_batch *b,
		   const struct kernel *k)
{
	unsigned int i;

	memset(o, 0, sizeof(*o));
	for (i = 0; i < b->nr; i++) {
		if (b->op[i] == PAGE_ADD)
			oracle_add(o, b, k, i);
		else if (b->op[i] == PAGE_REMOVE)
			oracle_remove(o, b, i);
	}
}

/* ------------------------------------------------------------------ tests */

static void compare(const struct oracle *o, const struct refault *r)
{
	unsigned int i;

	assert_int_equal(o->nr_adds, r->nr_adds);
	for (i = 0; i < PAGE_NR_CAUSES; i++) {
		assert_int_equal(o->nr_removals[i], r->nr_removals[i]);
		assert_int_equal(o->nr_readds[i], r->nr_readds[i]);
	}
	assert_int_equal(o->nr_adds_again, r->nr_adds_again);
	assert_int_equal(o->nr_across_loss, r->nr_across_loss);
	assert_int_equal(o->nr_removals_new, r->nr_removals_new);
	assert_int_equal(o->nr_unread, r->nr_unread);
	assert_int_equal(o->nr_demand, r->nr_demand);
	assert_int_equal(o->nr_readahead, r->nr_readahead);
	assert_int_equal(o->nr_demand_unknown, r->nr_demand_unknown);
	assert_int_equal(o->nr_distances, r->distance->nr);
	assert_true(r->distance->sum == o->sum_distances);
	assert_true(r->time_ns->sum == o->sum_ns);
}

static void test_random(void **state)
{
	static struct page_batch b;
	struct kernel k;
	struct oracle o;
	struct refault *r;
	uint64_t nr = 0;
	uint32_t seed;

	(void)state;
	for (seed = 1; seed <= 400; seed++) {
		rnd_state = seed * 2654435761U;
		stream(&b);
		k.has_reclaim = rnd(4);
		k.has_accesses = rnd(4);
		oracle(&o, &b, &k);
		nr += o.nr_distances;
		assert_int_equal(
			refault_new(&r, 4096, k.has_reclaim, k.has_accesses),
			0);
		assert_int_equal(refault_batch(r, &b), 0);
		refault_end(r);
		compare(&o, r);
		refault_free(r);
	}
	/* the streams do hold what they are to test */
	assert_true(nr > 10000);
}

/* Many pages, so that the table grows; all come back at one distance. */
static void test_growth(void **state)
{
	static struct page_batch b;
	const uint64_t nr = 300000;
	struct refault *r;
	uint64_t i, pass;

	(void)state;
	assert_int_equal(refault_new(&r, 4096, true, false), 0);
	for (pass = 0; pass < 3; pass++) {
		for (i = 0; i < nr; i++) {
			b.nr = 0;
			entry(&b, pass == 1 ? PAGE_REMOVE : PAGE_ADD,
			      i << PAGES_INDEX_BITS | (i * 7 % nr), 0);
			b.flags[0] = PAGE_HEAD;
			assert_int_equal(refault_batch(r, &b), 0);
		}
	}
	assert_int_equal(tracker_nr_pages(r->tracker), nr);
	assert_int_equal(r->nr_readds[PAGE_RECLAIM], nr);
	assert_int_equal(r->distance->max, nr - 1);
	assert_int_equal(r->distance->min, 0);
	assert_int_equal(refault_reloads(r), nr);
	refault_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_growth),
	};

	return cmocka_run_group_tests_name("refault", tests, NULL, NULL);
}
