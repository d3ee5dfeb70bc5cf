/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart.c - what is drawn: curves on a log2 axis of bytes */

/*
 * From a table to points: the x column and the y column of each label are
 * found by name; rows without a place on a logarithmic axis are left out and
 * counted; the rest is sorted and thinned to the first, lowest, highest and
 * last point per pixel, which draws the same picture.
 */
#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/units.h"
#include "plot/origin.h"

struct form {
	const char *program;
	const char *table;
	const char *x; /* its column */
	const char *y; /* the end of its columns: LABEL_... */
	const char *title;
	const char *x_label;
	const char *y_label;
};

static const struct form forms[] = {
	{"mm-reuse", "mrc", "cache_bytes", "_miss_ratio", "Miss-ratio curve",
	 "page cache size", "misses (%)"},
	{"mm-refault", "distance", "distance_bytes", "_share",
	 "Refault distance, cumulative", "refault distance", "refaults (%)"},
};

const char *const chart_tables[] = {"mrc", "distance", NULL};

/* ----------------------------------------------------------------- footer */

int chart_remark(struct chart *c, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (len < 0)
		return -EINVAL;
	if ((size_t)len >= sizeof(text))
		text[sizeof(text) - 2] = '~';
	return buf_append(&c->origin, text, strlen(text) + 1);
}

/* Breaks at a blank if there is one, else anywhere. */
static int put_wrapped(struct buf *out, const char *text, unsigned int width)
{
	size_t len = strlen(text), n;
	int ret = 0;

	while (!ret && len > width) {
		for (n = width; n && text[n] != ' '; n--)
			;
		n = n ? n : width;
		ret = buf_append(out, text, n);
		if (!ret)
			ret = buf_append(out, "\n", 1);
		n += text[n] == ' ';
		text += n;
		len -= n;
	}
	return ret ? ret : buf_append(out, text, len);
}

int chart_footer(const struct chart *c, unsigned int width, struct buf *out)
{
	const char *text = (const char *)c->origin.p;
	const char *end = text + c->origin.len;
	struct buf line = {0};
	int ret = 0;

	for (; !ret && text < end; text += strlen(text) + 1) {
		if (line.len && line.len + 3 + strlen(text) > width) {
			ret = put_wrapped(out, (char *)line.p, width);
			if (!ret)
				ret = buf_append(out, "\n", 1);
			line.len = 0;
		}
		if (!ret)
			ret = buf_printf(&line, "%s%s", line.len ? " | " : "",
					 text);
	}
	if (!ret && line.len)
		ret = put_wrapped(out, (char *)line.p, width);
	if (!ret)
		ret = buf_append(out, "\n", 2); /* with the NUL */
	if (!ret)
		out->len--;
	buf_free(&line);
	return ret;
}

/* ------------------------------------------------------------------- axis */

double chart_place(const struct chart *c, double x)
{
	return (log2(x) - c->from) / (c->to - c->from);
}

int chart_tick_step(const struct chart *c, int max)
{
	int step = 1;

	while ((c->to - c->from) / step + 1 > max)
		step *= 2;
	return step;
}

double chart_value(const struct chart *c, unsigned int series, double x)
{
	unsigned int low = 0, high = c->nr_points, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (c->x[mid] <= x)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? c->series[series].y[low - 1] : NAN;
}

static void set_axis(struct chart *c)
{
	double low = c->x[0], high = c->x[c->nr_points - 1];
	unsigned int i;

	for (i = 0; i < c->nr_limits; i++) {
		low = MIN(low, (double)c->limit[i].bytes);
		high = MAX(high, (double)c->limit[i].bytes);
	}
	c->from = (int)floor(log2(low));
	c->to = (int)ceil(log2(high));
	if (c->to == c->from)
		c->to++;
	/* A last step at the very edge would not show. */
	if (chart_place(c, high) > 0.97)
		c->to++;
}

/* Behind its last point a curve keeps its value, up to the axis' end. */
static void extend(struct chart *c)
{
	unsigned int s, end = c->nr_points++;

	c->x[end] = ldexp(1, c->to);
	for (s = 0; s < c->nr_series; s++)
		c->series[s].y[end] = c->series[s].y[end - 1];
}

/* ----------------------------------------------------------------- points */

