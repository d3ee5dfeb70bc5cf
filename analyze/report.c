/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - what every report and every table begins with */

/*
 * Where a number comes from and what may be missing from it stands before the
 * number: file, kernel, events, loss, damage, the part that was selected.  The
 * same facts open a text (wrapped for mails) and a table (one "#" line each).
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/report.h"
#include "analyze/runs.h"
#include "formats/units.h"
#include "formats/wrap.h"

#define ORIGIN_NOTES 5 /* more are only counted */

/* ------------------------------------------------------- where facts go */

int report_put(void *out, const char *line)
{
	return wrap_print(out, "%s", line);
}

int report_note(void *table, const char *line)
{
	return table_note(table, "%s", line);
}

/* ------------------------------------------------------------------ facts */

static const char *kernel_release(const struct run *run)
{
	const char *release = mmt_meta(run->log, "kernel.release");

	return release && *release ? release : "unknown";
}

/* " (0.003%)" of all that the kernel meant to record; nothing if none. */
static int put_loss_share(struct buf *b, const struct mmt_counts *counts)
{
	double all = (double)counts->nr_events + (double)counts->nr_lost;
	double pct = 100 * (double)counts->nr_lost / all;

	if (!counts->nr_lost)
		return 0;
	if (pct < 0.001)
		return buf_printf(b, " (<0.001%%)");
	return buf_printf(b, " (%.3f%%)", pct);
}

/* "1204 (0.003%) and 2 gaps, number unknown" */
static int put_loss(struct buf *b, const struct run *run)
{
	const struct mmt_counts *counts = mmt_counts(run->log);
	uint64_t gaps = counts->nr_gaps_uncounted;
	int ret;

	ret = buf_printf(b, "%" PRIu64, counts->nr_lost);
	if (!ret)
		ret = put_loss_share(b, counts);
	if (!ret && gaps)
		ret = buf_printf(b, " and %" PRIu64 " gap%s, number unknown",
				 gaps, gaps == 1 ? "" : "s");
	return ret;
}

/* Why a run is not all of what happened, or NULL. */
static const char *run_defect(const struct run *run)
{
	const struct mmt_counts *counts = mmt_counts(run->log);

	if (counts->damaged || counts->cut_before)
		return counts->damage;
	if (!counts->complete)
		return "the log was not closed in order (recorder killed or disk full); what is there is used whole";
	return NULL;
}

/* "part: --time 1,5 -C 0-3", if it is not all. */
static int put_part(const struct runset *set, report_fn put, void *to)
{
	char line[300], time[128], cpus[128];

	if (!set->time && !set->cpus)
		return 0;
	units_escape(time, sizeof(time), set->time ? set->time : "");
	units_escape(cpus, sizeof(cpus), set->cpus ? set->cpus : "");
	snprintf(line, sizeof(line), "part:%s%s%s%s", *time ? " --time " : "",
		 time, *cpus ? " -C " : "", cpus);
	return put(to, line);
}

/* ------------------------------------------------------------------- head */

static int head_run(FILE *out, const struct run *run)
{
	const struct mmt_counts *counts = mmt_counts(run->log);
	char path[1024], kernel[256], length[UNITS_MAX];

	units_escape(path, sizeof(path), mmt_path(run->log));
	units_escape(kernel, sizeof(kernel), kernel_release(run));
	units_time(length, counts->last_ns - counts->first_ns);
	return wrap_print(out, "%s: %s, kernel %s, %" PRIu64 " event%s in %s",
			  run->column, path, kernel, counts->nr_events,
			  counts->nr_events == 1 ? "" : "s", length);
}

static int head_loss(FILE *out, const struct runset *set)
{
	struct buf b = {0};
	unsigned int i;
	int ret;

	ret = buf_printf(&b, "lost:");
	for (i = 0; !ret && i < set->nr; i++) {
		ret = buf_printf(&b, "%s %s ", i ? "," : "",
				 set->run[i].column);
		if (!ret)
			ret = put_loss(&b, &set->run[i]);
	}
	if (!ret)
		ret = wrap_print(out, "%s", (char *)b.p);
	buf_free(&b);
	return ret;
}

