/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.h - where the texts of a chart stand without hiding a curve */
#ifndef PLOT_PLACE_H
#define PLOT_PLACE_H

#include "plot/chart.h"

/* In shares of the plot: 0, 0 is its lower left corner. */
struct place {
	double x, y;
	bool to_left; /* the text ends at x; else it begins there */
};

/* Of the text beside a memory limit. */
struct place place_limit(const struct chart *c, unsigned int nr);

/* Of the key, in gnuplot's words: an empty corner, else above the plot. */
const char *place_key(const struct chart *c);

#endif
