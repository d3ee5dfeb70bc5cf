/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns-out.c - packs columns and puts them behind the head of a payload */

/*
 * The mirror of columns.c.  Columns are packed one after the other beside the
 * payload, as their directory has to stand before them.
 */

#include "config.h"

#include "formats/columns.h"

int columns_out_new(struct columns_out *c, int level)
{
	memset(c, 0, sizeof(*c));
	return packer_new(&c->packer, level);
}

void columns_out_free(struct columns_out *c)
{
	packer_free(c->packer);
	buf_free(&c->payload);
	buf_free(&c->dir);
	buf_free(&c->packed);
}

void columns_out_begin(struct columns_out *c)
{
	c->payload.len = c->dir.len = c->packed.len = 0;
	c->nr = 0;
}

int columns_out_add(struct columns_out *c, uint64_t id, struct buf *bytes)
{
	size_t before = c->packed.len, raw = bytes->len;
	int form;

	if (!raw)
		return 0;
	form = pack(c->packer, &c->packed, bytes->p, raw);
	if (form < 0 || buf_put_varint(&c->dir, id) ||
	    buf_put_varint(&c->dir, (uint64_t)form) ||
	    buf_put_varint(&c->dir, raw) ||
	    buf_put_varint(&c->dir, c->packed.len - before))
		return -ENOMEM;
	bytes->len = 0;
	c->nr++;
	return 0;
}

int columns_out_end(struct columns_out *c)
{
	if (buf_put_varint(&c->payload, c->nr) ||
	    buf_append(&c->payload, c->dir.p, c->dir.len) ||
	    buf_append(&c->payload, c->packed.p, c->packed.len))
		return -ENOMEM;
	return 0;
}

int columns_out_dict(const struct files *files, const struct strings *strings,
		     struct buf *dev, struct buf *ino, struct buf *text)
{
	struct file_key last = {0, 0};
	uint32_t i;

	for (i = 0; i < files->nr; i++) {
		const struct file_key *key = &files->key[i];

		if (buf_put_varint(dev, zigzag(key->dev - last.dev)) ||
		    buf_put_varint(ino, zigzag(key->ino - last.ino)))
			return -ENOMEM;
		last = *key;
	}
	return buf_append(text, strings->bytes.p, strings->bytes.len);
}
