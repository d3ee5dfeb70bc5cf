/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script.h - a chart as a gnuplot script that needs nothing else */
#ifndef PLOT_SCRIPT_H
#define PLOT_SCRIPT_H

#include <stdio.h>

#include "plot/chart.h"

/*
 * Usage of the script: gnuplot -c SCRIPT png|svg [OUTFILE].  0 or a negative
 * errno; the caller checks the FILE.
 */
int script_write(const struct chart *c, FILE *out);

#endif
