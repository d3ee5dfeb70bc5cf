/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages.c - the page stream: events in, entries of single pages out */

/*
 * Each event becomes at most a few items, runs of pages that share everything
 * else.  Items queue up in the order of the stream.  One whose end only a
 * later event can tell stays open and holds its place, so the queue is emptied
 * from its head as long as that is closed: order is kept and nothing is
 * sorted.  An open head is closed by force after 250 ms of the log's time, by
 * a full queue, by a loss of records and at the end of the log.
 *
 * pages-access.c, pages-add.c and pages-task.c turn events into items,
 * pages-key.c numbers the files.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "formats/mmt-log.h"
#include "formats/pages-priv.h"

#define KIND(k)  (1ULL << MMT_##k)
#define BRACKETS (KIND(RECLAIM_BEGIN) | KIND(RECLAIM_END))
#define KINDS                                                                 \
	(KIND(ADD) | KIND(REMOVE) | KIND(READ) | KIND(FAULT) | KIND(MAP) |    \
	 KIND(ACCESS) | BRACKETS | KIND(KSWAPD_WAKE) | KIND(KSWAPD_SLEEP) |   \
	 KIND(SLAB_BEGIN) | KIND(SLAB_END) | KIND(SYNC_RA) | KIND(ASYNC_RA) | \
	 KIND(TASK_NEW) | KIND(TASK_RENAME) | KIND(TASK_EXIT))

_Static_assert(MMT_NR_KINDS <= 128, "kinds are bits of mmt_select");

bool pages_has_accesses(const struct mmt *log)
{
	return mmt_has_kind(log, MMT_READ) || mmt_has_kind(log, MMT_FAULT) ||
	       mmt_has_kind(log, MMT_ACCESS);
}

bool pages_has_reclaim(const struct mmt *log)
{
	return mmt_has_kind(log, MMT_RECLAIM_BEGIN) &&
	       mmt_has_kind(log, MMT_RECLAIM_END);
}

int pages_new(struct pages **pp)
{
	struct pages *p;

	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->queue = calloc(PAGES_QUEUE, sizeof(*p->queue));
	if (!p->queue) {
		free(p);
		return -ENOMEM;
	}
	*pp = p;
	return 0;
}

void pages_close(struct pages *p)
{
	if (!p)
		return;
	for (; p->head != p->tail; p->head++)
		free(pages_item(p, p->head)->miss);
	if (p->stream)
		mmt_stream_close(p->stream);
	page_segs_free(&p->segs);
	page_tasks_free(&p->tasks);
	free(p->queue);
	free(p);
}

/* Were pages added at all, so that the ends of files can be known? */
static bool log_has_adds(const struct mmt *log)
{
	const uint64_t *nr = mmt_type_counts(log);
	unsigned int i;

	for (i = 0; i < mmt_nr_types(log); i++)
		if (nr[i] && mmt_schema(log, i)->kind == MMT_ADD)
			return true;
	return false;
}

/* The tasks there were when the recording began. */
static int names_read(struct pages *p, struct mmt *log, struct errbuf *err)
{
	struct mmt_text text;
	unsigned int i = 0;
	int ret;

	for (;;) {
		ret = mmt_text_next(log, &i, &text, err);
		if (ret < 0)
			return ret;
		if (!text.name)
			return 0;
		if (strcmp(text.name, "tasks"))
			continue;
		ret = page_task_names(p, text.text);
		if (ret)
			return errbuf_set(err, ret, "%s: %s", mmt_path(log),
					  strerror(-ret));
	}
}

int pages_open(struct pages **pp, struct mmt *log,
	       const struct mmt_select *select, struct errbuf *err)
{
	struct mmt_select mine = {0};
	struct pages *p;
	int ret;

	ret = pages_new(&p);
	if (ret)
		return errbuf_set(err, ret, "%s: %s", mmt_path(log),
				  strerror(-ret));
	p->log = log;
	p->has_adds = log_has_adds(log);
	p->has_reads =
		mmt_has_kind(log, MMT_READ) || mmt_has_kind(log, MMT_ACCESS);
	p->has_reclaim = pages_has_reclaim(log);
	p->has_ra = mmt_has_kind(log, MMT_SYNC_RA);
	ret = names_read(p, log, err);
	if (ret)
		goto err_close;

	if (select)
		mine = *select;
	mine.kinds = KINDS;
	ret = mmt_stream_open(&p->stream, log, &mine, err);
	if (ret)
		goto err_close;
	*pp = p;
	return 0;

err_close:
	pages_close(p);
	return ret;
}

