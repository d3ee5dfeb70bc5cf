/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.c - the events of a log, all CPUs merged by time */

/*
 * A cursor per CPU holds one unpacked block and one decoded run.  A binary
 * heap has the cursor with the earliest next event on top; the key is that
 * event's time, but never less than the key before it, so that a clock that
 * stepped back cannot reorder a CPU's events.  A cursor's block is loaded when
 * it first comes to the top: until then its header's time is its key.
 *
 * Nearly always a run is in order and selected as a whole.  Its events then
 * are given out one after the other for as long as they are before the event
 * of the next CPU, and nothing else is looked at:
 *
 *   top's run    1 2 4 5 5 9 ..
 *                ^ next    ^ not below: the heap decides
 *   second's key 7         stay_below
 */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "formats/events-dec.h"
#include "formats/mmt-log.h"
#include "formats/stream.h"

struct cursor {
	uint64_t key;
	uint16_t cpu;
	bool merged;        /* its blocks have events of many CPUs */
	unsigned int entry; /* in s->order: its next block */
	unsigned int end;
	struct events_dec dec;
	struct run *run;
	unsigned int pos; /* of the event that key belongs to */
	bool plain;       /* the run is in order and selected as a whole */
	uint64_t last_ns;
};

struct mmt_stream {
	struct mmt *log;
	struct mmt_select select;
	uint8_t wanted[MMT_MAX_SCHEMAS];
	unsigned int *order; /* event blocks, by CPU, then by file order */
	struct cursor *cursor;
	struct cursor **heap;
	unsigned int nr_heap;
	bool top_given; /* the top's event has been given out */
	/* of the top's run: the next event, the end of those like it, ... */
	const struct mmt_event *next, *plain_end;
	uint64_t stay_below; /* ... and the time they must be below */
	struct buf payload;
	uint64_t nr_given, nr_events;
	uint64_t nr_clock_back;
	uint64_t *last_ns; /* by CPU, of merged blocks */
	int error;
	struct errbuf err;
};

/* ------------------------------------------------------------- the heap */

static bool before(const struct cursor *a, const struct cursor *b)
{
	return a->key != b->key ? a->key < b->key : a->cpu < b->cpu;
}

