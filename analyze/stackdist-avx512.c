/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-avx512.c - the hot loops of stackdist with AVX-512 */

/* A bucket is compared, a node counted down, in one step each. */
#include "config.h"

#include "analyze/stackdist-priv.h"

#ifdef __x86_64__
#include <immintrin.h>

#define KERNELS stackdist_avx512
#define TARGET                                                               \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2," \
			      "popcnt")))

/* Lanes that hold no key are slots: the number of keys cuts them off. */
static TARGET inline unsigned int bucket_match(const struct bucket *b,
					       uint64_t key)
{
	__m512i lanes = _mm512_load_si512(b);
	unsigned int equal =
		_mm512_cmpeq_epi64_mask(lanes, _mm512_set1_epi64((long)key));

	return _bzhi_u32(equal, b->nr);
}

static TARGET inline unsigned int bits_count(uint64_t v)
{
	return (unsigned int)__builtin_popcountll(v);
}

static TARGET inline void lanes16_dec(uint16_t *p, unsigned int i)
{
	__m512i v = _mm512_load_si512(p);

	v = _mm512_mask_sub_epi16(v, 0xfffffffeU << i, v, _mm512_set1_epi16(1));
	_mm512_store_si512(p, v);
}

static TARGET inline void lanes32_dec(uint32_t *p, unsigned int i)
{
	__m512i v = _mm512_load_si512(p);

	v = _mm512_mask_sub_epi32(v, (__mmask16)(0xfffeU << i), v,
				  _mm512_set1_epi32(1));
	_mm512_store_si512(p, v);
}

/* keymap_home() of eight keys at once; returns how many are done. */
static TARGET inline unsigned int locate_lanes(const struct keymap *t,
					       struct probe *p)
{
	const __m512i salt0 = _mm512_set1_epi64((long)t->salt[0]);
	const __m512i salt1 = _mm512_set1_epi64((long)t->salt[1]);
	const __m512i salt2 = _mm512_set1_epi64((long)t->salt[2]);
	const __m512i homes = _mm512_set1_epi64((long)t->nr_homes);
	unsigned int i;
	__m512i v;

	for (i = 0; i + 8 <= p->nr; i += 8) {
		v = _mm512_loadu_si512(p->key + i);
		v = _mm512_mullo_epi64(_mm512_xor_si512(v, salt0), salt1);
		v = _mm512_xor_si512(v, _mm512_srli_epi64(v, 32));
		v = _mm512_mullo_epi64(v, salt2);
		v = _mm512_mul_epu32(_mm512_srli_epi64(v, 32), homes);
		v = _mm512_srli_epi64(v, 32);
		_mm256_storeu_si256((void *)(p->home + i),
				    _mm512_cvtepi64_epi32(v));
	}
	return i;
}

#include "analyze/stackdist-kernel.h"
#endif
