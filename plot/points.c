/* SPDX-License-Identifier: GPL-2.0-or-later */
/* points.c - from the rows of a table to curves */

/*
 * Rows without a place on a logarithmic axis are left out and counted; the
 * rest is sorted.  A row at size 0 gives the value with which a curve enters
 * from the left.  At last the points are thinned to the first, lowest, highest
 * and last one per pixel, which draws the same picture.
 *
 * Point 0 is the left end of the axis, the last one its right end.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "plot/points.h"

/* The width of the plot in a picture. */
#define PIXELS 840
#define NO_ROW UINT32_MAX

struct row {
	double x;
	unsigned int nr; /* in the table */
};

struct rows {
	struct row *row;
	unsigned int nr;
	unsigned int zero; /* row at size 0, or NO_ROW */
};

/* ------------------------------------------------------------------- rows */

static int by_x(const void *a, const void *b)
{
	const struct row *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->nr < q->nr ? -1 : p->nr > q->nr;
}

static int remark_rows(struct chart *c, unsigned int nr, const char *fate)
{
	if (!nr)
		return 0;
	return chart_remark(c, "%u row%s %s", nr, nr == 1 ? "" : "s", fate);
}

/* Rows that have a place on the axis, in its order. */
static int take_rows(struct rows *rows, struct chart *c, const struct table *t,
		     unsigned int x_col)
{
	unsigned int i, nr_zero = 0, nr_none = 0;
	double x;
	int ret;

	rows->zero = NO_ROW;
	rows->row = calloc(table_nr_rows(t) + 1UL, sizeof(*rows->row));
	if (!rows->row)
		return -ENOMEM;
	for (i = 0; i < table_nr_rows(t); i++) {
		x = table_real(t, i, x_col);
		if (x >= 1 && x <= 0x1p61) {
			rows->row[rows->nr++] = (struct row){x, i};
		} else if (x == 0) {
			rows->zero = i;
			nr_zero++;
		} else {
			nr_none++;
		}
	}
	qsort(rows->row, rows->nr, sizeof(*rows->row), by_x);
	ret = remark_rows(c, nr_zero, "at size 0 drawn as the left edge");
	if (!ret)
		ret = remark_rows(c, nr_none, "without a size left out");
	return ret;
}

/* ----------------------------------------------------------------- series */

/* The label, if this is a y column: what stands before its end. */
static size_t label_len(const char *y_end, const char *column)
{
	size_t len = strlen(column), end = strlen(y_end);

	if (len <= end || strcmp(column + len - end, y_end))
		return 0;
	return len - end;
}

/* One cell that is no number makes its whole column text: look at each. */
static double cell_number(const struct table *t, unsigned int row,
			  unsigned int col)
{
	const char *text = table_text(t, row, col);
	double v = table_real(t, row, col);
	char *end;

	if (!isnan(v) || !*text)
		return v;
	v = strtod(text, &end);
	return *end ? NAN : v;
}

/* A share as per cent; an empty cell is NAN, what is no share an error. */
static int get_percent(double *y, const struct table *t, unsigned int row,
		       unsigned int col, struct errbuf *err)
{
	*y = 100 * cell_number(t, row, col);
	if (*y < 0 || *y > 100 || (isnan(*y) && !table_empty(t, row, col)))
		return errbuf_set(
			err, -EINVAL,
			"%.80s in row %u is %.40s, not a share from 0 to 1",
			table_column_name(t, col), row + 1,
			table_text(t, row, col));
	return 0;
}

/* Reads a y column; a series without any value is dropped with a remark. */
static int add_series(struct chart *c, const struct points_from *from,
		      unsigned int col, const struct rows *rows,
		      struct errbuf *err)
{
	struct chart_series *s = &c->series[c->nr_series];
	unsigned int i, nr_none = 0;
	int ret = 0;

	free(s->y);
	s->y = calloc(rows->nr + 2UL, sizeof(*s->y));
	if (!s->y)
		return -ENOMEM;
	s->y[0] = 100 * from->before;
	if (rows->zero != NO_ROW)
		ret = get_percent(&s->y[0], from->table, rows->zero, col, err);
	for (i = 0; !ret && i < rows->nr; i++) {
		ret = get_percent(&s->y[i + 1], from->table, rows->row[i].nr,
				  col, err);
		nr_none += isnan(s->y[i + 1]);
	}
	if (ret)
		return ret;
	if (nr_none == rows->nr)
		return chart_remark(c, "%s: no value", s->label);
	c->nr_series++;
	if (!nr_none)
		return 0;
	return chart_remark(c, "%s: %u missing value%s left out", s->label,
			    nr_none, nr_none == 1 ? "" : "s");
}

