/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge-dec.c - loads merged blocks and hands out their events in runs */

/*
 * Loading unpacks the columns into one piece of memory and checks counts and
 * sizes; merge-walk.c then decodes a run at a time.  Nothing in the payload
 * is believed: an impossible number is -EBADMSG.  Events that are not wanted
 * still are decoded if others are predicted from them.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/column.h"
#include "formats/merge-model.h"
#include "formats/payload.h"

#define MAX_COLUMN ((size_t)MERGED_EVENTS * VARINT_MAX)

struct merge_dec {
	struct model *model;
	uint32_t nr_left; /* events of the block not yet decoded */
	unsigned int max_fields;
	struct buf raw;
};

int merge_dec_new(struct merge_dec **dp, const struct types *types)
{
	struct merge_dec *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	if (model_new(&d->model, types)) {
		free(d);
		return -ENOMEM;
	}
	*dp = d;
	return 0;
}

void merge_dec_free(struct merge_dec *d)
{
	if (!d)
		return;
	model_free(d->model);
	buf_free(&d->raw);
	free(d);
}

static void forget_columns(struct model *m)
{
	unsigned int i, k;

	memset(m->common, 0, sizeof(m->common));
	for (i = 0; i < m->nr_types; i++) {
		struct merged_type *t = m->type[i];

		if (!t || !t->nr_events)
			continue;
		for (k = 0; k < NR_PARTS; k++)
			t->part[k].pos = t->part[k].end = NULL;
		t->nr_events = 0;
	}
}

static int load_types(struct merge_dec *d, struct payload *c,
		      const uint8_t *wanted, uint64_t *sum)
{
	struct model *m = d->model;
	uint64_t nr = payload_limited(c, m->nr_types);

	d->max_fields = 0;
	for (*sum = 0; nr && !c->bad; nr--) {
		unsigned int type =
			(unsigned int)payload_limited(c, m->nr_types - 1);
		uint64_t events = payload_limited(c, MERGED_EVENTS);
		struct merged_type *t = c->bad ? NULL : model_type(m, type);

		if (c->bad)
			return -EBADMSG;
		if (!t)
			return -ENOMEM;
		t->nr_events = (uint32_t)events;
		t->wanted = !wanted || wanted[type];
		*sum += events;
		d->max_fields =
			MAX(d->max_fields, m->types->schema[type]->nr_fields);
	}
	return c->bad ? -EBADMSG : 0;
}

/* Events per CPU, which the columns say again; adds them up for the caller. */
static int skip_cpus(struct payload *c, uint64_t *sum)
{
	uint64_t nr = payload_limited(c, UINT16_MAX + 1U);

	for (*sum = 0; nr && !c->bad; nr--) {
		payload_limited(c, UINT16_MAX);
		*sum += payload_limited(c, MERGED_EVENTS);
	}
	return c->bad ? -EBADMSG : 0;
}

/* The column of this id; NULL if it is not known or not needed. */
static struct merged_column *find_column(struct model *m, uint64_t id)
{
	struct merged_type *t;
	uint64_t type, part;

	if (id < MERGED_NR_COMMON)
		return &m->common[id];
	if (id < MERGED_COLUMN(0U, 0U))
		return NULL;
	type = (id - MERGED_COLUMN(0U, 0U)) / 256;
	part = (id - MERGED_COLUMN(0U, 0U)) % 256;
	t = type < m->nr_types ? m->type[type] : NULL;
	if (!t || !t->nr_events || part >= NR_PARTS)
		return NULL;
	if (part < PART_TIME && !t->wanted && !t->keyed &&
	    t->kind != MMT_LRU_INSERT)
		return NULL;
	return &t->part[part];
}

struct entry {
	struct merged_column *column;
	uint8_t form;
	uint32_t raw, len;
};

static int load_directory(struct model *m, struct payload *c,
			  struct entry *entry, unsigned int nr, size_t *raw_sum)
{
	unsigned int i;

	*raw_sum = 0;
	for (i = 0; i < nr; i++) {
		entry[i].column = find_column(m, payload_varint(c));
		entry[i].form = (uint8_t)payload_limited(c, 255);
		entry[i].raw = (uint32_t)payload_limited(c, MAX_COLUMN);
		entry[i].len = (uint32_t)payload_limited(c, BLOCK_MAX_PAYLOAD);
		if (entry[i].column)
			*raw_sum += entry[i].raw;
	}
	return c->bad || *raw_sum > BLOCK_MAX_PAYLOAD ? -EBADMSG : 0;
}

static int unpack_columns(struct merge_dec *d, struct payload *c,
			  const struct entry *entry, unsigned int nr)
{
	uint8_t *to = d->raw.p;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct entry *e = &entry[i];

		if (e->len > (size_t)(c->end - c->pos))
			return -EBADMSG;
		if (e->column) {
			if (unpack(e->form, to, e->raw, c->pos, e->len))
				return -EBADMSG;
			e->column->pos = to;
			e->column->end = to + e->raw;
			to += e->raw;
		}
		c->pos += e->len;
	}
	return 0;
}

