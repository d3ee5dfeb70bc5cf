/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-enc.c - codes runs of events into the columns of a block */

/*
 * One pass over a run codes what all events have and counts the types; the
 * events' steps of time and values are then ordered by type (counting sort,
 * stable), and every field of a type is coded in one tight loop.  Columns are
 * packed when the block ends.  Codings are in column.h.
 *
 *   run: A R A L R ...      types  0:A 1:R 2:L
 *        |                  vals   A A .. R R .. L ..
 *        v
 *   TYPE  PID  FLAGS ..     A.time  A.pfn  A.order  R.time ..   one buf each
 */

#include "config.h"

#include <stdlib.h>

#include "formats/block-enc.h"

int block_enc_new(struct block_enc **ep, const struct types *types, int level)
{
	struct block_enc *e = calloc(1, sizeof(*e));
	int ret;

	if (!e)
		return -ENOMEM;
	e->types = types;
	ret = columns_out_new(&e->out, level);
	if (ret) {
		free(e);
		return ret;
	}
	*ep = e;
	return 0;
}

static void enc_type_free(struct enc_type *t)
{
	unsigned int i;

	if (!t)
		return;
	for (i = 0; i < TYPE_COLUMNS; i++)
		buf_free(&t->field[i].bytes);
	free(t->last_index);
	free(t);
}

void block_enc_free(struct block_enc *e)
{
	unsigned int i;

	if (!e)
		return;
	for (i = 0; i < e->nr_types; i++)
		enc_type_free(e->type[i]);
	free(e->type);
	for (i = 0; i < COLUMN_NR_COMMON; i++)
		buf_free(&e->common[i].bytes);
	files_free(&e->files);
	strings_free(&e->strings);
	columns_out_free(&e->out);
	free(e);
}

/* The columns of a type, made when it first occurs. */
static struct enc_type *enc_type(struct block_enc *e, unsigned int type)
{
	struct enc_type **grown;

	if (e->nr_types < e->types->nr) {
		grown = realloc(e->type, e->types->nr * sizeof(*grown));
		if (!grown)
			return NULL;
		memset(grown + e->nr_types, 0,
		       (e->types->nr - e->nr_types) * sizeof(*grown));
		e->type = grown;
		e->nr_types = e->types->nr;
	}
	if (!e->type[type]) {
		e->type[type] = calloc(1, sizeof(**e->type));
		if (!e->type[type])
			return NULL;
		e->type[type]->keyed = column_is_keyed(e->types->schema[type]);
		e->nr_keyed += e->type[type]->keyed;
	}
	return e->type[type];
}

static int reserve_common(struct block_enc *e, unsigned int nr)
{
	unsigned int i;

	for (i = COLUMN_TYPE; i <= COLUMN_PREEMPT; i++)
		if (buf_reserve(&e->common[i].bytes, nr * VARINT_MAX))
			return -ENOMEM;
	return 0;
}

static inline uint8_t *column_end(const struct column *c)
{
	return c->bytes.p + c->bytes.len;
}

static inline void column_set_end(struct column *c, const uint8_t *end)
{
	c->bytes.len = (size_t)(end - c->bytes.p);
}

/*
 * The block's least and greatest time, which a selection by time goes by.  Only
 * a clock that stepped back makes us look at every event.
 */
static void note_times(struct block_enc *e, const struct run *r, bool stepped)
{
	uint64_t low = r->ev[0].time_ns, high = r->ev[r->nr - 1].time_ns;
	unsigned int i;

	for (i = 0; stepped && i < r->nr; i++) {
		low = MIN(low, r->ev[i].time_ns);
		high = MAX(high, r->ev[i].time_ns);
	}
	e->first_ns = e->nr_events ? MIN(e->first_ns, low) : low;
	e->last_ns = e->nr_events ? MAX(e->last_ns, high) : high;
}

