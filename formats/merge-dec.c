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

#define MAX_COLUMN ((size_t)MERGED_EVENTS * VARINT_MAX)

struct merge_dec {
	struct model *model;
	uint32_t nr_left; /* events of the block not yet decoded */
	unsigned int max_fields;
	struct columns columns;
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
	columns_free(&d->columns);
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
			t->part[k].span = (struct span){NULL, NULL};
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
		/* a type that is listed twice */
		if (t->nr_events)
			return -EBADMSG;
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

static struct span *find_column(void *arg, uint64_t id, size_t *max)
{
	struct model *m = arg;
	struct merged_type *t;
	uint64_t type, part;

	*max = MAX_COLUMN;
	if (id < MERGED_NR_COMMON)
		return &m->common[id].span;
	if (id < MERGED_COLUMN(0U, 0U))
		return NULL;
	type = (id - MERGED_COLUMN(0U, 0U)) / 256;
	part = (id - MERGED_COLUMN(0U, 0U)) % 256;
	t = type < m->nr_types ? m->type[type] : NULL;
	if (!t || !t->nr_events || part >= NR_PARTS)
		return NULL;
	/* a page that is not wanted may predict one that is */
	if (part < PART_TIME && !t->wanted && !t->keyed &&
	    t->kind != MMT_LRU_INSERT)
		return NULL;
	*max = (size_t)t->nr_events * VARINT_MAX;
	return &t->part[part].span;
}

static int load_columns(struct merge_dec *d, struct payload *c)
{
	struct columns_of of = {
		.max_nr = MERGED_NR_COMMON + MMT_MAX_SCHEMAS * NR_PARTS,
		.find = find_column,
		.arg = d->model,
	};

	return columns_load(&d->columns, c, &of);
}

static int load_dict(struct model *m, uint32_t nr_events)
{
	const struct dict_columns from = {
		m->common[MERGED_FILE_DEV].span,
		m->common[MERGED_FILE_INO].span,
		m->common[MERGED_STRINGS].span,
		nr_events,
	};
	int ret = block_dict_load(&m->dict, &from);

	if (!ret && (uint64_t)m->dict.nr_files * m->nr_keyed > MAX_INDEXES)
		ret = -EBADMSG;
	return ret;
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
		ret = load_dict(d->model, h->nr_events);
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

		r->in_order = true;
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
