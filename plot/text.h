/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - a chart as ASCII for a mail */
#ifndef PLOT_TEXT_H
#define PLOT_TEXT_H

#include <stdio.h>

#include "plot/chart.h"

#define TEXT_WIDTH 72

/* 0 or a negative errno; the caller checks the FILE. */
int text_write(const struct chart *c, FILE *out);

#endif
