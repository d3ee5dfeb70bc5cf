/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vmemmap.c - learns where the struct pages of a recording's kernel lie */

/*
 * Two samples of different frames give size and base, all others have to
 * agree.  They do not where pages are not in one array, or where a text has
 * hashed addresses (%p): then nothing is known.
 */

#include "config.h"

#include "formats/vmemmap.h"

void vmemmap_learn(struct vmemmap *v, uint64_t address, uint64_t pfn)
{
	uint64_t size;

	if (!v->nr_samples++) {
		v->address = address;
		v->pfn = pfn;
	} else if (v->known) {
		v->contradicted = address != v->base + v->size * pfn;
	} else if (pfn == v->pfn) {
		v->contradicted = address != v->address;
	} else {
		size = (address - v->address) / (pfn - v->pfn);
		if (pfn < v->pfn)
			size = (v->address - address) / (v->pfn - pfn);
		v->size = size;
		v->base = v->address - size * v->pfn;
		/* struct page has 64 bytes, more or less */
		v->known = size >= 32 && size <= 256 && !(size % 8);
		v->contradicted = !v->known || address != v->base + size * pfn;
	}
}
