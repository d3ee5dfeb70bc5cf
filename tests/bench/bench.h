/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench.h - what the bench tools share: CPU time, the best of the rounds */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include <time.h>

static inline double bench_cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends a round that began at start_s; best_s is 0 before the first. */
static inline void bench_round(double start_s, double *best_s)
{
	double s = bench_cpu_s() - start_s;

	if (!*best_s || s < *best_s)
		*best_s = s;
}

#endif
