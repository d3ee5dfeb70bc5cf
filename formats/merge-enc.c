/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge-enc.c - makes merged blocks: columns packed behind their directory */

/*
 * merge-walk.c fills the columns; here they are counted, packed and put into
 * the payload.  A block ends at its limit of events, or earlier where its
 * columns would be too much for a reader's memory.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/merge-model.h"

/* Columns of a block before packing, and one run more stays below 64 MiB. */
#define ENOUGH_BYTES   (32U << 20)
#define ENOUGH_STRINGS (8U << 20)

struct merge_enc {
	struct model *model;
	struct columns_out out;
	uint32_t nr_events;
	uint64_t first_ns, last_ns;
	uint32_t *cpu_events; /* by CPU */
	unsigned int end_cpus;
	size_t nr_bytes;
};

int merge_enc_new(struct merge_enc **ep, const struct types *types, int level)
{
	struct merge_enc *e = calloc(1, sizeof(*e));
	int ret = -ENOMEM;

	if (!e)
		return ret;
	e->cpu_events = calloc(UINT16_MAX + 1, sizeof(*e->cpu_events));
	if (e->cpu_events)
		ret = model_new(&e->model, types);
	if (!ret)
		ret = columns_out_new(&e->out, level);
	if (ret) {
		merge_enc_free(e);
		return ret;
	}
	*ep = e;
	return 0;
}

void merge_enc_free(struct merge_enc *e)
{
	if (!e)
		return;
	model_free(e->model);
	columns_out_free(&e->out);
	free(e->cpu_events);
	free(e);
}

/* Calls each column that has bytes in turn, in the order of the directory. */
static struct buf *next_column(struct merge_enc *e, uint64_t *id)
{
	struct model *m = e->model;

	for (; *id < MERGED_NR_COMMON; ++*id)
		if (m->common[*id].bytes.len)
			return &m->common[*id].bytes;
	*id = MAX(*id, MERGED_COLUMN(0U, 0U));
	while (*id < MERGED_COLUMN(m->nr_types, 0U)) {
		unsigned int i = (unsigned int)*id - MERGED_COLUMN(0U, 0U);
		struct merged_type *t = m->type[i / 256];

		if (!t || !t->nr_seen) {
			*id += 256 - i % 256;
			continue;
		}
		if (t->part[i % 256].bytes.len)
			return &t->part[i % 256].bytes;
		++*id;
	}
	return NULL;
}

static size_t count_bytes(struct merge_enc *e)
{
	const struct buf *column;
	uint64_t id = 0;
	size_t sum = 0;

	for (; (column = next_column(e, &id)); id++)
		sum += column->len;
	return sum + e->model->strings.bytes.len;
}

int merge_enc_run(struct merge_enc *e, const struct run *r)
{
	unsigned int i;
	int ret = model_encode(e->model, r);

	for (i = 0; i < r->nr; i++) {
		const struct mmt_event *ev = &r->ev[i];

		if (!e->nr_events || ev->time_ns < e->first_ns)
			e->first_ns = ev->time_ns;
		if (!e->nr_events || ev->time_ns > e->last_ns)
			e->last_ns = ev->time_ns;
		e->cpu_events[ev->cpu]++;
		e->end_cpus = MAX(e->end_cpus, ev->cpu + 1U);
		e->nr_events++;
	}
	e->nr_bytes = count_bytes(e);
	return ret;
}

unsigned int merge_enc_events(const struct merge_enc *e)
{
	return e->nr_events;
}

bool merge_enc_has_room(const struct merge_enc *e)
{
	const struct model *m = e->model;

	return e->nr_events + RUN_EVENTS <= MERGED_EVENTS &&
	       ((uint64_t)m->files.nr + RUN_EVENTS) * m->nr_keyed <=
		       MAX_INDEXES &&
	       e->nr_bytes < ENOUGH_BYTES &&
	       m->strings.bytes.len < ENOUGH_STRINGS;
}

/* ------------------------------------------------------------ block's end */

static int put_types(struct merge_enc *e)
{
	struct model *m = e->model;
	unsigned int i, nr = 0;
	int ret;

	for (i = 0; i < m->nr_types; i++)
		nr += m->type[i] && m->type[i]->nr_seen;
	ret = buf_put_varint(&e->out.payload, nr);
	for (i = 0; !ret && i < m->nr_types; i++) {
		if (!m->type[i] || !m->type[i]->nr_seen)
			continue;
		ret = buf_put_varint(&e->out.payload, i);
		if (!ret)
			ret = buf_put_varint(&e->out.payload,
					     m->type[i]->nr_seen);
	}
	return ret;
}

static int put_cpus(struct merge_enc *e)
{
	unsigned int i, nr = 0;
	int ret;

	for (i = 0; i < e->end_cpus; i++)
		nr += e->cpu_events[i] != 0;
	ret = buf_put_varint(&e->out.payload, nr);
	for (i = 0; !ret && i < e->end_cpus; i++) {
		if (!e->cpu_events[i])
			continue;
		ret = buf_put_varint(&e->out.payload, i);
		if (!ret)
			ret = buf_put_varint(&e->out.payload, e->cpu_events[i]);
	}
	return ret;
}

static int put_columns(struct merge_enc *e)
{
	struct model *m = e->model;
	struct buf *column;
	uint64_t id = 0;
	int ret = columns_out_dict(&m->files, &m->strings,
				   &m->common[MERGED_FILE_DEV].bytes,
				   &m->common[MERGED_FILE_INO].bytes,
				   &m->common[MERGED_STRINGS].bytes);

	for (; !ret && (column = next_column(e, &id)); id++)
		ret = columns_out_add(&e->out, id, column);
	return ret;
}

static void reset(struct merge_enc *e)
{
	model_reset(e->model);
	files_clear(&e->model->files);
	strings_clear(&e->model->strings);
	memset(e->cpu_events, 0, e->end_cpus * sizeof(*e->cpu_events));
	e->end_cpus = 0;
	e->nr_events = 0;
	e->nr_bytes = 0;
}

int merge_enc_finish(struct merge_enc *e, struct block_header *h,
		     const struct buf **payload)
{
	int ret;

	columns_out_begin(&e->out);
	ret = put_types(e);
	if (!ret)
		ret = put_cpus(e);
	if (!ret)
		ret = put_columns(e);
	if (!ret)
		ret = columns_out_end(&e->out);

	memset(h, 0, sizeof(*h));
	h->kind = BLOCK_MERGED;
	h->len = (uint32_t)e->out.payload.len;
	h->nr_events = e->nr_events;
	h->first_ns = e->first_ns;
	h->last_ns = e->last_ns;
	*payload = &e->out.payload;
	reset(e);
	return ret;
}
