/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-copy.c - a log made from a log: what repack and anon do alike */

/*
 * The copy has its name only when it is whole, so that neither a signal nor a
 * full disk leaves half of one, and what it replaces stays until then.
 */

#include "config.h"

#include <sys/stat.h>

#include "formats/log-cmd.h"
#include "formats/outfile.h"
#include "formats/units.h"

/* An output that is the very log that is read would be lost. */
static int check_other(const struct log_options *o, struct errbuf *err)
{
	struct stat in, out;
	char safe[256];

	if (!strcmp(o->file, "-") || stat(o->file, &in) || stat(o->out, &out) ||
	    in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return 0;
	errbuf_set(err, -EINVAL, "%s: is the log that is read",
		   units_escape(safe, sizeof(safe), o->out));
	errbuf_hint(err, "-o FILE names another");
	return -EINVAL;
}

static int check_output(const struct log_options *o, const char *verb,
			struct errbuf *err)
{
	if (o->out && strcmp(o->out, "-"))
		return 0;
	errbuf_set(err, -EINVAL, "%s: %s", verb,
		   o->out ? "a log cannot go to a pipe" : "no output named");
	errbuf_hint(err, LOG_PROGRAM " %s FILE -o OUT.mmt", verb);
	return LOG_USAGE;
}

int log_copy_open(struct mmt **logp, const struct log_options *o,
		  const char *verb, struct errbuf *err)
{
	int ret = check_output(o, verb, err);

	if (!ret)
		ret = check_other(o, err);
	/* what will fail at the end need not take its time */
	if (!ret)
		ret = outfile_check(o->out, o->overwrite, err);
	return ret ? ret : log_open(logp, o, err);
}

int log_copy_write(const struct log_options *o, int level, log_fill_fn *fill,
		   void *data, struct errbuf *err)
{
	unsigned int flags = MMT_WHOLE | (o->overwrite ? MMT_OVERWRITE : 0);
	struct errbuf late = {0};
	struct mmt_writer *w;
	char safe[256];
	int ret = mmt_writer_create(&w, o->out, flags, err);

	if (ret)
		return ret;
	if (o->import.level)
		level = o->import.level;
	if (level)
		mmt_writer_level(w, level);
	ret = fill(data, w, err);
	ret = mmt_writer_finish(w, ret, &late);
	if (ret && !*err->text)
		errbuf_set(err, ret, "%s: %s",
			   units_escape(safe, sizeof(safe), o->out),
			   strerror(-ret));
	return ret;
}
