/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reuse.h - reuse distance and miss-ratio curve of the page stream */
#ifndef ANALYZE_REUSE_H
#define ANALYZE_REUSE_H

#include "analyze/report.h"
#include "formats/hist.h"

#define REUSE_PROGRAM "mm-reuse"

/* What the engine knows of one run, whole after reuse_end(). */
struct reuse {
	struct stackdist *dist; /* freed by reuse_end() */
	struct hist *hist;      /* distances of accesses that are not cold */
	uint64_t nr_accesses[PAGE_NR_SOURCES]; /* fault-around: left out */
	uint64_t nr_cold;
	uint64_t nr_distinct;
	uint64_t page_size;
	size_t bytes; /* memory that the stack distance took */
	uint64_t key[PAGES_BATCH];
};

int reuse_new(struct reuse **rp, uint64_t page_size);
int reuse_batch(struct reuse *r, const struct page_batch *batch);
void reuse_end(struct reuse *r);
void reuse_free(struct reuse *r);

/* Accesses that count: reads and faults. */
uint64_t reuse_accesses(const struct reuse *r);
/*
 * Misses of an LRU cache of that many pages: cold accesses and those at a
 * distance of at least its size.  Exact below HIST_EXACT, else where the size
 * is the low end of a histogram bucket (reuse_size() makes it one).
 */
uint64_t reuse_misses(const struct reuse *r, uint64_t cache_pages);
/* The largest size not above cache_pages for which misses are exact. */
uint64_t reuse_size(uint64_t cache_pages);
/* Misses per access; NAN if there is no access to divide by. */
double reuse_miss_ratio(const struct reuse *r, uint64_t cache_pages);
/* The same without cold accesses, which no size of cache can avoid. */
double reuse_miss_ratio_without_cold(const struct reuse *r,
				     uint64_t cache_pages);

/* Its tables (reuse-table.c) and its report (reuse-report.c). */
extern const struct analysis_table reuse_tables[];
extern const struct summary reuse_summary;
int reuse_note(struct table *t, const struct runset *set);
int reuse_print_report(const struct runset *set, FILE *out);
/* "definition: ..." and "sources: ..." of a runset, to be freed. */
extern const char reuse_definition[];
char *reuse_sources(const struct runset *set);
/* All pages that a curve of the set can still tell apart. */
uint64_t reuse_largest(const struct runset *set);

#endif