static int head_defects(FILE *out, const struct runset *set)
{
	const char *defect;
	char safe[512];
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < set->nr; i++) {
		defect = run_defect(&set->run[i]);
		if (defect)
			ret = wrap_print(
				out, "incomplete: %s: %s", set->run[i].column,
				units_escape(safe, sizeof(safe), defect));
	}
	return ret;
}

/* "text; the order is taken as 0"; nothing if the log was recorded. */
static int put_origin(struct buf *b, const struct run *run)
{
	const char *kind = mmt_meta(run->log, "import.kind");
	const char *note = mmt_meta(run->log, "import.notes");
	char safe[600];
	unsigned int nr;
	size_t len;
	int ret;

	if (!kind)
		return 0;
	ret = buf_printf(b, "%s", units_escape(safe, sizeof(safe), kind));
	for (nr = 0; !ret && note && *note; nr++) {
		len = strcspn(note, "\n");
		if (nr < ORIGIN_NOTES)
			ret = buf_printf(b, "; %.*s", (int)MIN(len, 500), note);
		note += len + (note[len] == '\n');
	}
	if (!ret && nr > ORIGIN_NOTES)
		ret = buf_printf(b, "; and %u more notes, in mm-log import",
				 nr - ORIGIN_NOTES);
	return ret;
}

static int head_origins(FILE *out, const struct runset *set)
{
	struct buf b = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < set->nr; i++) {
		b.len = 0;
		ret = put_origin(&b, &set->run[i]);
		if (!ret && b.len)
			ret = wrap_print(out, "imported: %s: %s",
					 set->run[i].column, (char *)b.p);
	}
	buf_free(&b);
	return ret;
}

int report_head(FILE *out, const struct runset *set, const char *title)
{
	unsigned int i;
	int ret;

	ret = wrap_print(out, "%s", title);
	fputc('\n', out);
	for (i = 0; !ret && i < set->nr; i++)
		ret = head_run(out, &set->run[i]);
	if (!ret)
		ret = head_loss(out, set);
	if (!ret)
		ret = head_defects(out, set);
	if (!ret)
		ret = head_origins(out, set);
	if (!ret)
		ret = put_part(set, report_put, out);
	return ret;
}

/* ------------------------------------------------------------------ table */

/* A table is the same wherever its log was lying. */
static const char *basename_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int note_run(struct table *t, const struct run *run)
{
	const struct mmt_counts *counts = mmt_counts(run->log);
	const char *defect = run_defect(run);
	struct buf b = {0};
	int ret;

	ret = put_loss(&b, run);
	if (!ret)
		ret = table_note(
			t,
			"%s: %s kernel %s sampling none events %" PRIu64
			" lost %s",
			run->column, basename_of(mmt_path(run->log)),
			kernel_release(run), counts->nr_events, (char *)b.p);
	if (!ret && defect)
		ret = table_note(t, "incomplete: %s: %s", run->column, defect);
	b.len = 0;
	if (!ret)
		ret = put_origin(&b, run);
	if (!ret && b.len)
		ret = table_note(t, "imported: %s: %s", run->column,
				 (char *)b.p);
	buf_free(&b);
	return ret;
}

static int note_memory_max(struct table *t, const struct runset *set)
{
	struct buf b = {0};
	unsigned int i;
	uint64_t max;
	int ret = 0;

	for (i = 0; !ret && i < set->nr; i++) {
		max = run_memory_max(&set->run[i]);
		if (max)
			ret = buf_printf(&b, " %s=%" PRIu64, set->run[i].column,
					 max);
	}
	if (!ret && b.len)
		ret = table_note(t, "memory_max_bytes:%s", (char *)b.p);
	buf_free(&b);
	return ret;
}

int report_table(struct table **tp, const struct runset *set,
		 const char *program, const char *name)
{
	unsigned int i;
	int ret;

	ret = table_new(tp, program, name, 1);
	if (ret)
		return ret;
	for (i = 0; !ret && i < set->nr; i++)
		ret = note_run(*tp, &set->run[i]);
	if (!ret)
		ret = note_memory_max(*tp, set);
	if (!ret)
		ret = put_part(set, report_note, *tp);
	if (ret) {
		table_free(*tp);
		*tp = NULL;
	}
	return ret;
}
