/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-dec.c - decodes the columns of a block back into runs of events */

/*
 * The mirror of block-enc.c.  Loading unpacks the columns that are wanted
 * into one piece of memory and checks every count against every other; then
 * runs are decoded one after the other, each column in a tight loop.  Nothing
 * in the payload is believed: a column that ends early, a type, file or string
 * number out of range is -EBADMSG.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/block.h"
#include "formats/column.h"
#include "formats/dict.h"

/* No honest column needs more: ten bytes a value, strings apart. */
#define MAX_COLUMN  ((size_t)BLOCK_EVENTS * VARINT_MAX)
#define MAX_STRINGS (16U << 20)

struct column {
	const uint8_t *pos, *end;
	uint64_t last;
};

struct dec_type {
	uint32_t nr_events; /* of the block, by its head */
	uint32_t nr_seen;
	bool wanted, keyed;
	struct column field[MMT_MAX_FIELDS];
	uint64_t *last_index; /* nr_files of them */
	uint32_t last_file;
};

struct block_dec {
	const struct types *types;
	struct dec_type **type; /* by number; NULL until first needed */
	unsigned int nr_types;
	uint16_t cpu;
	uint32_t nr_runs, next_run;
	uint16_t run_events[BLOCK_RUNS];
	struct column common[COLUMN_NR_COMMON];
	uint8_t flags, preempt;
	struct file_key *file;
	uint32_t nr_files, cap_files;
	size_t cap_last_index;
	const char **string;
	uint32_t nr_strings, cap_strings;
	struct buf raw; /* the unpacked columns */
	/* of the run at hand */
	uint16_t type_of[RUN_EVENTS];
	uint16_t order[RUN_EVENTS];
	uint32_t start[MMT_MAX_SCHEMAS + 1];
};

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

/* A cursor over the payload that stays at its end once it overran. */
struct cursor {
	const uint8_t *pos, *end;
	bool bad;
};

static uint64_t cursor_varint(struct cursor *c)
{
	uint64_t v = 0;

	if (!c->bad)
		c->pos = varint_get(c->pos, c->end, &v);
	if (!c->pos)
		c->bad = true;
	return c->bad ? 0 : v;
}

static uint64_t cursor_limited(struct cursor *c, uint64_t max)
{
	uint64_t v = cursor_varint(c);

	if (v > max)
		c->bad = true;
	return c->bad ? 0 : v;
}

int block_type_counts(const void *payload, size_t len, uint64_t *counts,
		      unsigned int nr_types)
{
	struct cursor c = {payload, (const uint8_t *)payload + len, false};
	uint64_t nr = cursor_limited(&c, nr_types);

	while (nr-- && !c.bad) {
		uint64_t type = cursor_limited(&c, nr_types - 1);
		uint64_t events = cursor_limited(&c, BLOCK_EVENTS);

		if (!c.bad)
			counts[type] += events;
	}
	return c.bad ? -EBADMSG : 0;
}

static struct dec_type *dec_type(struct block_dec *d, unsigned int type)
{
	if (!d->type[type]) {
		d->type[type] = calloc(1, sizeof(**d->type));
		if (d->type[type])
			d->type[type]->keyed =
				column_is_keyed(d->types->schema[type]);
	}
	return d->type[type];
}

/* Head of the payload: events per type and per run. */
static int load_head(struct block_dec *d, struct cursor *c, uint32_t nr_events,
		     const uint8_t *wanted)
{
	uint64_t nr = cursor_limited(c, d->nr_types), sum = 0, by_type = 0;
	unsigned int i;

	for (i = 0; i < d->nr_types; i++)
		if (d->type[i])
			d->type[i]->nr_events = 0;
	while (nr-- && !c->bad) {
		unsigned int type =
			(unsigned int)cursor_limited(c, d->nr_types - 1);
		struct dec_type *t = c->bad ? NULL : dec_type(d, type);

		if (c->bad)
			break;
		if (!t)
			return -ENOMEM;
		t->nr_events = (uint32_t)cursor_limited(c, BLOCK_EVENTS);
		by_type += t->nr_events;
		t->nr_seen = 0;
		t->last_file = 0;
		t->wanted = !wanted || wanted[type];
		memset(t->field, 0, sizeof(t->field));
	}
	d->nr_runs = (uint32_t)cursor_limited(c, BLOCK_RUNS);
	for (i = 0; i < d->nr_runs; i++) {
		d->run_events[i] = (uint16_t)cursor_limited(c, RUN_EVENTS);
		sum += d->run_events[i];
	}
	d->next_run = 0;
	return c->bad || sum != nr_events || by_type != nr_events ? -EBADMSG
								  : 0;
}

/* The column of this id; NULL if it is not wanted or not known. */
static struct column *find_column(struct block_dec *d, uint64_t id)
{
	uint64_t type, field;

	if (id < COLUMN_NR_COMMON)
		return &d->common[id];
	if (id < COLUMN_FIELD(0, 0))
		return NULL;
	type = (id - COLUMN_FIELD(0, 0)) / 64;
	field = (id - COLUMN_FIELD(0, 0)) % 64;
	if (type >= d->nr_types || field >= MMT_MAX_FIELDS || !d->type[type] ||
	    !d->type[type]->nr_events || !d->type[type]->wanted)
		return NULL;
	return &d->type[type]->field[field];
}

struct entry {
	struct column *column;
	uint8_t form;
	uint32_t raw, len;
};

static int load_directory(struct block_dec *d, struct cursor *c,
			  struct entry *entry, unsigned int nr, size_t *raw_sum)
{
	unsigned int i;

