/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages-add.c - pages that enter the cache, and which of them were asked for */

/*
 * The kernel adds a page before it reports the access that wanted it, and more
 * pages around it.  Which were wanted is known at once from the readahead
 * events: of a synchronous one the pages [index, index + req_count), of an
 * asynchronous one none.  Under a fault it is the faulting page, whatever the
 * readahead asked for.  Kernels without these events leave it open at the add;
 * then the pages that a task added since its last access are kept here as
 * spans, and the access that follows picks those it covers (PAGE_MISS).
 */
#include "config.h"

#include <stdlib.h>

#include "formats/pages-priv.h"

static int span_room(struct page_task *t)
{
	struct page_span *fresh;
	unsigned int cap;

	if (t->nr_added == PAGES_MAX_SPANS) {
		cap = PAGES_MAX_SPANS / 2;
		memmove(t->added, t->added + cap, cap * sizeof(*t->added));
		t->nr_added -= cap;
		t->nr_old -= MIN(t->nr_old, cap);
	}
	if (t->nr_added < t->cap_added)
		return 0;
	cap = t->cap_added ? t->cap_added * 2 : 4;
	fresh = realloc(t->added, cap * sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	t->added = fresh;
	t->cap_added = cap;
	return 0;
}

static int span_add(struct page_task *t, const struct page_span *span)
{
	struct page_span *prev;

	prev = t->nr_added > t->nr_old ? &t->added[t->nr_added - 1] : NULL;
	if (prev && prev->seg == span->seg && prev->last + 1 == span->first) {
		prev->last = span->last;
		return 0;
	}
	if (span_room(t))
		return -ENOMEM;
	t->added[t->nr_added++] = *span;
	return 0;
}

void page_added_age(struct page_task *t)
{
	if (!t->nr_old)
		return;
	t->nr_added -= t->nr_old;
	memmove(t->added, t->added + t->nr_old,
		t->nr_added * sizeof(*t->added));
	t->nr_old = 0;
}

static int span_order(const void *a, const void *b)
{
	const struct page_span *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* Sorts the spans and makes those that touch one. */
static void miss_merge(struct page_miss *miss)
{
	struct page_span *span = miss->span;
	unsigned int i, nr = 0;

	qsort(span, miss->nr, sizeof(*span), span_order);
	for (i = 1; i < miss->nr; i++) {
		if (span[i].first > span[nr].last)
			span[++nr] = span[i];
		else
			span[nr].last = MAX(span[nr].last, span[i].last);
	}
	miss->nr = nr + 1;
}

int page_added_meet(const struct page_task *t, const struct page_span *want,
		    struct page_miss **missp)
{
	const struct page_span *span;
	struct page_miss *miss = NULL;
	unsigned int i;

	for (i = 0; i < t->nr_added; i++) {
		span = &t->added[i];
		if (span->seg != want->seg || span->first > want->last ||
		    span->last < want->first)
			continue;
		if (!miss)
			miss = calloc(1, sizeof(*miss) +
						 t->nr_added * sizeof(*span));
		if (!miss)
			return -ENOMEM;
		miss->span[miss->nr++] = *span;
	}
	if (miss)
		miss_merge(miss);
	*missp = miss;
	return 0;
}

int page_readahead(struct pages *p, const struct mmt_event *ev)
{
	const struct page_id id = {ev->v[RA_DEV], ev->v[RA_INO],
				   ev->v[RA_INDEX]};
	struct page_task *t = page_task_get(p, ev->pid, ev->time_ns);
	int ret;

	if (!t)
		return ev->pid < 0 || ev->pid > PAGES_MAX_PID ? 0 : -ENOMEM;
	ret = page_seg_get(&p->segs, &id, &t->ra_seg);
	if (ret)
		return ret;
	t->ra = ev->kind == MMT_SYNC_RA ? RA_SYNC : RA_ASYNC;
	t->ra_index = id.index;
	t->ra_nr = ev->v[RA_NR];
	return 0;
}

/* The part of the folio that was asked for; what the rest of it is. */
struct demand {
	struct page_span asked; /* first > last: none */
	uint8_t rest;           /* enum page_demand */
};

static bool fault_meets(const struct page_task *t, const struct page_span *f)
{
	return t->faulted && t->fault_seg == f->seg &&
	       t->fault_index >= f->first && t->fault_index <= f->last;
}

static struct demand demand_of(const struct page_task *t,
			       const struct page_span *folio)
{
	struct demand d = {{1, 0, folio->seg}, PAGE_DEMAND_UNKNOWN};

	if (!t)
		return d;
	if (t->ra != RA_NONE && t->ra_seg == folio->seg)
		d.rest = PAGE_READAHEAD;
	if (fault_meets(t, folio)) {
		d.asked.first = d.asked.last = t->fault_index;
	} else if (t->ra == RA_SYNC && d.rest == PAGE_READAHEAD && t->ra_nr &&
		   !(t->faulted && t->fault_seg == folio->seg)) {
		d.asked.first = MAX(folio->first, t->ra_index);
		d.asked.last =
			t->ra_nr - 1 > UINT64_MAX - t->ra_index
				? folio->last
				: MIN(folio->last, t->ra_index + t->ra_nr - 1);
	}
	return d;
}

/* Up to three items: before, in and behind what was asked for. */
static void add_push(struct pages *p, const struct mmt_event *ev,
		     const struct page_span *folio, const struct demand *d)
{
	uint64_t index = folio->first, last;
	struct page_item *it;

	for (;;) {
		it = pages_push(p, ev);
		it->op = PAGE_ADD;
		it->detail = d->rest;
		it->order = (uint8_t)ev->v[ADD_ORDER];
		it->flags = index == folio->first ? PAGE_HEAD : 0;
		it->seg = folio->seg;
		it->index = index;
		last = folio->last;
		if (d->asked.first > d->asked.last || index > d->asked.last) {
			;
		} else if (index < d->asked.first) {
			last = d->asked.first - 1;
		} else {
			it->detail = PAGE_DEMAND;
			last = d->asked.last;
		}
		it->nr = (uint32_t)(last - index + 1);
		if (last == folio->last)
			return;
		index = last + 1;
	}
}

/*
 * The fault waited for this page: its access comes behind the add, unless it
 * had to be let go before.
 */
static void fault_added(struct pages *p, const struct mmt_event *ev,
			struct page_task *t)
{
	struct page_item *it = pages_open_item(p, t->fault_pos);
	bool gone_again = t->fault_added && t->fault_retried;

	if (it) {
		it->open = false;
		it->nr = 0;
	} else if (gone_again) {
		/* what looked like a retry was a fault of its own */
		p->stats.nr_fault_retries--;
	}
	t->fault_added = true;
	t->fault_retried = false;
	if (!it && !gone_again)
		return;
	it = pages_push(p, ev);
	it->op = PAGE_ACCESS;
	it->detail = PAGE_FAULT;
	it->flags = PAGE_MISS;
	it->seg = t->fault_seg;
	it->index = t->fault_index;
	it->nr = 1;
}

/*
 * Keeps what an access to come may have asked for.  What comes in after a
 * fault, in its file, came for the fault.
 */
static int add_remember(struct pages *p, struct page_task *t,
			const struct page_span *folio, const struct demand *d)
{
	struct page_span span = *folio;

	if (!p->has_reads || (t->faulted && t->fault_seg == folio->seg))
		return 0;
	if (p->has_ra) {
		span = d->asked;
		if (span.first > span.last)
			return 0;
	}
	return span_add(t, &span);
}

/* The pages of an event's folio.  -EBADMSG: an order that no folio has. */
static int folio_span(struct pages *p, const struct mmt_event *ev,
		      struct page_span *folio)
{
	const struct page_id id = {ev->v[ADD_DEV], ev->v[ADD_INO],
				   ev->v[ADD_INDEX]};
	uint64_t order = ev->v[ADD_ORDER];
	struct page_seg *seg;
	int ret;

	if (order > PAGES_MAX_ORDER || id.index > UINT64_MAX >> order << order)
		return -EBADMSG;
	ret = page_seg_get(&p->segs, &id, &folio->seg);
	if (ret)
		return ret;
	folio->first = id.index;
	folio->last = id.index + (1ULL << order) - 1;
	seg = &p->segs.seg[folio->seg];
	seg->max_known = MAX(seg->max_known, folio->last);
	return 0;
}

int page_add(struct pages *p, const struct mmt_event *ev)
{
	struct page_span folio;
	struct page_task *t;
	struct page_seg *seg;
	struct demand d;
	int ret;

	ret = folio_span(p, ev, &folio);
	if (ret)
		return ret;
	seg = &p->segs.seg[folio.seg];
	seg->min_added = MIN(seg->min_added, folio.first);
	seg->max_added = MAX(seg->max_added, folio.last);
	p->stats.nr_adds_folios++;
	p->stats.nr_adds_pages += 1ULL << ev->v[ADD_ORDER];

	t = page_task_get(p, ev->pid, ev->time_ns);
	d = demand_of(t, &folio);
	add_push(p, ev, &folio, &d);
	if (!t)
		return 0;
	if (fault_meets(t, &folio))
		fault_added(p, ev, t);
	return add_remember(p, t, &folio, &d);
}

int page_remove(struct pages *p, const struct mmt_event *ev)
{
	uint64_t nr_pages = 1ULL << (ev->v[ADD_ORDER] & 31);
	struct page_span folio;
	struct page_item *it;
	enum page_cause cause;
	int ret;

	ret = folio_span(p, ev, &folio);
	if (ret)
		return ret;
	cause = page_task_cause(p, ev);
	p->stats.nr_removes_folios++;
	p->stats.nr_removes_pages += nr_pages;
	p->stats.nr_causes_pages[cause] += nr_pages;
	it = pages_push(p, ev);
	it->op = PAGE_REMOVE;
	it->detail = (uint8_t)cause;
	it->order = (uint8_t)ev->v[ADD_ORDER];
	it->flags = PAGE_HEAD;
	it->seg = folio.seg;
	it->index = folio.first;
	it->nr = (uint32_t)nr_pages;
	return 0;
}
