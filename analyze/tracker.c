/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracker.c - for every page: is it in the cache, and how did it leave */

/*
 * One hash table of 32-byte records, open addressing with linear probing,
 * never more than two thirds full.  Pages are never forgotten: a removed one
 * is what a refault is measured against.  A loss touches no record, it makes
 * all of them older than the epoch it begins.
 */
#include "config.h"

#include <stdlib.h>

#include "analyze/tracker.h"

#define TRACKER_MIN 4096

struct tracker {
	struct tracked *slot;
	size_t nr_slots; /* a power of two */
	size_t nr;
	uint32_t epoch;
};

_Static_assert(sizeof(struct tracked) == 32, "two records to a cache line");

int tracker_new(struct tracker **tp)
{
	struct tracker *t;

	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->nr_slots = TRACKER_MIN;
	t->slot = calloc(t->nr_slots, sizeof(*t->slot));
	if (!t->slot) {
		free(t);
		return -ENOMEM;
	}
	*tp = t;
	return 0;
}

void tracker_free(struct tracker *t)
{
	if (t)
		free(t->slot);
	free(t);
}

/* The page's slot, or the empty one where it belongs. */
static struct tracked *slot_of(const struct tracker *t, uint64_t page)
{
	size_t i = hash_u64(page) & (t->nr_slots - 1);

	while (t->slot[i].state != TRACKED_NEVER && t->slot[i].page != page)
		i = (i + 1) & (t->nr_slots - 1);
	return &t->slot[i];
}

static int tracker_grow(struct tracker *t)
{
	struct tracker fresh = *t;
	size_t i;

	fresh.nr_slots = t->nr_slots * 2;
	fresh.slot = calloc(fresh.nr_slots, sizeof(*fresh.slot));
	if (!fresh.slot)
		return -ENOMEM;
	for (i = 0; i < t->nr_slots; i++)
		if (t->slot[i].state != TRACKED_NEVER)
			*slot_of(&fresh, t->slot[i].page) = t->slot[i];
	free(t->slot);
	*t = fresh;
	return 0;
}

void tracker_prefetch(const struct tracker *t, uint64_t page)
{
	__builtin_prefetch(&t->slot[hash_u64(page) & (t->nr_slots - 1)], 1);
}

struct tracked *tracker_find(const struct tracker *t, uint64_t page)
{
	struct tracked *slot = slot_of(t, page);

	return slot->state == TRACKED_NEVER ? NULL : slot;
}

/* Its record is new, or the one it had: that is what it was. */
static struct tracked *tracker_get(struct tracker *t, uint64_t page,
				   struct tracked *was)
{
	struct tracked *slot = slot_of(t, page);

	*was = *slot;
	if (slot->state != TRACKED_NEVER)
		return slot;
	if (t->nr >= t->nr_slots / 3 * 2) {
		if (tracker_grow(t))
			return NULL;
		slot = slot_of(t, page);
	}
	t->nr++;
	return slot;
}

/* A new state; zero fields say that nothing has happened in it. */
static struct tracked *tracker_put(struct tracker *t, struct tracked state,
				   struct tracked *was)
{
	struct tracked *now = tracker_get(t, state.page, was);

	state.epoch = t->epoch;
	if (now)
		*now = state;
	return now;
}

struct tracked *tracker_add(struct tracker *t, uint64_t page, uint64_t time_ns,
			    struct tracked *was)
{
	return tracker_put(t,
			   (struct tracked){
				   .page = page,
				   .since_ns = time_ns,
				   .state = TRACKED_RESIDENT,
			   },
			   was);
}

struct tracked *tracker_remove(struct tracker *t, uint64_t page,
			       uint64_t time_ns, enum page_cause cause,
			       struct tracked *was)
{
	return tracker_put(t,
			   (struct tracked){
				   .page = page,
				   .since_ns = time_ns,
				   .state = TRACKED_GONE,
				   .cause = (uint8_t)cause,
			   },
			   was);
}

void tracker_loss(struct tracker *t)
{
	t->epoch++;
}

bool tracked_uncertain(const struct tracker *t, const struct tracked *page)
{
	return page->epoch != t->epoch;
}

uint64_t tracker_nr_pages(const struct tracker *t)
{
	return t->nr;
}
