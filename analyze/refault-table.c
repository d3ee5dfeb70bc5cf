/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refault-table.c - the tables of mm-refault: summary, distance, cause */

/*
 * A cell that the log cannot fill is empty, never 0: refaults without reclaim
 * events, use without access events, and truncation, which no tracepoint tells
 * from other removals outside of reclaim.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/refault.h"
#include "analyze/report.h"
#include "analyze/tables.h"

static const struct refault *engine_of(const struct runset *set, unsigned int i)
{
	return set->run[i].engine;
}

/* ---------------------------------------------------------------- summary */

#define SUMMARY_ROWS(X)                                             \
	X(READDS, "readds_after_removal_pages", "pages")            \
	X(REFAULTS, "refaults_pages", "pages")                      \
	X(RELOADS, "reloads_pages", "pages")                        \
	X(DEMAND, "refaults_demand_pages", "pages")                 \
	X(READAHEAD, "refaults_readahead_pages", "pages")           \
	X(DEMAND_UNKNOWN, "refaults_demand_unknown_pages", "pages") \
	X(ADDS_AGAIN, "adds_without_removal_pages", "pages")        \
	X(ACROSS_LOSS, "readds_across_loss_pages", "pages")         \
	X(DISTANCE_P10, "distance_p10", "removals")                 \
	X(DISTANCE_P50, "distance_p50", "removals")                 \
	X(DISTANCE_P90, "distance_p90", "removals")                 \
	X(DISTANCE_MAX, "distance_max", "removals")                 \
	X(TIME_P50, "time_p50_ns", "ns")                            \
	X(ADDS, "adds_pages", "pages")                              \
	X(REMOVALS, "removals_pages", "pages")                      \
	X(RECLAIM, "removals_reclaim_pages", "pages")               \
	X(INVALIDATE, "removals_invalidate_pages", "pages")         \
	X(UNKNOWN, "removals_cause_unknown_pages", "pages")         \
	X(REMOVALS_NEW, "removals_of_unknown_pages", "pages")       \
	X(UNREAD, "removed_unread_pages", "pages")                  \
	X(EVENTS, "events", "events")                               \
	X(LOST, "lost_events", "events")                            \
	X(GAPS, "gaps_uncounted", "gaps")                           \
	X(CLOCK_BACK, "clock_went_back", "events")

enum {
#define X(id, metric, unit) ROW_##id,
	SUMMARY_ROWS(X)
#undef X
};

static const struct summary_row summary_rows[] = {
#define X(id, metric, unit) {metric, unit},
	SUMMARY_ROWS(X)
#undef X
};

static void fill_back(const struct refault *r, struct summary_value *v)
{
	summary_u64(&v[ROW_READDS], refault_readds(r));
	summary_u64(&v[ROW_RELOADS], refault_reloads(r));
	summary_u64(&v[ROW_ADDS_AGAIN], r->nr_adds_again);
	summary_u64(&v[ROW_ACROSS_LOSS], r->nr_across_loss);
	if (!r->has_reclaim)
		return;
	summary_u64(&v[ROW_REFAULTS], r->nr_readds[PAGE_RECLAIM]);
	summary_u64(&v[ROW_DEMAND], r->nr_demand);
	summary_u64(&v[ROW_READAHEAD], r->nr_readahead);
	summary_u64(&v[ROW_DEMAND_UNKNOWN], r->nr_demand_unknown);
}

static void fill_distances(const struct refault *r, struct summary_value *v)
{
	if (!r->distance->nr)
		return;
	summary_u64(&v[ROW_DISTANCE_P10], hist_quantile(r->distance, 0.1));
	summary_u64(&v[ROW_DISTANCE_P50], hist_quantile(r->distance, 0.5));
	summary_u64(&v[ROW_DISTANCE_P90], hist_quantile(r->distance, 0.9));
	summary_u64(&v[ROW_DISTANCE_MAX], r->distance->max);
	summary_u64(&v[ROW_TIME_P50], hist_quantile(r->time_ns, 0.5));
}

static void fill_traffic(const struct refault *r, struct summary_value *v)
{
	summary_u64(&v[ROW_ADDS], r->nr_adds);
	summary_u64(&v[ROW_REMOVALS], refault_removals(r));
	summary_u64(&v[ROW_REMOVALS_NEW], r->nr_removals_new);
	if (r->has_accesses)
		summary_u64(&v[ROW_UNREAD], r->nr_unread);
	if (!r->has_reclaim)
		return;
	summary_u64(&v[ROW_RECLAIM], r->nr_removals[PAGE_RECLAIM]);
	summary_u64(&v[ROW_INVALIDATE], r->nr_removals[PAGE_INVALIDATE]);
	summary_u64(&v[ROW_UNKNOWN], r->nr_removals[PAGE_UNKNOWN]);
}

static void fill_run(const struct run *run, struct summary_value *v)
{
	const struct mmt_counts *counts = mmt_counts(run->log);
	const struct refault *r = run->engine;

	fill_back(r, v);
	fill_distances(r, v);
	fill_traffic(r, v);
	summary_u64(&v[ROW_EVENTS], counts->nr_events);
	summary_u64(&v[ROW_LOST], counts->nr_lost);
	summary_u64(&v[ROW_GAPS], counts->nr_gaps_uncounted);
	summary_u64(&v[ROW_CLOCK_BACK], run->stats.nr_clock_back);
}

