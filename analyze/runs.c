/* SPDX-License-Identifier: GPL-2.0-or-later */
/* runs.c - the runs of a command line: labels, logs, driving the engines */

/*
 * A label is what stands before the first '=' if there is no '/' in it, so
 * that a path with '=' in a folder's name needs no quoting.  Each run gets a
 * column name that is safe in CSV and gnuplot and used by no other run: a
 * repeated label is a repeated run and becomes fg, fg_2, fg_3.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/runs.h"
#include "formats/units.h"

#define DEFAULT_PAGE_SIZE 4096
#define MAX_RUNS          1000

/* ----------------------------------------------------------------- labels */

/* The file's name without folder and ".mmt". */
static char *path_stem(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t len;

	if (!strcmp(path, "-"))
		return strdup("stdin");
	name = name && name[1] ? name + 1 : path;
	len = strlen(name);
	if (len > 4 && !strcmp(name + len - 4, ".mmt"))
		len -= 4;
	return strndup(name, len);
}

static int run_split(struct run *run, const char *word, struct errbuf *err)
{
	const char *equal = strchr(word, '=');
	const char *slash = strchr(word, '/');
	char safe[256];

	if (equal && slash && slash < equal)
		equal = NULL;
	if (equal == word || !*word || (equal && !equal[1])) {
		errbuf_set(err, -EINVAL, "'%s' has no %s",
			   units_escape(safe, sizeof(safe), word),
			   equal == word ? "label before the =" : "file name");
		errbuf_hint(err, "LABEL=FILE, as in base=base.mmt");
		return -EINVAL;
	}
	run->path = strdup(equal ? equal + 1 : word);
	if (!run->path)
		return -ENOMEM;
	run->label =
		equal ? strndup(word, (size_t)(equal - word)) : path_stem(word);
	return run->label ? 0 : -ENOMEM;
}

/* Names that tables need for columns of their own count as taken. */
static bool column_taken(const struct runset *set, const struct run *run,
			 const char *name)
{
	static const char *const reserved[] = {"metric", "unit", "delta_pct"};
	const struct run *other;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(reserved); i++)
		if (!strcmp(name, reserved[i]))
			return true;
	for (other = set->run; other < run; other++)
		if (!strcmp(name, other->column))
			return true;
	return false;
}

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static int run_name_column(const struct runset *set, struct run *run)
{
	size_t len = strlen(run->label);
	unsigned int i, nr;

	run->column = malloc(len + 16);
	if (!run->column)
		return -ENOMEM;
	memcpy(run->column, run->label, len + 1);
	for (i = 0; i < len; i++)
		if (!is_alnum(run->column[i]) &&
		    (!i || !strchr("-.", run->column[i])))
			run->column[i] = '_';
	for (nr = 2; column_taken(set, run, run->column); nr++)
		snprintf(run->column + len, 16, "_%u", nr);
	return 0;
}

int runset_new(struct runset *set, const struct options *o, struct errbuf *err)
{
	unsigned int i, nr_stdin = 0;
	int ret = 0;

	memset(set, 0, sizeof(*set));
	if (o->nr_files > MAX_RUNS)
		return errbuf_set(err, -EINVAL, "more than %u logs", MAX_RUNS);
	set->run = calloc(o->nr_files, sizeof(*set->run));
	if (!set->run)
		return -ENOMEM;
	for (i = 0; !ret && i < o->nr_files; i++) {
		set->nr++;
		ret = run_split(&set->run[i], o->file[i], err);
		if (!ret)
			ret = run_name_column(set, &set->run[i]);
		if (!ret && !strcmp(set->run[i].path, "-") && nr_stdin++)
			ret = errbuf_set(err, -EINVAL,
					 "standard input is named twice");
	}
	set->time = o->time.text;
	set->cpus = o->cpus_text;
	return ret;
}

void runset_free(struct runset *set, const struct analysis *a)
{
	struct run *run;

	for (run = set->run; run < set->run + set->nr; run++) {
		if (run->engine)
			a->engine_free(run->engine);
		if (run->log)
			mmt_close(run->log);
		free(run->label);
		free(run->path);
		free(run->column);
	}
	free(set->run);
	memset(set, 0, sizeof(*set));
}

/* ------------------------------------------------------------------- logs */

static uint64_t meta_u64(const struct run *run, const char *key,
			 uint64_t otherwise)
{
	const char *text = mmt_meta(run->log, key);
	uint64_t v;

	return text && !units_parse_u64(text, &v) ? v : otherwise;
}

uint64_t run_page_size(const struct run *run)
{
	uint64_t size = meta_u64(run, "page.size", DEFAULT_PAGE_SIZE);

	return size ? size : DEFAULT_PAGE_SIZE;
}

uint64_t run_memory_max(const struct run *run)
{
	return meta_u64(run, "memory.max", 0);
}

bool run_has_loss(const struct run *run)
{
	const struct mmt_counts *counts = mmt_counts(run->log);

	return counts->nr_lost || counts->nr_gaps_uncounted || run->incomplete;
}

/* Damage is for the user to decide on: say how to go on without the rest. */
static int hint_salvage(int ret, struct errbuf *err)
{
	if (ret == -EBADMSG && !err->hint[0])
		errbuf_hint(err, "--salvage uses what is whole of it");
	return ret;
}

/* A distance of 100 pages of 4 KiB is not one of 100 pages of 64 KiB. */
static int check_page_sizes(const struct runset *set, struct errbuf *err)
{
	uint64_t first = run_page_size(&set->run[0]), size;
	unsigned int i;

	for (i = 1; i < set->nr; i++) {
		size = run_page_size(&set->run[i]);
		if (size == first)
			continue;
		errbuf_set(err, -EINVAL,
			   "page size of %s is %" PRIu64 ", of %s %" PRIu64
			   ": not comparable page by page",
			   set->run[0].column, first, set->run[i].column, size);
		errbuf_hint(err, "analyze each alone and compare the bytes");
		return -EINVAL;
	}
	return 0;
}

