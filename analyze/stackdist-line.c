/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-line.c - the time line: a bit per slot, and how many lie before */

/*
 * Bits are counted at several levels: each leaf of bits knows the number of
 * bits before it in its node, each node the number before it in its parent,
 * and so on.  A slot's rank is then one sum with a term per level.  To take a
 * bit out, one is subtracted from all behind it in its node, in its parent
 * ..., which vectors do in one step a level (stackdist-kernel.h).
 *
 * Nothing behind the last slot in use has a count yet: a leaf, a node, gets
 * it when the line comes there, from the one before it.  Appending a slot is
 * therefore nothing but its bit.
 */
#include "config.h"

#include "analyze/stackdist-priv.h"

static uint64_t div_up(uint64_t v, uint64_t by)
{
	return (v + by - 1) / by;
}

/* Bytes of an array that starts and ends with a cache line. */
static size_t lines_of(uint64_t nr, size_t size)
{
	return div_up(nr * size, 64) * 64;
}

int line_new(struct line *l, uint64_t nr_slots)
{
	size_t at[LEVELS_MAX + 2] = {0};
	unsigned int i;
	uint64_t nr;
	int ret;

	memset(l, 0, sizeof(*l));
	nr = div_up(MIN(nr_slots, SLOTS_MAX), NODE_SLOTS);
	l->nr_slots = nr * NODE_SLOTS;
	at[0] = lines_of(l->nr_slots / 64, sizeof(*l->bits));
	at[1] = at[0] + lines_of(nr * NODE_LEAVES, sizeof(*l->before));
	for (; nr > 1; nr = div_up(nr, FANOUT), l->nr_levels++)
		at[l->nr_levels + 2] =
			at[l->nr_levels + 1] +
			lines_of(div_up(nr, FANOUT) * FANOUT, sizeof(uint32_t));
	ret = area_map(&l->area, at[l->nr_levels + 1]);
	if (ret)
		return ret;
	l->bits = (uint64_t *)l->area.p;
	l->before = (uint16_t *)(l->area.p + at[0]);
	for (i = 0; i < l->nr_levels; i++)
		l->level[i] = (uint32_t *)(l->area.p + at[i + 1]);
	return 0;
}

void line_free(struct line *l)
{
	area_unmap(&l->area);
	memset(l, 0, sizeof(*l));
}

static uint32_t leaf_count(const struct line *l, uint64_t leaf)
{
	const uint64_t *word = l->bits + leaf * LEAF_WORDS;
	uint32_t i, nr = 0;

	for (i = 0; i < LEAF_WORDS; i++)
		nr += (uint32_t)__builtin_popcountll(word[i]);
	return nr;
}

/* The line comes to a leaf that is not the first: its counts, upwards. */
static void line_enter(struct line *l, uint64_t leaf)
{
	uint32_t nr = l->before[leaf - 1] + leaf_count(l, leaf - 1);
	uint64_t at = leaf / NODE_LEAVES;
	unsigned int i;

	if (leaf % NODE_LEAVES) {
		l->before[leaf] = (uint16_t)nr;
		return;
	}
	l->before[leaf] = 0;
	for (i = 0; i < l->nr_levels; i++, at /= FANOUT) {
		nr += l->level[i][at - 1];
		if (at % FANOUT) {
			l->level[i][at] = nr;
			return;
		}
		l->level[i][at] = 0;
	}
}

void line_append(struct line *l, uint64_t nr)
{
	uint64_t slot = l->next, end = slot + nr, len;

	while (slot < end) {
		if (slot && slot % LEAF_SLOTS == 0)
			line_enter(l, slot / LEAF_SLOTS);
		len = MIN(end - slot, 64 - slot % 64);
		l->bits[slot / 64] |= ~0ULL >> (64 - len) << slot % 64;
		slot += len;
	}
	l->next = end;
	l->nr_live += nr;
}
