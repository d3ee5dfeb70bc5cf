/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script.c - a chart as a gnuplot script that needs nothing else */

/*
 * The data are inside, so that one attachment can be redrawn by anybody.
 * Labels, kernel and file names are foreign: they appear in single quotes
 * only, where gnuplot expands nothing; they are printable ASCII already.  They
 * never appear in a comment (a backslash at its end would swallow the next
 * line) nor in the data block, which holds our own numbers.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "formats/units.h"
#include "plot/place.h"
#include "plot/script.h"

#define MAX_TICKS    9
#define FOOTER_WIDTH 132
#define FOOTER_LINES 4

/* Okabe and Ito: told apart by the colour-blind; in grey by their dashes. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73",
				      "#cc79a7", "#56b4e9", "#e69f00",
				      "#000000", "#888888"};
static const char *const dashes[] = {
	"1",      "(12,4)", "(4,4)", "(12,4,2,4)", "(2,3)", "(12,4,2,4,2,4)",
	"(20,6)", "(6,2)",  "(3,6)",
};

/*
 * 'it'.Q.'s' for it's.  gnuplot's own escape, a doubled quote, fails at the
 * start of a string and where two quotes follow each other: what is meant as
 * text is then taken for code.
 */
static void put_quoted(const char *text, FILE *out)
{
	size_t len = strcspn(text, "'");

	fprintf(out, "'%.*s'", (int)len, text);
	for (text += len; *text; text += len) {
		len = strcspn(++text, "'");
		fprintf(out, ".Q.'%.*s'", (int)len, text);
	}
}

static void put_head(FILE *out)
{
	fprintf(out,
		"# A chart by mm-plot %s.  To redraw it:\n"
		"#   gnuplot -c THIS-FILE png out.png\n"
		"#   gnuplot -c THIS-FILE svg out.svg\n",
		PACKAGE_VERSION);
	fputs("Q = sprintf('%c', 39)\n"
	      "fmt = exists('ARGC') && ARGC >= 1 ? ARG1 : 'svg'\n"
	      "if (fmt eq 'svg') {\n"
	      "\tset terminal svg size 960,600 noenhanced font 'DejaVu Sans,Helvetica,sans-serif,14' background '#ffffff'\n"
	      "} else {\n"
	      "\tif (fmt ne 'png') {\n"
	      "\t\texit error 'unknown format, use png or svg'\n"
	      "\t}\n"
	      "\tif (strstrt(GPVAL_TERMINALS, ' pngcairo ')) {\n"
	      "\t\tset terminal pngcairo size 960,600 noenhanced font 'DejaVu Sans,12' background '#ffffff'\n"
	      "\t} else {\n"
	      "\t\tif (!strstrt(GPVAL_TERMINALS, ' png ')) {\n"
	      "\t\t\texit error 'this gnuplot can write no png, use svg'\n"
	      "\t\t}\n"
	      "\t\tset terminal png size 960,600 noenhanced background '#ffffff'\n"
	      "\t}\n"
	      "}\n"
	      "if (exists('ARGC') && ARGC >= 2) {\n"
	      "\tset output ARG2\n"
	      "}\n",
	      out);
}

static void put_data(const struct chart *c, FILE *out)
{
	unsigned int i, s;

	/* Bytes, then one column of per cent per label. */
	fputs("$data << END_OF_DATA\n", out);
	for (i = 0; i < c->nr_points; i++) {
		fprintf(out, "%.0f", c->x[i]);
		for (s = 0; s < c->nr_series; s++) {
			if (isnan(c->series[s].y[i]))
				fputs(" NaN", out);
			else
				fprintf(out, " %.4f", c->series[s].y[i]);
		}
		fputc('\n', out);
	}
	fputs("END_OF_DATA\n", out);
}

