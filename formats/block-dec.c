/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-dec.c - decodes the columns of a block back into runs of events */

/*
 * The mirror of block-enc.c: block-load.c has unpacked the columns, runs are
 * decoded one after the other.  The values of one type stand together in the
 * run as they do in its columns, so each column is one loop over numbers that
 * varints_get() took off in a chunk that stays in the first-level cache:
 *
 *   vals   A A A A .. R R R .. L ..       by type, each its fields in order
 *   ev     A R A L A R ..                 by time, v points into vals
 *
 * A column that ends early, a type, file or string number out of range is
 * -EBADMSG.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/block-dec.h"

#define CHUNK 256

int block_dec_new(struct block_dec **dp, const struct types *types)
{
	struct block_dec *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->types = types;
	d->nr_types = types->nr;
	d->type = calloc(MAX(types->nr, 1U), sizeof(*d->type));
	d->place = calloc(MAX(types->nr, 1U), sizeof(*d->place));
	if (!d->type || !d->place) {
		block_dec_free(d);
		return -ENOMEM;
	}
	*dp = d;
	return 0;
}

void block_dec_free(struct block_dec *d)
{
	unsigned int i;

	if (!d)
		return;
	for (i = 0; d->type && i < d->nr_types; i++)
		free(d->type[i]);
	free(d->type);
	free(d->last_index);
	free(d->place);
	block_dict_free(&d->dict);
	columns_free(&d->columns);
	free(d);
}

/* The column's next nr numbers.  0 or -EBADMSG. */
static int take(struct span *span, uint64_t *v, unsigned int nr)
{
	span->pos = varints_get(span->pos, span->end, v, nr);
	return span->pos ? 0 : -EBADMSG;
}

/* ------------------------------------------------- what all events have */

/* Types below 128 are bytes; two counters a type, as neighbours are alike. */
static int take_type_bytes(struct block_dec *d, unsigned int n)
{
	struct span *span = &d->common[COLUMN_TYPE].span;
	uint32_t count[2][256] = {{0}};
	unsigned int i;

	if (n > (size_t)(span->end - span->pos))
		return -EBADMSG;
	for (i = 0; i < n; i++)
		d->type_of[i] = span->pos[i];
	for (i = 0; i + 1 < n; i += 2) {
		count[0][span->pos[i]]++;
		count[1][span->pos[i + 1]]++;
	}
	if (i < n)
		count[0][span->pos[i]]++;
	for (i = 0; i < d->nr_types; i++)
		d->count[i] = count[0][i] + count[1][i];
	span->pos += n;
	return 0;
}

static int take_types(struct block_dec *d, unsigned int n)
{
	struct span *span = &d->common[COLUMN_TYPE].span;
	unsigned int i;
	uint64_t v;

	memset(d->count, 0, d->nr_types * sizeof(*d->count));
	for (i = 0; i < n; i++) {
		if (take(span, &v, 1) || v >= d->nr_types)
			return -EBADMSG;
		d->type_of[i] = (uint16_t)v;
		d->count[v]++;
	}
	return 0;
}

/* Types of the run's n events, each known and no more than the head said. */
static int decode_types(struct block_dec *d, unsigned int n)
{
	int ret = d->nr_types <= 128 ? take_type_bytes(d, n) : take_types(d, n);
	unsigned int i;

	for (i = 0; !ret && i < d->nr_types; i++) {
		struct dec_type *t = d->type[i];

		if (!d->count[i])
			continue;
		if (!t || d->count[i] > t->nr_events - t->nr_seen)
			return -EBADMSG;
		t->nr_seen += d->count[i];
		n -= d->count[i];
	}
	/* what is left is of no type that the log has */
	return ret || !n ? ret : -EBADMSG;
}

/* Where the next event of this type finds its step of time. */
static int place_times(struct block_dec *d, struct dec_place *place,
		       unsigned int type)
{
	const struct span *high = &d->type[type]->field[TYPE_TIME_HIGH].span;
	const struct span *low = &d->type[type]->field[TYPE_TIME_LOW].span;

	if (d->count[type] > (size_t)(high->end - high->pos))
		return -EBADMSG;
	place->high = high->pos;
	/* how many have a low byte shows later: the pad is readable */
	place->low = low->pos ? low->pos : d->columns.raw.p;
	return 0;
}

