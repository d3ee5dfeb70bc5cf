/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-keymap.c - from a key to the slot of its last access */

/*
 * Open addressing over buckets of a cache line each: a key lies in its home
 * bucket or, when that was full, in one of those behind it.  The look-ups are
 * in stackdist-kernel.h; here the table is made and grows.
 *
 * Homes are in the order of the hash.  A larger table therefore has its keys
 * in about the same order, and growing is one pass over both, from start to
 * end: no cache miss, and the old one is given back behind the pass, so that
 * the peak is the new one alone.  Homes end before the buckets do, so that
 * nothing needs to wrap around.
 */
#include "config.h"

#include <sys/random.h>

#include "analyze/stackdist-priv.h"

#define HOMES_MIN  256U
#define SPARE      64U        /* buckets behind the last home */
#define SHED_EVERY (1U << 16) /* buckets */

/* At 0.65 of all places, one key in fifteen is not at home. */
static uint64_t keys_of(uint64_t nr_homes)
{
	return nr_homes * BUCKET_KEYS / 20 * 13;
}

static int keymap_map(struct keymap *t, uint64_t nr_homes)
{
	int ret;

	if (nr_homes > UINT32_MAX - SPARE)
		return -ENOMEM;
	t->nr_homes = nr_homes;
	t->nr_buckets = nr_homes + SPARE;
	t->max_keys = keys_of(nr_homes);
	ret = area_map(&t->area, t->nr_buckets * sizeof(*t->bucket));
	t->bucket = (struct bucket *)t->area.p;
	return ret;
}

/* Not known to who wrote the keys, even if there is no entropy to be had. */
static void salt_fill(struct keymap *t)
{
	unsigned int i;

	if (getrandom(t->salt, sizeof(t->salt), GRND_NONBLOCK) !=
	    sizeof(t->salt))
		for (i = 0; i < ARRAY_SIZE(t->salt); i++)
			t->salt[i] = hash_u64((uintptr_t)t->area.p + i);
	t->salt[1] |= 1;
	t->salt[2] |= 1;
}

int keymap_new(struct keymap *t)
{
	int ret;

	memset(t, 0, sizeof(*t));
	ret = keymap_map(t, HOMES_MIN);
	if (!ret)
		salt_fill(t);
	return ret;
}

void keymap_free(struct keymap *t)
{
	area_unmap(&t->area);
	t->bucket = NULL;
}

/* -ENOMEM if the spare buckets are full, which no hash should ever do. */
static int put(struct keymap *t, uint64_t key, uint32_t slot)
{
	struct bucket *b = &t->bucket[keymap_home(t, key)];
	const struct bucket *end = t->bucket + t->nr_buckets;

	while (b < end && b->nr == BUCKET_KEYS)
		b++;
	if (b == end)
		return -ENOMEM;
	b->key[b->nr] = key;
	b->slot[b->nr++] = slot;
	return 0;
}

/* Puts all keys of from into t and gives its memory back on the way. */
static int move_keys(struct keymap *t, struct keymap *from)
{
	const struct bucket *b;
	uint64_t i;
	uint32_t j;
	int ret;

	for (i = 0; i < from->nr_buckets; i++) {
		b = &from->bucket[i];
		for (j = 0; j < b->nr; j++) {
			ret = put(t, b->key[j], b->slot[j]);
			if (ret)
				return ret;
		}
		if (i % SHED_EVERY == SHED_EVERY - 1)
			area_shed(&from->area, b + 1);
	}
	return 0;
}

/* By half.  After an error the keys are lost. */
static int keymap_grow(struct keymap *t)
{
	struct keymap old = *t;
	int ret;

	ret = keymap_map(t, old.nr_homes + old.nr_homes / 2);
	if (ret) {
		*t = old;
		return ret;
	}
	ret = move_keys(t, &old);
	keymap_free(&old);
	return ret;
}

/* In the buckets behind the homes, one is only used if those before are full.
 */
static bool end_is_near(const struct keymap *t)
{
	return t->bucket[t->nr_buckets - RUN_MAX / BUCKET_KEYS - 2].nr;
}

int keymap_reserve(struct keymap *t, bool *grown)
{
	int ret = 0;

	*grown = false;
	while (!ret && (t->nr_keys + RUN_MAX > t->max_keys || end_is_near(t))) {
		*grown = true;
		ret = keymap_grow(t);
	}
	return ret;
}
