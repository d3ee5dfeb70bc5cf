/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist.c - exact LRU stack distance of a stream of keys */

/*
 * Bennett and Kruskal (1975) and Olken (1981): every access takes the next
 * slot of a time line, and only the last access to each key keeps its bit
 * there.  The distance of an access to a key last seen in slot p is then the
 * number of bits above p.
 *
 *	slots     0 ..... p .......................... next
 *	bits      0010010 1 0001000000100000010000001 (here)
 *	                    `--- the distance: 4 ---'
 *
 * Two parts:
 *
 * - The line: one bit per slot in blocks of 512 (a cache line), and the number
 *   of bits of each finished block in a Fenwick tree.  Rank of a slot: one
 *   walk of the tree, at most eight popcounts.  The block being filled is not
 *   in the tree, so a new access costs nothing there.  When the line is used
 *   up, its bits are moved together at the start of a new one, which has eight
 *   slots per key: each access pays for a seventh of such a move.
 *
 * - The table, key -> slot: open addressing with linear probes, cut into 256
 *   shards by the hash.  A shard grows alone and by half, so the peak while
 *   growing is that of one shard, and an entry of 16 bytes takes 21 to 32.
 *
 * All in all 22 to 35 bytes per distinct key, nothing per access.
 */
#include "config.h"

#include <stdlib.h>

#include "analyze/stackdist.h"

#define SHARD_BITS    8
#define NR_SHARDS     (1U << SHARD_BITS)
#define SHARD_CAP_MIN 16U
#define AHEAD         8 /* keys whose entries are fetched in advance */

#define BLOCK_WORDS   8U
#define BLOCK_SLOTS   (BLOCK_WORDS * 64)
#define BLOCKS_MIN    64U
#define SLOTS_PER_KEY 8

struct entry {
	uint64_t key;
	uint64_t slot1; /* slot + 1; 0: the entry is free */
};

struct shard {
	struct entry *entry;
	uint32_t cap, nr;
};

struct line {
	uint64_t *bits; /* nr_blocks * BLOCK_WORDS words */
	uint64_t *tree; /* Fenwick, from 1: bits of finished blocks */
	uint64_t nr_blocks;
	uint64_t next; /* slot of the next access */
};

struct stackdist {
	struct line line;
	uint64_t nr_keys;
	uint64_t salt;
	struct shard shard[NR_SHARDS];
};

/* --------------------------------------------------------------- the line */

static void line_free(struct line *line)
{
	free(line->bits);
	free(line->tree);
	memset(line, 0, sizeof(*line));
}

static int line_new(struct line *line, uint64_t nr_blocks)
{
	memset(line, 0, sizeof(*line));
	line->nr_blocks = nr_blocks;
	line->bits = calloc(nr_blocks, BLOCK_WORDS * sizeof(*line->bits));
	line->tree = calloc(nr_blocks + 1, sizeof(*line->tree));
	if (line->bits && line->tree)
		return 0;
	line_free(line);
	return -ENOMEM;
}

static inline unsigned int popcount(uint64_t word)
{
	return (unsigned int)__builtin_popcountll(word);
}

static uint64_t block_count(const struct line *line, uint64_t block)
{
	const uint64_t *word = line->bits + block * BLOCK_WORDS;
	unsigned int i, nr = 0;

	for (i = 0; i < BLOCK_WORDS; i++)
		nr += popcount(word[i]);
	return nr;
}

/* Bits of a slot's block up to the slot itself. */
static inline uint64_t block_rank(const struct line *line, uint64_t slot)
{
	const uint64_t *word = line->bits + slot / BLOCK_SLOTS * BLOCK_WORDS;
	unsigned int i, last = slot % BLOCK_SLOTS / 64, nr = 0;

	for (i = 0; i < last; i++)
		nr += popcount(word[i]);
	return nr + popcount(word[last] << (63 - slot % 64));
}

/* Bits in slots up to this one. */
static inline uint64_t line_rank(const struct line *line, uint64_t slot)
{
	uint64_t nr = block_rank(line, slot), i;

	for (i = slot / BLOCK_SLOTS; i; i &= i - 1)
		nr += line->tree[i];
	return nr;
}