struct row {
	double x;
	unsigned int nr; /* in the table */
};

static int by_x(const void *a, const void *b)
{
	const struct row *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->nr < q->nr ? -1 : p->nr > q->nr;
}

/* Rows that have a place on the axis, in its order; to be freed. */
static int take_rows(struct row **rows, unsigned int *nr, struct chart *c,
		     const struct table *t, unsigned int x_col)
{
	unsigned int i, nr_zero = 0, nr_none = 0;
	int ret = 0;
	double x;

	*nr = 0;
	*rows = calloc(table_nr_rows(t) + 1UL, sizeof(**rows));
	if (!*rows)
		return -ENOMEM;
	for (i = 0; i < table_nr_rows(t); i++) {
		x = table_real(t, i, x_col);
		if (x >= 1 && x <= 0x1p62)
			(*rows)[(*nr)++] = (struct row){x, i};
		else if (x == 0)
			nr_zero++;
		else
			nr_none++;
	}
	qsort(*rows, *nr, sizeof(**rows), by_x);
	if (nr_zero)
		ret = chart_remark(c, "%u row%s at size 0 left out", nr_zero,
				   nr_zero == 1 ? "" : "s");
	if (!ret && nr_none)
		ret = chart_remark(c, "%u row%s without a size left out",
				   nr_none, nr_none == 1 ? "" : "s");
	return ret;
}

/*
 * Marks the points of one curve that its picture needs: of each pixel the
 * first, the lowest, the highest and the last, and both sides of a gap.
 */
static void mark_needed(const struct chart *c, const double *y, bool *need)
{
	unsigned int i, low = 0, high = 0;
	double last = -1, pixel;

	for (i = 0; i < c->nr_points; i++) {
		pixel = floor(chart_place(c, c->x[i]) * CHART_PIXELS);
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
	unsigned int i, s, nr = 0;
	bool *need;

	need = calloc(c->nr_points, sizeof(*need));
	if (!need)
		return -ENOMEM;
	for (s = 0; s < c->nr_series; s++)
		mark_needed(c, c->series[s].y, need);
	for (i = 0; i < c->nr_points; i++) {
		if (!need[i])
			continue;
		c->x[nr] = c->x[i];
		for (s = 0; s < c->nr_series; s++)
			c->series[s].y[nr] = c->series[s].y[i];
		nr++;
	}
	free(need);
	i = c->nr_points;
	c->nr_points = nr;
	if (nr == i)
		return 0;
	return chart_remark(c, "%u of %u points drawn, as many as show", nr, i);
}

/* ----------------------------------------------------------------- series */

/* The label, if this is a y column: what stands before its end. */
static size_t label_len(const struct form *form, const char *column)
{
	size_t len = strlen(column), end = strlen(form->y);

	if (len <= end || strcmp(column + len - end, form->y))
		return 0;
	return len - end;
}

static int bad_value(const struct table *t, unsigned int row, unsigned int col,
		     struct errbuf *err)
{
	return errbuf_set(
		err, -EINVAL, "%s in row %u is %.40s, not a share from 0 to 1",
		table_column_name(t, col), row + 1, table_text(t, row, col));
}

/* Reads a y column, with room for extend(); a series without any value is dropped with a remark. */
static int add_series(struct chart *c, const struct table *t, unsigned int col,
		      const struct row *rows, struct errbuf *err)
{
	struct chart_series *s = &c->series[c->nr_series];
	unsigned int i, nr_none = 0;
	double y;

	s->y = calloc(c->nr_points + 1UL, sizeof(*s->y));
	if (!s->y)
		return -ENOMEM;
	for (i = 0; i < c->nr_points; i++) {
		y = table_real(t, rows[i].nr, col);
		if (y < 0 || y > 1)
			return bad_value(t, rows[i].nr, col, err);
		s->y[i] = 100 * y;
		nr_none += isnan(y);
	}
	if (nr_none == c->nr_points) {
		free(s->y);
		s->y = NULL;
		return chart_remark(c, "%s: no value", s->label);
	}
	c->nr_series++;
	if (!nr_none)
		return 0;
	return chart_remark(c, "%s: %u missing value%s left out", s->label,
			    nr_none, nr_none == 1 ? "" : "s");
}

static int take_series(struct chart *c, const struct table *t,
		       const struct form *form, const struct row *rows,
		       struct errbuf *err)
{
	unsigned int col, nr = 0;
	const char *name;
	char **label;
	size_t len;
	int ret = 0;

	for (col = 0; !ret && col < table_nr_columns(t); col++) {
		name = table_column_name(t, col);
		len = label_len(form, name);
		if (!len || nr++ >= CHART_MAX_SERIES)
			continue;
		label = &c->series[c->nr_series].label;
		free(*label);
		*label = strndup(name, len);
		ret = *label ? add_series(c, t, col, rows, err) : -ENOMEM;
	}
	if (!ret && nr > CHART_MAX_SERIES)
		ret = chart_remark(c, "first %u of %u labels drawn",
				   CHART_MAX_SERIES, nr);
	if (!ret && !nr)
		ret = errbuf_set(err, -EINVAL,
				 "table %s has no column that ends in %s",
				 form->table, form->y);
	return ret;
}

/* ------------------------------------------------------------------- form */

static const struct form *find_form(const struct table *t, struct errbuf *err)
{
	const char *program = table_program(t), *name = table_name(t);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(forms); i++)
		if (!strcmp(program, forms[i].program) &&
		    !strcmp(name, forms[i].table))
			break;
	if (i < ARRAY_SIZE(forms) && table_version(t) == 1)
		return &forms[i];
	if (i < ARRAY_SIZE(forms)) {
		errbuf_set(
			err, -EINVAL,
			"table %s is of version %u, this mm-plot knows version 1",
			name, table_version(t));
		return NULL;
	}
	if (*program)
		errbuf_set(err, -EINVAL, "there is no chart for table %s of %s",
			   name, program);
	else
		errbuf_set(
			err, -EINVAL,
			"not a table: it does not begin with '# PROGRAM VERSION table NAME/1'");
	errbuf_hint(
		err,
		"mm-plot draws table mrc of mm-reuse and table distance of mm-refault");
	return NULL;
}

