/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageflags-cal.h - does the layout of folio->flags fit what folios show? */
#ifndef CAPTURE_PAGEFLAGS_CAL_H
#define CAPTURE_PAGEFLAGS_CAL_H

#include "capture/pageflags.h"

/* With fewer insertions than this, nothing is said. */
#define PAGEFLAGS_CAL_MIN    200
#define PAGEFLAGS_CAL_RANGES 256

/* A folio that was put on its list while MGLRU was on. */
struct pageflags_obs {
	uint64_t pfn;
	uint64_t after;   /* its flags right behind the insertion */
	uint64_t before;  /* in front of it, if known */
	uint64_t evicted; /* and when it is evicted, if known */
	bool evictable;   /* of file or anon, no mlocked one */
	bool has_before;
	bool has_evicted;
};

/* Where a range of page frames was seen to be. */
struct pageflags_range {
	uint64_t range; /* + 1: 0 is none */
	uint64_t pfn;
	uint32_t node;
	uint32_t zone;
};

struct pageflags_cal {
	const struct pageflags *pf;
	uint64_t nr_after; /* insertions of evictable folios */
	uint64_t nr_before;
	uint64_t nr_evicted;
	uint64_t nr_ranges; /* comparisons of two folios of one range */
	uint64_t nr_no_gen; /* of nr_after: the generation is "none" */
	uint64_t nr_bad;    /* contradictions */
	char bad[192];      /* the first, in words */
	struct pageflags_range ranges[PAGEFLAGS_CAL_RANGES];
};

enum pageflags_verdict {
	PAGEFLAGS_TOO_FEW,
	PAGEFLAGS_FITS,
	PAGEFLAGS_MISFITS, /* one contradiction is enough, however early */
};

/* pf must live as long as cal. */
void pageflags_cal_init(struct pageflags_cal *cal, const struct pageflags *pf);

void pageflags_cal_feed(struct pageflags_cal *cal,
			const struct pageflags_obs *obs);

enum pageflags_verdict pageflags_cal_verdict(const struct pageflags_cal *cal);

/* The verdict in words, with the counts and the first contradiction. */
int pageflags_cal_text(const struct pageflags_cal *cal, struct buf *out);

#endif
