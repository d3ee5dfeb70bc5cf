/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vmemmap.h - from the address of a struct page to its frame */
#ifndef FORMATS_VMEMMAP_H
#define FORMATS_VMEMMAP_H

#include "formats/event.h"

/*
 * With CONFIG_SPARSEMEM_VMEMMAP, as on all 64-bit machines, the struct pages
 * are one array: address = base + size * frame.  Events that tell both give
 * base and size away.  Zeroed, nothing is known yet.
 */
struct vmemmap {
	uint64_t base, size;
	uint64_t address, pfn; /* of the first sample */
	uint32_t nr_samples;
	bool known, contradicted;
};

#define VMEMMAP_SAMPLES 4096 /* as many have to agree, if there are so many */

static inline bool vmemmap_wants(const struct vmemmap *v)
{
	return v->nr_samples < VMEMMAP_SAMPLES && !v->contradicted;
}

/* One that does not agree makes all of them worth nothing. */
void vmemmap_learn(struct vmemmap *v, uint64_t address, uint64_t pfn);

static inline bool vmemmap_known(const struct vmemmap *v)
{
	return v->known && !v->contradicted;
}

/* MMT_NO_PFN if the address is of no struct page. */
static inline uint64_t vmemmap_pfn(const struct vmemmap *v, uint64_t address)
{
	uint64_t bytes = address - v->base;

	if (address < v->base || bytes % v->size ||
	    bytes / v->size >= 1ULL << 52)
		return MMT_NO_PFN;
	return bytes / v->size;
}

#endif
