/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refault.h - pages that come back after they left the page cache */
#ifndef ANALYZE_REFAULT_H
#define ANALYZE_REFAULT_H

#include "analyze/report.h"
#include "analyze/tracker.h"
#include "formats/hist.h"

#define REFAULT_PROGRAM "mm-refault"

/* What the engine knows of one run; counts are pages, read-only for others. */
struct refault {
	struct tracker *tracker;
	bool has_reclaim;  /* the log tells reclaim from other removals */
	bool has_accesses; /* and whether a page was used */
	uint64_t page_size;

	uint64_t nr_adds;
	uint64_t nr_removals[PAGE_NR_CAUSES];
	/* added again: after a removal seen in the log, by its cause; ... */
	uint64_t nr_readds[PAGE_NR_CAUSES];
	uint64_t nr_adds_again;   /* ... without one (it was not seen); ... */
	uint64_t nr_across_loss;  /* ... with lost records in between */
	uint64_t nr_removals_new; /* of pages whose add was not seen */
	uint64_t nr_unread;       /* removed, no access since the add */

	/* refaults; nr_pending: not known yet */
	uint64_t nr_demand, nr_readahead, nr_demand_unknown, nr_pending;

	/* of refaults; of all readds if causes are not known */
	struct hist *distance; /* removals of the same kind in between */
	struct hist *time_ns;

	uint64_t nr_counted; /* removals that distances count */
	uint64_t folio_at;   /* the same behind the folio being removed */
};

/* has_reclaim, has_accesses: pages_has_...() of the log. */
int refault_new(struct refault **rp, uint64_t page_size, bool has_reclaim,
		bool has_accesses);
int refault_batch(struct refault *r, const struct page_batch *batch);
void refault_end(struct refault *r);
void refault_free(struct refault *r);

uint64_t refault_removals(const struct refault *r);
/* Added again after a removal seen in the log, whatever its cause. */
uint64_t refault_readds(const struct refault *r);
/* Added again, whether or not the removal was seen. */
uint64_t refault_reloads(const struct refault *r);

/* Its tables (refault-table.c) and its report (refault-report.c). */
extern const struct analysis_table refault_tables[];
extern const struct summary refault_summary;
int refault_note(struct table *t, const struct runset *set);
int refault_print_report(const struct runset *set, FILE *out);
/* Calls put() with each line that says what the numbers mean. */
int refault_meaning(const struct runset *set, report_fn put, void *arg);
/* Does any, does no run of the set know causes? */
bool refault_any_reclaim(const struct runset *set);
bool refault_all_reclaim(const struct runset *set);

#endif