static int load_columns(struct merge_dec *d, struct payload *c)
{
	uint64_t nr = payload_limited(
		c, MERGED_NR_COMMON + (uint64_t)MMT_MAX_SCHEMAS * NR_PARTS);
	struct entry *entry;
	size_t raw_sum;
	int ret;

	/* every entry takes four bytes or more */
	if (c->bad || nr > (size_t)(c->end - c->pos) / 4)
		return -EBADMSG;
	entry = calloc(nr + 1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	ret = load_directory(d->model, c, entry, (unsigned int)nr, &raw_sum);
	d->raw.len = 0;
	if (!ret)
		ret = buf_reserve(&d->raw, raw_sum + 1);
	if (!ret)
		ret = unpack_columns(d, c, entry, (unsigned int)nr);
	free(entry);
	return ret;
}

/* Room for one more of nr things in an array; 0 or -ENOMEM. */
static int grow(void **array, uint32_t nr, uint32_t *cap, size_t size)
{
	void *grown;

	if (nr < *cap)
		return 0;
	grown = realloc(*array, (*cap * 2 + 64) * size);
	if (!grown)
		return -ENOMEM;
	*array = grown;
	*cap = *cap * 2 + 64;
	return 0;
}

static int load_files(struct model *m, uint32_t nr_events)
{
	struct merged_column *dev = &m->common[MERGED_FILE_DEV];
	struct merged_column *ino = &m->common[MERGED_FILE_INO];
	struct file_key last = {0, 0};

	for (m->nr_files = 0; dev->pos < dev->end; m->nr_files++) {
		uint64_t a, b;

		if (grow((void **)&m->file, m->nr_files, &m->cap_files,
			 sizeof(*m->file)))
			return -ENOMEM;
		dev->pos = varint_get(dev->pos, dev->end, &a);
		ino->pos = varint_get(ino->pos, ino->end, &b);
		if (!dev->pos || !ino->pos)
			return -EBADMSG;
		last.dev += unzigzag(a);
		last.ino += unzigzag(b);
		m->file[m->nr_files] = last;
	}
	/* every file occurs in an event */
	if (m->nr_files > nr_events ||
	    (uint64_t)m->nr_files * m->nr_keyed > MAX_INDEXES)
		return -EBADMSG;
	return ino->pos == ino->end ? 0 : -EBADMSG;
}

static int load_strings(struct model *m)
{
	struct merged_column *c = &m->common[MERGED_STRINGS];

	for (m->nr_strings = 0; c->pos < c->end; m->nr_strings++) {
		const uint8_t *nul =
			memchr(c->pos, 0, (size_t)(c->end - c->pos));

		if (!nul)
			return -EBADMSG;
		if (grow((void **)&m->string, m->nr_strings, &m->cap_strings,
			 sizeof(*m->string)))
			return -ENOMEM;
		m->string[m->nr_strings] = (const char *)c->pos;
		c->pos = nul + 1;
	}
	return 0;
}

int merge_dec_load(struct merge_dec *d, const struct block_header *h,
		   const void *payload, const uint8_t *wanted)
{
	struct payload c = {payload, (const uint8_t *)payload + h->len, false};
	uint64_t by_type, by_cpu = 0;
	int ret;

	forget_columns(d->model);
	model_reset(d->model);
	d->nr_left = 0;
	ret = load_types(d, &c, wanted, &by_type);
	if (!ret)
		ret = skip_cpus(&c, &by_cpu);
	if (!ret && (by_type != h->nr_events || by_cpu != h->nr_events))
		ret = -EBADMSG;
	if (!ret)
		ret = load_columns(d, &c);
	if (!ret)
		ret = load_files(d->model, h->nr_events);
	if (!ret)
		ret = load_strings(d->model);
	if (!ret)
		d->nr_left = h->nr_events;
	return ret;
}

int merge_dec_run(struct merge_dec *d, struct run *r)
{
	int ret;

	run_clear(r);
	if (run_reserve_vals(r, (size_t)RUN_EVENTS * MAX(d->max_fields, 1U)))
		return -ENOMEM;
	/* a run may have nothing that is wanted */
	while (!r->nr && d->nr_left) {
		unsigned int nr = MIN(d->nr_left, RUN_EVENTS);

		d->nr_left -= nr;
		ret = model_decode(d->model, r, nr);
		if (ret) {
			d->nr_left = 0;
			r->nr = 0;
			return ret;
		}
	}
	return (int)r->nr;
}

int merge_cpu_counts(const void *payload, size_t len, unsigned int nr_types,
		     struct cpu_counts *counts)
{
	struct payload c = {payload, (const uint8_t *)payload + len, false};
	uint64_t nr = payload_limited(&c, nr_types);

	for (; nr && !c.bad; nr--) {
		payload_varint(&c);
		payload_varint(&c);
	}
	for (nr = payload_limited(&c, UINT16_MAX + 1U); nr && !c.bad; nr--) {
		uint16_t cpu = (uint16_t)payload_limited(&c, UINT16_MAX);
		uint64_t events = payload_limited(&c, MERGED_EVENTS);

		if (!c.bad && cpu_counts_add(counts, cpu, events))
			return -ENOMEM;
	}
	return c.bad ? -EBADMSG : 0;
}
