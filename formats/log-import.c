/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-import.c - mm-log import: a log from what another program recorded */

/*
 * The log is the result; what was found in the input, what had to be assumed
 * and what was lost on the way is told on standard error, also where nothing
 * could be used.
 */

#include "config.h"

#include <inttypes.h>

#include "formats/log-cmd.h"
#include "formats/units.h"

#define DEFAULT_OUT "trace.mmt"

static const struct option longs[] = {
	{"from", required_argument, NULL, 'k'},
	{"formats", required_argument, NULL, 'm'},
	{"probes", required_argument, NULL, 'P'},
	{"clock", required_argument, NULL, 'l'},
	{"buffer", required_argument, NULL, 'b'},
	{"page-size", required_argument, NULL, 'g'},
	{"unwrap", no_argument, NULL, 'u'},
	{"output", required_argument, NULL, 'o'},
	{"overwrite", no_argument, NULL, 'f'},
	{"level", required_argument, NULL, 'z'},
	{"strict", no_argument, NULL, 'S'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

/* ----------------------------------------------------------------- report */

/* The end of a long name is what it differs in. */
static void put_event(FILE *out, const struct import_event *e)
{
	const size_t room = LOG_WIDTH - 22;
	char name[512];
	size_t len;

	units_escape(name, sizeof(name), e->name);
	len = strlen(name);
	fprintf(out, "%10" PRIu64 " %8" PRIu64 "  %s%s\n", e->nr_matched,
		e->nr_failed, len > room ? "..." : "",
		len > room ? name + len - room + 3 : name);
}

/* Types that the input knows and has no event of are only counted. */
static void put_events(FILE *out, const struct import_report *r)
{
	unsigned int i, nr = 0;

	for (i = 0; i < r->nr_events_types; i++) {
		const struct import_event *e = &r->event[i];

		if (!e->nr_matched && !e->nr_failed)
			continue;
		if (!nr++)
			fprintf(out, "\n%10s %8s  %s\n", "matched", "failed",
				"event");
		put_event(out, e);
	}
	if (nr < r->nr_events_types)
		fprintf(out, "%snone of %u%s event types\n", nr ? "\n" : "",
			r->nr_events_types - nr, nr ? " other" : "");
	else if (nr)
		fputc('\n', out);
}

static int put_loss(FILE *out, const struct import_report *r)
{
	const struct mmt_counts counts = {
		.nr_events = r->nr_events,
		.nr_lost = r->nr_lost,
		.nr_gaps_uncounted = r->nr_gaps_uncounted,
		.complete = true, /* a cut input has lines of its own */
	};
	struct buf loss = {0};
	int ret = log_loss(&loss, &counts);

	if (!ret)
		ret = wrap_print(out, "lost while recording: %s",
				 (char *)loss.p);
	buf_free(&loss);
	return ret;
}

/* Each line of the text, behind what it is. */
static int put_lines(FILE *out, const char *what, const struct buf *lines)
{
	const char *p = (const char *)lines->p;
	int ret = 0, len;

	while (!ret && p && *p) {
		len = (int)strcspn(p, "\n");
		ret = wrap_print(out, "%s: %.*s", what, len, p);
		p += len + (p[len] == '\n');
	}
	return ret;
}

static int put_head(FILE *out, const struct log_options *o,
		    const struct import_report *r)
{
	struct buf path = {0};
	int ret = log_escape(&path,
			     strcmp(o->file, "-") ? o->file : "standard input");

	if (!ret && o->nr_files > 1)
		ret = buf_printf(&path, " and %u more", o->nr_files - 1);
	if (!ret)
		ret = wrap_print(out, "%s: %s, %" PRIu64 " event%s",
				 (char *)path.p, r->kind, r->nr_events,
				 r->nr_events == 1 ? "" : "s");
	buf_free(&path);
	return ret;
}

static int put_result(FILE *out, const char *path,
		      const struct import_report *r)
{
	char size[UNITS_MAX];
	struct buf name = {0};
	int ret = log_escape(&name, path);

	if (!ret)
		ret = wrap_print(out, "written: %s, %s", (char *)name.p,
				 units_size(size, r->nr_bytes));
	buf_free(&name);
	return ret;
}

static int put_report(FILE *out, const struct log_options *o,
		      const struct import_report *r)
{
	int ret = put_head(out, o, r);

	put_events(out, r);
	/* of nothing, nothing is known to be lost */
	if (!ret && (r->nr_events || r->nr_lost || r->nr_gaps_uncounted))
		ret = put_loss(out, r);
	if (!ret && *r->first_failed && r->nr_failed)
		ret = wrap_print(out, "first line that failed: %s",
				 r->first_failed);
	if (!ret)
		ret = put_lines(out, "note", &r->notes);
	if (!ret)
		ret = put_lines(out, "damage", &r->damage);
	return ret;
}

/* ------------------------------------------------------------------- verb */

static int status_of(const struct log_options *o, const struct import_report *r)
{
	if (r->damaged)
		return LOG_INCOMPLETE;
	return o->strict && (r->nr_lost || r->nr_gaps_uncounted)
		       ? LOG_INCOMPLETE
		       : LOG_DONE;
}

/* More than the one line of an error says. */
static bool tells_more(int ret, const struct import_report *r)
{
	return !ret || r->nr_events_types || r->nr_notes || r->nr_damages > 1;
}

static int import(const struct log_options *o, FILE *out, struct errbuf *err)
{
	const char *path = o->out ? o->out : DEFAULT_OUT;
	struct import_report report;
	int ret, status;

	(void)out;
	if (import_check_options(&o->import, err))
		return LOG_USAGE;
	if (!strcmp(path, "-")) {
		errbuf_set(err, -EINVAL, "import: a log cannot go to a pipe");
		errbuf_hint(err, "the analyzers take the input as it is: "
				 "mm-refault IN");
		return LOG_USAGE;
	}
	ret = import_run(NULL, path, o->overwrite ? MMT_OVERWRITE : 0,
			 &o->import, o->files, o->nr_files, &report, err);
	status = tells_more(ret, &report) ? put_report(stderr, o, &report) : 0;
	if (!ret && !status)
		status = put_result(stderr, path, &report);
	if (status && !ret)
		ret = errbuf_set(err, status, "%s", strerror(-status));
	if (!ret)
		ret = status_of(o, &report);
	import_report_free(&report);
	return ret;
}

const struct log_verb log_import_verb = {
	.name = "import",
	.help = "usage: mm-log import [OPTION...] IN... [-o OUT.mmt]\n"
		"\n"
		"Makes a log of what another program recorded.  What was found,\n"
		"assumed and missed is told on standard error.\n"
		"\n"
		"      --from KIND     tracedat, text, raw, csv, keys64 or\n"
		"                      oracleGeneral; detected if it can be\n"
		"      --formats PATH  event formats, for raw: a file or a\n"
		"                      directory; kprobe_events or\n"
		"                      dynamic_events, for all kinds\n"
		"      --probes FILE   kprobe_events or dynamic_events only\n"
		"      --clock NAME    the clock, if the input does not say\n"
		"      --buffer NAME   one of several buffers of the input\n"
		"      --page-size N   as 16K, if the input does not say\n"
		"      --unwrap        text that a mail program has wrapped\n"
		"  -o, --output FILE   the log, " DEFAULT_OUT " if not given\n"
		"  -f, --overwrite     replace it if it exists\n"
		"      --level N       compression, 1 (fast) to 19 (small)\n"
		"      --strict        lost records give exit 3, too\n"
		"  -h, --help          this text\n"
		"  -V, --version       the version\n"
		"\n"
		"Exit: 0 done, 1 no event could be read, 3 the input is cut or\n"
		"damaged and what is whole of it was used.\n",
	.shorts = ":o:fhV",
	.longs = longs,
	.many = true,
	.run = import,
};
