/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-print.c - what the verbs of mm-log open and say alike */

#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "formats/log-cmd.h"
#include "formats/units.h"
#include "formats/wrap.h"

int log_open(struct mmt **logp, const struct log_options *o, struct errbuf *err)
{
	int ret = mmt_open(logp, o->file, o->salvage ? MMT_SALVAGE : 0, err);

	if (!ret && o->salvage) {
		ret = mmt_verify(*logp, err);
		if (ret)
			mmt_close(*logp);
	}
	return ret;
}

int log_status(const struct log_options *o, const struct mmt *log)
{
	const struct mmt_counts *counts = mmt_counts(log);

	if (o->strict && (counts->nr_lost || counts->nr_gaps_uncounted ||
			  log_defect(counts)))
		return LOG_INCOMPLETE;
	return LOG_DONE;
}

int log_out_error(FILE *out)
{
	if (!ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}

/* Few of many are not "0.000%". */
static int put_share(struct buf *b, const struct mmt_counts *counts)
{
	double all = (double)counts->nr_events + (double)counts->nr_lost;
	double pct = 100 * (double)counts->nr_lost / all;

	return pct < 0.001 ? buf_printf(b, " (<0.001%%)")
			   : buf_printf(b, " (%.3f%%)", pct);
}

int log_loss(struct buf *b, const struct mmt_counts *counts)
{
	uint64_t lost = counts->nr_lost, gaps = counts->nr_gaps_uncounted;
	int ret = 0;

	if (!lost && !gaps)
		return buf_printf(b, "%s",
				  log_defect(counts)
					  ? "none counted, but incomplete"
					  : "none");
	if (lost) {
		ret = buf_printf(b, "%" PRIu64 " record%s", lost,
				 lost == 1 ? "" : "s");
		if (!ret)
			ret = put_share(b, counts);
	}
	if (!ret && gaps)
		ret = buf_printf(b, "%s%" PRIu64 " gap%s of unknown size",
				 lost ? " and " : "", gaps,
				 gaps == 1 ? "" : "s");
	return ret;
}

const char *log_defect(const struct mmt_counts *counts)
{
	if (counts->damaged || counts->cut_before)
		return counts->damage;
	if (!counts->complete)
		return "not closed in order (recorder killed or disk full), what is there is used whole";
	return NULL;
}

int log_escape(struct buf *b, const char *text)
{
	char piece[2] = {0}, out[8];
	int ret = buf_reserve(b, 1);

	for (; *text && !ret; text++) {
		piece[0] = *text;
		if (*text != '\n')
			ret = buf_printf(b, "%s",
					 units_escape(out, sizeof(out), piece));
		else if (text[1])
			ret = buf_printf(b, "; ");
	}
	/* an empty text is a string, too */
	if (!ret && !b->len)
		b->p[0] = '\0';
	return ret;
}
