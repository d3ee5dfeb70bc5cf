/* SPDX-License-Identifier: GPL-2.0-or-later */
/* area.c - large zeroed memory, in huge pages where they pay */

/*
 * Tables of gigabytes that are accessed at random miss the TLB at every step
 * when they lie in small pages.  An area of at least one huge page starts at a
 * huge page's boundary and asks for them; the kernel may say no.  What is left
 * at its end lies in small pages.
 *
 * Memory comes from mmap() because it can then go back piece by piece while
 * the rest is still in use, which malloc() has no way to say.
 */
#include "config.h"

#include <sys/mman.h>

#include "analyze/area.h"

#define SMALL_PAGE ((size_t)4096)
#define HUGE_PAGE  ((size_t)2 << 20)

static size_t round_up(size_t len, size_t unit)
{
	return (len + unit - 1) & ~(unit - 1);
}

static uint8_t *map(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Maps one huge page too much, and cuts both ends. */
static uint8_t *map_aligned(size_t len)
{
	uint8_t *p = map(len + HUGE_PAGE), *start;

	if (!p)
		return NULL;
	start = (uint8_t *)round_up((uintptr_t)p, HUGE_PAGE);
	if (start > p)
		munmap(p, (size_t)(start - p));
	if (start < p + HUGE_PAGE)
		munmap(start + len, (size_t)(p + HUGE_PAGE - start));
	madvise(start, len, MADV_HUGEPAGE);
	return start;
}

int area_map(struct area *a, size_t len)
{
	if (!len || len > SIZE_MAX / 2)
		return -ENOMEM;
	a->len = round_up(len, SMALL_PAGE);
	a->p = len < HUGE_PAGE ? map(a->len) : map_aligned(a->len);
	if (a->p)
		return 0;
	a->len = 0;
	return -ENOMEM;
}

void area_unmap(struct area *a)
{
	if (a->len)
		munmap(a->p, a->len);
	a->p = NULL;
	a->len = 0;
}

void area_shed(struct area *a, const void *p)
{
	size_t len = (size_t)((const uint8_t *)p - a->p) & ~(HUGE_PAGE - 1);

	if (!len)
		return;
	munmap(a->p, len);
	a->p += len;
	a->len -= len;
}