/* ---------------------------------------------------------------- queue */

struct page_item *pages_open_item(struct pages *p, uint64_t pos)
{
	struct page_item *it = pages_item(p, pos);

	return pos >= p->head && pos < p->tail && it->open ? it : NULL;
}

struct page_item *pages_push(struct pages *p, const struct mmt_event *ev)
{
	struct page_item *it = pages_item(p, p->tail++);

	*it = (struct page_item){
		.time_ns = ev->time_ns,
		.epoch = p->epoch,
		.pid = ev->pid,
		.cpu = ev->cpu,
	};
	return it;
}

static bool queue_is_full(const struct pages *p)
{
	return p->tail - p->head > PAGES_QUEUE - PAGES_MAX_ITEMS;
}

/* Is the head to be closed, though nothing told its end? */
static bool head_is_due(const struct pages *p, const struct page_item *head)
{
	return p->ended || head->epoch != p->epoch || queue_is_full(p) ||
	       (p->now_ns > head->time_ns &&
		p->now_ns - head->time_ns > PAGES_HOLD_NS);
}

static bool miss_has(struct page_miss *miss, uint64_t index)
{
	while (miss->at < miss->nr && miss->span[miss->at].last < index)
		miss->at++;
	return miss->at < miss->nr && miss->span[miss->at].first <= index;
}

static void entry_put(struct page_batch *b, const struct page_item *it,
		      uint64_t page, uint8_t flags)
{
	unsigned int i = b->nr++;

	b->time_ns[i] = it->time_ns;
	b->page[i] = page;
	b->pid[i] = it->pid;
	b->cpu[i] = it->cpu;
	b->op[i] = it->op;
	b->detail[i] = it->detail;
	b->order[i] = it->order;
	b->flags[i] = flags;
}

/* The item's next page lies in the next segment of its file. */
static int item_next_seg(struct pages *p, struct page_item *it)
{
	const struct page_seg *seg = &p->segs.seg[it->seg];
	const struct page_id id = {seg->dev, seg->ino, it->index};

	return page_seg_get(&p->segs, &id, &it->seg);
}

/* Moves pages of a closed item into the batch, until either is through. */
static int item_emit(struct pages *p, struct page_item *it,
		     struct page_batch *b)
{
	uint8_t flags;
	int ret;

	if (it->op == PAGE_LOSS) {
		entry_put(b, it, it->index, 0);
		it->nr = 0;
	}
	while (it->nr && b->nr < PAGES_BATCH) {
		flags = it->flags;
		if (it->miss && miss_has(it->miss, it->index))
			flags |= PAGE_MISS;
		entry_put(b, it,
			  (uint64_t)it->seg << PAGES_INDEX_BITS |
				  (it->index & PAGES_INDEX_MASK),
			  flags);
		if (it->op == PAGE_ACCESS)
			p->stats.nr_accesses[it->detail]++;
		it->flags &= (uint8_t)~PAGE_HEAD;
		it->index++;
		if (--it->nr && !(it->index & PAGES_INDEX_MASK)) {
			ret = item_next_seg(p, it);
			if (ret)
				return ret;
		}
	}
	return 0;
}

int pages_drain(struct pages *p, struct page_batch *batch)
{
	struct page_item *it;
	int ret;

	while (p->head != p->tail && batch->nr < PAGES_BATCH) {
		it = pages_item(p, p->head);
		if (it->open) {
			if (!head_is_due(p, it))
				return 0;
			page_item_close(p, p->head);
		}
		ret = item_emit(p, it, batch);
		if (ret)
			return ret;
		if (it->nr)
			return 0;
		free(it->miss);
		it->miss = NULL;
		p->head++;
	}
	return 0;
}

/* --------------------------------------------------------------- events */

/* Whatever waited for its end across the gap could be joined wrongly. */
static void loss_feed(struct pages *p, const struct mmt_event *ev)
{
	uint64_t nr_lost = ev->v[LOSS_NR_LOST];
	struct page_item *it;

	p->epoch++;
	if (nr_lost == MMT_LOST_UNKNOWN)
		p->stats.nr_gaps_uncounted++;
	else
		p->stats.nr_lost += nr_lost;
	it = pages_push(p, ev);
	it->op = PAGE_LOSS;
	it->index = nr_lost;
	it->nr = 1;
}

