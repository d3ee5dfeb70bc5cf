/* SPDX-License-Identifier: GPL-2.0-or-later */
/* btf-gen.h - type information of kernels that were never built */
#ifndef TESTS_BTF_GEN_H
#define TESTS_BTF_GEN_H

#include <bpf/btf.h>

#include "tests/mock-tree.h"

/* What of a kernel's configuration shows in its types. */
struct btf_kernel {
	unsigned int nr_flags;
	unsigned int nr_zones;
	unsigned int nr_gens; /* 0: no MGLRU */
	unsigned int nr_tiers;
	unsigned int nodemask_words; /* 0: no nodemask_t */
	bool cpupid_in_page;
	bool is_32bit;
	const char *mglru; /* the name of its struct */
};

/* Of Debian's amd64 kernels, 6.1 and 6.12. */
extern const struct btf_kernel btf_debian;

/* Types that the page flags depend on, written to the tree. */
void btf_gen(const struct host *h, const struct btf_kernel *k);

/* Writes /sys/kernel/btf/vmlinux, and frees the types. */
void btf_write(const struct host *h, struct btf *btf);

/* One that libbpf must have accepted. */
int btf_id(int id);

#endif
