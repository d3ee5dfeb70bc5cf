/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-finish.c - packs the columns of a block into its payload */

/*
 * The mirror of block-load.c: head, directory and columns, in the order of
 * column.h.  The coder then starts from nothing, so that each block can be
 * read by itself.
 */

#include "config.h"

#include "formats/block-enc.h"

static int finish_columns(struct block_enc *e)
{
	struct column *common = e->common;
	unsigned int i, f;
	int ret = columns_out_dict(
		&e->files, &e->strings, &common[COLUMN_FILE_DEV].bytes,
		&common[COLUMN_FILE_INO].bytes, &common[COLUMN_STRINGS].bytes);

	for (i = 0; !ret && i < COLUMN_NR_COMMON; i++)
		ret = columns_out_add(&e->out, i, &common[i].bytes);
	for (i = 0; !ret && i < e->nr_types; i++) {
		struct enc_type *t = e->type[i];

		for (f = 0; t && !ret && f < TYPE_COLUMNS; f++)
			ret = columns_out_add(&e->out, COLUMN_FIELD(i, f),
					      &t->field[f].bytes);
	}
	return ret;
}

static int finish_head(struct block_enc *e)
{
	struct buf *b = &e->out.payload;
	unsigned int i, nr = 0;

	for (i = 0; i < e->nr_types; i++)
		nr += e->type[i] && e->type[i]->nr_events;
	if (buf_put_varint(b, nr))
		return -ENOMEM;
	for (i = 0; i < e->nr_types; i++)
		if (e->type[i] && e->type[i]->nr_events &&
		    (buf_put_varint(b, i) ||
		     buf_put_varint(b, e->type[i]->nr_events)))
			return -ENOMEM;
	if (buf_put_varint(b, e->nr_runs))
		return -ENOMEM;
	for (i = 0; i < e->nr_runs; i++)
		if (buf_put_varint(b, e->run_events[i]))
			return -ENOMEM;
	return 0;
}

/* Every block starts from nothing, so that each can be read by itself. */
static void reset(struct block_enc *e)
{
	unsigned int i, f;

	for (i = 0; i < COLUMN_NR_COMMON; i++) {
		e->common[i].bytes.len = 0;
		e->common[i].last = 0;
	}
	for (i = 0; i < e->nr_types; i++) {
		struct enc_type *t = e->type[i];

		if (!t || !t->nr_events)
			continue;
		for (f = 0; f < TYPE_COLUMNS; f++) {
			t->field[f].bytes.len = 0;
			t->field[f].last = 0;
		}
		if (t->last_index)
			memset(t->last_index, 0xff,
			       t->cap_index * sizeof(*t->last_index));
		t->nr_events = 0;
		t->last_file = 0;
	}
	files_clear(&e->files);
	strings_clear(&e->strings);
	memset(&e->last, 0, sizeof(e->last));
	e->nr_events = 0;
	e->nr_runs = 0;
}

int block_enc_finish(struct block_enc *e, struct block_header *h,
		     const struct buf **payload)
{
	int ret;

	columns_out_begin(&e->out);
	ret = finish_head(e);
	if (!ret)
		ret = finish_columns(e);
	if (!ret)
		ret = columns_out_end(&e->out);

	memset(h, 0, sizeof(*h));
	h->kind = BLOCK_EVENTS_OF_CPU;
	h->len = (uint32_t)e->out.payload.len;
	h->nr_events = e->nr_events;
	h->first_ns = e->first_ns;
	h->last_ns = e->last_ns;
	*payload = &e->out.payload;
	reset(e);
	return ret;
}
