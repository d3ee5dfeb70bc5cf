# SPDX-License-Identifier: GPL-2.0-or-later
BENCH_TOOLS = tests/bench/rusage tests/bench/decode tests/bench/wl \
	tests/raw2mmt
EXTRA_PROGRAMS += tests/bench/rusage tests/bench/decode tests/bench/wl
CLEANFILES += tests/bench/rusage tests/bench/decode tests/bench/wl
tests_bench_rusage_SOURCES = tests/bench/rusage.c
tests_bench_decode_SOURCES = tests/bench/decode.c
tests_bench_decode_LDADD = $(MMT_LIBS)
# A yardstick: as it is, never linked into a program of ours.
tests_bench_wl_SOURCES = tests/bench/yardstick/wl.c
tests_bench_wl_CFLAGS = -O2 -w
tests_bench_wl_LDADD = -lm
EXTRA_DIST += tests/bench/run.sh tests/bench/yardstick/lim.c

bench: all $(BENCH_TOOLS)
	top_builddir=$(abs_top_builddir) top_srcdir=$(abs_top_srcdir) \
		$(srcdir)/tests/bench/run.sh