static void sift_down(struct mmt_stream *s, unsigned int i)
{
	struct cursor *c = s->heap[i];
	unsigned int child;

	while ((child = 2 * i + 1) < s->nr_heap) {
		if (child + 1 < s->nr_heap &&
		    before(s->heap[child + 1], s->heap[child]))
			child++;
		if (!before(s->heap[child], c))
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = c;
}

static void drop_top(struct mmt_stream *s)
{
	struct cursor *c = s->heap[0];

	events_dec_free(&c->dec);
	run_free(c->run);
	c->run = NULL;
	s->heap[0] = s->heap[--s->nr_heap];
	if (s->nr_heap)
		sift_down(s, 0);
}

/* ----------------------------------------------------------- the cursors */

static int cursor_alloc(struct mmt_stream *s, struct cursor *c)
{
	int ret = c->run ? 0 : run_new(&c->run);

	c->dec.types = &s->log->types;
	if (ret)
		errbuf_set(&s->err, ret, "%s: out of memory", s->log->path);
	return ret;
}

/* Loads the cursor's next block.  1, 0 if there is none, or an error. */
static int next_block(struct mmt_stream *s, struct cursor *c)
{
	int ret;

	while (c->entry < c->end) {
		const struct mmt_entry *e =
			&s->log->index.entry[s->order[c->entry++]];

		ret = mmt_load(s->log, e, &s->payload, &s->err);
		if (!ret)
			ret = events_dec_load(&c->dec, &e->header, s->payload.p,
					      s->wanted);
		if (!ret)
			return 1;
		if (ret == -EBADMSG)
			ret = mmt_damage(s->log, &s->err,
					 "block at offset %" PRIu64
					 " is damaged (%u events)",
					 e->at, e->header.nr_events);
		if (ret)
			return ret;
	}
	return 0;
}

static int undecodable(struct mmt_stream *s, const struct cursor *c)
{
	const struct mmt_entry *e =
		&s->log->index.entry[s->order[c->entry - 1]];

	return mmt_damage(s->log, &s->err,
			  "events at offset %" PRIu64 " do not decode", e->at);
}

static bool cpu_selected(const struct mmt_select *select, uint16_t cpu)
{
	unsigned int i;

	if (!select->cpus)
		return true;
	for (i = 0; i < select->nr_cpus; i++)
		if (select->cpus[i] == cpu)
			return true;
	return false;
}

static bool time_outside(const struct mmt_stream *s, uint64_t first_ns,
			 uint64_t last_ns)
{
	return last_ns < s->select.from_ns ||
	       (s->select.to_ns && first_ns > s->select.to_ns);
}

/* A loss lasts: what was lost may be older than the mark that tells of it. */
static bool outside(const struct mmt_stream *s, const struct mmt_event *ev)
{
	uint64_t first_ns = ev->time_ns;

	if (ev->kind == MMT_LOSS)
		first_ns = MIN(first_ns, ev->v[LOSS_SINCE_NS]);
	return time_outside(s, first_ns, ev->time_ns);
}

/*
 * May the run's events be given out without a look at each?  Those of merged
 * blocks are still noted, as a later run may have a CPU step back.
 */
static void look_at_run(struct mmt_stream *s, struct cursor *c)
{
	const struct run *r = c->run;
	const struct mmt_event *last = &r->ev[r->nr - 1];
	unsigned int i;

	c->plain = r->in_order &&
		   !time_outside(s, r->ev[0].time_ns, r->ev[0].time_ns) &&
		   !time_outside(s, last->time_ns, last->time_ns) &&
		   !(c->merged && s->select.cpus);
	if (!c->plain)
		return;
	c->last_ns = r->ev[r->nr - 1].time_ns;
	for (i = 0; c->merged && i < r->nr; i++)
		s->last_ns[r->ev[i].cpu] = r->ev[i].time_ns;
}

/* Fills the cursor's run.  Events in it, 0 at the end, or an error. */
static int next_run(struct mmt_stream *s, struct cursor *c)
{
	int ret = cursor_alloc(s, c);

	c->pos = 0;
	while (!ret) {
		ret = events_dec_run(&c->dec, c->run);
		if (ret > 0) {
			look_at_run(s, c);
			return ret;
		}
		if (ret == -EBADMSG)
			ret = undecodable(s, c);
		if (!ret) {
			ret = next_block(s, c);
			if (ret <= 0)
				return ret;
			ret = 0;
		}
	}
	return ret;
}

/* Notes the event's time, which its CPU's clock should not step behind. */
static void note_time(struct mmt_stream *s, struct cursor *c,
		      const struct mmt_event *ev)
{
	uint64_t *last_ns = c->merged ? &s->last_ns[ev->cpu] : &c->last_ns;

	if (ev->time_ns < *last_ns)
		s->nr_clock_back++;
	*last_ns = ev->time_ns;
}

/* Moves to the next selected event.  1, 0 at the end, or an error. */
static int cursor_next(struct mmt_stream *s, struct cursor *c)
{
	const struct mmt_event *ev;
	int ret;

	c->pos++;
	for (;; c->pos++) {
		if (!c->run || c->pos >= c->run->nr) {
			ret = next_run(s, c);
			if (ret <= 0)
				return ret;
		}
		ev = &c->run->ev[c->pos];
		if (c->plain)
			break;
		if (c->merged && !cpu_selected(&s->select, ev->cpu))
			continue;
		note_time(s, c, ev);
		if (likely(!outside(s, ev)))
			break;
	}
	/* what is left out must not change the order of the rest */
	if (!c->merged)
		c->key = MAX(c->key, c->run->in_order
					     ? ev->time_ns
					     : c->run->latest_ns[c->pos]);
	return 1;
}

/* Moves the top on; the heap is in order again.  0 or an error. */
static int advance_top(struct mmt_stream *s)
{
	int ret = cursor_next(s, s->heap[0]);

	if (ret > 0)
		sift_down(s, 0);
	else if (!ret)
		drop_top(s);
	return MIN(ret, 0);
}

/* For how long the top's events can be given out without the heap. */
static void find_bound(struct mmt_stream *s)
{
	const struct cursor *top = s->heap[0], *second = NULL;

	s->next = &top->run->ev[top->pos + 1];
	s->plain_end = top->plain ? &top->run->ev[top->run->nr] : s->next;
	if (s->nr_heap > 1)
		second = s->heap[1];
	if (s->nr_heap > 2 && before(s->heap[2], second))
		second = s->heap[2];
	/* merged blocks have no key: they are one cursor behind all others */
	s->stay_below = UINT64_MAX;
	if (second && top->merged)
		s->plain_end = s->next;
	else if (second)
		s->stay_below = second->key;
}

/* Tells the cursor which of its events was given out last. */
static void settle_top(struct mmt_stream *s)
{
	struct cursor *top = s->heap[0];
	unsigned int pos = (unsigned int)(s->next - top->run->ev) - 1;

	s->nr_given += pos - top->pos;
	top->pos = pos;
}

/* The next event where it takes more than a step within a plain run. */
static __attribute__((noinline)) const struct mmt_event *next_by_heap(
	struct mmt_stream *s)
{
	if (s->top_given && s->nr_heap && !s->error) {
		settle_top(s);
		s->error = advance_top(s);
	}
	s->top_given = false;
	s->next = s->plain_end = NULL;
	/* a cursor without a run has only promised its first time */
	while (s->nr_heap && !s->error && !s->heap[0]->run)
		s->error = advance_top(s);
	if (!s->nr_heap || s->error)
		return NULL;
	s->top_given = true;
	s->nr_given++;
	find_bound(s);
	return s->next - 1;
}

const struct mmt_event *mmt_stream_next(struct mmt_stream *s)
{
	if (likely(s->next < s->plain_end && s->next->time_ns < s->stay_below))
		return s->next++;
	return next_by_heap(s);
}

int mmt_stream_error(const struct mmt_stream *s, struct errbuf *err)
{
	if (s->error && err)
		*err = s->err;
	return s->error;
}

double mmt_stream_progress(const struct mmt_stream *s)
{
	return s->nr_events
		       ? MIN((double)s->nr_given / (double)s->nr_events, 1.0)
		       : 1.0;
}

uint64_t mmt_stream_clock_back(const struct mmt_stream *s)
{
	return s->nr_clock_back;
}

/* --------------------------------------------------------------- opening */

/* Merged blocks have one cursor, behind those of all CPUs. */
#define GROUPS (UINT16_MAX + 2)

static unsigned int group_of(const struct block_header *h)
{
	return h->kind == BLOCK_MERGED ? GROUPS - 1 : h->cpu;
}

/*
 * Could the block have an event that is selected?  Behind the selected time
 * that is a loss which began in it: the next thing that its CPU tells, in the
 * first block there, or, of merged blocks, in any.
 */
static bool block_selected(const struct mmt_stream *s, bool *past,
			   const struct block_header *h)
{
	const struct mmt_index *index = &s->log->index;
	const struct mmt_select *select = &s->select;
	bool first;

	if (!block_has_events(h->kind) || !h->nr_events ||
	    (h->kind != BLOCK_MERGED && !cpu_selected(select, h->cpu)) ||
	    MAX(h->first_ns, h->last_ns) < select->from_ns)
		return false;
	if (!select->to_ns || MIN(h->first_ns, h->last_ns) <= select->to_ns)
		return true;
	if (!index->nr_lost && !index->nr_gaps_uncounted)
		return false;
	first = !past[group_of(h)];
	past[group_of(h)] = true;
	return first || h->kind == BLOCK_MERGED;
}

/* By number of the block: is it selected?  NULL without memory. */
static bool *choose_blocks(const struct mmt_stream *s)
{
	const struct mmt_index *index = &s->log->index;
	bool *chosen = calloc(index->nr + 1UL, sizeof(*chosen));
	bool *past = calloc(GROUPS, sizeof(*past));
	unsigned int i;

	for (i = 0; chosen && past && i < index->nr; i++)
		chosen[i] = block_selected(s, past, &index->entry[i].header);
	if (!past) {
		free(chosen);
		chosen = NULL;
	}
	free(past);
	return chosen;
}

/* Counting sort of the event blocks by CPU; makes the cursors. */
static int make_cursors(struct mmt_stream *s)
{
	const struct mmt_index *index = &s->log->index;
	unsigned int i, nr = 0, nr_cpus = 0, *start;
	bool *chosen = choose_blocks(s);

	start = calloc(GROUPS + 1, sizeof(*start));
	if (!start || !chosen)
		goto err_free;
	for (i = 0; i < index->nr; i++)
		if (chosen[i])
			start[group_of(&index->entry[i].header) + 1]++;
	for (i = 0; i < GROUPS; i++) {
		nr_cpus += start[i + 1] != 0;
		start[i + 1] += start[i];
	}
	nr = start[GROUPS];
	if (start[GROUPS - 1] < nr)
		s->last_ns = calloc(UINT16_MAX + 1, sizeof(*s->last_ns));
	else
		s->last_ns = calloc(1, sizeof(*s->last_ns));
	s->order = calloc(nr + 1, sizeof(*s->order));
	s->cursor = calloc(nr_cpus + 1, sizeof(*s->cursor));
	s->heap = calloc(nr_cpus + 1, sizeof(*s->heap));
	if (!s->order || !s->cursor || !s->heap || !s->last_ns)
		goto err_free;
	for (i = 0; i < index->nr; i++)
		if (chosen[i])
			s->order[start[group_of(&index->entry[i].header)]++] =
				i;
	/* start[] now has each CPU's end */
	for (i = 0; i < nr;) {
		const struct block_header *h =
			&index->entry[s->order[i]].header;
		struct cursor *c = &s->cursor[s->nr_heap];

		c->cpu = h->cpu;
		c->merged = h->kind == BLOCK_MERGED;
		c->entry = i;
		c->end = start[group_of(h)];
		c->key = h->first_ns;
		s->heap[s->nr_heap++] = c;
		i = c->end;
	}
	free(start);
	free(chosen);
	return 0;

err_free:
	free(start);
	free(chosen);
	return -ENOMEM;
}

static void choose_types(struct mmt_stream *s)
{
	const struct types *types = &s->log->types;
	unsigned int i;

	for (i = 0; i < types->nr; i++) {
		uint8_t kind = types->schema[i]->kind;

		s->wanted[i] = !s->select.kinds || kind == MMT_LOSS ||
			       (s->select.kinds >> kind & 1);
		if (s->wanted[i])
			s->nr_events += s->log->index.type_counts[i];
	}
}

int mmt_stream_open(struct mmt_stream **sp, struct mmt *log,
		    const struct mmt_select *select, struct errbuf *err)
{
	struct mmt_stream *s = calloc(1, sizeof(*s));
	unsigned int i;

	if (!s)
		return errbuf_set(err, -ENOMEM, "%s: out of memory", log->path);
	s->log = log;
	if (select)
		s->select = *select;
	choose_types(s);
	if (make_cursors(s)) {
		mmt_stream_close(s);
		return errbuf_set(err, -ENOMEM, "%s: out of memory", log->path);
	}
	for (i = s->nr_heap / 2; i--;)
		sift_down(s, i);
	*sp = s;
	return 0;
}

void mmt_stream_close(struct mmt_stream *s)
{
	unsigned int i;

	if (!s)
		return;
	for (i = 0; i < s->nr_heap; i++) {
		events_dec_free(&s->heap[i]->dec);
		run_free(s->heap[i]->run);
	}
	free(s->order);
	free(s->cursor);
	free(s->heap);
	free(s->last_ns);
	buf_free(&s->payload);
	free(s);
}