static int take_series(struct chart *c, const struct points_from *from,
		       const struct rows *rows, struct errbuf *err)
{
	const struct table *t = from->table;
	unsigned int col, nr = 0;
	const char *name;
	char **label;
	size_t len;
	int ret = 0;

	for (col = 0; !ret && col < table_nr_columns(t); col++) {
		name = table_column_name(t, col);
		len = label_len(from->y_end, name);
		if (!len || nr++ >= CHART_MAX_SERIES)
			continue;
		label = &c->series[c->nr_series].label;
		free(*label);
		*label = strndup(name, len);
		ret = *label ? add_series(c, from, col, rows, err) : -ENOMEM;
	}
	if (!ret && nr > CHART_MAX_SERIES)
		ret = chart_remark(c, "first %u of %u labels drawn",
				   CHART_MAX_SERIES, nr);
	if (!ret && !nr)
		ret = errbuf_set(err, -EINVAL,
				 "table %s has no column that ends in %s",
				 c->name, from->y_end);
	return ret;
}

/* ------------------------------------------------------------------- axis */

/* Does the first point change anything?  Then it must not be on the edge. */
static bool steps_at_first(const struct chart *c)
{
	unsigned int s;

	for (s = 0; s < c->nr_series; s++)
		if (!isnan(c->series[s].y[0]) &&
		    c->series[s].y[0] != c->series[s].y[1])
			return true;
	return false;
}

static void set_axis(struct chart *c)
{
	double low = c->x[1], high = c->x[c->nr_points - 1];
	unsigned int i;

	for (i = 0; i < c->nr_limits; i++) {
		low = MIN(low, (double)c->limit[i].bytes);
		high = MAX(high, (double)c->limit[i].bytes);
	}
	c->from = (int)floor(log2(low));
	c->to = (int)ceil(log2(high));
	c->to += c->to == c->from;
	if (c->from && steps_at_first(c) && chart_place(c, c->x[1]) < 0.03)
		c->from--;
	/* A last step at the very edge would not show. */
	c->to += chart_place(c, high) > 0.97;
}

/* Behind its last point a curve keeps its value. */
static void set_ends(struct chart *c)
{
	unsigned int s, end = c->nr_points++;

	c->x[0] = ldexp(1, c->from);
	c->x[end] = ldexp(1, c->to);
	for (s = 0; s < c->nr_series; s++)
		c->series[s].y[end] = c->series[s].y[end - 1];
}

/* --------------------------------------------------------------- thinning */

/*
 * Marks the points of one curve that its picture needs: of each pixel the
 * first, the lowest, the highest and the last, and both sides of a gap.
 */
static void mark_needed(const struct chart *c, const double *y, bool *need)
{
	unsigned int i, low = 0, high = 0;
	double last = -1, pixel;

	for (i = 0; i < c->nr_points; i++) {
		pixel = floor(chart_place(c, c->x[i]) * PIXELS);
		if (i && isnan(y[i]) != isnan(y[i - 1]))
			need[i] = need[i - 1] = true;
		if (pixel != last) {
			need[i] = need[low] = need[high] = true;
			need[i ? i - 1 : 0] = true;
			low = high = i;
			last = pixel;
		}
		if (y[i] < y[low])
			low = i;
		if (y[i] > y[high])
			high = i;
	}
	need[low] = need[high] = need[i - 1] = true;
}

static int thin(struct chart *c)
{
	unsigned int i, s, nr = 0, before = c->nr_points;
	bool *need;

	need = calloc(before, sizeof(*need));
	if (!need)
		return -ENOMEM;
	for (s = 0; s < c->nr_series; s++)
		mark_needed(c, c->series[s].y, need);
	for (i = 0; i < before; i++) {
		if (!need[i])
			continue;
		c->x[nr] = c->x[i];
		for (s = 0; s < c->nr_series; s++)
			c->series[s].y[nr] = c->series[s].y[i];
		nr++;
	}
	free(need);
	c->nr_points = nr;
	if (nr == before)
		return 0;
	return chart_remark(c, "%u of %u points drawn, as many as show", nr - 2,
			    before - 2);
}

static int take_points(struct chart *c, const struct rows *rows)
{
	unsigned int i;

	c->nr_points = rows->nr + 1;
	c->x = calloc(rows->nr + 2UL, sizeof(*c->x));
	if (!c->x)
		return -ENOMEM;
	for (i = 0; i < rows->nr; i++)
		c->x[i + 1] = rows->row[i].x;
	set_axis(c);
	set_ends(c);
	return thin(c);
}

int points_take(struct chart *c, const struct points_from *from,
		struct errbuf *err)
{
	const struct table *t = from->table;
	int ret, x_col = table_find_column(t, from->x_column);
	struct rows rows = {0};

	if (x_col < 0)
		return errbuf_set(err, -EINVAL, "table %s has no column %s",
				  c->name, from->x_column);
	ret = take_rows(&rows, c, t, (unsigned int)x_col);
	if (!ret)
		ret = take_series(c, from, &rows, err);
	if (!ret && !(rows.nr && c->nr_series))
		ret = errbuf_set(err, -ENODATA,
				 "nothing to draw: table %s has %s", c->name,
				 table_nr_rows(t) ? "no value at a size above 0"
						  : "no rows");
	if (!ret)
		ret = take_points(c, &rows);
	free(rows.row);
	return ret;
}
