/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.c - metrics of several runs side by side, with their difference */

/*
 * The first label is the base line.  Runs with the same label repeat each
 * other (ABBA), so the difference is taken between the means of two labels;
 * with three labels or more there is no single difference to print, and a
 * mean that lacks one of its runs is no mean of that label.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/report.h"

/* The first run whose label is not that of the base line; NULL if none. */
static const struct run *second_label(const struct runset *set)
{
	const char *base = set->run[0].label;
	const struct run *second = NULL;
	unsigned int i;

	for (i = 1; i < set->nr; i++) {
		const char *label = set->run[i].label;

		if (!strcmp(label, base) ||
		    (second && !strcmp(label, second->label)))
			continue;
		if (second)
			return NULL; /* a third one */
		second = &set->run[i];
	}
	return second;
}

static double value_real(const struct summary_value *v)
{
	switch (v->is) {
	case SUMMARY_U64:
		return (double)v->u64;
	case SUMMARY_REAL:
		return v->real;
	case SUMMARY_NONE:
		break;
	}
	return NAN;
}

/* Mean of a row's values over the runs of a label; NAN if one is missing. */
static double label_mean(const struct runset *set, const char *label,
			 const struct summary_value *v, unsigned int stride)
{
	unsigned int i, nr = 0;
	double sum = 0;

	for (i = 0; i < set->nr; i++) {
		if (strcmp(set->run[i].label, label))
			continue;
		sum += value_real(&v[(size_t)i * stride]);
		nr++;
	}
	return sum / nr;
}

static double delta_pct(const struct runset *set, const struct summary_value *v,
			unsigned int stride)
{
	const struct run *second = second_label(set);
	double base, other;

	if (!second)
		return NAN;
	base = label_mean(set, set->run[0].label, v, stride);
	other = label_mean(set, second->label, v, stride);
	if (base == 0)
		return other == 0 ? 0 : NAN;
	return 100 * (other - base) / fabs(base);
}

static int set_value(struct table *t, unsigned int col,
		     const struct summary_value *v)
{
	switch (v->is) {
	case SUMMARY_U64:
		return table_set_u64(t, col, v->u64);
	case SUMMARY_REAL:
		return table_set_real(t, col, v->real);
	case SUMMARY_NONE:
		break;
	}
	return 0;
}

/* v: this row's value of the first run; the next run's is stride further. */
static int add_row(struct table *t, const struct runset *set,
		   const struct summary_row *row, const struct summary_value *v,
		   unsigned int stride)
{
	unsigned int i;
	int ret;

	ret = table_row(t);
	if (!ret)
		ret = table_set_text(t, 0, row->metric);
	if (!ret)
		ret = table_set_text(t, 1, row->unit);
	for (i = 0; !ret && i < set->nr; i++)
		ret = set_value(t, 2 + i, &v[(size_t)i * stride]);
	if (!ret && 2 + i < table_nr_columns(t))
		ret = table_set_real(t, 2 + i, delta_pct(set, v, stride));
	return ret;
}

/* Counts are exact in these columns, too; other values have six decimals. */
static int add_columns(struct table *t, const struct runset *set, bool delta)
{
	unsigned int i;
	int ret;

	ret = table_column(t, "metric", TABLE_TEXT, 0);
	if (ret >= 0)
		ret = table_column(t, "unit", TABLE_TEXT, 0);
	for (i = 0; ret >= 0 && i < set->nr; i++)
		ret = table_column(t, set->run[i].column, TABLE_REAL, 6);
	if (ret >= 0 && delta)
		ret = table_column(t, "delta_pct", TABLE_REAL, 2);
	return ret < 0 ? ret : 0;
}

static int fill(struct table *t, const struct runset *set,
		const struct summary *s, bool delta)
{
	struct summary_value *v;
	unsigned int i;
	int ret;

	v = calloc((size_t)set->nr * s->nr, sizeof(*v));
	if (!v)
		return -ENOMEM;
	for (i = 0; i < set->nr; i++)
		s->fill(&set->run[i], v + (size_t)i * s->nr);
	ret = add_columns(t, set, delta);
	for (i = 0; !ret && i < s->nr; i++)
		ret = add_row(t, set, &s->row[i], v + i, s->nr);
	free(v);
	return ret;
}

/* A program that reads the table finds the same columns with any labels. */
int summary_fill(struct table *t, const struct runset *set,
		 const struct summary *s)
{
	return fill(t, set, s, true);
}

int summary_print(FILE *out, const struct runset *set, const struct summary *s)
{
	struct table *t;
	int ret;

	ret = table_new(&t, "", "summary", 1);
	if (ret)
		return ret;
	ret = fill(t, set, s, second_label(set));
	if (!ret)
		ret = table_write_text(t, out);
	table_free(t);
	return ret;
}
