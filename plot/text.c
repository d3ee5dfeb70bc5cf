/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - a chart as ASCII for a mail */

/*
 * A frame of 66 x 16 characters.  Every column shows the range of values that
 * a curve takes within it, so a step is an upright stroke and nothing of a
 * curve is skipped.  The ground is dots, not blanks, and the sizes stand
 * inside the bottom line at their places: a mail archive that squeezes blanks
 * does no harm.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "formats/units.h"
#include "plot/text.h"

#define COLUMNS   66
#define ROWS      16
#define LABEL_ROW 3 /* every third row is 20 % */
#define MAX_TICKS 8
#define GROUND    '.'
#define LIMIT     ':'
#define SEVERAL   '&'

static const char marks[] = "*#o+x=%@$wvsnuzk";

_Static_assert(sizeof(marks) - 1 >= CHART_MAX_SERIES, "a mark for each");

struct canvas {
	char cell[ROWS][COLUMNS + 1];
	bool several;
};

static int row_of(double percent)
{
	int row = (int)lround((100 - percent) / 100 * (ROWS - 1));

	return MIN(MAX(row, 0), ROWS - 1);
}

static int column_of(const struct chart *c, double x)
{
	int col = (int)(chart_place(c, x) * COLUMNS);

	return MIN(MAX(col, 0), COLUMNS - 1);
}

static void put_mark(struct canvas *v, int row, int col, char mark)
{
	char *cell = &v->cell[row][col];

	if (*cell == GROUND || *cell == LIMIT || *cell == mark) {
		*cell = mark;
	} else {
		*cell = SEVERAL;
		v->several = true;
	}
}

static void put_stroke(struct canvas *v, int col, double low, double high,
		       char mark)
{
	int row;

	for (row = row_of(high); row <= row_of(low); row++)
		put_mark(v, row, col, mark);
}

/* Column by column: a curve keeps its value until the next point. */
static void put_curve(struct canvas *v, const struct chart *c, unsigned int s)
{
	const double *y = c->series[s].y;
	double low, high, now = NAN;
	unsigned int i = 0;
	int col;

	for (col = 0; col < COLUMNS; col++) {
		low = high = now;
		for (; i < c->nr_points && column_of(c, c->x[i]) <= col; i++) {
			now = y[i];
			/* fmin() and fmax() pass over a NAN. */
			low = fmin(low, now);
			high = fmax(high, now);
		}
		if (!isnan(low))
			put_stroke(v, col, low, high, marks[s]);
	}
}

static void draw(struct canvas *v, const struct chart *c)
{
	unsigned int i;
	int row;

	memset(v, 0, sizeof(*v));
	for (row = 0; row < ROWS; row++)
		memset(v->cell[row], GROUND, COLUMNS);
	for (i = 0; i < c->nr_limits; i++)
		for (row = 0; row < ROWS; row++)
			v->cell[row][column_of(c, (double)c->limit[i].bytes)] =
				LIMIT;
	for (i = 0; i < c->nr_series; i++)
		put_curve(v, c, i);
}

/* "4K": the sizes are powers of two. */
static void short_size(char out[UNITS_MAX], uint64_t bytes)
{
	char *blank;

	units_size(out, bytes);
	blank = strchr(out, ' ');
	if (blank) {
		blank[0] = blank[1] == 'B' ? '\0' : blank[1];
		blank[1] = '\0';
	}
}

static void put_axis(const struct chart *c, FILE *out)
{
	int i, col, free_from = 0, step = chart_tick_step(c, MAX_TICKS);
	char line[COLUMNS + 1], size[UNITS_MAX];

	memset(line, '-', COLUMNS);
	line[COLUMNS] = '\0';
	for (i = c->from; i <= c->to; i += step) {
		short_size(size, 1ULL << i);
		col = column_of(c, ldexp(1, i));
		col = MIN(col, COLUMNS - (int)strlen(size));
		if (col < free_from)
			continue;
		memcpy(line + col, size, strlen(size));
		free_from = col + (int)strlen(size) + 1;
	}
	fprintf(out, "size|%s|\n", line);
}

/* What the marks mean, as a list of words that is wrapped. */
static int put_legend(const struct canvas *v, const struct chart *c, FILE *out)
{
	unsigned int i, len, used = 0;
	char item[64];

	for (i = 0; i < c->nr_series + c->nr_limits + v->several; i++) {
		if (i < c->nr_series)
			snprintf(item, sizeof(item), "%c %.40s", marks[i],
				 c->series[i].label);
		else if (i < c->nr_series + c->nr_limits)
			snprintf(item, sizeof(item), "%c %.48s", LIMIT,
				 c->limit[i - c->nr_series].text);
		else
			snprintf(item, sizeof(item), "%c several", SEVERAL);
		len = (unsigned int)strlen(item);
		/* a comma may follow */
		if (used && used + 2 + len + 1 > TEXT_WIDTH) {
			fputs(",\n", out);
			used = 0;
		}
		fprintf(out, "%s%s", used ? ", " : "", item);
		used += len + (used ? 2 : 0);
	}
	fputc('\n', out);
	return ferror(out) ? -EIO : 0;
}

int text_write(const struct chart *c, FILE *out)
{
	struct buf footer = {0};
	struct canvas v;
	int row, ret;

	draw(&v, c);
	fprintf(out, "%s: %s by %s\n", c->title, c->y_label, c->x_label);
	ret = put_legend(&v, c, out);
	for (row = 0; row < ROWS; row++) {
		if (row % LABEL_ROW)
			fprintf(out, "    |%s|\n", v.cell[row]);
		else
			fprintf(out, "%3d%%|%s|\n",
				100 - row * 100 / (ROWS - 1), v.cell[row]);
	}
	put_axis(c, out);
	if (!ret)
		ret = chart_footer(c, TEXT_WIDTH, &footer);
	if (!ret)
		fputs((char *)footer.p, out);
	buf_free(&footer);
	if (ret)
		return ret;
	return ferror(out) ? -EIO : 0;
}
