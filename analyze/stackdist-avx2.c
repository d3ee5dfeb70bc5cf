/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-avx2.c - the hot loops of stackdist with AVX2 */

#include "config.h"

#include "analyze/stackdist-priv.h"

#ifdef __x86_64__
#include <immintrin.h>

#define KERNELS     stackdist_avx2
#define TARGET      __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define LANES_BYTES 32
#include "analyze/stackdist-lanes.h"

static TARGET inline unsigned int four_match(const void *keys, __m256i key)
{
	__m256i equal = _mm256_cmpeq_epi64(_mm256_load_si256(keys), key);

	return (unsigned int)_mm256_movemask_pd(_mm256_castsi256_pd(equal));
}

/* Lanes that hold no key are slots: the number of keys cuts them off. */
static TARGET inline unsigned int bucket_match(const struct bucket *b,
					       uint64_t key)
{
	__m256i all = _mm256_set1_epi64x((long long)key);

	return _bzhi_u32(four_match(b->key, all) | four_match(b->key + 4, all)
							   << 4,
			 b->nr);
}

static TARGET inline unsigned int bits_count(uint64_t v)
{
	return (unsigned int)__builtin_popcountll(v);
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
#endif
