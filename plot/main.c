/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - mm-plot: draws a table */

/*
 * Reads a table that an analyzer wrote as CSV and makes of it a gnuplot
 * script, always, and as asked: PNG and SVG by running gnuplot on that script,
 * and text by ourselves.  Each file name is printed when the file is there.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats/option.h"
#include "formats/units.h"
#include "plot/chart.h"
#include "plot/gnuplot.h"
#include "plot/output.h"
#include "plot/script.h"
#include "plot/text.h"

enum { FAILED = 1, USAGE = 2 };
enum { PNG = 1, SVG = 2, TXT = 4, GP = 8 };

static const char *const type_names[] = {"png", "svg", "txt", "gp", NULL};

struct options {
	const char *table;
	const char *dir;
	const char *stem;
	unsigned int types;
};

static const char usage[] =
	"usage: mm-plot TABLE.csv [-t png,svg,txt,gp] [-o DIR] [--stem NAME]\n";

static const char help[] =
	"\n"
	"Draws a table of mm-reuse (mrc) or mm-refault (distance).\n"
	"\n"
	"  -t, --type LIST    png, svg, txt, gp; default png,svg,txt;\n"
	"                     the gnuplot script (gp) is always written\n"
	"  -o, --output DIR   where the files go; default: here\n"
	"      --stem NAME    first part of their names; default: the program\n"
	"                     that made the table, without mm-\n"
	"  -h, --help         this text\n"
	"  -V, --version      the version\n";

static void say(const struct errbuf *err)
{
	fprintf(stderr, "mm-plot: %s\n", err->text);
	if (*err->hint)
		fprintf(stderr, "hint: %s\n", err->hint);
}

/* --------------------------------------------------------------- options */

static int parse_type(const char *name, unsigned int *types)
{
	const char *near;
	unsigned int i;
	char safe[64];

	for (i = 0; type_names[i]; i++) {
		if (!strcmp(name, type_names[i])) {
			*types |= 1U << i;
			return 0;
		}
	}
	fprintf(stderr, "mm-plot: -t: unknown type '%s'\n",
		units_escape(safe, sizeof(safe), name));
	near = nearest_name(name, type_names, i);
	if (near)
		fprintf(stderr, "hint: did you mean '%s'?\n", near);
	else
		fputs("hint: types are png, svg, txt, gp\n", stderr);
	return USAGE;
}

static int parse_types(char *list, unsigned int *types)
{
	char *name, *state = NULL;
	int ret = 0;

	*types = 0;
	for (name = strtok_r(list, ",", &state); !ret && name;
	     name = strtok_r(NULL, ",", &state))
		ret = parse_type(name, types);
	if (!ret && !*types)
		ret = parse_type("", types);
	return ret;
}

/* A stem is a part of a file name, whatever it was typed as. */
static int check_stem(const char *stem)
{
	const char *s;

	for (s = stem; *s; s++)
		if (*s == '/' || (unsigned char)*s < ' ' || *s == 127)
			break;
	if (*stem && *stem != '.' && !*s)
		return 0;
	fprintf(stderr,
		"mm-plot: --stem: %s\n"
		"hint: a file name without /; -o DIR names the directory\n",
		*stem ? "not a plain file name" : "its value is empty");
	return USAGE;
}

/* 0, an exit status, or -1: all is said, exit 0. */
static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{"type", required_argument, NULL, 't'},
		{"output", required_argument, NULL, 'o'},
		{"stem", required_argument, NULL, 's'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0},
	};
	struct errbuf err = {0};
	int c, ret = 0;

	opterr = 0;
	while (!ret &&
	       (c = getopt_long(argc, argv, ":t:o:hV", longs, NULL)) != -1) {
		if (c == 't') {
			ret = parse_types(optarg, &o->types);
		} else if (c == 'o') {
			o->dir = optarg;
		} else if (c == 's') {
			o->stem = optarg;
			ret = check_stem(optarg);
		} else if (c == 'h') {
			printf("%s%s", usage, help);
			return -1;
		} else if (c == 'V') {
			printf("mm-plot %s\n", PACKAGE_VERSION);
			return -1;
		} else {
			option_error(longs, c, argv,
				     "mm-plot --help lists the options", &err);
			say(&err);
			return USAGE;
		}
	}
	if (!ret && optind + 1 != argc) {
		fprintf(stderr, "mm-plot: %s\n%s",
			optind < argc ? "more than one table"
				      : "no table is named",
			usage);
		return USAGE;
	}
	o->table = argv[optind];
	return ret;
}

/* ----------------------------------------------------------------- drawing */

static int say_written(const struct output *out, const char *suffix)
{
	char *path = output_path(out, suffix);

	if (!path)
		return -ENOMEM;
	printf("%s\n", path);
	free(path);
	return 0;
}

/* A chart, and how it becomes text. */
struct writing {
	const struct chart *chart;
	int (*write)(const struct chart *c, FILE *out);
};

