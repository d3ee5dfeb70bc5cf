/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - the command line that all analyzers share */

/*
 * One parser for every analyzer, so that an option means the same everywhere.
 * getopt_long() splits the words; its own messages are off, because ours name
 * the nearest option that exists.  Nothing here looks at a file.
 */
#include "config.h"

#include <limits.h>
#include <stdlib.h>

#include "analyze/options.h"
#include "formats/option.h"
#include "formats/units.h"

enum {
	OPT_CSV = 256,
	OPT_STEM,
	OPT_PLOT,
	OPT_TIME,
	OPT_STRICT,
	OPT_SALVAGE,
	OPT_FROM,
	OPT_FORMATS,
	OPT_PROBES,
	OPT_CLOCK,
	OPT_BUFFER,
	OPT_UNWRAP,
};

static const struct option long_options[] = {
	{"csv", required_argument, NULL, OPT_CSV},
	{"json", no_argument, NULL, 'j'},
	{"output", required_argument, NULL, 'o'},
	{"stem", required_argument, NULL, OPT_STEM},
	{"plot", no_argument, NULL, OPT_PLOT},
	{"time", required_argument, NULL, OPT_TIME},
	{"cpu", required_argument, NULL, 'C'},
	{"strict", no_argument, NULL, OPT_STRICT},
	{"salvage", no_argument, NULL, OPT_SALVAGE},
	{"from", required_argument, NULL, OPT_FROM},
	{"formats", required_argument, NULL, OPT_FORMATS},
	{"probes", required_argument, NULL, OPT_PROBES},
	{"clock", required_argument, NULL, OPT_CLOCK},
	{"buffer", required_argument, NULL, OPT_BUFFER},
	{"unwrap", no_argument, NULL, OPT_UNWRAP},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

#define MAX_CPU    UINT16_MAX
#define MAX_TABLES 16

/* ------------------------------------------------------------------- time */

/* "10%" as a share of 1. */
static int parse_percent(const char *text, double *share)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	*share = strtod(text, &end) / 100;
	if (end[0] != '%' || end[1] || !(*share >= 0 && *share <= 1))
		return -EINVAL;
	return 0;
}

static int time_parse_percent(struct options_time *t, const char *a,
			      const char *b)
{
	int ret = 0;

	t->percent = true;
	t->to_share = 1;
	if (*a)
		ret = parse_percent(a, &t->from_share);
	if (!ret && *b)
		ret = parse_percent(b, &t->to_share);
	if (!ret && t->from_share >= t->to_share)
		ret = -EINVAL;
	return ret;
}

static int time_parse_ns(struct options_time *t, const char *a, const char *b)
{
	int ret = 0;

	if (*a)
		ret = units_parse_time(a, &t->from_ns);
	if (!ret && *b)
		ret = units_parse_time(b, &t->to_ns);
	if (!ret && *b && t->from_ns >= t->to_ns)
		ret = -EINVAL;
	return ret;
}

/* "A,B"; for shares also perf's "A%-B%".  Either may be left out. */
static int time_parse(struct options_time *t, const char *text)
{
	bool percent = strchr(text, '%');
	size_t len = strcspn(text, percent ? ",-" : ",");
	char a[64];

	t->text = text;
	if (!text[len] || !text[1] || len >= sizeof(a))
		return -EINVAL;
	memcpy(a, text, len);
	a[len] = '\0';
	if (percent)
		return time_parse_percent(t, a, text + len + 1);
	return time_parse_ns(t, a, text + len + 1);
}

/* ------------------------------------------------------------------- CPUs */

static int parse_cpu(const char **pos, unsigned int *cpu)
{
	unsigned long v;
	char *end;

	if (**pos < '0' || **pos > '9')
		return -EINVAL;
	v = strtoul(*pos, &end, 10);
	if (v > MAX_CPU)
		return -EINVAL;
	*pos = end;
	*cpu = (unsigned int)v;
	return 0;
}

/* Marks the CPUs of "0-3,8" in seen, a byte for each that can be. */
static int mark_cpus(uint8_t *seen, const char *pos)
{
	unsigned int first, last;

	do {
		if (parse_cpu(&pos, &first))
			return -EINVAL;
		last = first;
		if (*pos == '-') {
			pos++;
			if (parse_cpu(&pos, &last) || last < first)
				return -EINVAL;
		}
		memset(seen + first, 1, last - first + 1);
	} while (*pos == ',' && *++pos);
	return *pos || pos[-1] == ',' ? -EINVAL : 0;
}