/* Codes what all events have; counts the types into start[type + 1]. */
static int code_common(struct block_enc *e, const struct run *r)
{
	struct column *c = e->common;
	uint8_t *type, *pid, *flags, *preempt;
	struct enc_last *last = &e->last;
	unsigned int i;

	if (reserve_common(e, r->nr))
		return -ENOMEM;
	type = column_end(&c[COLUMN_TYPE]);
	pid = column_end(&c[COLUMN_PID]);
	flags = column_end(&c[COLUMN_FLAGS]);
	preempt = column_end(&c[COLUMN_PREEMPT]);
	memset(e->start, 0, (e->types->nr + 1) * sizeof(*e->start));
	for (i = 0; i < r->nr; i++) {
		const struct mmt_event *ev = &r->ev[i];

		e->type_of[i] = ev->type;
		e->start[ev->type + 1]++;
		type = varint_put(type, ev->type);
		pid = varint_put(
			pid, zigzag((uint64_t)((int64_t)ev->pid - last->pid)));
		*flags++ = ev->flags ^ last->flags[ev->type];
		*preempt++ = ev->preempt ^ last->preempt[ev->type];
		last->pid = ev->pid;
		last->flags[ev->type] = ev->flags;
		last->preempt[ev->type] = ev->preempt;
	}
	column_set_end(&c[COLUMN_TYPE], type);
	column_set_end(&c[COLUMN_PID], pid);
	column_set_end(&c[COLUMN_FLAGS], flags);
	column_set_end(&c[COLUMN_PREEMPT], preempt);
	return 0;
}

/*
 * Stable counting sort of the events' values and steps of time by type; steps
 * that are wide are coded here, as they stand in the order of all events.
 */
static int sort_by_type(struct block_enc *e, const struct run *r)
{
	struct column *wide = &e->common[COLUMN_TIME_WIDE];
	uint64_t last_ns = e->last.time_ns, steps = 0, step;
	uint32_t *start = e->start;
	unsigned int i, nr = e->types->nr;
	uint8_t *p;

	if (buf_reserve(&wide->bytes, (size_t)r->nr * VARINT_MAX))
		return -ENOMEM;
	p = column_end(wide);
	for (i = 0; i < nr; i++)
		start[i + 1] += start[i];
	for (i = 0; i < r->nr; i++) {
		const struct mmt_event *ev = &r->ev[i];
		uint32_t to = start[e->type_of[i]]++;

		step = ev->time_ns - last_ns;
		last_ns = ev->time_ns;
		steps |= step;
		e->vals[to] = ev->v;
		e->step[to] = step;
		if (unlikely(step >= TIME_WIDE))
			p = varint_put(p, zigzag(step));
	}
	/* the loop moved each start to its end: move them back */
	memmove(start + 1, start, nr * sizeof(*start));
	start[0] = 0;
	column_set_end(wide, p);
	e->last.time_ns = last_ns;
	note_times(e, r, steps >> 63);
	return 0;
}

/* The two bytes of n steps of time. */
static int code_times(struct enc_type *t, const uint64_t *step, unsigned int n)
{
	struct column *high = &t->field[TYPE_TIME_HIGH];
	struct column *low = &t->field[TYPE_TIME_LOW];
	uint8_t *hp, *lp;
	unsigned int i;

	if (buf_reserve(&high->bytes, n) || buf_reserve(&low->bytes, n))
		return -ENOMEM;
	hp = column_end(high);
	lp = column_end(low);
	for (i = 0; i < n; i++) {
		bool narrow = step[i] < TIME_WIDE;

		*hp++ = narrow ? (uint8_t)(step[i] >> 8) : TIME_ESCAPE;
		*lp = (uint8_t)step[i];
		lp += narrow;
	}
	column_set_end(high, hp);
	column_set_end(low, lp);
	return 0;
}

