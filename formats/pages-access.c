/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages-access.c - from requests and faults to accesses of single pages */

/*
 * A buffered read fires once per piece, each time with all that remains of the
 * request: (0, 63), then (31, 63), then (62, 63).  How far a piece went is told
 * by the next one of the same task: if it continues the request (same file and
 * end, a later start) the piece ended before it; if not, the request went on to
 * its end, or to the end of the file.  Until then the piece holds its place in
 * the queue.  A task in the middle of a read may well fault on another file
 * (its buffer may be mapped), so faults end no piece.
 *
 * Requests reach beyond the end of a file more often than not: tools read
 * small files with large buffers.  So a request counts up to the last page that
 * the log knows to exist (it was added, removed or faulted, or a request began
 * there); if no page around it was added in the log, its end is called
 * open.  A log without adds knows no file's end and takes requests whole.
 *
 * The kernel is silent about a piece that ended because its last folio was
 * still being read in.  In the middle of a request the next piece tells;
 * at its begin only a steady reader does: the same size as the last two
 * requests, the end where the next one has to end.
 *
 * A fault fires again when it is retried after I/O.  It is one access, which
 * waits for its page to be added: see pages-add.c.
 */
#include "config.h"

#include <stdlib.h>

#include "formats/pages-priv.h"

static bool not_a_task(const struct mmt_event *ev)
{
	return ev->pid < 0 || ev->pid > PAGES_MAX_PID;
}

/* The event's first page: its segment, known to exist from now on. */
static int access_seg(struct pages *p, const struct mmt_event *ev, uint32_t *nr)
{
	const struct page_id id = {ev->v[READ_DEV], ev->v[READ_INO],
				   ev->v[READ_INDEX]};
	struct page_seg *seg;
	int ret;

	ret = page_seg_get(&p->segs, &id, nr);
	if (ret)
		return ret;
	seg = &p->segs.seg[*nr];
	seg->max_known = MAX(seg->max_known, id.index);
	return 0;
}

/* Pages in [first, last], no more than a request can have. */
static uint32_t range_pages(struct pages *p, uint64_t first, uint64_t last)
{
	if (last >= first && last - first < PAGES_MAX_RANGE)
		return (uint32_t)(last - first + 1);
	p->stats.nr_clipped++;
	return last < first ? 1 : PAGES_MAX_RANGE;
}

static struct page_item *access_push(struct pages *p,
				     const struct mmt_event *ev, uint32_t seg,
				     enum page_source source)
{
	struct page_item *it = pages_push(p, ev);

	it->op = PAGE_ACCESS;
	it->detail = (uint8_t)source;
	it->seg = seg;
	it->index = ev->v[READ_INDEX];
	it->nr = 1;
	return it;
}

/* The task that waits for the end of this item goes on from behind it. */
static void reader_forced(struct pages *p, uint64_t pos)
{
	const struct page_item *it = pages_item(p, pos);
	struct page_task *t = page_task_find(p, it->pid);

	if (t && t->reading && t->read_pos == pos)
		t->read_next = it->index + it->nr;
}

void page_item_close(struct pages *p, uint64_t pos)
{
	struct page_item *it = pages_item(p, pos);
	const struct page_seg *seg = &p->segs.seg[it->seg];
	uint64_t known;

	it->open = false;
	if (it->detail != PAGE_READ)
		return;
	known = seg->max_known - it->index + 1;
	if (known < it->nr) {
		/* none: the rest of a request that was forced to end */
		if (known &&
		    (it->index < seg->min_added || it->index > seg->max_added))
			p->stats.nr_requests_open++;
		if (p->has_adds)
			it->nr = (uint32_t)known;
	}
	if (it->epoch == p->epoch)
		reader_forced(p, pos);
}

void page_task_closes(struct pages *p, struct page_task *t)
{
	if (t->reading && pages_open_item(p, t->read_pos))
		page_item_close(p, t->read_pos);
	if (t->faulted && pages_open_item(p, t->fault_pos))
		page_item_close(p, t->fault_pos);
}

/* Any access ends a fault's wait, and the work of a readahead. */
static void access_begins(struct pages *p, struct page_task *t)
{
	if (t->faulted && pages_open_item(p, t->fault_pos))
		page_item_close(p, t->fault_pos);
	t->faulted = false;
	t->ra = RA_NONE;
}

/* Ends the task's last piece; true if the one at index continues it. */
static bool piece_ends(struct pages *p, struct page_task *t, uint32_t seg,
		       const struct mmt_event *ev)
{
	uint64_t index = ev->v[READ_INDEX], last = ev->v[READ_LAST_INDEX];
	struct page_item *it;
	bool more;

	if (!t->reading)
		return false;
	more = t->read_seg == seg && t->read_last == last &&
	       index > t->read_index && index <= last;
	it = pages_open_item(p, t->read_pos);
	if (!it)
		return more;
	if (!more)
		page_item_close(p, t->read_pos);
	else if (index <= it->index)
		it->nr = 0;
	else if (index - it->index < it->nr)
		it->nr = (uint32_t)(index - it->index);
	it->open = false;
	return more;
}

/* Pages of the piece that its own request brought in. */
static int piece_misses(struct page_item *it, const struct page_task *t)
{
	const struct page_span piece = {it->index, it->index + it->nr - 1,
					it->seg};
	int ret;

	ret = page_added_meet(t, &piece, &it->miss);
	if (it->miss && it->miss->span[0].first <= piece.first &&
	    it->miss->span[0].last >= piece.last) {
		it->flags |= PAGE_MISS;
		free(it->miss);
		it->miss = NULL;
	}
	return ret;
}

