/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refault.c - pages that come back after they left the page cache */

/*
 * A page that is added again after reclaim had removed it is a refault.  Its
 * distance is the number of pages that reclaim removed in between: how much
 * larger the cache would have had to be, had it removed in the same order.
 * Removals are numbered as they come; a page keeps the number behind its
 * folio, so that the folio's own pages are not in between.
 *
 * A log without reclaim events cannot tell refaults from other pages that come
 * back.  Then all removals count, for the distance as well as for what comes
 * back, and the caller leaves out what is called a refault.
 *
 * Whether a refault was asked for or came with readahead is in the add, if the
 * kernel has readahead events; else the page's first access tells.
 *
 * Over a loss nothing is measured: the page may have come and gone unseen.
 */
#include "config.h"

#include <stdlib.h>

#include "analyze/refault.h"

#define LOOK_AHEAD 16 /* entries; a record far off takes that long to load */

#define PAGE_USED    1U /* read, faulted or mapped since its add */
#define PAGE_PENDING 2U /* a refault, demand or readahead not known yet */

int refault_new(struct refault **rp, uint64_t page_size, bool has_reclaim,
		bool has_accesses)
{
	struct refault *r;
	int ret;

	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->page_size = page_size;
	r->has_reclaim = has_reclaim;
	r->has_accesses = has_accesses;
	ret = tracker_new(&r->tracker);
	if (!ret)
		ret = hist_new(&r->distance);
	if (!ret)
		ret = hist_new(&r->time_ns);
	if (ret) {
		refault_free(r);
		return ret;
	}
	*rp = r;
	return 0;
}

void refault_free(struct refault *r)
{
	if (!r)
		return;
	tracker_free(r->tracker);
	hist_free(r->distance);
	hist_free(r->time_ns);
	free(r);
}

/* A refault waits no longer for its first access: there was none. */
static void pending_ends(struct refault *r, const struct tracked *page)
{
	if (!(page->flags & PAGE_PENDING) ||
	    tracked_uncertain(r->tracker, page))
		return;
	r->nr_pending--;
	if (r->has_accesses)
		r->nr_readahead++;
	else
		r->nr_demand_unknown++;
}

static void refault_demand(struct refault *r, struct tracked *page,
			   enum page_demand demand)
{
	switch (demand) {
	case PAGE_DEMAND:
		r->nr_demand++;
		break;
	case PAGE_READAHEAD:
		r->nr_readahead++;
		break;
	case PAGE_DEMAND_UNKNOWN:
		r->nr_pending++;
		page->flags |= PAGE_PENDING;
	}
}

/* Does a removal for this cause count as distance, its page as a refault? */
static bool cause_counts(const struct refault *r, unsigned int cause)
{
	return cause == PAGE_RECLAIM || !r->has_reclaim;
}

static void page_came_back(struct refault *r, struct tracked *page,
			   const struct tracked *was, enum page_demand demand)
{
	r->nr_readds[was->cause]++;
	if (!cause_counts(r, was->cause))
		return;
	hist_add(r->distance, r->nr_counted - was->removed_at, 1);
	/* a clock may step back */
	hist_add(r->time_ns,
		 page->since_ns > was->since_ns ? page->since_ns - was->since_ns
						: 0,
		 1);
	refault_demand(r, page, demand);
}

static int page_added(struct refault *r, const struct page_batch *b,
		      unsigned int i)
{
	struct tracked was, *page;

	page = tracker_add(r->tracker, b->page[i], b->time_ns[i], &was);
	if (!page)
		return -ENOMEM;
	r->nr_adds++;
	if (was.state == TRACKED_NEVER)
		return 0;
	if (tracked_uncertain(r->tracker, &was)) {
		r->nr_across_loss++;
	} else if (was.state == TRACKED_RESIDENT) {
		pending_ends(r, &was);
		r->nr_adds_again++;
	} else {
		page_came_back(r, page, &was, b->detail[i]);
	}
	return 0;
}

static int page_removed(struct refault *r, const struct page_batch *b,
			unsigned int i)
{
	struct tracked was, *page;

	page = tracker_remove(r->tracker, b->page[i], b->time_ns[i],
			      b->detail[i], &was);
	if (!page)
		return -ENOMEM;
	if (b->flags[i] & PAGE_HEAD)
		r->folio_at = r->nr_counted + (1ULL << b->order[i]);
	page->removed_at = r->folio_at;
	r->nr_removals[b->detail[i]]++;
	if (cause_counts(r, b->detail[i]))
		r->nr_counted++;
	if (was.state != TRACKED_RESIDENT) {
		r->nr_removals_new++;
		return 0;
	}
	pending_ends(r, &was);
	if (!(was.flags & PAGE_USED) && !tracked_uncertain(r->tracker, &was))
		r->nr_unread++;
	return 0;
}

static void page_accessed(struct refault *r, const struct page_batch *b,
			  unsigned int i)
{
	struct tracked *page = tracker_find(r->tracker, b->page[i]);

	if (!page || page->state != TRACKED_RESIDENT)
		return;
	page->flags |= PAGE_USED;
	/* fault-around maps what is there, nobody asked for it */
	if (b->detail[i] == PAGE_FAULT_AROUND ||
	    !(page->flags & PAGE_PENDING) ||
	    tracked_uncertain(r->tracker, page))
		return;
	page->flags &= (uint8_t)~PAGE_PENDING;
	r->nr_pending--;
	if (b->flags[i] & PAGE_MISS)
		r->nr_demand++;
	else
		r->nr_readahead++;
}

/* An access that would have told may be among what was lost. */
static void records_lost(struct refault *r)
{
	tracker_loss(r->tracker);
	r->nr_demand_unknown += r->nr_pending;
	r->nr_pending = 0;
}

int refault_batch(struct refault *r, const struct page_batch *b)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < b->nr; i++) {
		if (i + LOOK_AHEAD < b->nr)
			tracker_prefetch(r->tracker, b->page[i + LOOK_AHEAD]);
		switch (b->op[i]) {
		case PAGE_ADD:
			ret = page_added(r, b, i);
			break;
		case PAGE_REMOVE:
			ret = page_removed(r, b, i);
			break;
		case PAGE_ACCESS:
			page_accessed(r, b, i);
			break;
		case PAGE_LOSS:
			records_lost(r);
		}
	}
	return ret;
}

/* The log is over: what was not accessed by now came with readahead. */
void refault_end(struct refault *r)
{
	if (r->has_accesses)
		r->nr_readahead += r->nr_pending;
	else
		r->nr_demand_unknown += r->nr_pending;
	r->nr_pending = 0;
	tracker_free(r->tracker);
	r->tracker = NULL;
}

static uint64_t sum_causes(const uint64_t *nr)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < PAGE_NR_CAUSES; i++)
		sum += nr[i];
	return sum;
}

uint64_t refault_removals(const struct refault *r)
{
	return sum_causes(r->nr_removals);
}

uint64_t refault_readds(const struct refault *r)
{
	return sum_causes(r->nr_readds);
}

uint64_t refault_reloads(const struct refault *r)
{
	return refault_readds(r) + r->nr_adds_again + r->nr_across_loss;
}
