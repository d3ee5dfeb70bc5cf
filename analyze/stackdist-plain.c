/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-plain.c - the hot loops of stackdist for any machine */

#include "config.h"

#include "analyze/stackdist-priv.h"

#define KERNELS stackdist_plain
#define TARGET
#define LANES_BYTES 16
#include "analyze/stackdist-lanes.h"

static inline unsigned int bucket_match(const struct bucket *b, uint64_t key)
{
	unsigned int i, equal = 0;

#pragma GCC unroll 5
	for (i = 0; i < BUCKET_KEYS; i++)
		equal |= (unsigned int)(b->key[i] == key) << i;
	return equal & ((1U << b->nr) - 1);
}

/* Not every x86-64 has the instruction: sums of 2, 4, 8 bits, then of all. */
static inline unsigned int bits_count(uint64_t v)
{
	v -= v >> 1 & 0x5555555555555555ULL;
	v = (v & 0x3333333333333333ULL) + (v >> 2 & 0x3333333333333333ULL);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return (unsigned int)(v * 0x0101010101010101ULL >> 56);
}

/* No vector multiplies 64 bits here: one by one. */
static inline unsigned int locate_lanes(const struct keymap *t,
					const struct probe *p)
{
	(void)t;
	(void)p;
	return 0;
}

#include "analyze/stackdist-kernel.h"
