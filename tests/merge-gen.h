/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge-gen.h - logs to repack, in memory */
#ifndef TESTS_MERGE_GEN_H
#define TESTS_MERGE_GEN_H

#include "tests/log-expect.h"

/* A file in memory; it goes when the program ends. */
struct merge_file {
	char path[64];
	int fd;
};

extern struct merge_file merge_from, merge_to, merge_again;

/* Makes the three; a setup of cmocka. */
int merge_setup(void **state);

/* Fills merge_from with random events of five CPUs, which nothing predicts. */
void merge_make_random(uint64_t seed, unsigned int nr_types, unsigned int nr);
/* Fills it with a page cache in small, all of whose columns are predicted. */
void merge_make_cache(unsigned int nr_pages);
/* Repacks the log at a path into a file. */
void merge_repack(const char *from, int to);

#endif