	*raw_sum = 0;
	for (i = 0; i < nr; i++) {
		uint64_t id = cursor_varint(c);
		size_t max = id == COLUMN_STRINGS ? MAX_STRINGS : MAX_COLUMN;

		entry[i].column = find_column(d, id);
		entry[i].form = (uint8_t)cursor_limited(c, 255);
		entry[i].raw = (uint32_t)cursor_limited(c, max);
		entry[i].len = (uint32_t)cursor_limited(c, BLOCK_MAX_PAYLOAD);
		if (entry[i].column)
			*raw_sum += entry[i].raw;
	}
	return c->bad || *raw_sum > BLOCK_MAX_PAYLOAD ? -EBADMSG : 0;
}

static int unpack_columns(struct block_dec *d, struct cursor *c,
			  const struct entry *entry, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (entry[i].len > (size_t)(c->end - c->pos))
			return -EBADMSG;
		if (entry[i].column) {
			uint8_t *to = d->raw.p + d->raw.len;

			if (unpack(entry[i].form, to, entry[i].raw, c->pos,
				   entry[i].len))
				return -EBADMSG;
			entry[i].column->pos = to;
			entry[i].column->end = to + entry[i].raw;
			d->raw.len += entry[i].raw;
		}
		c->pos += entry[i].len;
	}
	return 0;
}

static int load_columns(struct block_dec *d, struct cursor *c)
{
	unsigned int nr = (unsigned int)cursor_limited(
		c, COLUMN_NR_COMMON + 8 * MMT_MAX_SCHEMAS);
	struct entry *entry;
	size_t raw_sum;
	int ret;

	/* every entry takes four bytes or more */
	if (c->bad || nr > (size_t)(c->end - c->pos) / 4)
		return -EBADMSG;
	entry = calloc(nr + 1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	memset(d->common, 0, sizeof(d->common));
	ret = load_directory(d, c, entry, nr, &raw_sum);
	d->raw.len = 0;
	if (!ret)
		ret = buf_reserve(&d->raw, raw_sum + 1);
	if (!ret)
		ret = unpack_columns(d, c, entry, nr);
	free(entry);
	return ret;
}

static int load_files(struct block_dec *d)
{
	struct column *dev = &d->common[COLUMN_FILE_DEV];
	struct column *ino = &d->common[COLUMN_FILE_INO];
	struct file_key last = {0, 0};

	for (d->nr_files = 0; dev->pos < dev->end; d->nr_files++) {
		uint64_t a, b;

		if (d->nr_files == d->cap_files) {
			uint32_t cap = d->cap_files * 2 + 64;
			void *grown = realloc(d->file, cap * sizeof(*d->file));

			if (!grown)
				return -ENOMEM;
			d->file = grown;
			d->cap_files = cap;
		}
		dev->pos = varint_get(dev->pos, dev->end, &a);
		ino->pos = varint_get(ino->pos, ino->end, &b);
		if (!dev->pos || !ino->pos)
			return -EBADMSG;
		last.dev += unzigzag(a);
		last.ino += unzigzag(b);
		d->file[d->nr_files] = last;
	}
	return ino->pos == ino->end ? 0 : -EBADMSG;
}

static int load_strings(struct block_dec *d)
{
	struct column *c = &d->common[COLUMN_STRINGS];

	for (d->nr_strings = 0; c->pos < c->end; d->nr_strings++) {
		const uint8_t *nul =
			memchr(c->pos, 0, (size_t)(c->end - c->pos));

		if (!nul)
			return -EBADMSG;
		if (d->nr_strings == d->cap_strings) {
			uint32_t cap = d->cap_strings * 2 + 64;
			void *grown =
				realloc(d->string, cap * sizeof(*d->string));

			if (!grown)
				return -ENOMEM;
			d->string = grown;
			d->cap_strings = cap;
		}
		d->string[d->nr_strings] = (const char *)c->pos;
		c->pos = nul + 1;
	}
	return 0;
}

/* Every keyed type remembers the last index of each file. */
static int reset_last_index(struct block_dec *d)
{
	unsigned int i;
	bool larger = d->nr_files > d->cap_last_index;

	if (larger)
		d->cap_last_index = d->nr_files;
	for (i = 0; i < d->nr_types; i++) {
		struct dec_type *t = d->type[i];
		uint64_t *grown;

		if (!t || !t->keyed)
			continue;
		if (larger || !t->last_index) {
			grown = realloc(t->last_index, (d->cap_last_index + 1) *
							       sizeof(*grown));
			if (!grown)
				return -ENOMEM;
			t->last_index = grown;
		}
		memset(t->last_index, 0xff,
		       d->nr_files * sizeof(*t->last_index));
	}
	return 0;
}

int block_dec_load(struct block_dec *d, const struct block_header *h,
		   const void *payload, const uint8_t *wanted)
{
	struct cursor c = {payload, (const uint8_t *)payload + h->len, false};
	int ret = load_head(d, &c, h->nr_events, wanted);

	d->cpu = h->cpu;
	d->flags = 0;
	d->preempt = 0;
	if (!ret)
		ret = load_columns(d, &c);
	if (!ret)
		ret = load_files(d);
	if (!ret)
		ret = load_strings(d);
	if (!ret)
		ret = reset_last_index(d);
	if (ret)
		d->nr_runs = 0;
	return ret;
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
		pp = get(pp, pid->end, &v);
		if (unlikely(!pp))
			return -EBADMSG;
		pid->last += unzigzag(v);
		ev->pid = (int32_t)pid->last;
		ev->flags = d->flags ^= *flags->pos++;
		ev->preempt = d->preempt ^= *preempt->pos++;
		ev->cpu = d->cpu;
	}
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

	for (i = 0; i < n; i++)
		if (d->type[r->ev[i].type]->wanted)
			r->ev[kept++] = r->ev[i];
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
