/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-dump.c - mm-log dump: the events or the pages of a log, line by line */

/*
 * EVENT patterns are matched against the log's types once; the stream then
 * decodes only the kinds of types that matched.
 */

#include "config.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "formats/log-dump.h"
#include "formats/units.h"

#define CHECK_EVERY 1024 /* lines between looks at the output's state */

static const struct option longs[] = {
	{"event", required_argument, NULL, 'e'},
	{"fields", required_argument, NULL, 'F'},
	{"pages", no_argument, NULL, 'p'},
	{"text", required_argument, NULL, 'x'},
	{"csv", no_argument, NULL, 'c'},
	{"json", no_argument, NULL, 'j'},
	{"time", required_argument, NULL, 't'},
	{"salvage", no_argument, NULL, 's'},
	{"strict", no_argument, NULL, 'S'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

/* -------------------------------------------------------------- selection */

static bool matches(const char *pattern, const struct mmt_schema *s)
{
	char full[sizeof(s->system) + sizeof(s->name)];

	snprintf(full, sizeof(full), "%s:%s", s->system, s->name);
	return !strcmp(pattern, mmt_kind_name((enum mmt_kind)s->kind)) ||
	       !fnmatch(pattern, s->system, 0) ||
	       !fnmatch(pattern, s->name, 0) || !fnmatch(pattern, full, 0);
}

/* What was meant: a name that begins alike, else the nearest. */
static const char *similar(const char *typed, const char *const *names,
			   unsigned int nr)
{
	size_t len = strlen(typed);
	unsigned int i;

	for (i = 0; len > 2 && i < nr; i++)
		if (!strncmp(names[i], typed, len))
			return names[i];
	return nearest_name(typed, names, nr);
}

static int no_event(const struct dump *d, const char *pattern,
		    struct errbuf *err)
{
	const char *names[3 * MMT_MAX_SCHEMAS], *near;
	char safe[512], path[256];
	unsigned int i, nr = 0;

	for (i = 0; i < mmt_nr_types(d->log); i++) {
		const struct mmt_schema *s = mmt_schema(d->log, i);

		names[nr++] = s->system;
		names[nr++] = mmt_kind_name((enum mmt_kind)s->kind);
		names[nr++] = s->name;
	}
	near = similar(pattern, names, nr);
	errbuf_set(err, -ENOENT, "%s: no event is named %.100s",
		   units_escape(path, sizeof(path), mmt_path(d->log)),
		   units_escape(safe, sizeof(safe), pattern));
	if (near)
		errbuf_hint(err, "did you mean -e %.200s?",
			    units_escape(safe, sizeof(safe), near));
	else
		errbuf_hint(err, LOG_PROGRAM " info lists the events of a log");
	return -ENOENT;
}

/* Loss is always wanted: what follows it is not to be trusted blindly. */
static int choose_events(struct dump *d, struct mmt_select *select,
			 struct errbuf *err)
{
	unsigned int i, t, nr_types = mmt_nr_types(d->log);
	bool found;

	for (t = 0; t < nr_types; t++)
		d->wanted[t] = !d->o->nr_events ||
			       mmt_schema(d->log, t)->kind == MMT_LOSS;
	for (i = 0; i < d->o->nr_events; i++) {
		found = false;
		for (t = 0; t < nr_types; t++) {
			const struct mmt_schema *s = mmt_schema(d->log, t);

			if (!matches(d->o->event[i], s))
				continue;
			d->wanted[t] = found = true;
			select->kinds |= MMT_KIND_BIT(s->kind);
		}
		if (!found)
			return no_event(d, d->o->event[i], err);
	}
	return 0;
}

static int name_events(struct dump *d, struct errbuf *err)
{
	char system[4 * sizeof(((struct mmt_schema *)0)->system)];
	char name[4 * sizeof(((struct mmt_schema *)0)->name)];
	unsigned int i;

	for (i = 0; i < mmt_nr_types(d->log); i++) {
		const struct mmt_schema *s = mmt_schema(d->log, i);

		units_escape(system, sizeof(system), s->system);
		units_escape(name, sizeof(name), s->name);
		if (asprintf(&d->event[i], "%s:%s", system, name) < 0) {
			d->event[i] = NULL;
			return errbuf_set(err, -ENOMEM, "out of memory");
		}
	}
	return 0;
}

/* --time counts from the first event. */
static void choose_time(const struct log_options *o, const struct mmt *log,
			struct mmt_select *select)
{
	uint64_t first = mmt_counts(log)->first_ns;

	if (__builtin_add_overflow(first, o->from_ns, &select->from_ns))
		select->from_ns = UINT64_MAX;
	if (o->to_ns && __builtin_add_overflow(first, o->to_ns, &select->to_ns))
		select->to_ns = UINT64_MAX;
	/* the first event of a log whose clock stepped back is not the first */
	if (!o->from_ns)
		select->from_ns = 0;
}

/* ----------------------------------------------------------------- events */

static int put_events(struct dump *d, struct mmt_stream *s, struct errbuf *err)
{
	const struct mmt_event *ev;
	unsigned int nr = 0;
	int ret = 0;

	while (!ret && (ev = mmt_stream_next(s))) {
		if (!d->wanted[ev->type])
			continue;
		ret = dump_event(d, ev);
		if (!ret && ++nr % CHECK_EVERY == 0)
			ret = log_out_error(d->out);
	}
	return ret ? ret : mmt_stream_error(s, err);
}

static int dump_stream(struct dump *d, struct mmt_select *select,
		       struct errbuf *err)
{
	struct mmt_stream *s;
	int ret = choose_events(d, select, err);

	if (!ret)
		ret = name_events(d, err);
	if (!ret)
		ret = dump_columns(d, err);
	if (!ret)
		ret = dump_head(d->o, d->log, d->out, "events");
	if (ret)
		return ret;
	dump_names(d);
	ret = mmt_stream_open(&s, d->log, select, err);
	if (ret)
		return ret;
	ret = put_events(d, s, err);
	mmt_stream_close(s);
	return ret;
}

static int dump_events(const struct log_options *o, struct mmt *log,
		       struct mmt_select *select, FILE *out, struct errbuf *err)
{
	struct dump *d = calloc(1, sizeof(*d));
	unsigned int i;
	int ret;

	if (!d)
		return errbuf_set(err, -ENOMEM, "out of memory");
	d->o = o;
	d->log = log;
	d->out = out;
	ret = dump_stream(d, select, err);
	dump_columns_free(d);
	for (i = 0; i < mmt_nr_types(log); i++)
		free(d->event[i]);
	free(d);
	return ret;
}

/* ------------------------------------------------------------------- verb */

static int dump(const struct log_options *o, FILE *out, struct errbuf *err)
{
	struct mmt_select select = {0};
	struct mmt *log;
	int ret;

	if ((o->pages || o->text) && (o->nr_events || o->fields)) {
		errbuf_set(err, -EINVAL,
			   o->text ? "dump: a text has no events and fields"
				   : "dump: --pages has events and fields "
				     "of its own, not those of -e and -F");
		return LOG_USAGE;
	}
	if (o->text && (o->pages || o->form != LOG_TEXT)) {
		errbuf_set(err, -EINVAL,
			   "dump: --text prints texts as they are");
		return LOG_USAGE;
	}
	ret = log_open(&log, o, err);
	if (ret)
		return ret;
	choose_time(o, log, &select);
	if (o->text)
		ret = dump_texts(o, log, &select, out, err);
	else if (o->pages)
		ret = dump_pages(o, log, &select, out, err);
	else
		ret = dump_events(o, log, &select, out, err);
	if (ret == -ENOMEM && !*err->text)
		errbuf_set(err, ret, "out of memory");
	if (!ret)
		ret = log_status(o, log);
	mmt_close(log);
	return ret;
}

const struct log_verb log_dump_verb = {
	.name = "dump",
	.help = "usage: mm-log dump [OPTION...] FILE\n"
		"\n"
		"Prints events, all CPUs merged by time, or pages, or texts.\n"
		"\n"
		"  -e, --event EVENT     only these: a kind (add, read, ...), a\n"
		"                        system, system:name, a name, or a glob\n"
		"  -F, --fields LIST     these fields: time, time_ns, cpu, pid,\n"
		"                        kind, event, or by role (dev, ino,\n"
		"                        index) or by the kernel's name\n"
		"      --pages           accesses, adds, removals of single pages\n"
		"      --text NAME       snapshots and other texts (a glob) as\n"
		"                        they were written; info lists them\n"
		"      --csv             as CSV\n"
		"  -j, --json            as JSON, an object a line\n"
		"      --time A,B        only this part: seconds from the first\n"
		"                        event\n"
		"      --salvage         read what is whole of a damaged log\n"
		"      --strict          exit with 3 if anything is missing\n"
		"  -h, --help            this text\n"
		"  -V, --version         the version\n",
	.shorts = ":e:F:jhV",
	.longs = longs,
	.run = dump,
};
