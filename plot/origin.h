/* SPDX-License-Identifier: GPL-2.0-or-later */
/* origin.h - where the numbers of a chart come from */
#ifndef PLOT_ORIGIN_H
#define PLOT_ORIGIN_H

#include "plot/chart.h"

/* Tool, kernels, sampling and loss of the table's head as remarks. */
int origin_remarks(struct chart *c, const struct table *t);
/* Memory limits of the table's head as lines of the chart. */
int origin_limits(struct chart *c, const struct table *t);

#endif