static void put_look(const struct chart *c, unsigned int nr_footer, FILE *out)
{
	unsigned int i;

	for (i = 0; i < c->nr_series; i++)
		fprintf(out, "set linetype %u lc rgb '%s' lw 2.5 dt %s\n",
			i + 1, colours[i % ARRAY_SIZE(colours)],
			dashes[i % ARRAY_SIZE(dashes)]);
	fputs("set border 3 lw 1 lc rgb '#444444'\n"
	      "set grid lt 0 lw 1 lc rgb '#bbbbbb'\n"
	      "set tics nomirror out scale 0.6 tc rgb '#444444'\n"
	      "set title font ',15'\n",
	      out);
	fprintf(out, "set key %s Left reverse samplen 3 spacing 1.2\n",
		place_key(c));
	fprintf(out, "set bmargin %.1f\nset rmargin 4\n",
		4.3 + 1.1 * nr_footer);
}

static void put_axes(const struct chart *c, FILE *out)
{
	int i, step = chart_tick_step(c, MAX_TICKS);
	char size[UNITS_MAX];

	fputs("set title ", out);
	put_quoted(c->title, out);
	fputs("\nset xlabel ", out);
	put_quoted(c->x_label, out);
	fputs("\nset ylabel ", out);
	put_quoted(c->y_label, out);
	fprintf(out,
		"\nset logscale x 2\n"
		"set xrange [2.0**%d*0.9999:2.0**%d*1.0001]\n"
		"set yrange [0:100]\n"
		"set xtics (",
		c->from, c->to);
	for (i = c->from; i <= c->to; i += step)
		fprintf(out, "%s'%s' 2.0**%d", i == c->from ? "" : ", ",
			units_size(size, 1ULL << i), i);
	fputs(")\n", out);
}

static void put_limit(const struct chart *c, unsigned int nr, FILE *out)
{
	const struct chart_limit *l = &c->limit[nr];
	struct place p = place_limit(c, nr);

	fprintf(out,
		"set arrow %u from %.0f, graph 0 to %.0f, graph 1 nohead lc rgb '#444444' dt (2,3) lw 1\n",
		nr + 1, (double)l->bytes, (double)l->bytes);
	fprintf(out, "set label %u ", nr + 1);
	put_quoted(l->text, out);
	fprintf(out, " at %.0f, graph %.2f %s offset %s,0 tc rgb '#444444'\n",
		(double)l->bytes, p.y, p.to_left ? "right" : "left",
		p.to_left ? "-0.8" : "0.8");
}

/* Lines of the footer from the bottom up; the text is cut at its ends. */
static void put_footer(char *text, unsigned int nr, FILE *out)
{
	unsigned int i;
	char *end;

	for (i = 0; i < nr; i++, text = end + 1) {
		end = strchr(text, '\n');
		*end = '\0';
		fprintf(out, "set label %u ", 101 + i);
		put_quoted(text, out);
		fprintf(out,
			" at screen 0.012,%.3f left font ',10' tc rgb '#666666'\n",
			0.025 + 0.028 * (nr - 1 - i));
	}
}

static void put_plot(const struct chart *c, FILE *out)
{
	unsigned int i;

	for (i = 0; i < c->nr_series; i++) {
		fprintf(out, "%s using 1:%u with steps lt %u title ",
			i ? ", \\\n     $data" : "plot $data", i + 2, i + 1);
		put_quoted(c->series[i].label, out);
	}
	fputc('\n', out);
}

int script_write(const struct chart *c, FILE *out)
{
	struct buf footer = {0};
	unsigned int i, nr = 0;
	const char *s;
	int ret;

	ret = chart_footer(c, FOOTER_WIDTH, &footer);
	if (ret)
		goto out;
	for (s = (char *)footer.p; (s = strchr(s, '\n')); s++)
		nr++;
	nr = MIN(nr, FOOTER_LINES);
	put_head(out);
	put_data(c, out);
	put_look(c, nr, out);
	put_axes(c, out);
	for (i = 0; i < c->nr_limits; i++)
		put_limit(c, i, out);
	put_footer((char *)footer.p, nr, out);
	put_plot(c, out);
	ret = ferror(out) ? -EIO : 0;
out:
	buf_free(&footer);
	return ret;
}
