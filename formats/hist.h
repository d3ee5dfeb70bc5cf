/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hist.h - log-linear histogram of 64-bit values, and its quantiles */
#ifndef FORMATS_HIST_H
#define FORMATS_HIST_H

#include "formats/base.h"

/*
 * Exact below 512; above, 256 buckets per power of two, so that a bucket is
 * never wider than 1/256 of its values (the layout of HdrHistogram).
 */
#define HIST_SUB_BITS 8
#define HIST_EXACT    (2U << HIST_SUB_BITS)
#define HIST_BUCKETS  ((65 - HIST_SUB_BITS) << HIST_SUB_BITS)

struct hist {
	uint64_t nr;     /* values added */
	uint64_t max;    /* largest value, exact */
	uint64_t min;    /* smallest value, exact */
	long double sum; /* of the values, exact */
	uint64_t count[HIST_BUCKETS];
};

int hist_new(struct hist **hp);
void hist_free(struct hist *h);

static inline unsigned int hist_bucket(uint64_t v)
{
	/* The bit makes the shift 0 below HIST_EXACT, without a branch. */
	unsigned int shift = 63 - HIST_SUB_BITS -
			     (unsigned int)__builtin_clzll(v | HIST_EXACT / 2);

	return (unsigned int)((shift << HIST_SUB_BITS) + (v >> shift));
}

/* Smallest and largest value of a bucket. */
uint64_t hist_low(unsigned int bucket);
uint64_t hist_high(unsigned int bucket);

void hist_add(struct hist *h, uint64_t v, uint64_t count);
void hist_merge(struct hist *h, const struct hist *from);
/* Values below limit, exact if limit is the low end of a bucket. */
uint64_t hist_below(const struct hist *h, uint64_t limit);
/* Smallest v with at least share of the values <= v (its bucket's low end). */
uint64_t hist_quantile(const struct hist *h, double share);

#endif
