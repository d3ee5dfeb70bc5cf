/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-repack.c - mm-log repack: the smallest form of a log, to be kept */

/*
 * The copy gives every reader the same events, facts and texts.  A log that
 * is damaged is not copied unless --salvage, and the copy then says what it
 * misses; one whose recorder was killed is copied, and says that.
 */

#include "config.h"

#include <inttypes.h>

#include "formats/log-cmd.h"
#include "formats/repack.h"
#include "formats/units.h"

static const struct option longs[] = {LOG_COPY_OPTIONS, {NULL, 0, NULL, 0}};

/* "base.mmt: 3.2 MiB, 2.71 bytes per event". */
static int put_size(FILE *out, const struct mmt *log)
{
	const struct mmt_counts *counts = mmt_counts(log);
	char size[UNITS_MAX];
	struct buf path = {0};
	int ret = log_escape(&path, mmt_path(log));

	units_size(size, counts->nr_bytes);
	if (!ret && counts->nr_events)
		ret = wrap_print(
			out, "%s: %s, %" PRIu64 " events, %.2f bytes per event",
			(char *)path.p, size, counts->nr_events,
			(double)counts->nr_bytes / (double)counts->nr_events);
	else if (!ret)
		ret = wrap_print(out, "%s: %s, no events", (char *)path.p,
				 size);
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
		ret = wrap_print(out, "incomplete: %s",
				 log_defect(mmt_counts(log)));
	mmt_close(copy);
	return ret;
}

static int fill_copy(void *data, struct mmt_writer *w, struct errbuf *err)
{
	struct mmt *log = data;

	return mmt_repack(log, w, log_defect(mmt_counts(log)), err);
}

static int run_repack(const struct log_options *o, FILE *out,
		      struct errbuf *err)
{
	struct mmt *log;
	int ret = log_copy_open(&log, o, "repack", err);

	if (ret)
		return ret;
	ret = log_copy_write(o, REPACK_LEVEL, fill_copy, log, err);
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
	.shorts = LOG_COPY_SHORTS,
	.longs = longs,
	.run = run_repack,
};
