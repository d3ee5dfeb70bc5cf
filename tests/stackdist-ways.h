/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-ways.h - every way to count stack distances, and two oracles */
#ifndef TESTS_STACKDIST_WAYS_H
#define TESTS_STACKDIST_WAYS_H

#include "analyze/stackdist.h"

/* A set of kernels (MMCAP_CPU) and a number of threads. */
struct way {
	const char *cpu;
	unsigned int nr_threads;
};

#define NR_WAYS 6
extern const struct way ways[NR_WAYS];

/* An engine of that way; kernels the machine lacks become lesser ones. */
struct stackdist *way_engine(const struct way *way);
/* Feeds all keys, a batch at a time; distances are there on return. */
void way_run(struct stackdist *s, const uint64_t *key, unsigned int nr,
	     unsigned int batch, uint64_t *distance);

uint64_t random_next(uint64_t *state);
/* A random rank below nr, one in about rank^0.99. */
uint64_t random_zipf(uint64_t *state, uint64_t nr);

/*
 * The distances of nr accesses, by two methods that share nothing with the
 * engine nor with each other but the index of each key's last access, which
 * is found by sorting: a Fenwick tree over time, and a merge sort that counts.
 * oracle_last() returns index + 1 of the access before, 0 for none; to be
 * freed.
 */
uint32_t *oracle_last(const uint64_t *key, uint32_t nr);
void oracle_fenwick(const uint32_t *last, uint32_t nr, uint64_t *distance);
void oracle_merge(const uint32_t *last, uint32_t nr, uint64_t *distance);

#endif
