/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hist.c - log-linear histogram of 64-bit values, and its quantiles */

/*
 * The layout is that of HdrHistogram: values below HIST_EXACT have a bucket
 * each; every power of two above is cut into 1 << HIST_SUB_BITS buckets of
 * equal width.  With shift = log2(width), a value lands in bucket
 * (shift << HIST_SUB_BITS) + (value >> shift), which is monotonous without a
 * gap because value >> shift has its top bit at HIST_SUB_BITS.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "formats/hist.h"

_Static_assert(HIST_BUCKETS == (55U << HIST_SUB_BITS) + HIST_EXACT,
	       "UINT64_MAX lands in the last bucket");

int hist_new(struct hist **hp)
{
	struct hist *h;

	h = calloc(1, sizeof(*h));
	if (!h)
		return -ENOMEM;
	*hp = h;
	return 0;
}

void hist_free(struct hist *h)
{
	free(h);
}

uint64_t hist_low(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < HIST_EXACT)
		return bucket;
	shift = (bucket >> HIST_SUB_BITS) - 1;
	return (uint64_t)(bucket - (shift << HIST_SUB_BITS)) << shift;
}

uint64_t hist_high(unsigned int bucket)
{
	/* Unsigned wrap makes the last bucket end at UINT64_MAX. */
	if (bucket + 1 == HIST_BUCKETS)
		return UINT64_MAX;
	return hist_low(bucket + 1) - 1;
}

void hist_add(struct hist *h, uint64_t v, uint64_t count)
{
	if (!count)
		return;
	if (!h->nr || v < h->min)
		h->min = v;
	if (v > h->max)
		h->max = v;
	h->nr += count;
	h->sum += (long double)v * count;
	h->count[hist_bucket(v)] += count;
}

void hist_merge(struct hist *h, const struct hist *from)
{
	unsigned int i;

	if (!from->nr)
		return;
	if (!h->nr || from->min < h->min)
		h->min = from->min;
	if (from->max > h->max)
		h->max = from->max;
	h->nr += from->nr;
	h->sum += from->sum;
	for (i = 0; i < HIST_BUCKETS; i++)
		h->count[i] += from->count[i];
}

uint64_t hist_below(const struct hist *h, uint64_t limit)
{
	unsigned int i, end;
	uint64_t nr = 0;

	if (limit > h->max)
		return h->nr;
	end = hist_bucket(limit);
	for (i = 0; i < end; i++)
		nr += h->count[i];
	return nr;
}

/*
 * 0.07 as a double is a little above seven hundredths, and 0.07 of 100 values
 * are 7 and not 8: give way by the error that the constant itself has.
 */
static uint64_t rank_of(uint64_t nr, double share)
{
	long double rank = ceill((long double)share * nr * (1 - DBL_EPSILON));

	if (!(rank >= 1))
		return 1;
	return rank >= nr ? nr : (uint64_t)rank;
}

uint64_t hist_quantile(const struct hist *h, double share)
{
	uint64_t rank, nr = 0;
	unsigned int i;

	if (!h->nr)
		return 0;
	rank = rank_of(h->nr, share);
	for (i = 0; i < HIST_BUCKETS; i++) {
		nr += h->count[i];
		if (nr >= rank)
			break;
	}
	return hist_low(i);
}
