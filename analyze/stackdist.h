/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist.h - exact LRU stack distance of a stream of keys */
#ifndef ANALYZE_STACKDIST_H
#define ANALYZE_STACKDIST_H

#include "formats/hist.h"

/* The distance of a first access: no number, and never part of a mean. */
#define STACKDIST_COLD UINT64_MAX

struct stackdist;

/* 0 or -ENOMEM. */
int stackdist_new(struct stackdist **sp);
void stackdist_free(struct stackdist *s);
/*
 * Before the first access: with two threads or more, a second one counts
 * behind the caller's, and all that is said below to be there is so only after
 * stackdist_sync().  0 or a negative errno.
 */
int stackdist_threads(struct stackdist *s, unsigned int nr_threads);

/*
 * The next nr accesses, in order.  distances[i] becomes the number of other
 * distinct keys accessed since the last access to keys[i]: 0 if it is accessed
 * twice in a row, STACKDIST_COLD at the first time.  An LRU cache of C entries
 * hits exactly those below C.  After -ENOMEM only stackdist_free() is valid.
 */
int stackdist_batch(struct stackdist *s, const uint64_t *keys, unsigned int nr,
		    uint64_t *distances);
/*
 * The same, the distances added to a histogram, without the cold ones: there
 * is one for each distinct key.
 */
int stackdist_hist(struct stackdist *s, const uint64_t *keys, unsigned int nr,
		   struct hist *hist);
/* Waits until all distances are where they belong. */
void stackdist_sync(struct stackdist *s);

/* Distinct keys so far: an upper bound of every distance. */
uint64_t stackdist_distinct(const struct stackdist *s);
/* Memory in use. */
size_t stackdist_bytes(const struct stackdist *s);

#endif
