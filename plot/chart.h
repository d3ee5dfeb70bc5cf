/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart.h - what is drawn: curves on a log2 axis of bytes, and their origin */
#ifndef PLOT_CHART_H
#define PLOT_CHART_H

#include "formats/table.h"

#define CHART_MAX_SERIES 16
#define CHART_MAX_LIMITS 16

struct chart_series {
	char *label;
	double *y; /* percent, one per point; NAN is a gap */
};

struct chart_limit {
	uint64_t bytes;
	char *text; /* "memory.max 2.5 GiB" */
};

/*
 * Every curve is a step function that is right-continuous: y holds from its x
 * up to the next one, the last one to the axis' end.  Texts are printable
 * ASCII, as all of a table is.
 */
struct chart {
	const char *name; /* of the table: part of file names */
	const char *title;
	const char *x_label;
	const char *y_label;
	unsigned int nr_series;
	struct chart_series series[CHART_MAX_SERIES];
	unsigned int nr_points;
	double *x;    /* bytes, ascending */
	int from, to; /* the axis: powers of two, in log2 */
	unsigned int nr_limits;
	struct chart_limit limit[CHART_MAX_LIMITS];
	struct buf origin; /* remarks of the footer, each ended by a NUL */
};

/*
 * -EINVAL: no chart is known for this table, or its values make no sense;
 * -ENODATA: there is nothing to draw.  Text in err.
 */
int chart_new(struct chart **cp, const struct table *t, struct errbuf *err);
void chart_free(struct chart *c);

/* Octaves between ticks, so that there are at most max of them. */
int chart_tick_step(const struct chart *c, int max);
/* Place of x along the axis, 0 to 1. */
double chart_place(const struct chart *c, double x);
/* Value of a curve at x; NAN if it is not known there. */
double chart_value(const struct chart *c, unsigned int series, double x);

/* A sentence for the footer. */
int chart_remark(struct chart *c, const char *fmt, ...) PRINTF(2, 3);
/* The remarks as lines of at most width columns, each ended by "\n". */
int chart_footer(const struct chart *c, unsigned int width, struct buf *out);

#endif
