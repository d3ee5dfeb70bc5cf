/* SPDX-License-Identifier: GPL-2.0-or-later */
/* area.h - large zeroed memory, in huge pages where they pay */
#ifndef ANALYZE_AREA_H
#define ANALYZE_AREA_H

#include "formats/base.h"

/* A zeroed struct area is an empty one. */
struct area {
	uint8_t *p; /* at a page's start */
	size_t len; /* what is still ours of it */
};

/* Zeroed memory of at least len bytes.  0 or -ENOMEM. */
int area_map(struct area *a, size_t len);
void area_unmap(struct area *a);
/*
 * Gives back what lies before p, as far as whole pages reach: for memory that
 * is read once from start to end while its successor is written.
 */
void area_shed(struct area *a, const void *p);

#endif
