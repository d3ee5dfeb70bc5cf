/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reuse-report.c - the text report of mm-reuse */

/*
 * What goes into a mail: where the numbers come from, what they mean, the
 * summary side by side, and the curve at powers of two.  Sizes at which no run
 * changes any more are left out.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/report.h"
#include "analyze/reuse.h"
#include "analyze/runs.h"
#include "analyze/tables.h"
#include "formats/units.h"
#include "formats/wrap.h"

const char reuse_definition[] =
	"distance = number of other distinct pages accessed since the last access to the same page (LRU stack distance, 0 = at once again); a cache of C pages misses cold (first) accesses and distances >= C";

/* --------------------------------------------------------------- sources */

static bool any_kind(const struct runset *set, enum mmt_kind kind)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (mmt_has_kind(set->run[i].log, kind))
			return true;
	return false;
}

/* "buffered reads", or "buffered reads (not in fg)". */
static int put_source(struct buf *b, const struct runset *set,
		      enum mmt_kind kind, const char *words)
{
	unsigned int i;
	int ret;

	if (!any_kind(set, kind))
		return 0;
	ret = buf_printf(b, "%s%s", b->len ? ", " : "", words);
	for (i = 0; !ret && i < set->nr; i++)
		if (!mmt_has_kind(set->run[i].log, kind))
			ret = buf_printf(b, " (not in %s)", set->run[i].column);
	return ret;
}

static int put_fault_around(struct buf *b, const struct runset *set)
{
	const struct reuse *r;
	unsigned int i;
	int ret;

	if (!any_kind(set, MMT_MAP))
		return 0;
	ret = buf_printf(b, "; left out: fault-around pages,");
	for (i = 0; !ret && i < set->nr; i++) {
		r = set->run[i].engine;
		ret = buf_printf(b, "%s %s %" PRIu64, i ? "," : "",
				 set->run[i].column,
				 r->nr_accesses[PAGE_FAULT_AROUND]);
	}
	return ret;
}

char *reuse_sources(const struct runset *set)
{
	struct buf b = {0};
	int ret;

	ret = put_source(&b, set, MMT_READ, "buffered reads");
	if (!ret)
		ret = put_source(&b, set, MMT_ACCESS, "access trace");
	if (!ret)
		ret = put_source(&b, set, MMT_FAULT, "page faults on files");
	if (!ret)
		ret = put_fault_around(&b, set);
	if (!ret && (any_kind(set, MMT_READ) || any_kind(set, MMT_FAULT)))
		ret = buf_printf(
			&b,
			"; invisible at this level: writes, touches of mapped pages");
	if (ret) {
		buf_free(&b);
		return NULL;
	}
	return (char *)b.p;
}

static int print_meaning(const struct runset *set, FILE *out)
{
	char *sources = reuse_sources(set);
	int ret;

	if (!sources)
		return -ENOMEM;
	ret = wrap_print(out, "definition: %s", reuse_definition);
	if (!ret)
		ret = wrap_print(out, "sources: %s", sources);
	free(sources);
	return ret;
}

/* ---------------------------------------------------------------- summary */

/* ------------------------------------------------------------------ curve */

uint64_t reuse_largest(const struct runset *set)
{
	const struct reuse *r;
	uint64_t largest = 0;
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		r = set->run[i].engine;
		largest = MAX(largest, r->nr_distinct);
	}
	return largest;
}

/* Does any run miss less with this cache than with half of it? */
static bool curve_moves(const struct runset *set, uint64_t pages)
{
	const struct reuse *r;
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		r = set->run[i].engine;
		if (reuse_misses(r, pages) != reuse_misses(r, pages / 2))
			return true;
	}
	return false;
}

static int curve_row(struct table *t, const struct runset *set, uint64_t pages,
		     double (*ratio)(const struct reuse *, uint64_t))
{
	const struct reuse *r = set->run[0].engine;
	unsigned int i;
	int ret;

	ret = table_row(t);
	if (!ret)
		ret = table_set_u64(t, 0, pages);
	if (!ret)
		ret = tables_set_size(t, 1, pages * r->page_size);
	for (i = 0; !ret && i < set->nr; i++)
		ret = table_set_real(t, 2 + i,
				     ratio(set->run[i].engine, pages));
	return ret;
}

static int curve_rows(struct table *t, const struct runset *set,
		      double (*ratio)(const struct reuse *, uint64_t))
{
	uint64_t largest = reuse_largest(set), pages;
	int ret;

	ret = tables_curve_columns(t, set, "cache_pages", "cache_size");
	if (!ret)
		ret = curve_row(t, set, 0, ratio);
	for (pages = 1; !ret && pages / 2 < largest; pages *= 2)
		if (curve_moves(set, pages))
			ret = curve_row(t, set, pages, ratio);
	return ret;
}

static int print_curve(const struct runset *set, FILE *out, const char *title,
		       double (*ratio)(const struct reuse *, uint64_t))
{
	struct table *t;
	int ret;

	ret = table_new(&t, REUSE_PROGRAM, "curve", 1);
	if (ret)
		return ret;
	ret = curve_rows(t, set, ratio);
	if (!ret)
		ret = wrap_print(out, "%s", title);
	if (!ret)
		ret = table_write_text(t, out);
	table_free(t);
	return ret;
}

static int print_limits(const struct runset *set, FILE *out)
{
	char size[UNITS_MAX], share[UNITS_MAX];
	bool first = true;
	const struct reuse *r;
	unsigned int i;
	uint64_t max;
	int ret = 0;

	for (i = 0; !ret && i < set->nr; i++) {
		r = set->run[i].engine;
		max = run_memory_max(&set->run[i]);
		if (!max || !reuse_accesses(r))
			continue;
		snprintf(share, sizeof(share), "%.4f",
			 reuse_miss_ratio(r, reuse_size(max / r->page_size)));
		if (first)
			fputc('\n', out);
		first = false;
		ret = wrap_print(
			out, "memory limit: %s %s, miss ratio there %s",
			set->run[i].column, units_size(size, max), share);
	}
	return ret;
}

static int print_curves(const struct runset *set, FILE *out)
{
	int ret;

	if (!reuse_largest(set))
		return wrap_print(out, "no accesses, so there is no curve");
	ret = print_curve(
		set, out,
		"Miss ratio by cache size (rows without a change are left out)",
		reuse_miss_ratio);
	fputc('\n', out);
	if (!ret)
		ret = print_curve(
			set, out,
			"The same without cold accesses (- if there are no others)",
			reuse_miss_ratio_without_cold);
	if (!ret)
		ret = print_limits(set, out);
	return ret;
}

int reuse_print_report(const struct runset *set, FILE *out)
{
	int ret;

	ret = report_head(
		out, set,
		"Reuse distance and miss ratio of an LRU page cache (" REUSE_PROGRAM
		" " PACKAGE_VERSION ")");
	if (!ret)
		ret = print_meaning(set, out);
	fputc('\n', out);
	if (!ret)
		ret = summary_print(out, set, &reuse_summary);
	fputc('\n', out);
	return ret ? ret : print_curves(set, out);
}
