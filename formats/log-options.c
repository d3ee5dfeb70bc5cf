/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-options.c - the command line of a verb of mm-log */

/*
 * getopt_long() splits the words; its own messages are off, because ours name
 * the nearest option.  Each verb has its own table; a letter means the same in
 * all of them.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/log-cmd.h"
#include "formats/option.h"
#include "formats/units.h"

static int bad_option(const struct log_verb *verb, int c, char **argv,
		      struct errbuf *err)
{
	struct errbuf fact;
	char help[64];

	snprintf(help, sizeof(help), LOG_PROGRAM " %s --help lists the options",
		 verb->name);
	option_error(verb->longs, c, argv, help, &fact);
	errbuf_set(err, -EINVAL, "%s: %s", verb->name, fact.text);
	errbuf_hint(err, "%s", fact.hint);
	return -EINVAL;
}

/* "A,B" after the first event; either may be left out. */
static int take_time(struct log_options *o, const char *text,
		     struct errbuf *err)
{
	size_t len = strcspn(text, ",");
	char a[64], safe[128];
	int ret = -EINVAL;

	o->from_ns = 0;
	o->to_ns = 0;
	if (text[len] && text[1] && len < sizeof(a)) {
		memcpy(a, text, len);
		a[len] = '\0';
		ret = len ? units_parse_time(a, &o->from_ns) : 0;
		if (!ret && text[len + 1])
			ret = units_parse_time(text + len + 1, &o->to_ns);
		if (!ret && text[len + 1] && o->from_ns >= o->to_ns)
			ret = -EINVAL;
	}
	if (!ret)
		return 0;
	errbuf_set(err, -EINVAL, "--time %s: not understood",
		   units_escape(safe, sizeof(safe), text));
	errbuf_hint(err, "seconds from the first event, as in --time 2.5,10");
	return -EINVAL;
}

static int take_fields(struct log_options *o, const char *text,
		       struct errbuf *err)
{
	o->fields = text;
	if (text[strspn(text, ",")])
		return 0;
	errbuf_set(err, -EINVAL, "dump: -F names no field");
	errbuf_hint(err, "fields are time, cpu, pid, kind, event, dev, ino, "
			 "index and more");
	return -EINVAL;
}

static int take_level(struct log_options *o, const char *text,
		      struct errbuf *err)
{
	char safe[128];
	uint64_t level;

	if (!units_parse_u64(text, &level) && level >= 1 && level <= 19) {
		o->import.level = (int)level;
		return 0;
	}
	errbuf_set(err, -EINVAL, "--level %s: not understood",
		   units_escape(safe, sizeof(safe), text));
	errbuf_hint(err, "1 is fast, 19 is small");
	return -EINVAL;
}

static int take_page_size(struct log_options *o, const char *text,
			  struct errbuf *err)
{
	char safe[128];

	/* import_check_options() looks at the number */
	if (!units_parse_size(text, &o->import.page_size) &&
	    o->import.page_size)
		return 0;
	errbuf_set(err, -EINVAL, "--page-size %s: not understood",
		   units_escape(safe, sizeof(safe), text));
	errbuf_hint(err, "as in --page-size 16K");
	return -EINVAL;
}

static int take_form(struct log_options *o, enum log_form form,
		     struct errbuf *err)
{
	if (o->form != LOG_TEXT && o->form != form)
		return errbuf_set(err, -EINVAL,
				  "dump: --csv and -j exclude each other");
	o->form = form;
	return 0;
}

/* Options of import; true if it was one. */
static bool take_import(struct log_options *o, int c)
{
	struct import_options *i = &o->import;
	const char **const text = c == 'k'   ? &i->from
				  : c == 'm' ? &i->formats
				  : c == 'P' ? &i->probes
				  : c == 'l' ? &i->clock
				  : c == 'b' ? &i->buffer
				  : c == 'o' ? &o->out
					     : NULL;

	if (text)
		*text = optarg;
	else if (c == 'u')
		i->unwrap = true;
	else if (c == 'f')
		o->overwrite = true;
	return text || c == 'u' || c == 'f';
}

static int take(struct log_options *o, int c, struct errbuf *err)
{
	if (take_import(o, c))
		return 0;
	switch (c) {
	case 'z':
		return take_level(o, optarg, err);
	case 'g':
		return take_page_size(o, optarg, err);
	case 'e':
		o->event[o->nr_events++] = optarg;
		break;
	case 'F':
		return take_fields(o, optarg, err);
	case 'c':
		return take_form(o, LOG_CSV, err);
	case 'j':
		return take_form(o, LOG_JSON, err);
	case 'p':
		o->pages = true;
		break;
	case 'x':
		o->text = optarg;
		break;
	case 's':
		o->salvage = true;
		break;
	case 'S':
		o->strict = true;
		break;
	case 't':
		return take_time(o, optarg, err);
	case 'K':
		o->key = optarg;
		break;
	case 'N':
		o->keep_note = true;
		break;
	case 'h':
		o->help = true;
		break;
	case 'V':
		o->version = true;
		break;
	}
	return 0;
}

/* A script's variable was empty: no option means anything by that. */
static int empty_value(const struct log_verb *verb, int c, struct errbuf *err)
{
	const struct option *o = verb->longs;

	while (o->name && o->val != c)
		o++;
	errbuf_set(err, -EINVAL, "%s: --%s has an empty value", verb->name,
		   o->name ? o->name : "");
	errbuf_hint(err, LOG_PROGRAM " %s --help lists the options",
		    verb->name);
	return -EINVAL;
}

static int take_all(struct log_options *o, const struct log_verb *verb,
		    int argc, char **argv, struct errbuf *err)
{
	int c, ret = 0;

	optind = 0; /* GNU: start over */
	opterr = 0;
	while (!ret && !o->help && !o->version &&
	       (c = getopt_long(argc, argv, verb->shorts, verb->longs, NULL)) !=
		       -1) {
		if (c == '?' || c == ':')
			ret = bad_option(verb, c, argv, err);
		else if (optarg && !*optarg)
			ret = empty_value(verb, c, err);
		else
			ret = take(o, c, err);
	}
	return ret;
}

int log_options_parse(struct log_options *o, const struct log_verb *verb,
		      int argc, char **argv, struct errbuf *err)
{
	int ret;

	memset(o, 0, sizeof(*o));
	o->event = calloc((size_t)argc + 1, sizeof(*o->event));
	if (!o->event)
		return errbuf_set(err, -ENOMEM, "out of memory");
	ret = take_all(o, verb, argc, argv, err);
	if (ret || o->help || o->version)
		return ret;
	o->files = (const char *const *)argv + optind;
	o->nr_files = (unsigned int)(argc - optind);
	if (o->nr_files == 1 || (o->nr_files && verb->many)) {
		o->file = argv[optind];
		return 0;
	}
	errbuf_set(err, -EINVAL, "%s: %s", verb->name,
		   optind < argc ? "more than one log"
		   : verb->many  ? "no file named"
				 : "no log named");
	errbuf_hint(err, LOG_PROGRAM " %s %s", verb->name,
		    optind < argc ? "takes one FILE"
		    : verb->many  ? "IN -o OUT.mmt"
				  : "trace.mmt");
	return -EINVAL;
}

void log_options_free(struct log_options *o)
{
	free(o->event);
	o->event = NULL;
}
