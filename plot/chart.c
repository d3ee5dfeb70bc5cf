/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart.c - what is drawn: curves on a log2 axis of bytes */

/*
 * Finds the form of chart that a table has and puts together what the parts
 * supply: curves (points.c), limits and remarks (origin.c).
 */
#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot/origin.h"
#include "plot/points.h"

struct form {
	const char *program;
	const char *table;
	const char *x_column;
	const char *y_end; /* columns are LABEL_... */
	double before;     /* share below the first row, if it has one */
	const char *title;
	const char *x_label;
	const char *y_label;
};

static const struct form forms[] = {
	{"mm-reuse", "mrc", "cache_bytes", "_miss_ratio", NAN,
	 "Miss-ratio curve", "page cache size", "misses (%)"},
	{"mm-refault", "distance", "distance_bytes", "_share", 0,
	 "Refault distance, cumulative", "refault distance", "refaults (%)"},
};

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

int chart_new(struct chart **cp, const struct table *t, struct errbuf *err)
{
	const struct form *form = find_form(t, err);
	struct points_from from;
	struct chart *c;
	int ret;

	if (!form)
		return -EINVAL;
	from = (struct points_from){t, form->x_column, form->y_end,
				    form->before};
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
		ret = points_take(c, &from, err);
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