/*
 * Where the request really began: the first piece is not reported if its last
 * folio was still being read in.  A steady reader goes on where it ended.
 */
static uint64_t request_first(struct pages *p, const struct page_task *t,
			      const struct mmt_event *ev)
{
	uint64_t index = ev->v[READ_INDEX], last = ev->v[READ_LAST_INDEX];

	if (!t->steady || index <= t->read_last + 1 || last < index ||
	    last - t->read_last != t->read_last - t->read_first + 1)
		return index;
	p->stats.nr_pieces_inferred++;
	return t->read_last + 1;
}

static void request_begins(struct pages *p, struct page_task *t, uint32_t seg,
			   const struct mmt_event *ev)
{
	uint64_t first, last = ev->v[READ_LAST_INDEX];

	t->steady &= t->reading && t->read_seg == seg;
	first = request_first(p, t, ev);
	t->steady = t->reading && t->read_seg == seg &&
		    first == t->read_last + 1 &&
		    last - first == t->read_last - t->read_first;
	t->reading = true;
	t->read_seg = seg;
	t->read_first = t->read_next = first;
	t->read_last = last;
	p->stats.nr_requests++;
	page_added_age(t);
}

static int piece_begins(struct pages *p, const struct mmt_event *ev,
			struct page_task *t, bool more)
{
	uint64_t index = ev->v[READ_INDEX], last = ev->v[READ_LAST_INDEX];
	uint64_t first = index;
	struct page_item *it;

	/* not what a forced end of the last piece counted already */
	if (!more || t->read_next > index)
		first = t->read_next;
	t->read_index = index;
	t->read_pos = UINT64_MAX;
	if (more && first > last)
		return 0;
	t->read_pos = p->tail;
	it = access_push(p, ev, t->read_seg, PAGE_READ);
	it->index = first;
	it->nr = range_pages(p, first, last);
	it->open = last > index;
	return piece_misses(it, t);
}

int page_read(struct pages *p, const struct mmt_event *ev)
{
	struct page_task *t;
	uint32_t seg;
	bool more;
	int ret;

	ret = access_seg(p, ev, &seg);
	if (ret)
		return ret;
	t = page_task_get(p, ev->pid, ev->time_ns);
	if (!t)
		return not_a_task(ev) ? 0 : -ENOMEM;
	access_begins(p, t);
	more = piece_ends(p, t, seg, ev);
	if (!more)
		request_begins(p, t, seg, ev);
	ret = piece_begins(p, ev, t, more);
	t->nr_old = t->nr_added;
	return ret;
}

int page_fault(struct pages *p, const struct mmt_event *ev)
{
	uint64_t index = ev->v[READ_INDEX];
	struct page_task *t;
	uint32_t seg;
	int ret;

	ret = access_seg(p, ev, &seg);
	if (ret)
		return ret;
	t = page_task_get(p, ev->pid, ev->time_ns);
	if (!t)
		return not_a_task(ev) ? 0 : -ENOMEM;
	if (t->faulted && t->fault_seg == seg && t->fault_index == index) {
		p->stats.nr_fault_retries++;
		t->fault_retried = true;
		return 0;
	}
	access_begins(p, t);
	t->faulted = true;
	t->fault_added = t->fault_retried = false;
	t->fault_seg = seg;
	t->fault_index = index;
	t->fault_pos = p->tail;
	t->nr_old = t->nr_added;
	access_push(p, ev, seg, PAGE_FAULT)->open = true;
	return 0;
}

int page_map(struct pages *p, const struct mmt_event *ev)
{
	struct page_task *t;
	struct page_item *it;
	uint32_t seg;
	int ret;

	ret = access_seg(p, ev, &seg);
	if (ret)
		return ret;
	t = page_task_get(p, ev->pid, ev->time_ns);
	if (!t)
		return not_a_task(ev) ? 0 : -ENOMEM;
	access_begins(p, t);
	t->nr_old = t->nr_added;
	it = access_push(p, ev, seg, PAGE_FAULT_AROUND);
	it->nr = range_pages(p, it->index, ev->v[READ_LAST_INDEX]);
	return 0;
}

/*
 * An access trace says what was accessed, so nothing is to be pieced together;
 * only the pages that the same task added before are told.
 */
int page_access(struct pages *p, const struct mmt_event *ev)
{
	uint64_t nr = ev->v[ACCESS_NR], last;
	struct page_task *t;
	struct page_item *it;
	uint32_t seg;
	int ret;

	if (!nr)
		return 0;
	ret = access_seg(p, ev, &seg);
	if (ret)
		return ret;
	it = access_push(p, ev, seg, PAGE_READ);
	last = it->index + nr - 1;
	it->nr = range_pages(p, it->index, last);
	p->segs.seg[seg].max_known =
		MAX(p->segs.seg[seg].max_known, it->index + it->nr - 1);
	p->stats.nr_requests++;
	t = page_task_get(p, ev->pid, ev->time_ns);
	if (!t)
		return not_a_task(ev) ? 0 : -ENOMEM;
	access_begins(p, t);
	page_added_age(t);
	ret = piece_misses(it, t);
	t->nr_old = t->nr_added;
	return ret;
}
