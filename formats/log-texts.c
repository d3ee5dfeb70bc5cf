/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-texts.c - mm-log dump --text: the snapshots and dictionaries of a log */

/*
 * Each text under a line of its own, "# NAME at SECONDS"; its lines are what
 * the kernel said then, escaped, and nothing is added to them, so that what
 * reads such a file reads this, too.
 */

#include "config.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "formats/log-dump.h"
#include "formats/units.h"

/* text has room for a NUL in place of each newline: it is a copy. */
static int put_lines(char *text, size_t len, FILE *out)
{
	char *end = text + len, *nl;
	struct buf line = {0};
	int ret = 0;

	for (; !ret && text < end; text = nl + 1) {
		nl = memchr(text, '\n', (size_t)(end - text));
		nl = nl ? nl : end;
		*nl = '\0';
		line.len = 0;
		ret = buf_reserve(&line, 4 * (size_t)(nl - text) + 1);
		if (!ret)
			fprintf(out, "%s\n",
				units_escape((char *)line.p, line.cap, text));
	}
	buf_free(&line);
	return ret;
}

static int put_text(const struct mmt_text *text, FILE *out)
{
	struct buf copy = {0};
	int ret = buf_append(&copy, text->text, text->len + 1);

	if (!ret)
		ret = put_lines((char *)copy.p, text->len, out);
	buf_free(&copy);
	return ret;
}

static bool in_part(const struct mmt_select *select, uint64_t time_ns)
{
	return time_ns >= select->from_ns &&
	       (!select->to_ns || time_ns <= select->to_ns);
}

/* Names are from the file, too. */
static void put_name(const struct mmt *log, const struct mmt_text *text,
		     FILE *out)
{
	uint64_t first = mmt_counts(log)->first_ns;
	double s = text->time_ns < first
			   ? -(double)(first - text->time_ns) / 1e9
			   : (double)(text->time_ns - first) / 1e9;
	char name[256];

	fprintf(out, "# %s at %+.6f s\n",
		units_escape(name, sizeof(name), text->name), s);
}

static int say_none(const struct log_options *o, struct mmt *log,
		    struct errbuf *err)
{
	errbuf_set(err, -ENOENT, "dump: %s: no text called '%s'%s",
		   mmt_path(log), o->text,
		   o->from_ns || o->to_ns ? " in that time" : "");
	errbuf_hint(err, LOG_PROGRAM " info lists the texts");
	return -ENOENT;
}

int dump_texts(const struct log_options *o, struct mmt *log,
	       const struct mmt_select *select, FILE *out, struct errbuf *err)
{
	struct mmt_text text;
	unsigned int i = 0, nr = 0;
	int ret;

	while (!(ret = mmt_text_next(log, &i, &text, err)) && text.name) {
		if (fnmatch(o->text, text.name, 0) ||
		    !in_part(select, text.time_ns))
			continue;
		nr++;
		put_name(log, &text, out);
		ret = put_text(&text, out);
		if (!ret)
			ret = log_out_error(out);
		if (ret)
			break;
	}
	return ret || nr ? ret : say_none(o, log, err);
}