static int cpus_parse(struct options *o, const char *text)
{
	unsigned int i;
	uint8_t *seen;
	int ret;

	free(o->cpus);
	o->nr_cpus = 0;
	o->cpus_text = text;
	o->cpus = calloc(MAX_CPU + 1, sizeof(*o->cpus));
	seen = calloc(MAX_CPU + 1, 1);
	ret = o->cpus && seen ? mark_cpus(seen, text) : -ENOMEM;
	for (i = 0; !ret && i <= MAX_CPU; i++)
		if (seen[i])
			o->cpus[o->nr_cpus++] = (uint16_t)i;
	free(seen);
	return ret;
}

/* ----------------------------------------------------------------- errors */

static int bad_value(const char *option, const char *value, const char *form,
		     struct errbuf *err)
{
	char safe[128];

	if (*value)
		errbuf_set(err, -EINVAL, "%s %s: not understood", option,
			   units_escape(safe, sizeof(safe), value));
	else
		errbuf_set(err, -EINVAL, "%s: its value is empty", option);
	errbuf_hint(err, "%s", form);
	return -EINVAL;
}

/* ------------------------------------------------------------------ parse */

static int option_time(struct options *o, const char *value, struct errbuf *err)
{
	memset(&o->time, 0, sizeof(o->time));
	if (time_parse(&o->time, value))
		return bad_value(
			"--time", value,
			"seconds from the first event as in --time 2.5,10, or shares of the log as in --time 10%,20%",
			err);
	return 0;
}

static int option_cpus(struct options *o, const char *value, struct errbuf *err)
{
	int ret = cpus_parse(o, value);

	if (ret == -EINVAL)
		return bad_value("-C", value, "a list of CPUs as in -C 0-3,8",
				 err);
	return ret;
}

static int option_value(struct options *o, int opt, const char *value,
			struct errbuf *err)
{
	switch (opt) {
	case OPT_CSV:
		o->csv = value;
		return 0;
	case 'o':
		o->dir = value;
		return 0;
	case OPT_STEM:
		o->stem = value;
		return 0;
	case OPT_TIME:
		return option_time(o, value, err);
	case OPT_FROM:
		o->import.from = value;
		return import_check_options(&o->import, err);
	case OPT_FORMATS:
		o->import.formats = value;
		return 0;
	case OPT_PROBES:
		o->import.probes = value;
		return 0;
	case OPT_CLOCK:
		o->import.clock = value;
		return 0;
	case OPT_BUFFER:
		o->import.buffer = value;
		return 0;
	default:
		return option_cpus(o, value, err);
	}
}

static bool option_flag(struct options *o, int opt)
{
	bool *const flag = opt == 'j'           ? &o->json
			   : opt == OPT_PLOT    ? &o->plot
			   : opt == OPT_STRICT  ? &o->strict
			   : opt == OPT_SALVAGE ? &o->salvage
			   : opt == OPT_UNWRAP  ? &o->import.unwrap
			   : opt == 'h'         ? &o->help
			   : opt == 'V'         ? &o->version
						: NULL;

	if (flag)
		*flag = true;
	return flag;
}

static int parse_words(struct options *o, int argc, char **argv,
		       struct errbuf *err)
{
	int opt, ret = 0;

	optind = 0; /* GNU: start over, also where a test calls twice */
	opterr = 0;
	while (!ret) {
		opt = getopt_long(argc, argv, ":jo:C:hV", long_options, NULL);
		if (opt == -1)
			break;
		if (opt == '?' || opt == ':')
			return option_error(long_options, opt, argv,
					    "--help lists the options", err);
		if (!option_flag(o, opt))
			ret = option_value(o, opt, optarg, err);
	}
	o->file = argv + optind;
	o->nr_files = (unsigned int)(argc - optind);
	return ret;
}

/* "tables: summary mrc" for a hint. */
static void hint_tables(const struct analysis *a, struct errbuf *err)
{
	struct buf all = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && a->tables[i].name; i++)
		ret = buf_printf(&all, " %s", a->tables[i].name);
	if (!ret)
		errbuf_hint(err, "tables:%s", (char *)all.p);
	buf_free(&all);
}