/* Where the run's values and steps of time are, by type. */
static int place_types(struct block_dec *d, struct run *r)
{
	unsigned int i;
	uint64_t *vals;
	size_t nr = 0;

	for (i = 0; i < d->nr_types; i++)
		if (d->count[i])
			nr += (size_t)d->count[i] * d->place[i].stride;
	if (run_reserve_vals(r, nr))
		return -ENOMEM;
	r->nr_vals = nr;
	vals = r->vals;
	for (i = 0; i < d->nr_types; i++) {
		if (!d->count[i])
			continue;
		if (place_times(d, &d->place[i], i))
			return -EBADMSG;
		d->place[i].next = d->type[i]->vals = vals;
		vals += (size_t)d->count[i] * d->place[i].stride;
	}
	return 0;
}

/* Moves the types' columns on; -EBADMSG if one was too short. */
static int settle_times(struct block_dec *d)
{
	unsigned int i;

	for (i = 0; i < d->nr_types; i++) {
		struct span *high, *low;

		if (!d->count[i])
			continue;
		high = &d->type[i]->field[TYPE_TIME_HIGH].span;
		low = &d->type[i]->field[TYPE_TIME_LOW].span;
		high->pos = d->place[i].high;
		if (!low->pos) {
			if (d->place[i].low != d->columns.raw.p)
				return -EBADMSG;
			continue;
		}
		if (d->place[i].low > low->end)
			return -EBADMSG;
		low->pos = d->place[i].low;
	}
	return 0;
}

/* A step that fits no two bytes. */
static __attribute__((noinline)) uint64_t wide_step(struct block_dec *d)
{
	uint64_t v = 0;

	if (take(&d->common[COLUMN_TIME_WIDE].span, &v, 1))
		d->wide_ended = true;
	return unzigzag(v);
}

/*
 * From here on the run is not in order: what was the latest time up to each
 * event must be noted; up to now it was the event's own.
 */
static void note_disorder(struct run *r, unsigned int nr)
{
	unsigned int i;

	for (i = 0; r->in_order && i < nr; i++)
		r->latest_ns[i] = r->ev[i].time_ns;
	r->in_order = false;
}

/* What a chunk of events has in columns of all types. */
struct chunk {
	uint64_t pid[CHUNK];
	const uint8_t *flags, *preempt;
	const uint16_t *type;
	unsigned int nr;
};

static int take_chunk(struct block_dec *d, struct chunk *c)
{
	struct span *flags = &d->common[COLUMN_FLAGS].span;
	struct span *preempt = &d->common[COLUMN_PREEMPT].span;

	if (c->nr > (size_t)(flags->end - flags->pos) ||
	    c->nr > (size_t)(preempt->end - preempt->pos))
		return -EBADMSG;
	c->flags = flags->pos;
	c->preempt = preempt->pos;
	flags->pos += c->nr;
	preempt->pos += c->nr;
	return take(&d->common[COLUMN_PID].span, c->pid, c->nr);
}

/* Makes the events; r->nr grows by those that are wanted. */
static void put_chunk(struct block_dec *d, const struct chunk *c, struct run *r)
{
	uint64_t time_ns = d->last_ns, latest_ns = d->latest_ns;
	uint64_t pid = d->common[COLUMN_PID].last;
	struct mmt_event *ev = &r->ev[r->nr];
	unsigned int i;

	for (i = 0; i < c->nr; i++) {
		struct dec_place *place = &d->place[c->type[i]];
		uint64_t high = *place->high++;

		if (likely(high != TIME_ESCAPE))
			time_ns += high << 8 | *place->low++;
		else
			time_ns += wide_step(d);
		pid += unzigzag(c->pid[i]);
		*ev = place->like;
		ev->flags = place->flags ^= c->flags[i];
		ev->preempt = place->preempt ^= c->preempt[i];
		ev->time_ns = time_ns;
		ev->pid = (int32_t)pid;
		ev->v = place->next;
		place->next += place->stride;
		if (likely(time_ns >= latest_ns))
			latest_ns = time_ns;
		else
			note_disorder(r, (unsigned int)(ev - r->ev));
		if (unlikely(!r->in_order))
			r->latest_ns[ev - r->ev] = latest_ns;
		ev += place->wanted;
	}
	r->nr = (unsigned int)(ev - r->ev);
	d->last_ns = time_ns;
	d->latest_ns = latest_ns;
	d->common[COLUMN_PID].last = pid;
}

static int decode_common(struct block_dec *d, struct run *r, unsigned int n)
{
	struct chunk chunk;
	unsigned int i;

	r->in_order = true;
	for (i = 0; i < n; i += chunk.nr) {
		chunk.nr = MIN(n - i, CHUNK);
		chunk.type = d->type_of + i;
		if (take_chunk(d, &chunk))
			return -EBADMSG;
		put_chunk(d, &chunk, r);
	}
	return d->wide_ended ? -EBADMSG : settle_times(d);
}

/* ---------------------------------------------------------- the values */

