/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-dec.c - decodes the columns of a block back into runs of events */

/*
 * The mirror of block-enc.c: block-load.c has unpacked the columns, runs are
 * decoded one after the other, each column in a tight loop.  A column that
 * ends early, a type, file or string number out of range is -EBADMSG.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/block-dec.h"

int block_dec_new(struct block_dec **dp, const struct types *types)
{
	struct block_dec *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->types = types;
	d->nr_types = types->nr;
	d->type = calloc(MAX(types->nr, 1U), sizeof(*d->type));
	if (!d->type) {
		free(d);
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
	for (i = 0; i < d->nr_types; i++) {
		if (d->type[i])
			free(d->type[i]->last_index);
		free(d->type[i]);
	}
	free(d->type);
	free(d->file);
	free(d->string);
	buf_free(&d->raw);
	free(d);
}

/* ------------------------------------------------------------- decoding */

/* varint_get() with its common case, one byte, in line. */
static inline const uint8_t *get(const uint8_t *p, const uint8_t *end,
				 uint64_t *v)
{
	if (likely(p < end && *p < 128)) {
		*v = *p;
		return p + 1;
	}
	return varint_get(p, end, v);
}

/* Types of the run's n events, and their order by type. */
static int decode_types(struct block_dec *d, unsigned int n)
{
	struct column *c = &d->common[COLUMN_TYPE];
	const uint8_t *p = c->pos;
	unsigned int i;
	uint64_t v;

	memset(d->start, 0, (d->nr_types + 1) * sizeof(*d->start));
	for (i = 0; i < n; i++) {
		p = get(p, c->end, &v);
		if (!p || v >= d->nr_types || !d->type[v])
			return -EBADMSG;
		d->type_of[i] = (uint16_t)v;
		d->start[v + 1]++;
	}
	c->pos = p;
	for (i = 0; i < d->nr_types; i++)
		d->start[i + 1] += d->start[i];
	for (i = 0; i < n; i++)
		d->order[d->start[d->type_of[i]]++] = (uint16_t)i;
	memmove(d->start + 1, d->start, d->nr_types * sizeof(*d->start));
	d->start[0] = 0;
	return 0;
}

static int decode_common(struct block_dec *d, struct run *r, unsigned int n)
{
	struct column *time = &d->common[COLUMN_TIME];
	struct column *pid = &d->common[COLUMN_PID];
	struct column *flags = &d->common[COLUMN_FLAGS];
	struct column *preempt = &d->common[COLUMN_PREEMPT];
	const uint8_t *tp = time->pos, *pp = pid->pos;
	uint64_t latest_ns = d->latest_ns;
	unsigned int i;
	uint64_t v;

	if (n > (size_t)(flags->end - flags->pos) ||
	    n > (size_t)(preempt->end - preempt->pos))
		return -EBADMSG;
	for (i = 0; i < n; i++) {
		struct mmt_event *ev = &r->ev[i];

		tp = get(tp, time->end, &v);
		if (unlikely(!tp))
			return -EBADMSG;
		time->last += unzigzag(v);
		ev->time_ns = time->last;
		latest_ns = MAX(latest_ns, time->last);
		r->latest_ns[i] = latest_ns;
		pp = get(pp, pid->end, &v);
		if (unlikely(!pp))
			return -EBADMSG;
		pid->last += unzigzag(v);
		ev->pid = (int32_t)pid->last;
		ev->flags = d->flags ^= *flags->pos++;
		ev->preempt = d->preempt ^= *preempt->pos++;
		ev->cpu = d->cpu;
	}
	d->latest_ns = latest_ns;
	time->pos = tp;
	pid->pos = pp;
	return 0;
}

/* Gives every wanted event its place in vals. */
static int place_values(struct block_dec *d, struct run *r, unsigned int n)
{
	size_t nr = 0;
	unsigned int i;

	for (i = 0; i < d->nr_types; i++)
		if (d->start[i] < d->start[i + 1] && d->type[i]->wanted)
			nr += (size_t)(d->start[i + 1] - d->start[i]) *
			      d->types->schema[i]->nr_fields;
	if (run_reserve_vals(r, nr))
		return -ENOMEM;
	r->nr_vals = 0;
	for (i = 0; i < n; i++) {
		const struct mmt_schema *s = d->types->schema[d->type_of[i]];
		struct mmt_event *ev = &r->ev[i];

		ev->type = d->type_of[i];
		ev->kind = s->kind;
		ev->nr = s->nr_fields;
		ev->v = r->vals + r->nr_vals;
		if (d->type[ev->type]->wanted)
			r->nr_vals += s->nr_fields;
	}
	return 0;
}

/* The values of an event are ours to write while its run is decoded. */
static inline uint64_t *vals_of(struct run *r, uint16_t pos)
{
	return r->vals + (r->ev[pos].v - r->vals);
}