static int fill(struct chart *c, const struct table *t, const struct form *form,
		struct errbuf *err)
{
	int ret, x_col = table_find_column(t, form->x);
	struct row *rows = NULL;
	unsigned int i;

	if (x_col < 0)
		return errbuf_set(err, -EINVAL, "table %s has no column %s",
				  form->table, form->x);
	ret = take_rows(&rows, &c->nr_points, c, t, (unsigned int)x_col);
	if (!ret)
		ret = take_series(c, t, form, rows, err);
	if (ret)
		goto out;
	if (!c->nr_points || !c->nr_series) {
		ret = errbuf_set(err, -ENODATA,
				 "nothing to draw: table %s has %s",
				 form->table,
				 table_nr_rows(t) ? "no value at a size above 0"
						  : "no rows");
		goto out;
	}
	c->x = calloc(c->nr_points + 1UL, sizeof(*c->x));
	if (!c->x) {
		ret = -ENOMEM;
		goto out;
	}
	for (i = 0; i < c->nr_points; i++)
		c->x[i] = rows[i].x;
	set_axis(c);
	ret = thin(c);
	extend(c);
out:
	free(rows);
	return ret;
}

int chart_new(struct chart **cp, const struct table *t, struct errbuf *err)
{
	const struct form *form = find_form(t, err);
	struct chart *c;
	int ret;

	if (!form)
		return -EINVAL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return errbuf_set(err, -ENOMEM, "%s", strerror(ENOMEM));
	c->name = form->table;
	c->title = form->title;
	c->x_label = form->x_label;
	c->y_label = form->y_label;
	ret = origin_remarks(c, t);
	if (!ret)
		ret = origin_limits(c, t);
	if (!ret)
		ret = fill(c, t, form, err);
	if (ret == -ENOMEM)
		errbuf_set(err, ret, "%s", strerror(ENOMEM));
	if (ret)
		chart_free(c);
	else
		*cp = c;
	return ret;
}

void chart_free(struct chart *c)
{
	unsigned int i;

	if (!c)
		return;
	for (i = 0; i < CHART_MAX_SERIES; i++) {
		free(c->series[i].label);
		free(c->series[i].y);
	}
	for (i = 0; i < c->nr_limits; i++)
		free(c->limit[i].text);
	free(c->x);
	buf_free(&c->origin);
	free(c);
}