static int write_chart(const void *arg, FILE *out)
{
	const struct writing *w = arg;

	return w->write(w->chart, out);
}

static int put_written(const struct output *out, const struct writing *w,
		       const char *suffix, struct errbuf *err)
{
	int ret = output_write(out, suffix, write_chart, w, err);

	return ret ? ret : say_written(out, suffix);
}

/* gnuplot's own words, under our name, without what a terminal would obey. */
static void pass_on(char *messages)
{
	char *line, *state = NULL, safe[512];

	for (line = strtok_r(messages, "\n", &state); line;
	     line = strtok_r(NULL, "\n", &state)) {
		line += strspn(line, " \t");
		if (*line)
			fprintf(stderr, "mm-plot: gnuplot: %s\n",
				units_escape(safe, sizeof(safe), line));
	}
}

static int put_picture(const struct output *out, const char *format,
		       struct errbuf *err)
{
	struct buf image = {0}, messages = {0};
	char *script = output_path(out, "gp");
	int ret = -ENOMEM;

	if (script)
		ret = gnuplot_draw(script, format, &image, &messages, err);
	if (messages.len)
		pass_on((char *)messages.p);
	if (!ret)
		ret = output_put(out, format, &image, err);
	if (!ret)
		ret = say_written(out, format);
	buf_free(&image);
	buf_free(&messages);
	free(script);
	return ret;
}

/* What is drawn without gnuplot may be all that was wanted. */
static int no_gnuplot(const struct output *out, unsigned int types)
{
	char *script = output_path(out, "gp");

	fprintf(stderr, "mm-plot: gnuplot: not found, so no %s\n",
		(types & PNG) && (types & SVG) ? "png and svg"
		: types & PNG                  ? "png"
					       : "svg");
	fprintf(stderr,
		"hint: apt-get install gnuplot-nox, or elsewhere: gnuplot -c %s svg out.svg\n",
		script ? script : "SCRIPT.gp");
	free(script);
	return types & TXT ? 0 : FAILED;
}

static int draw_pictures(const struct output *out, unsigned int types)
{
	struct errbuf err = {0};
	unsigned int i;
	int ret, status = 0;

	for (i = 0; i < 2; i++) {
		if (!(types & 1U << i))
			continue;
		ret = put_picture(out, type_names[i], &err);
		if (ret == -ENOENT)
			return no_gnuplot(out, types);
		if (ret) {
			fprintf(stderr, "mm-plot: %s: %s\n", type_names[i],
				err.text);
			status = FAILED;
		}
	}
	return status;
}

static int draw(const struct output *out, const struct chart *c,
		unsigned int types)
{
	const struct writing script = {c, script_write};
	const struct writing text = {c, text_write};
	struct errbuf err = {0};
	int ret;

	ret = put_written(out, &script, "gp", &err);
	if (!ret && types & TXT)
		ret = put_written(out, &text, "txt", &err);
	if (ret) {
		say(&err);
		return FAILED;
	}
	return draw_pictures(out, types);
}

static int make_base(char **base, const struct options *o,
		     const struct table *t, const struct chart *c)
{
	const char *stem = o->stem;

	if (!stem) {
		stem = table_program(t);
		stem += strncmp(stem, "mm-", 3) ? 0 : 3;
	}
	return asprintf(base, "%s-%s", stem, c->name) < 0 ? -ENOMEM : 0;
}

/* The chart does not know which file its table came from. */
static void add_path(struct errbuf *err, const char *path)
{
	struct errbuf fact = *err;
	char safe[160];

	errbuf_set(err, 0, "%s: %s", units_escape(safe, sizeof(safe), path),
		   fact.text);
	if (*fact.hint)
		errbuf_hint(err, "%s", fact.hint);
}

static int plot(const struct options *o)
{
	struct errbuf err = {0};
	struct chart *c = NULL;
	struct table *t = NULL;
	struct output out;
	char *base = NULL;
	int ret;

	ret = table_read_csv(&t, o->table, &err);
	if (ret)
		goto out;
	ret = chart_new(&c, t, &err);
	if (ret) {
		add_path(&err, o->table);
		goto out;
	}
	ret = make_base(&base, o, t, c);
	if (!ret)
		ret = output_open(&out, o->dir, base, &err);
	if (ret)
		goto out;
	ret = draw(&out, c, o->types);
	output_close(&out);
out:
	if (ret < 0)
		say(&err);
	free(base);
	chart_free(c);
	table_free(t);
	return ret < 0 ? FAILED : ret;
}

int main(int argc, char **argv)
{
	struct options o = {.dir = ".", .types = PNG | SVG | TXT};
	int ret;

	ret = parse_options(&o, argc, argv);
	if (!ret)
		ret = plot(&o);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "mm-plot: stdout: %s\n", strerror(errno));
		ret = FAILED;
	}
	return ret < 0 ? 0 : ret;
}
