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
#include "analyze/tables.h"
#include "formats/units.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INCOMPLETE = 3 };

static void complain(const struct analysis *a, int ret,
		     const struct errbuf *err)
{
	fprintf(stderr, "%s: %s\n", a->program,
		err->text[0] ? err->text : strerror(-ret));
	if (err->hint[0])
		fprintf(stderr, "hint: %s\n", err->hint);
}

/* Is a run's column something else than its label, or that and a number? */
static bool label_altered(const struct runset *set, const struct run *run)
{
	size_t len = strlen(run->label);
	const struct run *other;

	if (strncmp(run->column, run->label, len))
		return true;
	if (!run->column[len])
		return false;
	/* a number is expected where a label is repeated */
	for (other = set->run; other < run; other++)
		if (!strcmp(other->label, run->label))
			return false;
	return true;
}

/* Columns are plain words; who looks for his own one must find it. */
static void say_labels(const struct analysis *a, const struct runset *set)
{
	const struct run *run;
	char safe[256];

	for (run = set->run; run < set->run + set->nr; run++)
		if (label_altered(set, run))
			fprintf(stderr, "%s: label '%s' is printed as %s\n",
				a->program,
				units_escape(safe, sizeof(safe), run->label),
				run->column);
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
		       const struct analysis_table *what, bool json)
{
	struct table *t;
	int ret;

	ret = tables_make(&t, a, what, set);
	if (ret)
		return ret;
	ret = json ? table_write_json(t, stdout) : table_write_csv(t, stdout);
	table_free(t);
	return ret;
}

static int print_csv(const struct analysis *a, const struct runset *set,
		     const char *name)
{
	const struct analysis_table *t = a->tables;

	/* options_parse() has seen that there is one */
	while (strcmp(t->name, name))
		t++;
	return print_table(a, set, t, false);
}

/* {"TABLE": table, ...}: table names need no escapes. */
static int print_json(const struct analysis *a, const struct runset *set)
{
	const struct analysis_table *t;
	int ret = 0;

	for (t = a->tables; !ret && t->name; t++) {
		printf("%s\"%s\": ", t == a->tables ? "{" : ",", t->name);
		ret = print_table(a, set, t, true);
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
		ret = print_csv(a, set, o->csv);
	else if (o->json)
		ret = print_json(a, set);
	else
		ret = a->print_report(set, stdout);
	return ret && !ferror(stdout) ? ret : flush_stdout(err);
}

/* What a table becomes a file with. */
struct target {
	struct outdir dir;
	const char *stem;
	bool plot;
};

static int write_table(const struct analysis *a, const struct runset *set,
		       const struct target *to,
		       const struct analysis_table *what, struct errbuf *err)
{
	struct table *t;
	int ret;

	ret = tables_make(&t, a, what, set);
	if (ret)
		return ret;
	ret = output_csv(&to->dir, to->stem, t, err);
	if (!ret && to->plot && what->chart) {
		/* a run without refaults is a result, not a failure */
		if (!table_nr_rows(t))
			fprintf(stderr, "%s: table %s is empty, no chart\n",
				a->program, what->name);
		else
			ret = output_plot(&to->dir, to->stem, what->name, err);
	}
	table_free(t);
	return ret;
}

static int write_tables(const struct analysis *a, const struct runset *set,
			const struct options *o, struct errbuf *err)
{
	struct target to = {.stem = o->stem, .plot = o->plot};
	const struct analysis_table *t;
	int ret;

	ret = outdir_open(&to.dir, o->dir, err);
	if (ret)
		return ret;
	for (t = a->tables; !ret && t->name; t++)
		ret = write_table(a, set, &to, t, err);
	outdir_close(&to.dir);
	return ret;
}

/* Hours of work must not end at a directory that cannot be written to. */
static int check_target(const struct analysis *a, const struct options *o,
			struct errbuf *err)
{
	const struct analysis_table *t;
	struct outdir dir;
	int ret;

	ret = outdir_open(&dir, o->dir, err);
	if (ret)
		return ret;
	for (t = a->tables; !ret && t->name; t++)
		ret = output_check(&dir, o->stem, t->name, err);
	outdir_close(&dir);
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
	int ret = o->dir ? check_target(a, o, err) : 0;

	say_labels(a, set);
	if (!ret)
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