const struct summary refault_summary = {
	.row = summary_rows,
	.nr = ARRAY_SIZE(summary_rows),
	.fill = fill_run,
};

static int fill_summary(struct table *t, const struct runset *set)
{
	return summary_fill(t, set, &refault_summary);
}

/* --------------------------------------------------------------- distance */

/* Two columns for each run: a number of pages and its share. */
static int pair_columns(struct table *t, const struct runset *set,
			const char *count, const char *share)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < set->nr; i++) {
		ret = tables_run_column(t, &set->run[i], count, TABLE_U64);
		if (!ret)
			ret = tables_run_column(t, &set->run[i], share,
						TABLE_REAL);
	}
	return ret;
}

static int set_pair(struct table *t, unsigned int col, uint64_t nr,
		    uint64_t all)
{
	int ret;

	ret = table_set_u64(t, col, nr);
	if (!ret && all)
		ret = table_set_real(t, col + 1, (double)nr / (double)all);
	return ret;
}

static bool bucket_in_use(const struct runset *set, unsigned int bucket)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (engine_of(set, i)->distance->count[bucket])
			return true;
	return false;
}

static int distance_row(struct table *t, const struct runset *set,
			uint64_t distance, const uint64_t *nr)
{
	unsigned int i;
	int ret;

	ret = table_row(t);
	if (!ret)
		ret = table_set_u64(t, 0, distance);
	if (!ret)
		ret = table_set_u64(t, 1,
				    distance * engine_of(set, 0)->page_size);
	for (i = 0; !ret && i < set->nr; i++)
		ret = set_pair(t, 2 + 2 * i, nr[i],
			       engine_of(set, i)->distance->nr);
	return ret;
}

/* The largest distance there is, in a bucket: no row goes beyond it. */
static uint64_t bucket_end(const struct runset *set, unsigned int bucket)
{
	uint64_t max = 0;
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		max = MAX(max, engine_of(set, i)->distance->max);
	return MIN(max, hist_high(bucket));
}

static int fill_distance(struct table *t, const struct runset *set)
{
	unsigned int bucket, i;
	uint64_t *nr;
	int ret;

	nr = calloc(set->nr, sizeof(*nr));
	if (!nr)
		return -ENOMEM;
	ret = table_column(t, "distance_removals", TABLE_U64, 0);
	if (ret >= 0)
		ret = table_column(t, "distance_bytes", TABLE_U64, 0);
	if (ret >= 0)
		ret = pair_columns(t, set, "refaults", "share");
	for (bucket = 0; !ret && bucket < HIST_BUCKETS; bucket++) {
		if (!bucket_in_use(set, bucket))
			continue;
		for (i = 0; i < set->nr; i++)
			nr[i] += engine_of(set, i)->distance->count[bucket];
		ret = distance_row(t, set, bucket_end(set, bucket), nr);
	}
	free(nr);
	return ret;
}

/* ------------------------------------------------------------------ cause */

static const char *const cause_names[PAGE_NR_CAUSES] = {
	[PAGE_RECLAIM] = "reclaim",
	[PAGE_TRUNCATE] = "truncate",
	[PAGE_INVALIDATE] = "invalidate",
	[PAGE_UNKNOWN] = "unknown",
};

static bool cause_is_told(const struct refault *r, unsigned int cause)
{
	if (cause == PAGE_UNKNOWN)
		return true;
	return r->has_reclaim && cause != PAGE_TRUNCATE;
}

static int cause_row(struct table *t, const struct runset *set,
		     unsigned int cause)
{
	const struct refault *r;
	unsigned int i;
	int ret;

	ret = table_row(t);
	if (!ret)
		ret = table_set_text(t, 0, cause_names[cause]);
	for (i = 0; !ret && i < set->nr; i++) {
		r = engine_of(set, i);
		if (!cause_is_told(r, cause))
			continue;
		ret = set_pair(t, 1 + 4 * i, r->nr_removals[cause],
			       refault_removals(r));
		if (!ret)
			ret = set_pair(t, 3 + 4 * i, r->nr_readds[cause],
				       refault_readds(r));
	}
	return ret;
}

static int cause_columns(struct table *t, const struct runset *set)
{
	const struct run *run;
	unsigned int i;
	int ret;

	ret = table_column(t, "cause", TABLE_TEXT, 0);
	for (i = 0; ret >= 0 && i < set->nr; i++) {
		run = &set->run[i];
		ret = tables_run_column(t, run, "removals_pages", TABLE_U64);
		if (!ret)
			ret = tables_run_column(t, run, "removals_share",
						TABLE_REAL);
		if (!ret)
			ret = tables_run_column(t, run, "readds_pages",
						TABLE_U64);
		if (!ret)
			ret = tables_run_column(t, run, "readds_share",
						TABLE_REAL);
	}
	return ret < 0 ? ret : 0;
}

static int fill_cause(struct table *t, const struct runset *set)
{
	unsigned int cause;
	int ret;

	ret = cause_columns(t, set);
	for (cause = 0; !ret && cause < PAGE_NR_CAUSES; cause++)
		ret = cause_row(t, set, cause);
	return ret;
}

/* -------------------------------------------------------------------- all */

const struct analysis_table refault_tables[] = {
	{"summary", fill_summary, false},
	{"distance", fill_distance, true},
	{"cause", fill_cause, false},
	{NULL, NULL, false},
};

int refault_note(struct table *t, const struct runset *set)
{
	return refault_meaning(set, report_note, t);
}
