/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reuse.c - reuse distance and miss-ratio curve of the page stream */

/*
 * The LRU stack distance of an access is the number of other distinct pages
 * accessed since the last access to the same page (Mattson et al. 1970); one
 * pass gives the misses of every size of an LRU cache at once: a cache of C
 * pages misses a cold access and one at a distance of C or more.
 *
 * An access is a page of a buffered read or a fault.  Pages that fault-around
 * maps along were not known to be touched; they are counted and left out.
 * Cold accesses have no distance and are kept apart from the histogram.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/reuse.h"
#include "analyze/stackdist.h"

int reuse_new(struct reuse **rp, uint64_t page_size)
{
	struct reuse *r;
	int ret;

	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->page_size = page_size;
	ret = stackdist_new(&r->dist);
	if (!ret)
		ret = hist_new(&r->hist);
	if (ret) {
		reuse_free(r);
		return ret;
	}
	*rp = r;
	return 0;
}

void reuse_free(struct reuse *r)
{
	if (!r)
		return;
	stackdist_free(r->dist);
	hist_free(r->hist);
	free(r);
}

/* Copies the keys of accesses that count; returns how many. */
static unsigned int pick_accesses(struct reuse *r,
				  const struct page_batch *batch)
{
	unsigned int i, nr = 0;

	for (i = 0; i < batch->nr; i++) {
		if (batch->op[i] != PAGE_ACCESS)
			continue;
		r->nr_accesses[batch->detail[i]]++;
		if (batch->detail[i] != PAGE_FAULT_AROUND)
			r->key[nr++] = batch->page[i];
	}
	return nr;
}

int reuse_batch(struct reuse *r, const struct page_batch *batch)
{
	unsigned int nr = pick_accesses(r, batch);

	return stackdist_hist(r->dist, r->key, nr, r->hist);
}

/* The next run's engine may need the memory; the histogram is enough now. */
void reuse_end(struct reuse *r)
{
	stackdist_sync(r->dist);
	r->nr_distinct = stackdist_distinct(r->dist);
	r->nr_cold = r->nr_distinct;
	r->bytes = stackdist_bytes(r->dist);
	stackdist_free(r->dist);
	r->dist = NULL;
}

uint64_t reuse_accesses(const struct reuse *r)
{
	return r->nr_accesses[PAGE_READ] + r->nr_accesses[PAGE_FAULT];
}

uint64_t reuse_misses(const struct reuse *r, uint64_t cache_pages)
{
	return r->nr_cold + r->hist->nr - hist_below(r->hist, cache_pages);
}

uint64_t reuse_size(uint64_t cache_pages)
{
	return hist_low(hist_bucket(cache_pages));
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

double reuse_miss_ratio(const struct reuse *r, uint64_t cache_pages)
{
	return ratio(reuse_misses(r, cache_pages), reuse_accesses(r));
}

double reuse_miss_ratio_without_cold(const struct reuse *r,
				     uint64_t cache_pages)
{
	return ratio(reuse_misses(r, cache_pages) - r->nr_cold,
		     reuse_accesses(r) - r->nr_cold);
}
