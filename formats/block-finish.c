/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-finish.c - packs the columns of a block into its payload */

/*
 * The mirror of block-load.c: head, directory and columns, in the order of
 * column.h.  The coder then starts from nothing, so that each block can be
 * read by itself.
 */

#include "config.h"

#include "formats/block-enc.h"

static int put_varint(struct buf *b, uint64_t v)
{
	if (buf_reserve(b, VARINT_MAX))
		return -ENOMEM;
	b->len = (size_t)(varint_put(b->p + b->len, v) - b->p);
	return 0;
}

/* Packs one column and its line in the directory; empty ones have none. */
static int finish_column(struct block_enc *e, struct buf *dir, unsigned int *nr,
			 unsigned int id, struct buf *bytes)
{
	size_t before = e->packed.len, raw = bytes->len;
	int form;

	if (!raw)
		return 0;
	form = pack(e->packer, &e->packed, bytes->p, raw);
	if (form < 0 || put_varint(dir, id) ||
	    put_varint(dir, (uint64_t)form) || put_varint(dir, raw) ||
	    put_varint(dir, e->packed.len - before))
		return -ENOMEM;
	bytes->len = 0;
	(*nr)++;
	return 0;
}

static int finish_dict(struct block_enc *e)
{
	struct buf *dev = &e->common[COLUMN_FILE_DEV].bytes;
	struct buf *ino = &e->common[COLUMN_FILE_INO].bytes;
	struct file_key last = {0, 0};
	uint32_t i;

	for (i = 0; i < e->files.nr; i++) {
		const struct file_key *key = &e->files.key[i];

		if (put_varint(dev, zigzag(key->dev - last.dev)) ||
		    put_varint(ino, zigzag(key->ino - last.ino)))
			return -ENOMEM;
		last = *key;
	}
	return buf_append(&e->common[COLUMN_STRINGS].bytes, e->strings.bytes.p,
			  e->strings.bytes.len);
}

static int finish_columns(struct block_enc *e, struct buf *dir,
			  unsigned int *nr)
{
	unsigned int i, f;
	int ret = finish_dict(e);

	for (i = 0; !ret && i < COLUMN_NR_COMMON; i++)
		ret = finish_column(e, dir, nr, i, &e->common[i].bytes);
	for (i = 0; !ret && i < e->nr_types; i++) {
		struct enc_type *t = e->type[i];

		for (f = 0; t && !ret && f < TYPE_COLUMNS; f++)
			ret = finish_column(e, dir, nr, COLUMN_FIELD(i, f),
					    &t->field[f].bytes);
	}
	return ret;
}

static int finish_head(struct block_enc *e)
{
	struct buf *b = &e->payload;
	unsigned int i, nr = 0;

	for (i = 0; i < e->nr_types; i++)
		nr += e->type[i] && e->type[i]->nr_events;
	if (put_varint(b, nr))
		return -ENOMEM;
	for (i = 0; i < e->nr_types; i++)
		if (e->type[i] && e->type[i]->nr_events &&
		    (put_varint(b, i) || put_varint(b, e->type[i]->nr_events)))
			return -ENOMEM;
	if (put_varint(b, e->nr_runs))
		return -ENOMEM;
	for (i = 0; i < e->nr_runs; i++)
		if (put_varint(b, e->run_events[i]))
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
	struct buf dir = {0};
	unsigned int nr = 0;
	int ret;

	e->payload.len = 0;
	e->packed.len = 0;
	ret = finish_head(e);
	if (!ret)
		ret = finish_columns(e, &dir, &nr);
	if (!ret)
		ret = put_varint(&e->payload, nr);
	if (!ret)
		ret = buf_append(&e->payload, dir.p, dir.len);
	if (!ret)
		ret = buf_append(&e->payload, e->packed.p, e->packed.len);
	buf_free(&dir);

	memset(h, 0, sizeof(*h));
	h->kind = BLOCK_EVENTS_OF_CPU;
	h->len = (uint32_t)e->payload.len;
	h->nr_events = e->nr_events;
	h->first_ns = e->first_ns;
	h->last_ns = e->last_ns;
	*payload = &e->payload;
	reset(e);
	return ret;
}