static int task_feed(struct pages *p, const struct mmt_event *ev)
{
	uint64_t tid = ev->v[TASK_TID];

	if (tid > PAGES_MAX_PID)
		return 0;
	if (ev->kind != MMT_TASK_RENAME)
		page_task_exit(p, (int32_t)tid);
	if (ev->kind == MMT_TASK_EXIT)
		return 0;
	return page_task_name(p, (int32_t)tid, mmt_event_string(ev, TASK_COMM));
}

int pages_feed(struct pages *p, const struct mmt_event *ev)
{
	p->now_ns = MAX(p->now_ns, ev->time_ns);
	switch (ev->kind) {
	case MMT_ADD:
		return page_add(p, ev);
	case MMT_REMOVE:
		return page_remove(p, ev);
	case MMT_READ:
		return page_read(p, ev);
	case MMT_FAULT:
		return page_fault(p, ev);
	case MMT_MAP:
		return page_map(p, ev);
	case MMT_ACCESS:
		return page_access(p, ev);
	case MMT_SYNC_RA:
	case MMT_ASYNC_RA:
		return page_readahead(p, ev);
	case MMT_RECLAIM_BEGIN:
	case MMT_RECLAIM_END:
	case MMT_SLAB_BEGIN:
	case MMT_SLAB_END:
	case MMT_KSWAPD_WAKE:
	case MMT_KSWAPD_SLEEP:
		return page_task_bracket(p, ev);
	case MMT_TASK_NEW:
	case MMT_TASK_RENAME:
	case MMT_TASK_EXIT:
		return task_feed(p, ev);
	case MMT_LOSS:
		loss_feed(p, ev);
	}
	return 0;
}

void pages_end(struct pages *p)
{
	p->ended = true;
}

static int feed_failed(struct pages *p, const struct mmt_event *ev, int ret,
		       struct errbuf *err)
{
	const char *path = mmt_path(p->log);

	/* only adds and removals can be impossible; salvage goes on behind */
	if (ret == -EBADMSG)
		return mmt_damage(p->log, err,
				  "cpu %u at %" PRIu64
				  " ns: no folio has order %" PRIu64
				  " at index %" PRIu64,
				  ev->cpu, ev->time_ns, ev->v[ADD_ORDER],
				  ev->v[ADD_INDEX]);
	if (ret == -EOVERFLOW)
		return errbuf_set(err, ret, "%s: more than %u files", path,
				  PAGES_MAX_SEGS);
	return errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
}

/* Takes in events until the head of the queue is ready, or the log ends. */
static int pages_advance(struct pages *p, struct errbuf *err)
{
	const struct mmt_event *ev;
	int ret;

	ev = mmt_stream_next(p->stream);
	if (!ev) {
		ret = mmt_stream_error(p->stream, err);
		if (ret)
			return ret;
		pages_end(p);
		p->stats.nr_clock_back = mmt_stream_clock_back(p->stream);
		return 0;
	}
	ret = pages_feed(p, ev);
	return ret ? feed_failed(p, ev, ret, err) : 0;
}

int pages_next(struct pages *p, struct page_batch *batch, struct errbuf *err)
{
	int ret;

	batch->nr = 0;
	for (;;) {
		ret = pages_drain(p, batch);
		if (ret)
			return errbuf_set(err, ret, "%s: %s", mmt_path(p->log),
					  strerror(-ret));
		if (batch->nr == PAGES_BATCH ||
		    (p->ended && p->head == p->tail))
			return (int)batch->nr;
		ret = pages_advance(p, err);
		if (ret)
			return ret;
	}
}

/* -------------------------------------------------------------- answers */

const struct pages_stats *pages_stats(const struct pages *p)
{
	return &p->stats;
}

double pages_progress(const struct pages *p)
{
	return p->ended ? 1 : mmt_stream_progress(p->stream);
}

void pages_id(const struct pages *p, uint64_t page, struct page_id *id)
{
	const struct page_seg *seg = &p->segs.seg[page >> PAGES_INDEX_BITS];

	id->dev = seg->dev;
	id->ino = seg->ino;
	id->index = seg->high << PAGES_INDEX_BITS | (page & PAGES_INDEX_MASK);
}
