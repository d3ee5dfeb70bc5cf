/* SPDX-License-Identifier: GPL-2.0-or-later */
/* points.h - from the rows of a table to curves */
#ifndef PLOT_POINTS_H
#define PLOT_POINTS_H

#include "plot/chart.h"

struct points_from {
	const struct table *table;
	const char *x_column;
	const char *y_end; /* y columns are LABEL_... that end so */
	double before;     /* share below the first row; NAN: not known */
};

/*
 * Fills series, points and axis of a chart whose limits are known, and adds
 * remarks on what is not drawn.  -ENODATA: nothing is left.
 */
int points_take(struct chart *c, const struct points_from *from,
		struct errbuf *err);

#endif
