/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record-main.c - mmcap record: help, messages, exit status */

/*
 * What happens is in recorder.c; this is what the user reads.  Closing lines
 * say what was recorded, and, always, what was lost.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/main.h"
#include "capture/recorder.h"
#include "formats/units.h"

static const char help[] =
	"usage: mmcap record [OPTION...] [--] [COMMAND...]\n"
	"\n"
	"Records mm events of the whole machine into a log, until COMMAND\n"
	"ends, or a signal (Ctrl-C), or a limit.\n"
	"\n"
	"  -e, --event WHAT     a set (mmcap list), a system, system:event,\n"
	"                       a glob, or a probe to define: 'p:NAME\n"
	"                       FUNCTION ARG=$arg1:x64'; default all\n"
	"      --filter EXPR    the kernel's filter for the -e before it\n"
	"  -C, --cpus LIST      only these CPUs, as 0-3,8\n"
	"  -b, --buffer KIB     kernel buffer per CPU, default 8192\n"
	"  -m, --max-size SIZE  stop at this size of the log (64K 2M 1G)\n"
	"  -d, --duration TIME  stop after this time (30, 10m, 1h)\n"
	"      --snap TIME      the kernel's counters again and again;\n"
	"                       at start and end they always are\n"
	"      --clock NAME     clock of the events, default mono\n"
	"      --note TEXT      kept in the log\n"
	"  -o, --output FILE    the log, default trace.mmt\n"
	"  -f, --force          replace FILE\n"
	"      --strict         exit 3 if events were lost\n"
	"      --root DIR       look for /sys and /proc below DIR (tests)\n"
	"  -a, --all-cpus       accepted, does nothing\n"
	"  -q, --quiet          only warnings and errors\n"
	"  -h, --help           this text\n"
	"\n"
	"Sizes are powers of 1024.  Exit status: that of COMMAND; 125 if\n"
	"there is no usable log, 126 and 127 as env(1); without COMMAND 0,\n"
	"1 failed, 2 usage; 3 if --strict and events were lost.\n";

static void say_start(const struct recorder *r)
{
	if (r->plan.nr_missing)
		say("warning: this kernel lacks %u of %u event types: %s",
		    r->plan.nr_missing, r->plan.nr_missing + r->plan.nr,
		    (const char *)r->plan.missing.p);
	if (!strcmp(r->session_options.clock, "local"))
		say("warning: clock local cannot be compared between CPUs");
}

static void say_recording(const struct recorder *r)
{
	if (r->opts->quiet || r->opts->command || !isatty(STDERR_FILENO))
		return;
	say("recording events of %u types on %u CPUs, Ctrl-C ends it",
	    r->plan.nr, r->readers.nr);
}

static void say_summary(const struct recorder *r)
{
	const struct readers_totals *t = &r->totals;
	char size[UNITS_MAX];

	if (r->opts->quiet)
		return;
	say("%" PRIu64 " events in %.1f s, %s (%.1f bytes each) -> %s",
	    t->nr_events, (double)r->elapsed_ns / 1e9,
	    units_size(size, r->log_bytes),
	    t->nr_events ? (double)r->log_bytes / (double)t->nr_events : 0.0,
	    r->opts->output);
}

static void say_loss(const struct recorder *r)
{
	const struct readers_totals *t = &r->totals;
	char gap[UNITS_MAX];

	if (t->nr_gaps_uncounted)
		say("warning: %" PRIu64 " gaps of unknown size: the buffer "
		    "was cleared or damaged",
		    t->nr_gaps_uncounted);
	if (!t->nr_lost)
		return;
	say("lost %" PRIu64 " events (%.2g%%) on %u of %u CPUs, "
	    "longest gap %s",
	    t->nr_lost,
	    100.0 * (double)t->nr_lost / (double)(t->nr_lost + t->nr_events),
	    t->nr_cpus_lost, r->readers.nr_seen,
	    units_time(gap, t->longest_gap_ns));
	if (r->write_error)
		return;
	fprintf(stderr,
		"hint: -b %u (now %u KiB per CPU), or fewer events "
		"with -e, would avoid it\n",
		r->opts->session.buffer_kib * 4, r->opts->session.buffer_kib);
}

static void say_warnings(const struct recorder *r)
{
	if (r->meddled[0])
		say("warning: %s was switched off by somebody else",
		    r->meddled);
	if (r->never.len)
		say("warning: never fired: %s", (const char *)r->never.p);
	if (r->undo_error) {
		say("%s: cannot be removed: %s", r->session.dir,
		    strerror(-r->undo_error));
		fputs("hint: 'mmcap cleanup' tries again\n", stderr);
	}
}

/* The status if the command, or the absence of one, had nothing against it. */
static int own_status(const struct recorder *r)
{
	const struct readers_totals *t = &r->totals;

	if (r->write_error)
		return r->opts->command && !r->log_bytes ? COMMAND_NO_LOG
							 : EXIT_FAILED;
	if (r->undo_error)
		return EXIT_FAILED;
	if (r->opts->strict && (t->nr_lost || t->nr_gaps_uncounted))
		return EXIT_INCOMPLETE;
	return EXIT_DONE;
}

static int exit_status(const struct recorder *r)
{
	int status = own_status(r);

	if (r->opts->command && status != COMMAND_NO_LOG &&
	    command_exit_status(&r->command))
		return command_exit_status(&r->command);
	return status;
}

static void finish(struct recorder *r)
{
	struct errbuf err;

	if (recorder_stop(r, &err)) {
		complain(&err);
		fprintf(stderr,
			"hint: what is before that is whole: "
			"'mm-log check %s'\n",
			r->opts->output);
	}
	say_summary(r);
	say_loss(r);
	say_warnings(r);
	if (r->command.running && !r->opts->quiet)
		say("recording has ended (%s), the command goes on",
		    r->stop_reason);
}

/* ret is of recorder_prepare() or recorder_start(). */
static int fail(const struct recorder *r, int ret, const struct errbuf *err)
{
	complain(err);
	if (r->undo_error)
		say_warnings(r);
	if (ret > 0)
		return ret;
	return r->opts->command ? COMMAND_NO_LOG : EXIT_FAILED;
}

static int record(const struct record_options *opts)
{
	struct errbuf err = {0};
	struct recorder r;
	int ret;

	ret = recorder_prepare(&r, opts, &err);
	if (!ret) {
		say_start(&r);
		ret = recorder_start(&r, &err);
	}
	if (ret) {
		ret = fail(&r, ret, &err);
	} else {
		say_recording(&r);
		recorder_wait(&r);
		finish(&r);
		recorder_wait_command(&r);
		ret = exit_status(&r);
	}
	recorder_free(&r);
	return ret;
}

int record_main(int argc, char **argv)
{
	struct record_options opts;
	struct errbuf err = {0};
	int ret = EXIT_USAGE;

	if (record_options_parse(&opts, argc, argv, &err)) {
		complain(&err);
	} else if (opts.help) {
		fputs(help, stdout);
		ret = close_stdout(EXIT_DONE);
	} else {
		ret = record(&opts);
	}
	record_options_free(&opts);
	return ret;
}
