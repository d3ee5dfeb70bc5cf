/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpus.h - sets of CPUs as users type them and as the kernel wants them */
#ifndef CAPTURE_CPUS_H
#define CAPTURE_CPUS_H

#include "formats/base.h"

#define CPUS_MAX 8192

struct cpus {
	uint64_t bits[CPUS_MAX / 64];
	unsigned int highest;
};

/* "0-3,8".  0 or -EINVAL. */
int cpus_parse(struct cpus *cpus, const char *list);
static inline bool cpus_have(const struct cpus *cpus, unsigned int cpu)
{
	return cpu < CPUS_MAX && (cpus->bits[cpu / 64] >> cpu % 64 & 1);
}
static inline void cpus_add(struct cpus *cpus, unsigned int cpu)
{
	cpus->bits[cpu / 64] |= 1ULL << cpu % 64;
	cpus->highest = MAX(cpus->highest, cpu);
}
/* As a list again, "0-3,8".  Returns out. */
char *cpus_list(const struct cpus *cpus, char *out, size_t size);
/* As a mask, "0000000f,00000001": groups of 32, highest first. */
int cpus_mask(const struct cpus *cpus, struct buf *out);
/* The cpuN directories of per_cpu/.  0 or -errno. */
int cpus_read_dirs(struct cpus *cpus, const char *tracing);

#endif
