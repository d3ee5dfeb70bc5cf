/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages-key.c - numbers for files, so that a page is one 64-bit key */

/*
 * A segment is the part of a file below one value of index >> 36.  It gets the
 * next number when it is first seen; open addressing over (dev, ino, high),
 * filled to one half, finds it again.  Every file but those beyond 256 TiB is
 * one segment.
 */
#include "config.h"

#include <stdlib.h>

#include "formats/pages-priv.h"

static uint64_t seg_hash(uint64_t dev, uint64_t ino, uint64_t high)
{
	return hash_u64(hash_u64(ino ^ high << 32) + dev);
}

static bool seg_is(const struct page_seg *seg, const struct page_id *id)
{
	return seg->ino == id->ino && seg->dev == id->dev &&
	       seg->high == id->index >> PAGES_INDEX_BITS;
}

static void slot_fill(struct page_segs *s, uint32_t nr)
{
	const struct page_seg *seg = &s->seg[nr];
	uint64_t i = seg_hash(seg->dev, seg->ino, seg->high);

	while (s->slot[i & (s->nr_slots - 1)])
		i++;
	s->slot[i & (s->nr_slots - 1)] = nr + 1;
}

static int segs_grow(struct page_segs *s)
{
	uint32_t cap = s->cap ? s->cap * 2 : 256;
	struct page_seg *seg;
	uint32_t *slot;
	uint32_t i;

	if (s->nr == PAGES_MAX_SEGS)
		return -EOVERFLOW;
	slot = calloc((size_t)cap * 2, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	seg = realloc(s->seg, cap * sizeof(*seg));
	if (!seg) {
		free(slot);
		return -ENOMEM;
	}
	free(s->slot);
	s->seg = seg;
	s->cap = cap;
	s->slot = slot;
	s->nr_slots = cap * 2;
	for (i = 0; i < s->nr; i++)
		slot_fill(s, i);
	return 0;
}

static int seg_new(struct page_segs *s, const struct page_id *id, uint32_t *seg)
{
	int ret;

	if (s->nr == s->cap) {
		ret = segs_grow(s);
		if (ret)
			return ret;
	}
	s->seg[s->nr] = (struct page_seg){
		.dev = id->dev,
		.ino = id->ino,
		.high = id->index >> PAGES_INDEX_BITS,
		.min_added = UINT64_MAX,
	};
	slot_fill(s, s->nr);
	*seg = s->last = s->nr++;
	return 0;
}

int page_seg_get(struct page_segs *s, const struct page_id *id, uint32_t *seg)
{
	uint64_t i;
	uint32_t nr;

	if (s->nr && seg_is(&s->seg[s->last], id)) {
		*seg = s->last;
		return 0;
	}
	i = seg_hash(id->dev, id->ino, id->index >> PAGES_INDEX_BITS);
	for (; s->nr_slots; i++) {
		nr = s->slot[i & (s->nr_slots - 1)];
		if (!nr)
			break;
		if (seg_is(&s->seg[nr - 1], id)) {
			*seg = s->last = nr - 1;
			return 0;
		}
	}
	return seg_new(s, id, seg);
}

void page_segs_free(struct page_segs *s)
{
	free(s->seg);
	free(s->slot);
}
