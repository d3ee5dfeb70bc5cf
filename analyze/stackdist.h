/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist.h - exact LRU stack distance of a stream of keys */
#ifndef ANALYZE_STACKDIST_H
#define ANALYZE_STACKDIST_H

#include "formats/base.h"

/* The distance of a first access: no number, and never part of a mean. */
#define STACKDIST_COLD UINT64_MAX

struct stackdist;

/* 0 or -ENOMEM. */
int stackdist_new(struct stackdist **sp);
void stackdist_free(struct stackdist *s);

/*
 * The next nr accesses, in order.  distances[i] becomes the number of other
 * distinct keys accessed since the last access to keys[i]: 0 if it is accessed
 * twice in a row, STACKDIST_COLD at the first time.  An LRU cache of C entries
 * hits exactly those below C.  After -ENOMEM only stackdist_free() is valid.
 */
int stackdist_batch(struct stackdist *s, const uint64_t *keys, unsigned int nr,
		    uint64_t *distances);

/* Distinct keys so far: an upper bound of every distance. */
uint64_t stackdist_distinct(const struct stackdist *s);
/* Memory in use. */
size_t stackdist_bytes(const struct stackdist *s);

#endif