/* Two answers to the question what a file is: which one is wrong? */
static int check_kind(const struct run *run, const char *from, bool imported,
		      struct errbuf *err)
{
	char safe[256];

	if (!from || imported)
		return 0;
	errbuf_set(err, -EINVAL, "%s: is a log of mmcap, but --from says %s",
		   units_escape(safe, sizeof(safe), mmt_path(run->log)), from);
	errbuf_hint(err, "leave out --from: a log is known by its first bytes");
	return -EINVAL;
}

static int run_open(struct run *run, const struct options *o,
		    struct errbuf *err)
{
	struct import_report report;
	int ret;

	ret = import_open(&run->log, run->path, o->salvage ? MMT_SALVAGE : 0,
			  &o->import, &report, err);
	if (!ret)
		ret = check_kind(run, o->import.from, report.kind, err);
	/* the log has its origin and its notes, too */
	import_report_free(&report);
	return hint_salvage(ret, err);
}

int runset_open(struct runset *set, const struct options *o, struct errbuf *err)
{
	unsigned int i;
	int ret;

	for (i = 0; i < set->nr; i++) {
		ret = run_open(&set->run[i], o, err);
		if (ret)
			return ret;
	}
	return check_page_sizes(set, err);
}

/* ---------------------------------------------------------------- reading */

static int select_time(struct mmt_select *select, const struct run *run,
		       const struct options_time *t, struct errbuf *err)
{
	const struct mmt_counts *counts = mmt_counts(run->log);
	uint64_t length = counts->last_ns - counts->first_ns;
	uint64_t from = t->from_ns, to = t->to_ns;
	char text[UNITS_MAX], safe[256];

	if (t->percent) {
		from = (uint64_t)(t->from_share * (double)length);
		to = t->to_share < 1 ? (uint64_t)(t->to_share * (double)length)
				     : 0;
	}
	if (from > length) {
		errbuf_set(err, -ERANGE, "%s: nothing after --time %s",
			   mmt_path(run->log),
			   units_escape(safe, sizeof(safe), t->text));
		errbuf_hint(err, "the log is %s long",
			    units_time(text, length));
		return -ERANGE;
	}
	if (from)
		select->from_ns = counts->first_ns + from;
	if (to && to <= length)
		select->to_ns = counts->first_ns + to;
	return 0;
}

static int run_select(struct mmt_select *select, const struct run *run,
		      const struct options *o, struct errbuf *err)
{
	memset(select, 0, sizeof(*select));
	select->cpus = o->nr_cpus ? o->cpus : NULL;
	select->nr_cpus = o->nr_cpus;
	return o->time.text ? select_time(select, run, &o->time, err) : 0;
}

static int run_drive(struct run *run, const struct analysis *a,
		     struct pages *pages, const struct runs_watch *watch,
		     struct errbuf *err)
{
	struct page_batch *batch;
	int ret;

	batch = malloc(sizeof(*batch));
	if (!batch)
		return -ENOMEM;
	while ((ret = pages_next(pages, batch, err)) > 0) {
		ret = a->engine_batch(run->engine, batch);
		if (ret)
			break;
		if (watch)
			watch->tell(watch->arg, run, pages_progress(pages));
	}
	free(batch);
	return ret;
}

/* Only at the end is it known whether all of a salvaged log was whole. */
static int run_end(struct run *run, const struct analysis *a,
		   const struct pages *pages)
{
	const struct mmt_counts *counts = mmt_counts(run->log);

	run->stats = *pages_stats(pages);
	run->incomplete =
		!counts->complete || counts->damaged || counts->cut_before;
	return a->engine_end ? a->engine_end(run->engine, run) : 0;
}

/* A table of zeros would look like a result. */
static int check_part(const struct run *run, const struct analysis *a,
		      const struct options *o, struct errbuf *err)
{
	const struct mmt_counts *counts = mmt_counts(run->log);
	char path[256], time[64], cpus[64], length[UNITS_MAX];

	if ((!o->time.text && !o->cpus_text) || a->engine_counted(run->engine))
		return 0;
	units_escape(path, sizeof(path), mmt_path(run->log));
	units_escape(time, sizeof(time), o->time.text ? o->time.text : "");
	units_escape(cpus, sizeof(cpus), o->cpus_text ? o->cpus_text : "");
	errbuf_set(err, -ENODATA, "%s: no %s in%s%s%s%s", path, a->counts,
		   *time ? " --time " : "", time, *cpus ? " -C " : "", cpus);
	errbuf_hint(err,
		    "the whole log has %" PRIu64 " events of %u CPU%s in %s",
		    counts->nr_events, counts->nr_cpus,
		    counts->nr_cpus == 1 ? "" : "s",
		    units_time(length, counts->last_ns - counts->first_ns));
	return -ENODATA;
}

int run_read(struct run *run, const struct analysis *a, const struct options *o,
	     const struct runs_watch *watch, struct errbuf *err)
{
	struct mmt_select select;
	struct pages *pages;
	int ret;

	ret = run_select(&select, run, o, err);
	if (!ret)
		ret = a->engine_new(&run->engine, run, err);
	if (ret)
		return ret;
	ret = pages_open(&pages, run->log, &select, err);
	if (ret)
		return hint_salvage(ret, err);
	ret = run_drive(run, a, pages, watch, err);
	if (!ret)
		ret = run_end(run, a, pages);
	if (!ret)
		ret = check_part(run, a, o, err);
	pages_close(pages);
	return hint_salvage(ret, err);
}