/* Adds to the count of a block; -1 as the wrapped number. */
static inline void tree_add(struct line *line, uint64_t block, uint64_t v)
{
	uint64_t i;

	for (i = block + 1; i <= line->nr_blocks; i += i & -i)
		line->tree[i] += v;
}

static inline void line_clear(struct line *line, uint64_t slot)
{
	line->bits[slot / 64] &= ~(1ULL << slot % 64);
	if (slot / BLOCK_SLOTS != line->next / BLOCK_SLOTS)
		tree_add(line, slot / BLOCK_SLOTS, -1ULL);
}

/* Sets the next slot's bit; a block that is full goes into the tree. */
static inline uint64_t line_append(struct line *line)
{
	uint64_t slot = line->next, block = slot / BLOCK_SLOTS;

	line->bits[slot / 64] |= 1ULL << slot % 64;
	if (++line->next % BLOCK_SLOTS == 0)
		tree_add(line, block, block_count(line, block));
	return slot;
}

static inline bool line_is_full(const struct line *line)
{
	return line->next == line->nr_blocks * BLOCK_SLOTS;
}

/* Makes tree[block] the number of bits in all blocks before it. */
static void line_sum_up(struct line *line)
{
	uint64_t block, sum = 0;

	for (block = 0; block < line->nr_blocks; block++) {
		line->tree[block] = sum;
		sum += block_count(line, block);
	}
}

/* Sets the first nr bits of a fresh line. */
static void line_fill(struct line *line, uint64_t nr)
{
	uint64_t i;

	for (i = 0; i < nr / 64; i++)
		line->bits[i] = ~0ULL;
	if (nr % 64)
		line->bits[i] = (1ULL << nr % 64) - 1;
	line->next = nr;
	for (i = 0; i < nr / BLOCK_SLOTS; i++)
		tree_add(line, i, BLOCK_SLOTS);
}

/* -------------------------------------------------------------- the table */

static inline uint64_t key_hash(const struct stackdist *s, uint64_t key)
{
	return hash_u64(key ^ s->salt);
}

/* The upper bits choose the shard, the lower 32 the place in it. */
static inline struct shard *shard_of(struct stackdist *s, uint64_t hash)
{
	return &s->shard[hash >> (64 - SHARD_BITS)];
}

static inline uint32_t shard_home(const struct shard *shard, uint64_t hash)
{
	return (uint32_t)((hash & UINT32_MAX) * shard->cap >> 32);
}

/* The key's entry, or the free one where it belongs. */
static inline struct entry *shard_find(const struct shard *shard, uint64_t hash,
				       uint64_t key)
{
	uint32_t i = shard_home(shard, hash);

	while (shard->entry[i].slot1 && shard->entry[i].key != key)
		if (++i == shard->cap)
			i = 0;
	return &shard->entry[i];
}

static int shard_grow(const struct stackdist *s, struct shard *shard)
{
	struct shard grown = {.nr = shard->nr};
	const struct entry *from;
	uint32_t i;

	if (shard->cap > UINT32_MAX / 2)
		return -ENOMEM;
	grown.cap = MAX(shard->cap + shard->cap / 2, SHARD_CAP_MIN);
	grown.entry = calloc(grown.cap, sizeof(*grown.entry));
	if (!grown.entry)
		return -ENOMEM;
	for (i = 0; i < shard->cap; i++) {
		from = &shard->entry[i];
		if (from->slot1)
			*shard_find(&grown, key_hash(s, from->key), from->key) =
				*from;
	}
	free(shard->entry);
	*shard = grown;
	return 0;
}

/* Gives every key the slot that is the rank of its bit. */
static void table_renumber(struct stackdist *s)
{
	const struct line *line = &s->line;
	struct shard *shard;
	struct entry *e;

	for (shard = s->shard; shard < s->shard + NR_SHARDS; shard++)
		for (e = shard->entry; e < shard->entry + shard->cap; e++)
			if (e->slot1)
				e->slot1 = line->tree[(e->slot1 - 1) /
						      BLOCK_SLOTS] +
					   block_rank(line, e->slot1 - 1);
}

