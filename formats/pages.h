/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages.h - the page stream: what happened to single pages, in batches */
#ifndef FORMATS_PAGES_H
#define FORMATS_PAGES_H

#include "formats/stream.h"

/*
 * The page stream stands between the log and every engine.  Requests and
 * folios are expanded to base pages; removals know their cause as far as the
 * log allows; the entries come in columns, in time order.
 *
 * A page is (dev, ino, index).  Here it is one 64-bit key without collisions:
 * a segment number (given in order of appearance to each (dev, ino,
 * index >> 36)) above the low 36 bits of the index.
 */
#define PAGES_INDEX_BITS 36
#define PAGES_BATCH      4096

enum page_op {
	PAGE_ACCESS,
	PAGE_ADD,
	PAGE_REMOVE,
	PAGE_LOSS, /* page = number of lost records, MMT_LOST_UNKNOWN if not
		      counted: state of that CPU is uncertain from here */
};

/* Where an access was seen.  What L0 cannot see: writes, mapped touches. */
enum page_source {
	PAGE_READ,         /* buffered read: mm_filemap_get_pages; any access of
			      an imported access trace */
	PAGE_FAULT,        /* mm_filemap_fault: one touched page */
	PAGE_FAULT_AROUND, /* mm_filemap_map_pages: mapped, not known touched */
	PAGE_NR_SOURCES
};

/* Why a page left the cache. */
enum page_cause {
	PAGE_RECLAIM,    /* reclaim: kswapd, or inside a reclaim bracket */
	PAGE_TRUNCATE,   /* known truncation */
	PAGE_INVALIDATE, /* known invalidation */
	PAGE_UNKNOWN,    /* the log cannot tell (L0 outside of reclaim) */
	PAGE_NR_CAUSES
};

enum page_demand {
	PAGE_DEMAND_UNKNOWN,
	PAGE_DEMAND,    /* the request that caused the add asked for it */
	PAGE_READAHEAD, /* it came along */
};

#define PAGE_HEAD 1U /* first page of its folio (adds, removals) */
#define PAGE_MISS 2U /* access: the page was added for this very request */

struct page_batch {
	unsigned int nr;
	uint64_t time_ns[PAGES_BATCH];
	uint64_t page[PAGES_BATCH]; /* key */
	int32_t pid[PAGES_BATCH];
	uint16_t cpu[PAGES_BATCH];
	uint8_t op[PAGES_BATCH];     /* enum page_op */
	uint8_t detail[PAGES_BATCH]; /* source, demand or cause, by op */
	uint8_t order[PAGES_BATCH];  /* of the folio: adds and removals */
	uint8_t flags[PAGES_BATCH];
};

struct pages;

/* What the stream saw and had to assume; complete at its end. */
struct pages_stats {
	uint64_t nr_requests; /* buffered read requests */
	/* of them, those that ran beyond all pages known of their file: they
	 * count up to the last known one (whole if the log has no adds) */
	uint64_t nr_requests_open;
	uint64_t nr_pieces_inferred; /* first pieces the kernel left out */
	uint64_t nr_clipped; /* ranges no request has: too long, backwards */
	uint64_t nr_accesses[PAGE_NR_SOURCES];
	uint64_t nr_fault_retries; /* faults seen twice, counted once */
	uint64_t nr_adds_pages, nr_adds_folios;
	uint64_t nr_removes_pages, nr_removes_folios;
	uint64_t nr_causes_pages[PAGE_NR_CAUSES];
	uint64_t nr_lost, nr_gaps_uncounted;
	uint64_t nr_clock_back;
};

/* select->kinds is set by pages_open(); time and CPUs are kept. */
int pages_open(struct pages **pp, struct mmt *log,
	       const struct mmt_select *select, struct errbuf *err);
void pages_close(struct pages *p);

/* Fills the batch.  Number of entries, 0 at the end, or a negative errno. */
int pages_next(struct pages *p, struct page_batch *batch, struct errbuf *err);

const struct pages_stats *pages_stats(const struct pages *p);
double pages_progress(const struct pages *p);

/* What a key stands for. */
struct page_id {
	uint64_t dev, ino, index;
};
void pages_id(const struct pages *p, uint64_t page, struct page_id *id);

/* What the log can and cannot show, as words for "sources" lines. */
bool pages_has_accesses(const struct mmt *log);
bool pages_has_reclaim(const struct mmt *log); /* causes can be told */

#endif
