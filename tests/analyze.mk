# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_TESTS += tests/t-stackdist tests/t-stackdist-long tests/t-stackdist-oom \
	tests/t-reuse-engine
STACKDIST_WAYS = tests/stackdist-ways.c tests/stackdist-ways.h
tests_t_stackdist_SOURCES = tests/t-stackdist.c $(STACKDIST_WAYS) \
	tests/mrc-cases.c tests/mrc-cases.h
tests_t_stackdist_LDADD = analyze/libanalyze.a $(TEST_LIBS)
tests_t_stackdist_long_SOURCES = tests/t-stackdist-long.c $(STACKDIST_WAYS)
tests_t_stackdist_long_LDADD = analyze/libanalyze.a $(TEST_LIBS)
tests_t_stackdist_oom_SOURCES = tests/t-stackdist-oom.c
tests_t_stackdist_oom_LDADD = analyze/libanalyze.a $(TEST_LIBS)
tests_t_stackdist_oom_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=mmap \
	-Wl,--wrap=munmap -Wl,--wrap=calloc -Wl,--wrap=aligned_alloc \
	-Wl,--wrap=pthread_create
tests_t_reuse_engine_SOURCES = tests/t-reuse-engine.c tests/mrc-cases.c tests/mrc-cases.h
tests_t_reuse_engine_LDADD = analyze/libanalyze.a $(TEST_LIBS)

include tests/bench/stackdist.mk

SHELL_TESTS += tests/t-reuse.sh
