/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-kernel.h - the hot loops of stackdist, once per instruction set */

/*
 * Not a header: the body of stackdist-plain.c, -avx2.c and -avx512.c, which
 * define before
 *
 *	TARGET			the function attribute of the instruction set
 *	KERNELS			the name of the struct kernels
 *	locate_lanes(t, p)	homes of the first keys; how many (any)
 *	bucket_match(b, key)	bit i: b->key[i] is key
 *	bits_count(v)		how many bits are set
 *	lanes16_dec(p, i)	one less in the lanes behind i of 32 at p
 *	lanes32_dec(p, i)	the same for FANOUT lanes of 32 bits
 *
 * Both stages live on memory that no cache holds.  Each therefore asks for
 * what the next run will touch while it works on this one.
 */

static TARGET void locate(const struct keymap *t, struct probe *p)
{
	unsigned int i;

	for (i = locate_lanes(t, p); i < p->nr; i++)
		p->home[i] = keymap_home(t, p->key[i]);
}

#define NO_SLOT UINT64_MAX

/* Not at home: in one of the buckets behind, or new. */
static TARGET __attribute__((noinline)) uint64_t find_behind(struct keymap *t,
							     struct bucket *b,
							     uint64_t key,
							     uint32_t slot)
{
	unsigned int match = 0, at;
	uint64_t old = NO_SLOT;

	while (b->nr == BUCKET_KEYS && !match)
		match = bucket_match(++b, key);
	if (match) {
		at = (unsigned int)__builtin_ctz(match);
		old = b->slot[at];
	} else {
		at = b->nr++;
		b->key[at] = key;
		t->nr_keys++;
	}
	b->slot[at] = slot;
	return old;
}

static TARGET void find(struct keymap *t, const struct probe *p,
			const struct probe *next, struct run *run)
{
	unsigned int i, match, nr = 0;
	struct bucket *b;
	uint64_t old;

	for (i = 0; i < p->nr; i++) {
		__builtin_prefetch(&t->bucket[next->home[i]], 1);
		b = &t->bucket[p->home[i]];
		match = bucket_match(b, p->key[i]);
		if (likely(match)) {
			match = (unsigned int)__builtin_ctz(match);
			old = b->slot[match];
			b->slot[match] = run->first + i;
		} else {
			old = find_behind(t, b, p->key[i], run->first + i);
			if (old == NO_SLOT)
				continue;
		}
		run->at[nr] = (uint8_t)i;
		run->slot[nr++] = (uint32_t)old;
	}
	run->nr = p->nr;
	run->nr_again = nr;
}

/*
 * What lies above is small enough to stay in a cache of the core.  To ask for
 * that, too, costs more than it saves: only so many requests can be under way.
 */
static TARGET inline void line_prefetch(const struct line *l, uint32_t slot)
{
	__builtin_prefetch(l->bits + slot / 64, 1);
	__builtin_prefetch(l->before + slot / LEAF_SLOTS, 1);
}

/* Bits of the leaf before the slot: of its word, and of the one in front. */
static TARGET inline uint32_t leaf_rank(const struct line *l, uint32_t slot)
{
	uint32_t word = slot / 64, odd = word % LEAF_WORDS;
	uint64_t below = (1ULL << slot % 64) - 1;

	return bits_count(l->bits[word] & below) +
	       bits_count(l->bits[word - odd] & -(uint64_t)odd);
}

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Takes a bit out; returns how many lie before it. */
static TARGET ALWAYS_INLINE uint32_t line_take(const struct line *l,
					       uint32_t slot,
					       unsigned int nr_levels)
{
	uint32_t at = slot / LEAF_SLOTS, lane = at % NODE_LEAVES;
	uint16_t *before = l->before + (at - lane);
	uint32_t nr = leaf_rank(l, slot) + before[lane];
	uint32_t *level;
	unsigned int i;

	l->bits[slot / 64] &= ~(1ULL << slot % 64);
	lanes16_dec(before, lane);
	at /= NODE_LEAVES;
#pragma GCC unroll 8
	for (i = 0; i < nr_levels; i++) {
		lane = at % FANOUT;
		level = l->level[i] + (at - lane);
		nr += level[lane];
		lanes32_dec(level, lane);
		at /= FANOUT;
	}
	return nr;
}

static TARGET ALWAYS_INLINE void take_run(const struct line *l, struct run *run,
					  const struct run *next,
					  unsigned int nr_levels)
{
	uint32_t live = (uint32_t)l->nr_live - 1 - run->nr;
	unsigned int i, nr = run->nr_again;

	for (i = 0; i < nr; i++) {
		if (i < next->nr_again)
			line_prefetch(l, next->slot[i]);
		run->distance[i] = live + run->at[i] - i -
				   line_take(l, run->slot[i], nr_levels);
	}
	for (; i < next->nr_again; i++)
		line_prefetch(l, next->slot[i]);
}

static TARGET void measure(struct line *l, struct run *run,
			   const struct run *next)
{
	/* All of the run's bits: none is before a slot that is looked for. */
	line_append(l, run->nr);
	switch (l->nr_levels) {
	case 0:
		take_run(l, run, next, 0);
		break;
	case 1:
		take_run(l, run, next, 1);
		break;
	case 2:
		take_run(l, run, next, 2);
		break;
	case 3:
		take_run(l, run, next, 3);
		break;
	case 4:
		take_run(l, run, next, 4);
		break;
	default:
		take_run(l, run, next, 5);
	}
	l->nr_live -= run->nr_again;
}

static TARGET inline uint32_t line_rank(const struct line *l, uint32_t slot)
{
	uint32_t nr = leaf_rank(l, slot) + l->before[slot / LEAF_SLOTS];
	uint32_t at = slot / NODE_SLOTS;
	unsigned int i;

	for (i = 0; i < l->nr_levels; i++, at /= FANOUT)
		nr += l->level[i][at];
	return nr;
}

#define RENUMBER_AHEAD 8 /* buckets */

static TARGET void renumber(struct keymap *t, const struct line *l)
{
	struct bucket *b = t->bucket, *end = b + t->nr_buckets, *ahead;
	uint32_t i;

	for (; b < end; b++) {
		ahead = b + RENUMBER_AHEAD < end ? b + RENUMBER_AHEAD : b;
		for (i = 0; i < ahead->nr; i++)
			line_prefetch(l, ahead->slot[i]);
		for (i = 0; i < b->nr; i++)
			b->slot[i] = line_rank(l, b->slot[i]);
	}
}

const struct kernels KERNELS = {
	.locate = locate,
	.find = find,
	.measure = measure,
	.renumber = renumber,
};
