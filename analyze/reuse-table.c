/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reuse-table.c - the tables of mm-reuse: summary, histogram, mrc */

/*
 * The curve has a row for every size at which the misses of any run change,
 * as finely as the histogram tells distances apart: at the ends of the buckets
 * that are in use the misses are exact.  Two rows are always there: no cache
 * at all, and the memory limit of a run.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/report.h"
#include "analyze/reuse.h"
#include "analyze/runs.h"
#include "analyze/tables.h"

static const struct reuse *engine_of(const struct runset *set, unsigned int i)
{
	return set->run[i].engine;
}

/* ---------------------------------------------------------------- summary */

#define SUMMARY_ROWS(X)                                   \
	X(ACCESSES, "accesses", "accesses")               \
	X(READ, "accesses_read", "accesses")              \
	X(FAULT, "accesses_fault", "accesses")            \
	X(DISTINCT, "distinct_pages", "pages")            \
	X(FOOTPRINT, "footprint_bytes", "bytes")          \
	X(COLD, "cold_accesses", "accesses")              \
	X(REACCESSES, "reaccesses", "accesses")           \
	X(P10, "distance_p10", "pages")                   \
	X(P50, "distance_p50", "pages")                   \
	X(P90, "distance_p90", "pages")                   \
	X(MAX_DISTANCE, "distance_max", "pages")          \
	X(REQUESTS, "requests", "requests")               \
	X(OPEN, "requests_open", "requests")              \
	X(AROUND, "fault_around_pages_excluded", "pages") \
	X(RETRIES, "fault_retries_excluded", "faults")    \
	X(EVENTS, "events", "events")                     \
	X(LOST, "lost_events", "events")                  \
	X(GAPS, "gaps_uncounted", "gaps")                 \
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

static void fill_distances(const struct hist *h, struct summary_value *v)
{
	if (!h->nr)
		return;
	summary_u64(&v[ROW_P10], hist_quantile(h, 0.1));
	summary_u64(&v[ROW_P50], hist_quantile(h, 0.5));
	summary_u64(&v[ROW_P90], hist_quantile(h, 0.9));
	summary_u64(&v[ROW_MAX_DISTANCE], h->max);
}

static void fill_stream(const struct run *run, struct summary_value *v)
{
	const struct mmt_counts *counts = mmt_counts(run->log);

	summary_u64(&v[ROW_REQUESTS], run->stats.nr_requests);
	summary_u64(&v[ROW_OPEN], run->stats.nr_requests_open);
	summary_u64(&v[ROW_RETRIES], run->stats.nr_fault_retries);
	summary_u64(&v[ROW_EVENTS], counts->nr_events);
	summary_u64(&v[ROW_LOST], counts->nr_lost);
	summary_u64(&v[ROW_GAPS], counts->nr_gaps_uncounted);
	summary_u64(&v[ROW_CLOCK_BACK], run->stats.nr_clock_back);
}

static void fill_run(const struct run *run, struct summary_value *v)
{
	const struct reuse *r = run->engine;

	summary_u64(&v[ROW_ACCESSES], reuse_accesses(r));
	summary_u64(&v[ROW_READ], r->nr_accesses[PAGE_READ]);
	summary_u64(&v[ROW_FAULT], r->nr_accesses[PAGE_FAULT]);
	summary_u64(&v[ROW_AROUND], r->nr_accesses[PAGE_FAULT_AROUND]);
	summary_u64(&v[ROW_DISTINCT], r->nr_distinct);
	summary_u64(&v[ROW_FOOTPRINT], r->nr_distinct * r->page_size);
	summary_u64(&v[ROW_COLD], r->nr_cold);
	summary_u64(&v[ROW_REACCESSES], r->hist->nr);
	fill_distances(r->hist, v);
	fill_stream(run, v);
}

const struct summary reuse_summary = {
	.row = summary_rows,
	.nr = ARRAY_SIZE(summary_rows),
	.fill = fill_run,
};

static int fill_summary(struct table *t, const struct runset *set)
{
	return summary_fill(t, set, &reuse_summary);
}

/* -------------------------------------------------------------- histogram */

static bool bucket_in_use(const struct runset *set, unsigned int bucket)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (engine_of(set, i)->hist->count[bucket])
			return true;
	return false;
}

static int histogram_columns(struct table *t, const struct runset *set)
{
	unsigned int i;
	int ret;

	ret = table_column(t, "distance_low_pages", TABLE_U64, 0);
	if (ret >= 0)
		ret = table_column(t, "distance_high_pages", TABLE_U64, 0);
	if (ret < 0)
		return ret;
	for (i = 0, ret = 0; !ret && i < set->nr; i++) {
		ret = tables_run_column(t, &set->run[i], "accesses", TABLE_U64);
		if (!ret)
			ret = tables_run_column(t, &set->run[i], "share",
						TABLE_REAL);
	}
	return ret;
}