static int decode_keys(struct block_dec *d, struct dec_type *t, struct run *r,
		       const uint16_t *pos, unsigned int n)
{
	struct column *fc = &t->field[0], *ic = &t->field[2];
	const uint8_t *fp = fc->pos, *ip = ic->pos;
	unsigned int i;
	uint64_t a, b;

	for (i = 0; i < n; i++) {
		uint64_t *v = vals_of(r, pos[i]);
		uint32_t file;

		fp = get(fp, fc->end, &a);
		ip = get(ip, ic->end, &b);
		if (unlikely(!fp || !ip))
			return -EBADMSG;
		file = t->last_file + (uint32_t)unzigzag(a);
		if (unlikely(file >= d->nr_files))
			return -EBADMSG;
		t->last_file = file;
		v[0] = d->file[file].dev;
		v[1] = d->file[file].ino;
		v[2] = t->last_index[file] += unzigzag(b) + 1;
	}
	fc->pos = fp;
	ic->pos = ip;
	return 0;
}

static int decode_strings(struct block_dec *d, struct column *c, unsigned int f,
			  struct run *r, const uint16_t *pos, unsigned int n)
{
	unsigned int i;
	uint64_t nr;

	for (i = 0; i < n; i++) {
		c->pos = get(c->pos, c->end, &nr);
		if (!c->pos || nr >= d->nr_strings)
			return -EBADMSG;
		vals_of(r, pos[i])[f] = (uintptr_t)d->string[nr];
	}
	return 0;
}

static int decode_deltas(struct column *c, unsigned int f, struct run *r,
			 const uint16_t *pos, unsigned int n)
{
	const uint8_t *p = c->pos;
	uint64_t v, last = c->last;
	unsigned int i;

	for (i = 0; i < n; i++) {
		p = get(p, c->end, &v);
		if (unlikely(!p))
			return -EBADMSG;
		last += unzigzag(v);
		vals_of(r, pos[i])[f] = last;
	}
	c->pos = p;
	c->last = last;
	return 0;
}

static int decode_last_index(struct column *c, unsigned int f, struct run *r,
			     const uint16_t *pos, unsigned int n)
{
	unsigned int i;
	uint64_t delta;

	for (i = 0; i < n; i++) {
		uint64_t *v = vals_of(r, pos[i]);

		c->pos = get(c->pos, c->end, &delta);
		if (unlikely(!c->pos))
			return -EBADMSG;
		v[f] = v[2] + unzigzag(delta);
	}
	return 0;
}

static int decode_type(struct block_dec *d, unsigned int type, struct run *r)
{
	const struct mmt_schema *schema = d->types->schema[type];
	const uint16_t *pos = d->order + d->start[type];
	unsigned int n = d->start[type + 1] - d->start[type];
	struct dec_type *t = d->type[type];
	unsigned int f = t->keyed ? 3 : 0, i;
	int ret = 0;

	t->nr_seen += n;
	if (t->nr_seen > t->nr_events)
		return -EBADMSG;
	if (!t->wanted)
		return 0;
	if (t->keyed)
		ret = decode_keys(d, t, r, pos, n);
	for (; !ret && f < schema->nr_fields; f++) {
		switch (column_coding(schema, f)) {
		case CODING_NONE:
			for (i = 0; i < n; i++)
				vals_of(r, pos[i])[f] = 0;
			break;
		case CODING_STRING:
			ret = decode_strings(d, &t->field[f], f, r, pos, n);
			break;
		case CODING_LAST_INDEX:
			ret = decode_last_index(&t->field[f], f, r, pos, n);
			break;
		case CODING_DELTA:
			ret = decode_deltas(&t->field[f], f, r, pos, n);
			break;
		}
	}
	return ret;
}

/* Closes the gaps that unwanted events left. */
static unsigned int keep_wanted(struct block_dec *d, struct run *r,
				unsigned int n)
{
	unsigned int i, kept = 0;

	for (i = 0; i < n; i++) {
		if (!d->type[r->ev[i].type]->wanted)
			continue;
		r->latest_ns[kept] = r->latest_ns[i];
		r->ev[kept++] = r->ev[i];
	}
	return kept;
}

static int decode_run(struct block_dec *d, struct run *r, unsigned int n)
{
	unsigned int type;
	int ret = decode_types(d, n);

	if (!ret)
		ret = decode_common(d, r, n);
	if (!ret)
		ret = place_values(d, r, n);
	for (type = 0; !ret && type < d->nr_types; type++)
		if (d->start[type] < d->start[type + 1])
			ret = decode_type(d, type, r);
	if (!ret)
		r->nr = keep_wanted(d, r, n);
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
