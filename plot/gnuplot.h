/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gnuplot.h - runs gnuplot on a script */
#ifndef PLOT_GNUPLOT_H
#define PLOT_GNUPLOT_H

#include "formats/base.h"

/*
 * Runs "gnuplot -c SCRIPT FORMAT" and collects the picture and what gnuplot
 * had to say (text with a final NUL).  -ENOENT: there is no gnuplot.  Other
 * errors are explained in err, or by gnuplot's own words.
 */
int gnuplot_draw(const char *script, const char *format, struct buf *image,
		 struct buf *messages, struct errbuf *err);

#endif