/* ------------------------------------------------------------------- both */

/* Moves all bits to the start of a new line with room for what follows. */
static int compact(struct stackdist *s)
{
	uint64_t slots = s->nr_keys * SLOTS_PER_KEY;
	struct line fresh;
	int ret;

	ret = line_new(&fresh, MAX(slots / BLOCK_SLOTS + 1, BLOCKS_MIN));
	if (ret)
		return ret;
	line_sum_up(&s->line);
	table_renumber(s);
	line_fill(&fresh, s->nr_keys);
	line_free(&s->line);
	s->line = fresh;
	return 0;
}

/* A first access: e is where the key belongs. */
static int insert(struct stackdist *s, uint64_t hash, uint64_t key,
		  struct entry *e)
{
	struct shard *shard = shard_of(s, hash);
	int ret;

	if ((uint64_t)shard->nr * 4 >= (uint64_t)shard->cap * 3) {
		ret = shard_grow(s, shard);
		if (ret)
			return ret;
		e = shard_find(shard, hash, key);
	}
	shard->nr++;
	s->nr_keys++;
	e->key = key;
	e->slot1 = line_append(&s->line) + 1;
	return 0;
}

static inline int access_one(struct stackdist *s, uint64_t key,
			     uint64_t *distance)
{
	uint64_t hash = key_hash(s, key);
	struct entry *e;
	int ret;

	if (unlikely(line_is_full(&s->line))) {
		ret = compact(s);
		if (ret)
			return ret;
	}
	e = shard_find(shard_of(s, hash), hash, key);
	if (!e->slot1) {
		*distance = STACKDIST_COLD;
		return insert(s, hash, key, e);
	}
	*distance = s->nr_keys - line_rank(&s->line, e->slot1 - 1);
	line_clear(&s->line, e->slot1 - 1);
	e->slot1 = line_append(&s->line) + 1;
	return 0;
}

/* The table is far larger than any cache: ask for its lines early. */
static inline void fetch(struct stackdist *s, uint64_t key)
{
	uint64_t hash = key_hash(s, key);
	const struct shard *shard = shard_of(s, hash);

	__builtin_prefetch(&shard->entry[shard_home(shard, hash)], 1);
}

int stackdist_batch(struct stackdist *s, const uint64_t *keys, unsigned int nr,
		    uint64_t *distances)
{
	unsigned int i;
	int ret;

	for (i = 0; i < nr; i++) {
		if (i + AHEAD < nr)
			fetch(s, keys[i + AHEAD]);
		ret = access_one(s, keys[i], &distances[i]);
		if (ret)
			return ret;
	}
	return 0;
}

int stackdist_new(struct stackdist **sp)
{
	struct stackdist *s;
	unsigned int i;
	int ret;

	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	/*
	 * Keys come from files of strangers.  Where the heap lies is not known
	 * to them, so they cannot choose keys that all collide.
	 */
	s->salt = hash_u64((uintptr_t)s);
	ret = line_new(&s->line, BLOCKS_MIN);
	for (i = 0; !ret && i < NR_SHARDS; i++)
		ret = shard_grow(s, &s->shard[i]);
	if (ret) {
		stackdist_free(s);
		return ret;
	}
	*sp = s;
	return 0;
}

void stackdist_free(struct stackdist *s)
{
	unsigned int i;

	if (!s)
		return;
	for (i = 0; i < NR_SHARDS; i++)
		free(s->shard[i].entry);
	line_free(&s->line);
	free(s);
}

uint64_t stackdist_distinct(const struct stackdist *s)
{
	return s->nr_keys;
}

size_t stackdist_bytes(const struct stackdist *s)
{
	size_t bytes = sizeof(*s);
	unsigned int i;

	bytes += s->line.nr_blocks * BLOCK_WORDS * sizeof(*s->line.bits);
	bytes += (s->line.nr_blocks + 1) * sizeof(*s->line.tree);
	for (i = 0; i < NR_SHARDS; i++)
		bytes += s->shard[i].cap * sizeof(struct entry);
	return bytes;
}
