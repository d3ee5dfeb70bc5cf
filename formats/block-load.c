/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-load.c - takes a block of events apart into its columns */

/*
 * Loading unpacks the columns that are wanted into one piece of memory and
 * checks every count against every other.  Nothing in the payload is believed:
 * an impossible number is -EBADMSG.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/block-dec.h"
#include "formats/payload.h"

/* No honest column needs more: ten bytes a value, strings apart. */
#define MAX_COLUMN  ((size_t)BLOCK_EVENTS * VARINT_MAX)
#define MAX_STRINGS (16U << 20)

int block_type_counts(const void *payload, size_t len, uint64_t *counts,
		      unsigned int nr_types)
{
	struct payload c = {payload, (const uint8_t *)payload + len, false};
	uint64_t nr = payload_limited(&c, nr_types);

	while (nr-- && !c.bad) {
		uint64_t type = payload_limited(&c, nr_types - 1);
		uint64_t events = payload_limited(&c, MERGED_EVENTS);

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
static int load_head(struct block_dec *d, struct payload *c, uint32_t nr_events,
		     const uint8_t *wanted)
{
	uint64_t nr = payload_limited(c, d->nr_types), sum = 0, by_type = 0;
	unsigned int i;

	for (i = 0; i < d->nr_types; i++)
		if (d->type[i])
			d->type[i]->nr_events = 0;
	while (nr-- && !c->bad) {
		unsigned int type =
			(unsigned int)payload_limited(c, d->nr_types - 1);
		struct dec_type *t = c->bad ? NULL : dec_type(d, type);

		if (c->bad)
			break;
		if (!t)
			return -ENOMEM;
		t->nr_events = (uint32_t)payload_limited(c, BLOCK_EVENTS);
		by_type += t->nr_events;
		t->nr_seen = 0;
		t->last_file = 0;
		t->wanted = !wanted || wanted[type];
		memset(t->field, 0, sizeof(t->field));
	}
	d->nr_runs = (uint32_t)payload_limited(c, BLOCK_RUNS);
	for (i = 0; i < d->nr_runs; i++) {
		d->run_events[i] = (uint16_t)payload_limited(c, RUN_EVENTS);
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

static int load_directory(struct block_dec *d, struct payload *c,
			  struct entry *entry, unsigned int nr, size_t *raw_sum)
{
	unsigned int i;

	*raw_sum = 0;
	for (i = 0; i < nr; i++) {
		uint64_t id = payload_varint(c);
		size_t max = id == COLUMN_STRINGS ? MAX_STRINGS : MAX_COLUMN;

		entry[i].column = find_column(d, id);
		entry[i].form = (uint8_t)payload_limited(c, 255);
		entry[i].raw = (uint32_t)payload_limited(c, max);
		entry[i].len = (uint32_t)payload_limited(c, BLOCK_MAX_PAYLOAD);
		if (entry[i].column)
			*raw_sum += entry[i].raw;
	}
	return c->bad || *raw_sum > BLOCK_MAX_PAYLOAD ? -EBADMSG : 0;
}

static int unpack_columns(struct block_dec *d, struct payload *c,
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

static int load_columns(struct block_dec *d, struct payload *c)
{
	unsigned int nr = (unsigned int)payload_limited(
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
	struct payload c = {payload, (const uint8_t *)payload + h->len, false};
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