/* Values of up to CHUNK events of one type: the first one's at v. */
struct cells {
	uint64_t *v;
	unsigned int stride, nr;
};

static int decode_keys(struct block_dec *d, struct dec_type *t,
		       struct cells cells)
{
	uint64_t file[CHUNK], index[CHUNK], *v = cells.v;
	unsigned int i;

	if (take(&t->field[0].span, file, cells.nr) ||
	    take(&t->field[2].span, index, cells.nr))
		return -EBADMSG;
	for (i = 0; i < cells.nr; i++, v += cells.stride) {
		uint32_t nr = t->last_file + (uint32_t)unzigzag(file[i]);

		if (unlikely(nr >= d->dict.nr_files))
			return -EBADMSG;
		t->last_file = nr;
		v[0] = d->dict.file[nr].dev;
		v[1] = d->dict.file[nr].ino;
		v[2] = t->last_index[nr] += unzigzag(index[i]) + 1;
	}
	return 0;
}

static int put_strings(const struct block_dict *dict, const uint64_t *number,
		       struct cells cells, unsigned int f)
{
	unsigned int i;

	for (i = 0; i < cells.nr; i++) {
		if (number[i] >= dict->nr_strings)
			return -EBADMSG;
		cells.v[i * cells.stride + f] =
			(uintptr_t)dict->string[number[i]];
	}
	return 0;
}

static void put_deltas(struct column *c, const uint64_t *delta,
		       struct cells cells, unsigned int f)
{
	uint64_t last = c->last, *v = cells.v + f;
	unsigned int i;

	for (i = 0; i < cells.nr; i++, v += cells.stride)
		*v = last += unzigzag(delta[i]);
	c->last = last;
}

static void put_last_indexes(const uint64_t *delta, struct cells cells,
			     unsigned int f)
{
	uint64_t *v = cells.v;
	unsigned int i;

	for (i = 0; i < cells.nr; i++, v += cells.stride)
		v[f] = v[2] + unzigzag(delta[i]);
}

static int decode_field(const struct block_dict *dict, struct column *c,
			enum column_coding coding, struct cells cells,
			unsigned int f)
{
	uint64_t number[CHUNK];
	unsigned int i;

	if (coding != CODING_NONE && take(&c->span, number, cells.nr))
		return -EBADMSG;
	switch (coding) {
	case CODING_NONE:
		for (i = 0; i < cells.nr; i++)
			cells.v[i * cells.stride + f] = 0;
		break;
	case CODING_STRING:
		return put_strings(dict, number, cells, f);
	case CODING_LAST_INDEX:
		put_last_indexes(number, cells, f);
		break;
	case CODING_DELTA:
		put_deltas(c, number, cells, f);
		break;
	}
	return 0;
}

static int decode_cells(struct block_dec *d, struct dec_type *t,
			const struct mmt_schema *schema, struct cells cells)
{
	unsigned int f = t->keyed ? 3 : 0;
	int ret = t->keyed ? decode_keys(d, t, cells) : 0;

	for (; !ret && f < schema->nr_fields; f++)
		ret = decode_field(&d->dict, &t->field[f],
				   column_coding(schema, f), cells, f);
	return ret;
}

static int decode_type(struct block_dec *d, unsigned int type)
{
	const struct mmt_schema *schema = d->types->schema[type];
	struct dec_type *t = d->type[type];
	struct cells cells = {t->vals, schema->nr_fields, 0};
	unsigned int left;
	int ret = 0;

	for (left = d->count[type]; !ret && left; left -= cells.nr) {
		cells.nr = MIN(left, CHUNK);
		ret = decode_cells(d, t, schema, cells);
		cells.v += (size_t)cells.nr * cells.stride;
	}
	return ret;
}

static int decode_run(struct block_dec *d, struct run *r, unsigned int n)
{
	unsigned int type;
	int ret;

	/* the columns of a block without events may not be there at all */
	if (!n)
		return 0;
	ret = decode_types(d, n);
	if (!ret)
		ret = place_types(d, r);
	if (!ret)
		ret = decode_common(d, r, n);
	for (type = 0; !ret && type < d->nr_types; type++)
		if (d->count[type] && d->type[type]->wanted)
			ret = decode_type(d, type);
	return ret;
}

int block_dec_run(struct block_dec *d, struct run *r)
{
	int ret;

	run_clear(r);
	/* a run may have nothing that is wanted */
	while (!r->nr && d->next_run < d->nr_runs) {
		ret = decode_run(d, r, d->run_events[d->next_run++]);
		if (ret) {
			d->nr_runs = 0;
			r->nr = 0;
			return ret;
		}
	}
	return (int)r->nr;
}
