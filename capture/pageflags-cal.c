/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageflags-cal.c - does the layout of folio->flags fit what folios show? */

/*
 * Under MGLRU, a folio has no generation (field 0) until it is put on a list,
 * has one of MAX_NR_GENS (field 1 and up) right afterwards, and none again
 * when it is evicted.  Page frames that are neighbours have the same node and
 * zone.  A layout that is off by one bit reads the fields beside, which hold
 * the cpu and process of the last access, and breaks these rules soon.
 */

#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "capture/pageflags-cal.h"

/* Nodes and zones begin and end at multiples of 2^10 pages (4 MB of 4 KB). */
#define RANGE_SHIFT 10

void pageflags_cal_init(struct pageflags_cal *cal, const struct pageflags *pf)
{
	memset(cal, 0, sizeof(*cal));
	cal->pf = pf;
}

static void contradict(struct pageflags_cal *cal, const char *fmt, ...)
	PRINTF(2, 3);

static void contradict(struct pageflags_cal *cal, const char *fmt, ...)
{
	va_list ap;

	if (cal->nr_bad++)
		return;
	va_start(ap, fmt);
	vsnprintf(cal->bad, sizeof(cal->bad), fmt, ap);
	va_end(ap);
}

static void check_none(struct pageflags_cal *cal, uint64_t pfn, uint64_t flags,
		       const char *when)
{
	int gen = pageflags_gen(cal->pf, flags);

	if (gen >= 0)
		contradict(cal,
			   "page frame %" PRIu64
			   " has generation field %d %s, not 0 (flags %#" PRIx64
			   ")",
			   pfn, gen + 1, when, flags);
}

static void check_after(struct pageflags_cal *cal,
			const struct pageflags_obs *obs)
{
	int gen = pageflags_gen(cal->pf, obs->after);
	int nr = (int)cal->pf->max_nr_gens;

	cal->nr_no_gen += gen < 0;
	if (nr && (gen < 0 || gen >= nr))
		contradict(
			cal,
			"page frame %" PRIu64
			" has generation field %d when inserted, not 1 to %d (flags %#" PRIx64
			")",
			obs->pfn, gen + 1, nr, obs->after);
}

static void check_range(struct pageflags_cal *cal,
			const struct pageflags_obs *obs)
{
	const struct pageflags *pf = cal->pf;
	uint64_t range = (obs->pfn >> RANGE_SHIFT) + 1;
	struct pageflags_range *r = &cal->ranges[range % PAGEFLAGS_CAL_RANGES];
	uint32_t zone = (uint32_t)pageflags_get(&pf->zone, obs->after);
	uint32_t node = pageflags_node(pf, obs->after);

	if (zone >= pf->max_nr_zones)
		contradict(cal,
			   "page frame %" PRIu64 " is in zone %" PRIu32
			   " of %u (flags %#" PRIx64 ")",
			   obs->pfn, zone, pf->max_nr_zones, obs->after);
	if (r->range != range) {
		*r = (struct pageflags_range){range, obs->pfn, node, zone};
		return;
	}
	cal->nr_ranges++;
	if (r->node != node || r->zone != zone)
		contradict(cal,
			   "page frames %" PRIu64 " and %" PRIu64
			   " are neighbours, yet in node %" PRIu32
			   " zone %" PRIu32 " and node %" PRIu32
			   " zone %" PRIu32,
			   r->pfn, obs->pfn, r->node, r->zone, node, zone);
}

void pageflags_cal_feed(struct pageflags_cal *cal,
			const struct pageflags_obs *obs)
{
	if (obs->has_before) {
		cal->nr_before++;
		check_none(cal, obs->pfn, obs->before, "before it is inserted");
	}
	/* mlocked folios are on no list of a generation */
	if (obs->evictable) {
		cal->nr_after++;
		check_after(cal, obs);
	}
	check_range(cal, obs);
	if (obs->has_evicted) {
		cal->nr_evicted++;
		check_none(cal, obs->pfn, obs->evicted, "when evicted");
	}
}

enum pageflags_verdict pageflags_cal_verdict(const struct pageflags_cal *cal)
{
	if (cal->nr_bad)
		return PAGEFLAGS_MISFITS;
	return cal->nr_after < PAGEFLAGS_CAL_MIN ? PAGEFLAGS_TOO_FEW
						 : PAGEFLAGS_FITS;
}

int pageflags_cal_text(const struct pageflags_cal *cal, struct buf *out)
{
	static const char *const verdicts[] = {
		[PAGEFLAGS_TOO_FEW] = "too few insertions to tell",
		[PAGEFLAGS_FITS] = "fits",
		[PAGEFLAGS_MISFITS] = "does not fit",
	};
	int ret;

	ret = buf_printf(out,
			 "%s: %" PRIu64 " insertions, %" PRIu64
			 " seen before, %" PRIu64 " evicted, %" PRIu64
			 " neighbours",
			 verdicts[pageflags_cal_verdict(cal)], cal->nr_after,
			 cal->nr_before, cal->nr_evicted, cal->nr_ranges);
	if (!ret && cal->nr_bad)
		ret = buf_printf(out,
				 "; %" PRIu64 " contradictions, the first: %s",
				 cal->nr_bad, cal->bad);
	/* the commonest cause is no wrong layout */
	if (!ret && cal->pf->max_nr_gens && cal->nr_after &&
	    cal->nr_no_gen == cal->nr_after)
		ret = buf_printf(out,
				 "; no folio has a generation: is MGLRU on?");
	return ret;
}
