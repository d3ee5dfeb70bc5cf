/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mrc-cases.h - small access traces with known distances and misses */
#ifndef TESTS_MRC_CASES_H
#define TESTS_MRC_CASES_H

#include "formats/base.h"

#define MRC_MAX_ACCESSES 256
#define MRC_MAX_SIZES    16
#define MRC_MAX_CASES    16

struct mrc_size {
	uint64_t cache_pages, misses;
	char ratio[16], ratio_without_cold[16];
};

struct mrc_case {
	char name[64];
	uint64_t key[MRC_MAX_ACCESSES];
	uint64_t distance[MRC_MAX_ACCESSES]; /* UINT64_MAX: cold */
	unsigned int nr, nr_distances, nr_sizes;
	uint64_t nr_accesses, nr_cold, nr_distinct;
	struct mrc_size size[MRC_MAX_SIZES];
};

/*
 * Reads tests/data/mrc-expected.txt below $top_srcdir; returns the number of
 * cases.  Ends the test program where the file does not read as expected.
 */
unsigned int mrc_cases_read(struct mrc_case *cases);

/* "0.250000", or "undefined" where there is no number. */
void mrc_ratio_text(char out[16], double ratio);

#endif
