/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refault-report.c - the text report of mm-refault, and what it means */

/*
 * What goes into a mail: where the numbers come from, what they count and what
 * they cannot, the summary side by side, the distances at powers of two, the
 * causes of removals.
 */
#include "config.h"

#include <stdlib.h>

#include "analyze/refault.h"
#include "analyze/report.h"
#include "analyze/tables.h"
#include "formats/wrap.h"

/* ---------------------------------------------------------------- meaning */

static const struct refault *engine_of(const struct runset *set, unsigned int i)
{
	return set->run[i].engine;
}

bool refault_any_reclaim(const struct runset *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (engine_of(set, i)->has_reclaim)
			return true;
	return false;
}

bool refault_all_reclaim(const struct runset *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (!engine_of(set, i)->has_reclaim)
			return false;
	return true;
}

static const char definition[] =
	"definition: a page added again after a removal seen in this log is a readd; if reclaim removed it, a refault; reloads = readds + pages added again whose removal was not seen or fell into a loss";
static const char scope[] =
	"distance: pages that reclaim removed between a page's removal and its readd, over all reclaim in this log; not one lruvec's, so never compare it with a distance that is";
static const char scope_any[] =
	"without reclaim events in a log its refaults are not known: its distances count all removals, over all its readds";
static const char demand[] =
	"demand: the page was read or faulted by the request that added it; readahead: all others (pages that only a write brought back are among them)";
static const char limits[] =
	"not seen at this level: writes, touches of mapped pages, truncation, within or beyond the workingset (no such rows)";

/* "base: reclaim known, ..." as far as logs lack something. */
static int put_lack(const struct run *run, int (*put)(void *, const char *),
		    void *arg)
{
	const struct refault *r = run->engine;
	char line[512];

	if (r->has_reclaim && r->has_accesses)
		return 0;
	snprintf(line, sizeof(line), "missing: %s: %s%s%s", run->column,
		 r->has_reclaim ? "" : "reclaim events (causes unknown)",
		 r->has_reclaim || r->has_accesses ? "" : ", ",
		 r->has_accesses
			 ? ""
			 : "read or fault events (use and demand unknown)");
	return put(arg, line);
}

int refault_meaning(const struct runset *set, report_fn put, void *arg)
{
	unsigned int i;
	int ret;

	ret = put(arg, definition);
	if (!ret)
		ret = put(arg, scope);
	if (!ret && !refault_all_reclaim(set))
		ret = put(arg, scope_any);
	if (!ret && refault_any_reclaim(set))
		ret = put(arg, demand);
	if (!ret)
		ret = put(arg, limits);
	for (i = 0; !ret && i < set->nr; i++)
		ret = put_lack(&set->run[i], put, arg);
	return ret;
}

/* ----------------------------------------------------------------- tables */

/* Does any run have distances in (limit / 2, limit]? */
static bool curve_moves(const struct runset *set, uint64_t limit)
{
	const struct hist *h;
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		h = engine_of(set, i)->distance;
		if (hist_below(h, limit) != hist_below(h, limit / 2))
			return true;
	}
	return false;
}

static uint64_t distance_max(const struct runset *set)
{
	uint64_t max = 0;
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		max = MAX(max, engine_of(set, i)->distance->max);
	return max;
}

static int curve_row(struct table *t, const struct runset *set, uint64_t limit)
{
	const struct hist *h;
	unsigned int i;
	int ret;

	ret = table_row(t);
	if (!ret)
		ret = table_set_u64(t, 0, limit);
	if (!ret)
		ret = tables_set_size(t, 1,
				      limit * engine_of(set, 0)->page_size);
	for (i = 0; !ret && i < set->nr; i++) {
		h = engine_of(set, i)->distance;
		if (h->nr)
			ret = table_set_real(t, 2 + i,
					     (double)hist_below(h, limit) /
						     (double)h->nr);
	}
	return ret;
}

static int curve_fill(struct table *t, const struct runset *set)
{
	uint64_t max = distance_max(set), limit = 1;
	int ret;

	ret = tables_curve_columns(t, set, "below_removals", "below_size");
	for (;; limit *= 2) {
		if (ret || limit / 2 > max)
			return ret;
		if (curve_moves(set, limit))
			ret = curve_row(t, set, limit);
		if (limit > UINT64_MAX / 2)
			return ret;
	}
}

static int print_curve(const struct runset *set, FILE *out)
{
	struct table *t;
	int ret;

	ret = table_new(&t, REFAULT_PROGRAM, "curve", 1);
	if (ret)
		return ret;
	ret = curve_fill(t, set);
	if (!ret && !table_nr_rows(t))
		ret = wrap_print(
			out,
			"No page came back after its removal: no distances.");
	else if (!ret)
		ret = wrap_print(
			out,
			"Share of %s at a distance below (limits where no run changes are left out)",
			refault_all_reclaim(set) ? "refaults" : "readds");
	if (!ret && table_nr_rows(t))
		ret = table_write_text(t, out);
	table_free(t);
	return ret;
}

int refault_print_report(const struct runset *set, FILE *out)
{
	int ret;

	ret = report_head(out, set,
			  "Refaults: pages that came back to the page cache");
	if (!ret)
		ret = refault_meaning(set, report_put, out);
	fputc('\n', out);
	if (!ret)
		ret = summary_print(out, set, &refault_summary);
	fputc('\n', out);
	if (!ret)
		ret = print_curve(set, out);
	return ret;
}
