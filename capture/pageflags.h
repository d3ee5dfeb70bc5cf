/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageflags.h - what the bits of folio->flags mean on this kernel */
#ifndef CAPTURE_PAGEFLAGS_H
#define CAPTURE_PAGEFLAGS_H

#include "capture/host.h"
#include "capture/kbtf.h"

/* The flags we have a use for, in the order of pageflags_name(). */
enum pageflag {
	PAGEFLAG_LOCKED,
	PAGEFLAG_REFERENCED,
	PAGEFLAG_UPTODATE,
	PAGEFLAG_DIRTY,
	PAGEFLAG_LRU,
	PAGEFLAG_ACTIVE,
	PAGEFLAG_WORKINGSET,
	PAGEFLAG_WRITEBACK,
	PAGEFLAG_HEAD,
	PAGEFLAG_RECLAIM,
	PAGEFLAG_READAHEAD,
	PAGEFLAG_SWAPBACKED,
	PAGEFLAG_UNEVICTABLE,
	PAGEFLAG_SWAPCACHE,
	PAGEFLAG_DROPBEHIND,
	NR_PAGEFLAG,
};

struct pageflags_field {
	uint8_t shift;
	uint8_t width; /* 0: this kernel has no such field */
};

struct pageflags {
	/* from the top bit down */
	struct pageflags_field node;
	struct pageflags_field zone;
	struct pageflags_field last_cpupid;
	struct pageflags_field kasan;
	struct pageflags_field gen; /* generation + 1 */
	struct pageflags_field refs;
	unsigned int nr_flags; /* below, one bit each */
	unsigned int max_nr_zones;
	unsigned int max_nr_gens; /* 0: a kernel without MGLRU */
	unsigned int max_nr_tiers;
	int8_t bit[NR_PAGEFLAG]; /* -1: this kernel has no such flag */
	char how[512];           /* which source gave what */
};

/*
 * Works the layout out from the types and the configuration; without the
 * latter, from what else tells it.  b may be NULL (no BTF: an error).  What is
 * missing, ambiguous or contradictory is a negative errno with the reason; a
 * layout is never guessed, and should still be calibrated.
 */
int pageflags_load(struct pageflags *pf, const struct host *h,
		   const struct kbtf *b, struct errbuf *err);

/* "PG_active". */
const char *pageflags_name(enum pageflag flag);

/* "node 54+10, zone 51+3, ...": shift and width of each field there is. */
int pageflags_text(const struct pageflags *pf, struct buf *out);

static inline uint64_t pageflags_get(const struct pageflags_field *f,
				     uint64_t flags)
{
	return f->width ? flags >> f->shift & ((1ULL << f->width) - 1) : 0;
}

/* seq % MAX_NR_GENS, or -1: on no list of a generation. */
static inline int pageflags_gen(const struct pageflags *pf, uint64_t flags)
{
	return (int)pageflags_get(&pf->gen, flags) - 1;
}

static inline unsigned int pageflags_refs(const struct pageflags *pf,
					  uint64_t flags)
{
	return (unsigned int)pageflags_get(&pf->refs, flags);
}

static inline unsigned int pageflags_node(const struct pageflags *pf,
					  uint64_t flags)
{
	return (unsigned int)pageflags_get(&pf->node, flags);
}

/* False, too, if this kernel has no such flag. */
static inline bool pageflags_test(const struct pageflags *pf,
				  enum pageflag flag, uint64_t flags)
{
	return pf->bit[flag] >= 0 && flags >> pf->bit[flag] & 1;
}

#endif
