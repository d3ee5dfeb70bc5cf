/* SPDX-License-Identifier: GPL-2.0-or-later */
/* analysis.c - the main() of all analyzers */

/*
 * Options, then all logs opened, then each log read once through an engine of
 * its own, then what was asked for: the report, one table or all of them on
 * stdout; tables and charts in a directory.  This is the one place of analyze/
 * that prints, and that knows the exit status.
 */
#include "config.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "analyze/analysis.h"
#include "analyze/options.h"
#include "analyze/output.h"
#include "analyze/runs.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INCOMPLETE = 3 };

static void complain(const struct analysis *a, int ret,
		     const struct errbuf *err)
{
	fprintf(stderr, "%s: %s\n", a->program,
		err->text[0] ? err->text : strerror(-ret));
	if (err->hint[0])
		fprintf(stderr, "hint: %s\n", err->hint);
}

/* --------------------------------------------------------------- progress */

struct progress {
	const struct analysis *a;
	uint64_t shown_ns;
	bool on;    /* stderr is a terminal */
	bool drawn; /* there is a line to take away */
};

#define PROGRESS_NS 250000000

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void progress_tell(void *arg, const struct run *run, double share)
{
	struct progress *p = arg;
	uint64_t now;

	if (!p->on)
		return;
	now = now_ns();
	if (now - p->shown_ns < PROGRESS_NS)
		return;
	p->shown_ns = now;
	p->drawn = true;
	fprintf(stderr, "\r%s: %.40s: %3.0f%% ", p->a->program, run->column,
		100 * share);
}

static void progress_end(struct progress *p)
{
	if (p->drawn)
		fprintf(stderr, "\r%-*s\r", 70, "");
	p->drawn = false;
}

/* ----------------------------------------------------------------- output */

static int print_table(const struct analysis *a, const struct runset *set,
		       const char *name, bool json, struct errbuf *err)
{
	struct table *t = NULL;
	int ret;

	ret = a->make_table(&t, set, name, err);
	if (!ret)
		ret = json ? table_write_json(t, stdout)
			   : table_write_csv(t, stdout);
	table_free(t);
	return ret;
}

/* {"TABLE": table, ...}: table names need no escapes. */
static int print_json(const struct analysis *a, const struct runset *set,
		      struct errbuf *err)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && a->tables[i]; i++) {
		printf("%s\"%s\": ", i ? "," : "{", a->tables[i]);
		ret = print_table(a, set, a->tables[i], true, err);
	}
	puts("}");
	return ret;
}

/* A full disk may show only now; errno is that of the write that failed. */
static int flush_stdout(struct errbuf *err)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	return errbuf_set(err, -EIO, "standard output: %s",
			  strerror(errno ? errno : EIO));
}

static int print_all(const struct analysis *a, const struct runset *set,
		     const struct options *o, struct errbuf *err)
{
	int ret;

	if (o->csv)
		ret = print_table(a, set, o->csv, false, err);
	else if (o->json)
		ret = print_json(a, set, err);
	else
		ret = a->print_report(set, stdout, err);
	return ret && !ferror(stdout) ? ret : flush_stdout(err);
}

static bool is_chart(const struct analysis *a, const char *table)
{
	unsigned int i;

	for (i = 0; a->charts && a->charts[i]; i++)
		if (!strcmp(a->charts[i], table))
			return true;
	return false;
}

static int write_table(const struct analysis *a, const struct runset *set,
		       const struct options *o, const char *name,
		       struct errbuf *err)
{
	struct table *t = NULL;
	int ret = a->make_table(&t, set, name, err);

	if (!ret)
		ret = output_csv(t, o->dir, o->stem, err);
	if (!ret && o->plot && is_chart(a, name)) {
		/* a run without refaults is a result, not a failure */
		if (!table_nr_rows(t))
			fprintf(stderr, "%s: table %s is empty, no chart\n",
				a->program, name);
		else
			ret = output_plot(o->dir, o->stem, name, err);
	}
	table_free(t);
	return ret;
}

static int write_tables(const struct analysis *a, const struct runset *set,
			const struct options *o, struct errbuf *err)
{
	unsigned int i;
	int ret;

	ret = output_dir(o->dir, err);
	for (i = 0; !ret && a->tables[i]; i++)
		ret = write_table(a, set, o, a->tables[i], err);
	return ret;
}

/* ------------------------------------------------------------------- main */

static int read_all(const struct analysis *a, struct runset *set,
		    const struct options *o, struct errbuf *err)
{
	struct progress progress = {.a = a, .on = isatty(STDERR_FILENO)};
	struct runs_watch watch = {progress_tell, &progress};
	unsigned int i;
	int ret;

	ret = runset_open(set, o, err);
	for (i = 0; !ret && i < set->nr; i++)
		ret = run_read(&set->run[i], a, o, &watch, err);
	progress_end(&progress);
	return ret;
}

static bool any_loss(const struct runset *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (run_has_loss(&set->run[i]))
			return true;
	return false;
}

static int analyze(const struct analysis *a, const struct options *o,
		   struct runset *set, struct errbuf *err)
{
	int ret;

	ret = read_all(a, set, o, err);
	if (!ret)
		ret = print_all(a, set, o, err);
	if (!ret && o->dir)
		ret = write_tables(a, set, o, err);
	if (ret) {
		complain(a, ret, err);
		return EXIT_FAILED;
	}
	return o->strict && any_loss(set) ? EXIT_INCOMPLETE : EXIT_DONE;
}

/* --help, --version: results like any other, so a full disk is an error. */
static int print_about(const struct analysis *a, const struct options *o)
{
	struct errbuf err = {0};

	if (o->help)
		options_help(a, stdout);
	else
		printf("%s %s\n", a->program, PACKAGE_VERSION);
	if (!flush_stdout(&err))
		return EXIT_DONE;
	complain(a, -EIO, &err);
	return EXIT_FAILED;
}

int analysis_main(const struct analysis *a, int argc, char **argv)
{
	struct runset set = {0};
	struct errbuf err = {0};
	struct options o;
	int ret, status;

	ret = options_parse(&o, a, argc, argv, &err);
	if (!ret && (o.help || o.version)) {
		status = print_about(a, &o);
	} else {
		if (!ret)
			ret = runset_new(&set, &o, &err);
		if (ret) {
			complain(a, ret, &err);
			status = ret == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
		} else {
			status = analyze(a, &o, &set, &err);
		}
	}
	runset_free(&set, a);
	options_free(&o);
	return status;
}
