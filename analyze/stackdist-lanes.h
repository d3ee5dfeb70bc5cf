/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-lanes.h - counting down lanes without masks */

/*
 * For stackdist-plain.c and -avx2.c, which define LANES_BYTES, the size of
 * their vectors, and TARGET.  What is added to a node is cut out of an array
 * of zeros and minus ones at the place where the lanes behind i get the ones.
 */
typedef uint16_t lanes16 __attribute__((vector_size(LANES_BYTES), may_alias));
typedef uint32_t lanes32 __attribute__((vector_size(LANES_BYTES), may_alias));
typedef lanes16 lanes16_any __attribute__((aligned(2)));
typedef lanes32 lanes32_any __attribute__((aligned(4)));

static const uint16_t minus16[2 * NODE_LEAVES] = {
	[NODE_LEAVES... 2 * NODE_LEAVES - 1] = UINT16_MAX,
};

static const uint32_t minus32[2 * FANOUT] = {
	[FANOUT... 2 * FANOUT - 1] = UINT32_MAX,
};

static TARGET inline void lanes16_dec(uint16_t *p, unsigned int i)
{
	const lanes16_any *by = (const void *)(minus16 + NODE_LEAVES - 1 - i);
	lanes16 *v = (void *)p;
	unsigned int j;

#pragma GCC unroll 4
	for (j = 0; j < 64 / LANES_BYTES; j++)
		v[j] += by[j];
}

static TARGET inline void lanes32_dec(uint32_t *p, unsigned int i)
{
	const lanes32_any *by = (const void *)(minus32 + FANOUT - 1 - i);
	lanes32 *v = (void *)p;
	unsigned int j;

#pragma GCC unroll 4
	for (j = 0; j < 64 / LANES_BYTES; j++)
		v[j] += by[j];
}
