/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-repack.c - mm-log repack: the smallest form of a log, to be kept */

/*
 * The copy gives every reader the same events, facts and texts.  A log that
 * is damaged is not copied unless --salvage, and the copy then says what it
 * misses; one whose recorder was killed is copied, and says that.
 */

#include "config.h"

#include <inttypes.h>
#include <unistd.h>

#include "formats/log-cmd.h"
#include "formats/repack.h"
#include "formats/units.h"

static const struct option longs[] = {
	{"output", required_argument, NULL, 'o'},
	{"overwrite", no_argument, NULL, 'f'},
	{"level", required_argument, NULL, 'z'},
	{"salvage", no_argument, NULL, 's'},
	{"strict", no_argument, NULL, 'S'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

/* "base.mmt: 3.2 MiB, 2.71 bytes per event". */
static int put_size(FILE *out, const struct mmt *log)
{
	const struct mmt_counts *counts = mmt_counts(log);
	char size[UNITS_MAX];
	struct buf path = {0};
	int ret = log_escape(&path, mmt_path(log));

	units_size(size, counts->nr_bytes);
	if (!ret && counts->nr_events)
		ret = log_words(
			out, "%s: %s, %" PRIu64 " events, %.2f bytes per event",
			(char *)path.p, size, counts->nr_events,
			(double)counts->nr_bytes / (double)counts->nr_events);
	else if (!ret)
		ret = log_words(out, "%s: %s, no events", (char *)path.p, size);
	buf_free(&path);
	return ret;
}

static int put_report(FILE *out, const struct log_options *o,
		      const struct mmt *log, struct errbuf *err)
{
	struct mmt *copy;
	int ret = mmt_open(&copy, o->out, 0, err);

	if (ret)
		return ret;
	ret = put_size(out, log);
	if (!ret)
		ret = put_size(out, copy);
	if (!ret && log_defect(mmt_counts(log)))
		ret = log_words(out, "incomplete: %s",
				log_defect(mmt_counts(log)));
	mmt_close(copy);
	return ret;
}

/* Half a copy is not left behind. */
static int write_copy(const struct log_options *o, struct mmt *log,
		      struct errbuf *err)
{
	const char *defect = log_defect(mmt_counts(log));
	struct errbuf late = {0};
	struct mmt_writer *w;
	int ret = mmt_writer_create(&w, o->out,
				    o->overwrite ? MMT_OVERWRITE : 0, err);

	if (ret)
		return ret;
	mmt_writer_level(w, o->import.level ? o->import.level : REPACK_LEVEL);
	ret = mmt_repack(log, w, defect, err);
	ret = mmt_writer_finish(w, ret, &late);
	if (ret && !*err->text)
		errbuf_set(err, ret, "%s: %s", o->out, strerror(-ret));
	if (ret)
		unlink(o->out);
	return ret;
}

static int run_repack(const struct log_options *o, FILE *out,
		      struct errbuf *err)
{
	struct mmt *log;
	int ret;

	if (!o->out || !strcmp(o->out, "-")) {
		errbuf_set(err, -EINVAL, "repack: %s",
			   o->out ? "a log cannot go to a pipe"
				  : "no output named");
		errbuf_hint(err, LOG_PROGRAM " repack FILE -o OUT.mmt");
		return LOG_USAGE;
	}
	ret = log_check_output(o, err);
	if (!ret)
		ret = log_open(&log, o, err);
	if (ret)
		return ret;
	ret = write_copy(o, log, err);
	if (!ret)
		ret = put_report(out, o, log, err);
	if (!ret)
		ret = log_status(o, log);
	mmt_close(log);
	return ret;
}

const struct log_verb log_repack_verb = {
	.name = "repack",
	.help = "usage: mm-log repack [OPTION...] FILE -o OUT.mmt\n"
		"\n"
		"Writes a log again, the CPUs merged by time, values as they\n"
		"differ from what was to be expected: the smallest form, for\n"
		"an archive.  Every reader gives the same for both.\n"
		"\n"
		"  -o, --output FILE  the copy\n"
		"  -f, --overwrite    replace it if it exists\n"
		"      --level N      compression, 1 (fast) to 19 (small);\n"
		"                     default 9\n"
		"      --salvage      use what is whole of a damaged log\n"
		"      --strict       loss or damage gives exit 3\n"
		"  -h, --help         this text\n"
		"  -V, --version      the version\n",
	.shorts = ":o:fhV",
	.longs = longs,
	.run = run_repack,
};
