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

/* Other columns need ten bytes a value at most, and have one an event. */
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

/* What all events of this type will have. */
static void start_type(struct block_dec *d, unsigned int type)
{
	const struct mmt_schema *schema = d->types->schema[type];
	struct dec_place *place = &d->place[type];

	place->like = (struct mmt_event){
		.type = (uint16_t)type,
		.cpu = d->cpu,
		.kind = schema->kind,
		.nr = schema->nr_fields,
	};
	place->flags = place->preempt = 0;
	place->wanted = d->type[type]->wanted;
	place->stride = place->wanted ? schema->nr_fields : 0;
}

/* Head of the payload: events per type and per run. */
static int load_head(struct block_dec *d, struct payload *c,
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
		/* a type that is listed twice */
		if (t->nr_events)
			return -EBADMSG;
		t->nr_events = (uint32_t)payload_limited(c, BLOCK_EVENTS);
		by_type += t->nr_events;
		t->nr_seen = 0;
		t->last_file = 0;
		t->wanted = !wanted || wanted[type];
		memset(t->field, 0, sizeof(t->field));
		start_type(d, type);
	}
	d->nr_runs = (uint32_t)payload_limited(c, BLOCK_RUNS);
	for (i = 0; i < d->nr_runs; i++) {
		d->run_events[i] = (uint16_t)payload_limited(c, RUN_EVENTS);
		sum += d->run_events[i];
	}
	d->next_run = 0;
	return c->bad || sum != d->nr_events || by_type != d->nr_events
		       ? -EBADMSG
		       : 0;
}

static struct span *find_column(void *arg, uint64_t id, size_t *max)
{
	struct block_dec *d = arg;
	uint64_t type, field;

	*max = id == COLUMN_STRINGS ? MAX_STRINGS
				    : (size_t)d->nr_events * VARINT_MAX;
	if (id < COLUMN_NR_COMMON)
		return &d->common[id].span;
	/* what a reader does not know it does not unpack */
	*max = BLOCK_MAX_PAYLOAD;
	if (id < COLUMN_FIELD(0, 0))
		return NULL;
	type = (id - COLUMN_FIELD(0, 0)) / 64;
	field = (id - COLUMN_FIELD(0, 0)) % 64;
	if (type >= d->nr_types || field >= TYPE_COLUMNS || !d->type[type] ||
	    !d->type[type]->nr_events)
		return NULL;
	/* the steps of time of all events add up */
	if (field < MMT_MAX_FIELDS && !d->type[type]->wanted)
		return NULL;
	*max = (size_t)d->type[type]->nr_events * VARINT_MAX;
	return &d->type[type]->field[field].span;
}

static int load_columns(struct block_dec *d, struct payload *c)
{
	struct columns_of of = {
		.max_nr = COLUMN_NR_COMMON + 8 * MMT_MAX_SCHEMAS,
		.find = find_column,
		.arg = d,
	};

	memset(d->common, 0, sizeof(d->common));
	return columns_load(&d->columns, c, &of);
}

static int load_dict(struct block_dec *d)
{
	const struct dict_columns from = {
		d->common[COLUMN_FILE_DEV].span,
		d->common[COLUMN_FILE_INO].span,
		d->common[COLUMN_STRINGS].span,
		d->nr_events,
	};

	return block_dict_load(&d->dict, &from);
}

/* Room for so many last indexes; what they were is forgotten. */
static int reserve_last_index(struct block_dec *d, size_t nr)
{
	if (nr <= d->cap_last_index)
		return 0;
	free(d->last_index);
	d->cap_last_index = 0;
	d->last_index = malloc(nr * sizeof(*d->last_index));
	if (!d->last_index)
		return -ENOMEM;
	d->cap_last_index = nr;
	return 0;
}

/* Every keyed type remembers the last index of each file. */
static int reset_last_index(struct block_dec *d)
{
	size_t nr_files = d->dict.nr_files, nr = 0;
	unsigned int i;

	for (i = 0; i < d->nr_types; i++)
		if (d->type[i] && d->type[i]->keyed && d->type[i]->nr_events)
			nr += nr_files;
	if (nr > MAX_INDEXES)
		return -EBADMSG;
	if (reserve_last_index(d, nr))
		return -ENOMEM;
	if (nr)
		memset(d->last_index, 0xff, nr * sizeof(*d->last_index));
	for (i = 0, nr = 0; nr_files && i < d->nr_types; i++) {
		struct dec_type *t = d->type[i];

		if (!t || !t->keyed || !t->nr_events)
			continue;
		t->last_index = d->last_index + nr;
		nr += nr_files;
	}
	return 0;
}

int block_dec_load(struct block_dec *d, const struct block_header *h,
		   const void *payload, const uint8_t *wanted)
{
	struct payload c = {payload, (const uint8_t *)payload + h->len, false};
	int ret;

	d->cpu = h->cpu;
	d->nr_events = h->nr_events;
	d->last_ns = 0;
	d->wide_ended = false;
	ret = load_head(d, &c, wanted);
	if (!ret)
		ret = load_columns(d, &c);
	if (!ret)
		ret = load_dict(d);
	if (!ret)
		ret = reset_last_index(d);
	if (ret)
		d->nr_runs = 0;
	return ret;
}
