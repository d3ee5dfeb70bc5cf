# SPDX-License-Identifier: GPL-2.0-or-later
# The tools are built with the tests, one of which runs them all in small.
BENCH_TOOLS = tests/bench/rusage tests/bench/decode tests/bench/pages \
	tests/bench/wl tests/bench/biglog tests/mergemem tests/raw2mmt
check_PROGRAMS += tests/bench/rusage tests/bench/decode tests/bench/pages \
	tests/bench/wl tests/bench/biglog
tests_bench_rusage_SOURCES = tests/bench/rusage.c
tests_bench_decode_SOURCES = tests/bench/decode.c tests/bench/bench.h
tests_bench_decode_LDADD = $(MMT_LIBS)
tests_bench_pages_SOURCES = tests/bench/pages.c tests/bench/bench.h \
	$(RAW_INPUT)
tests_bench_pages_LDADD = $(MMT_LIBS)
tests_bench_biglog_SOURCES = tests/bench/biglog.c tests/kind-schema.h
tests_bench_biglog_LDADD = $(MMT_LIBS)
if HAVE_TRACECMD
BENCH_TOOLS += tests/bench/tcmd
check_PROGRAMS += tests/bench/tcmd
tests_bench_tcmd_SOURCES = tests/bench/tcmd.c tests/bench/bench.h
tests_bench_tcmd_CPPFLAGS = $(AM_CPPFLAGS) $(TRACECMD_CFLAGS)
tests_bench_tcmd_LDADD = $(TRACECMD_LIBS)
endif
# A yardstick: as it is, never linked into a program of ours.
tests_bench_wl_SOURCES = tests/bench/yardstick/wl.c
tests_bench_wl_CFLAGS = -O2 -w
tests_bench_wl_LDADD = -lm
SHELL_TESTS += tests/t-bench.sh
EXTRA_DIST += tests/bench/run.sh tests/bench/lib.sh tests/bench/capture.sh \
	tests/bench/log.sh tests/bench/long.sh tests/bench/yardstick/lim.c

BENCH_RUN = top_builddir=$(abs_top_builddir) top_srcdir=$(abs_top_srcdir) \
	$(srcdir)/tests/bench/run.sh

bench: all $(BENCH_TOOLS)
	$(BENCH_RUN) $(BENCH)

bench-long: all $(BENCH_TOOLS)
	$(BENCH_RUN) long

.PHONY: bench-long
