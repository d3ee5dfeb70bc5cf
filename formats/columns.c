/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.c - takes the columns of a block's payload apart */

/*
 * The directory is read first, so that one piece of memory holds all that is
 * wanted; the rest is stepped over.  Nothing in the payload is believed: an
 * impossible number is -EBADMSG.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/columns.h"

struct entry {
	struct span *span;
	uint8_t form;
	uint32_t raw, len;
};

static int load_directory(struct payload *from, const struct columns_of *of,
			  struct entry *entry, unsigned int nr, size_t *raw_sum)
{
	unsigned int i;

	*raw_sum = 0;
	for (i = 0; i < nr; i++) {
		uint64_t id = payload_varint(from);
		size_t max = BLOCK_MAX_PAYLOAD;

		entry[i].span = of->find(of->arg, id, &max);
		entry[i].form = (uint8_t)payload_limited(from, UINT8_MAX);
		entry[i].raw = (uint32_t)payload_limited(from, max);
		entry[i].len =
			(uint32_t)payload_limited(from, BLOCK_MAX_PAYLOAD);
		if (entry[i].span)
			*raw_sum += entry[i].raw;
		/* at once, as the sum may be more than a size_t holds */
		if (*raw_sum > BLOCK_MAX_PAYLOAD)
			return -EBADMSG;
	}
	return from->bad ? -EBADMSG : 0;
}

static int unpack_all(struct columns *c, struct payload *from,
		      const struct entry *entry, unsigned int nr)
{
	uint8_t *to = c->raw.p;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct entry *e = &entry[i];

		if (e->len > (size_t)(from->end - from->pos))
			return -EBADMSG;
		if (e->span) {
			struct packed in = {e->form, from->pos, e->len};

			if (unpack(c->unpacker, &in, to, e->raw))
				return -EBADMSG;
			e->span->pos = to;
			e->span->end = to + e->raw;
			to += e->raw;
		}
		from->pos += e->len;
	}
	return 0;
}

int columns_load(struct columns *c, struct payload *from,
		 const struct columns_of *of)
{
	unsigned int nr = (unsigned int)payload_limited(from, of->max_nr);
	struct entry *entry;
	size_t raw_sum;
	int ret;

	/* every entry takes four bytes or more */
	if (from->bad || nr > (size_t)(from->end - from->pos) / 4)
		return -EBADMSG;
	if (!c->unpacker && unpacker_new(&c->unpacker))
		return -ENOMEM;
	entry = calloc(nr + 1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	ret = load_directory(from, of, entry, nr, &raw_sum);
	c->raw.len = 0;
	if (!ret)
		ret = buf_reserve(&c->raw, raw_sum + COLUMNS_PAD);
	if (!ret)
		ret = unpack_all(c, from, entry, nr);
	free(entry);
	return ret;
}

void columns_free(struct columns *c)
{
	unpacker_free(c->unpacker);
	c->unpacker = NULL;
	buf_free(&c->raw);
}

/* -------------------------------------------------------- the dictionary */

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

static int load_files(struct block_dict *dict, const struct dict_columns *from)
{
	struct file_key last = {0, 0};
	struct span dev = from->dev, ino = from->ino;

	for (dict->nr_files = 0; dev.pos < dev.end; dict->nr_files++) {
		uint64_t a, b;

		if (dict->nr_files == from->nr_events)
			return -EBADMSG;
		if (grow((void **)&dict->file, dict->nr_files, &dict->cap_files,
			 sizeof(*dict->file)))
			return -ENOMEM;
		dev.pos = varint_get(dev.pos, dev.end, &a);
		ino.pos = varint_get(ino.pos, ino.end, &b);
		if (!dev.pos || !ino.pos)
			return -EBADMSG;
		last.dev += unzigzag(a);
		last.ino += unzigzag(b);
		dict->file[dict->nr_files] = last;
	}
	return ino.pos == ino.end ? 0 : -EBADMSG;
}

static int load_strings(struct block_dict *dict, struct span from,
			uint64_t max_strings)
{
	for (dict->nr_strings = 0; from.pos < from.end; dict->nr_strings++) {
		const uint8_t *nul =
			memchr(from.pos, 0, (size_t)(from.end - from.pos));

		if (!nul || dict->nr_strings == max_strings)
			return -EBADMSG;
		if (grow((void **)&dict->string, dict->nr_strings,
			 &dict->cap_strings, sizeof(*dict->string)))
			return -ENOMEM;
		dict->string[dict->nr_strings] = (const char *)from.pos;
		from.pos = nul + 1;
	}
	return 0;
}

int block_dict_load(struct block_dict *dict, const struct dict_columns *from)
{
	int ret = load_files(dict, from);

	return ret ? ret
		   : load_strings(dict, from->strings,
				  (uint64_t)from->nr_events * MMT_MAX_FIELDS);
}

void block_dict_free(struct block_dict *dict)
{
	free(dict->file);
	free(dict->string);
	memset(dict, 0, sizeof(*dict));
}
