# SPDX-License-Identifier: GPL-2.0-or-later
# The exact reuse engine beside its yardstick, which needs AVX-512 to be built
# and to run, and is never linked into a program of ours.
STACKDIST_TOOLS = tests/bench/stackdist tests/bench/gen tests/bench/rusage
EXTRA_PROGRAMS += tests/bench/stackdist tests/bench/gen
CLEANFILES += tests/bench/stackdist tests/bench/gen tests/bench/lim
tests_bench_stackdist_SOURCES = tests/bench/stackdist.c
tests_bench_stackdist_LDADD = analyze/libanalyze.a $(MMT_LIBS)
tests_bench_gen_SOURCES = tests/bench/yardstick/gen.c
tests_bench_gen_CFLAGS = -O2 -w
tests_bench_gen_LDADD = -lm
EXTRA_DIST += tests/bench/reuse.sh

tests/bench/lim: tests/bench/yardstick/lim.c
	@$(MKDIR_P) tests/bench
	-$(AM_V_CC)$(CC) -O3 -march=x86-64-v4 -w -o $@ \
		$(srcdir)/tests/bench/yardstick/lim.c -lm -lpthread

bench-reuse: $(STACKDIST_TOOLS) tests/bench/lim
	top_builddir=$(abs_top_builddir) $(srcdir)/tests/bench/reuse.sh

.PHONY: bench-reuse
