# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += analyze/libanalyze.a
analyze_libanalyze_a_SOURCES = \
	analyze/analysis.c analyze/analysis.h \
	analyze/options.c analyze/options.h \
	analyze/refault.c analyze/refault.h \
	analyze/refault-report.c analyze/refault-table.c \
	analyze/output.c analyze/output.h \
	analyze/report.c analyze/report.h \
	analyze/reuse.c analyze/reuse.h \
	analyze/reuse-report.c analyze/reuse-table.c \
	analyze/runs.c analyze/runs.h \
	analyze/area.c analyze/area.h \
	analyze/stackdist.c analyze/stackdist.h analyze/stackdist-priv.h \
	analyze/stackdist-kernel.h analyze/stackdist-lanes.h \
	analyze/stackdist-avx2.c analyze/stackdist-avx512.c \
	analyze/stackdist-line.c analyze/stackdist-pipe.c \
	analyze/stackdist-keymap.c analyze/stackdist-plain.c \
	analyze/summary.c \
	analyze/tables.c analyze/tables.h \
	analyze/tracker.c analyze/tracker.h

ANALYZE_LIBS = analyze/libanalyze.a $(MMT_LIBS)

bin_PROGRAMS += analyze/mm-reuse analyze/mm-refault
analyze_mm_reuse_SOURCES = analyze/reuse-main.c
analyze_mm_reuse_LDADD = $(ANALYZE_LIBS)
analyze_mm_refault_SOURCES = analyze/refault-main.c
analyze_mm_refault_LDADD = $(ANALYZE_LIBS)