/* The file's number in the block's dictionary, and room for its last index. */
static int file_of(struct block_enc *e, struct enc_type *t, const uint64_t *v,
		   uint32_t *file)
{
	struct file_key key = {.dev = v[0], .ino = v[1]};
	size_t cap;
	uint64_t *grown;
	int ret;

	if (t->nr_events && key.dev == t->last_key.dev &&
	    key.ino == t->last_key.ino) {
		*file = t->last_file;
		return 0;
	}
	ret = files_get(&e->files, &key, file);
	if (ret)
		return ret;
	t->last_key = key;
	if (*file < t->cap_index)
		return 0;
	cap = MAX((size_t)*file + 1, 2 * t->cap_index + 64);
	grown = realloc(t->last_index, cap * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memset(grown + t->cap_index, 0xff,
	       (cap - t->cap_index) * sizeof(*grown));
	t->last_index = grown;
	t->cap_index = cap;
	return 0;
}

/* Device, inode and index of n events. */
static int code_keys(struct block_enc *e, struct enc_type *t,
		     const uint64_t *const *vals, unsigned int n)
{
	struct column *fc = &t->field[0], *ic = &t->field[2];
	uint8_t *fp, *ip;
	unsigned int i;
	uint32_t file;

	if (buf_reserve(&fc->bytes, n * VARINT_MAX) ||
	    buf_reserve(&ic->bytes, n * VARINT_MAX))
		return -ENOMEM;
	fp = column_end(fc);
	ip = column_end(ic);
	for (i = 0; i < n; i++) {
		const uint64_t *v = vals[i];

		if (file_of(e, t, v, &file))
			return -ENOMEM;
		fp = varint_put(fp, zigzag((uint64_t)file - t->last_file));
		t->last_file = file;
		t->nr_events++;
		/* unseen files start at -1: the first index is minus 0 */
		ip = varint_put(ip, zigzag(v[2] - t->last_index[file] - 1));
		t->last_index[file] = v[2];
	}
	column_set_end(fc, fp);
	column_set_end(ic, ip);
	return 0;
}

static int code_strings(struct block_enc *e, struct column *c, unsigned int f,
			const uint64_t *const *vals, unsigned int n)
{
	unsigned int i;
	uint8_t *p;
	uint32_t nr;

	if (buf_reserve(&c->bytes, n * VARINT_MAX))
		return -ENOMEM;
	p = column_end(c);
	for (i = 0; i < n; i++) {
		if (strings_get(&e->strings,
				(const char *)(uintptr_t)vals[i][f], &nr))
			return -ENOMEM;
		p = varint_put(p, nr);
	}
	column_set_end(c, p);
	return 0;
}

/* Differences to the value before. */
static int code_deltas(struct column *c, unsigned int f,
		       const uint64_t *const *vals, unsigned int n)
{
	uint64_t last = c->last;
	unsigned int i;
	uint8_t *p;

	if (buf_reserve(&c->bytes, n * VARINT_MAX))
		return -ENOMEM;
	p = column_end(c);
	for (i = 0; i < n; i++) {
		p = varint_put(p, zigzag(vals[i][f] - last));
		last = vals[i][f];
	}
	c->last = last;
	column_set_end(c, p);
	return 0;
}

/* Differences to the index beside it. */
static int code_last_index(struct column *c, unsigned int f,
			   const uint64_t *const *vals, unsigned int n)
{
	unsigned int i;
	uint8_t *p;

	if (buf_reserve(&c->bytes, n * VARINT_MAX))
		return -ENOMEM;
	p = column_end(c);
	for (i = 0; i < n; i++)
		p = varint_put(p, zigzag(vals[i][f] - vals[i][2]));
	column_set_end(c, p);
	return 0;
}

static int code_type(struct block_enc *e, unsigned int type)
{
	const struct mmt_schema *schema = e->types->schema[type];
	const uint64_t *const *vals = e->vals + e->start[type];
	unsigned int n = e->start[type + 1] - e->start[type];
	struct enc_type *t = enc_type(e, type);
	unsigned int f = 0;
	int ret = 0;

	if (!t)
		return -ENOMEM;
	ret = code_times(t, e->step + e->start[type], n);
	if (ret)
		return ret;
	if (t->keyed) {
		ret = code_keys(e, t, vals, n);
		f = 3;
	} else {
		t->nr_events += n;
	}
	for (; !ret && f < schema->nr_fields; f++) {
		struct column *c = &t->field[f];

		switch (column_coding(schema, f)) {
		case CODING_NONE:
			break;
		case CODING_STRING:
			ret = code_strings(e, c, f, vals, n);
			break;
		case CODING_LAST_INDEX:
			ret = code_last_index(c, f, vals, n);
			break;
		case CODING_DELTA:
			ret = code_deltas(c, f, vals, n);
			break;
		}
	}
	return ret;
}

int block_enc_run(struct block_enc *e, const struct run *r)
{
	unsigned int type;
	int ret;

	if (!r->nr)
		return 0;
	ret = code_common(e, r);
	if (!ret)
		ret = sort_by_type(e, r);
	for (type = 0; !ret && type < e->types->nr; type++)
		if (e->start[type] < e->start[type + 1])
			ret = code_type(e, type);
	e->run_events[e->nr_runs++] = (uint16_t)r->nr;
	e->nr_events += r->nr;
	return ret;
}

unsigned int block_enc_events(const struct block_enc *e)
{
	/* a block full of short runs is full too, and one full of files */
	return e->nr_runs == BLOCK_RUNS || ((uint64_t)e->files.nr +
					    RUN_EVENTS) * e->nr_keyed >
						   MAX_INDEXES
		       ? BLOCK_EVENTS
		       : e->nr_events;
}