static int check_table(const struct analysis *a, const char *name,
		       struct errbuf *err)
{
	const char *names[MAX_TABLES], *near;
	unsigned int i;
	char safe[128];

	for (i = 0; a->tables[i].name && i < MAX_TABLES; i++) {
		names[i] = a->tables[i].name;
		if (!strcmp(names[i], name))
			return 0;
	}
	errbuf_set(err, -EINVAL, "table %s is unknown",
		   units_escape(safe, sizeof(safe), name));
	near = nearest_name(name, names, i);
	if (near)
		errbuf_hint(err, "did you mean --csv %s?", near);
	else
		hint_tables(a, err);
	return -EINVAL;
}

/* A stem becomes part of a file's name and must stay in its directory. */
static int check_output(const struct options *o, struct errbuf *err)
{
	int ret = 0;

	if (o->plot && !o->dir) {
		ret = errbuf_set(err, -EINVAL, "--plot needs a directory");
		errbuf_hint(err, "add -o DIR");
	} else if (o->stem && !o->dir) {
		ret = errbuf_set(err, -EINVAL, "--stem needs a directory");
		errbuf_hint(err, "add -o DIR");
	} else if (o->stem && (!*o->stem || strchr(o->stem, '/') ||
			       *o->stem == '.' || *o->stem == '-')) {
		ret = bad_value(
			"--stem", o->stem,
			"a file name without / and not beginning with . or -",
			err);
	}
	return ret;
}

static int check_all(const struct options *o, const struct analysis *a,
		     struct errbuf *err)
{
	int ret;

	if (!o->nr_files) {
		ret = errbuf_set(err, -EINVAL, "no log is named");
		errbuf_hint(err, "%s base=BASE.mmt fg=FG.mmt", a->program);
		return ret;
	}
	if (o->csv && o->json)
		return errbuf_set(err, -EINVAL,
				  "--csv and -j exclude each other");
	ret = o->csv ? check_table(a, o->csv, err) : 0;
	return ret ? ret : check_output(o, err);
}

int options_parse(struct options *o, const struct analysis *a, int argc,
		  char **argv, struct errbuf *err)
{
	int ret;

	memset(o, 0, sizeof(*o));
	ret = parse_words(o, argc, argv, err);
	if (ret || o->help || o->version)
		return ret;
	ret = check_all(o, a, err);
	if (!ret && !o->stem)
		o->stem = strncmp(a->program, "mm-", 3) ? a->program
							: a->program + 3;
	return ret;
}

void options_free(struct options *o)
{
	free(o->cpus);
	o->cpus = NULL;
}

/* ------------------------------------------------------------------- help */

void options_help(const struct analysis *a, FILE *out)
{
	unsigned int i;

	fprintf(out, "Usage: %s [OPTION...] [LABEL=]FILE...\n%s\n\n",
		a->program, a->synopsis);
	fputs("The first label is the base line; '-' is standard input.\n\n"
	      "  --csv TABLE     print one table as CSV:",
	      out);
	for (i = 0; a->tables[i].name; i++)
		fprintf(out, " %s", a->tables[i].name);
	fputs("\n"
	      "  -j, --json      print all tables as one JSON object\n"
	      "  -o, --output DIR  write all tables to DIR/STEM-TABLE.csv\n"
	      "  --stem NAME     begin those file names with NAME\n"
	      "  --plot          with -o: draw the charts there, too\n"
	      "  --time A,B      only this part: seconds from the first event,\n"
	      "                  or shares of the log (10%,20%)\n"
	      "  -C, --cpu LIST  only these CPUs (0-3,8)\n"
	      "  --strict        exit with 3 if the input has loss or damage\n"
	      "  --salvage       read what is whole of a damaged log\n"
	      "  -h, --help      print this\n"
	      "  -V, --version   print the version\n"
	      "\n"
	      "A FILE that is no log is imported first, as by mm-log import:\n"
	      "  --from KIND     what it is: tracedat, text, raw, csv, keys64,\n"
	      "                  oracleGeneral; detected if it can be\n"
	      "  --formats PATH  event formats, for raw; kprobe_events or\n"
	      "                  dynamic_events, for all kinds\n"
	      "  --probes FILE   kprobe_events or dynamic_events only\n"
	      "  --clock NAME    the clock, if the input does not say\n"
	      "  --buffer NAME   one of several buffers of the input\n"
	      "  --unwrap        text that a mail program has wrapped\n",
	      out);
}
