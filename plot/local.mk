# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += plot/libplot.a
plot_libplot_a_SOURCES = \
	plot/chart.c plot/chart.h \
	plot/gnuplot.c plot/gnuplot.h \
	plot/origin.c plot/origin.h \
	plot/output.c plot/output.h \
	plot/place.c plot/place.h \
	plot/points.c plot/points.h \
	plot/script.c plot/script.h \
	plot/text.c plot/text.h

bin_PROGRAMS += plot/mm-plot
plot_mm_plot_SOURCES = plot/main.c
plot_mm_plot_LDADD = plot/libplot.a $(MMT_LIBS)