static int histogram_row(struct table *t, const struct runset *set,
			 unsigned int bucket)
{
	const struct reuse *r;
	unsigned int i;
	uint64_t nr;
	int ret;

	ret = table_row(t);
	if (!ret)
		ret = table_set_u64(t, 0, hist_low(bucket));
	if (!ret)
		ret = table_set_u64(t, 1, hist_high(bucket));
	for (i = 0; !ret && i < set->nr; i++) {
		r = engine_of(set, i);
		nr = r->hist->count[bucket];
		ret = table_set_u64(t, 2 + 2 * i, nr);
		if (!ret && reuse_accesses(r))
			ret = table_set_real(t, 3 + 2 * i,
					     (double)nr /
						     (double)reuse_accesses(r));
	}
	return ret;
}

static int note_cold(struct table *t, const struct runset *set)
{
	struct buf b = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < set->nr; i++)
		ret = buf_printf(
			&b, " %s=%llu", set->run[i].column,
			(unsigned long long)engine_of(set, i)->nr_cold);
	if (!ret)
		ret = table_note(
			t,
			"cold_accesses:%s (in no row; a share is one of all accesses)",
			(char *)b.p);
	buf_free(&b);
	return ret;
}

static int fill_histogram(struct table *t, const struct runset *set)
{
	unsigned int bucket;
	int ret;

	ret = note_cold(t, set);
	if (!ret)
		ret = histogram_columns(t, set);
	for (bucket = 0; !ret && bucket < HIST_BUCKETS; bucket++)
		if (bucket_in_use(set, bucket))
			ret = histogram_row(t, set, bucket);
	return ret;
}

/* -------------------------------------------------------------------- mrc */

static int mrc_columns(struct table *t, const struct runset *set)
{
	unsigned int i;
	int ret;

	ret = table_column(t, "cache_pages", TABLE_U64, 0);
	if (ret >= 0)
		ret = table_column(t, "cache_bytes", TABLE_U64, 0);
	if (ret < 0)
		return ret;
	for (i = 0, ret = 0; !ret && i < set->nr; i++) {
		ret = tables_run_column(t, &set->run[i], "misses", TABLE_U64);
		if (!ret)
			ret = tables_run_column(t, &set->run[i], "miss_ratio",
						TABLE_REAL);
		if (!ret)
			ret = tables_run_column(t, &set->run[i],
						"miss_ratio_without_cold",
						TABLE_REAL);
	}
	return ret;
}

static int mrc_row(struct table *t, const struct runset *set, uint64_t pages)
{
	const struct reuse *r = engine_of(set, 0);
	unsigned int i, col = 2;
	int ret;

	ret = table_row(t);
	if (!ret)
		ret = table_set_u64(t, 0, pages);
	if (!ret)
		ret = table_set_u64(t, 1, pages * r->page_size);
	for (i = 0; !ret && i < set->nr; i++) {
		r = engine_of(set, i);
		ret = table_set_u64(t, col++, reuse_misses(r, pages));
		if (!ret)
			ret = table_set_real(t, col++,
					     reuse_miss_ratio(r, pages));
		if (!ret)
			ret = table_set_real(
				t, col++,
				reuse_miss_ratio_without_cold(r, pages));
	}
	return ret;
}

/* Buckets at whose low end the curve gets a row; to be freed. */
static uint8_t *mrc_sizes(const struct runset *set)
{
	uint8_t *wanted = calloc(HIST_BUCKETS + 1, 1);
	unsigned int bucket, i;
	uint64_t max;

	if (!wanted)
		return NULL;
	wanted[0] = 1;
	for (bucket = 0; bucket < HIST_BUCKETS; bucket++)
		if (bucket_in_use(set, bucket))
			wanted[bucket + 1] = 1;
	for (i = 0; i < set->nr; i++) {
		max = run_memory_max(&set->run[i]);
		if (max)
			wanted[hist_bucket(max /
					   engine_of(set, i)->page_size)] = 1;
	}
	return wanted;
}

static int fill_mrc(struct table *t, const struct runset *set)
{
	uint8_t *wanted = mrc_sizes(set);
	unsigned int bucket;
	int ret;

	if (!wanted)
		return -ENOMEM;
	ret = mrc_columns(t, set);
	for (bucket = 0; !ret && bucket < HIST_BUCKETS; bucket++)
		if (wanted[bucket])
			ret = mrc_row(t, set, hist_low(bucket));
	free(wanted);
	return ret;
}

/* -------------------------------------------------------------------- all */

const struct analysis_table reuse_tables[] = {
	{"summary", fill_summary, false},
	{"histogram", fill_histogram, false},
	{"mrc", fill_mrc, true},
	{NULL, NULL, false},
};

int reuse_note(struct table *t, const struct runset *set)
{
	char *sources = reuse_sources(set);
	int ret;

	if (!sources)
		return -ENOMEM;
	ret = table_note(t, "definition: %s", reuse_definition);
	if (!ret)
		ret = table_note(t, "sources: %s", sources);
	free(sources);
	return ret;
}
