# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_TESTS += tests/t-stackdist tests/t-reuse-engine
tests_t_stackdist_SOURCES = tests/t-stackdist.c \
	tests/mrc-cases.c tests/mrc-cases.h
tests_t_stackdist_LDADD = analyze/libanalyze.a $(TEST_LIBS)
tests_t_reuse_engine_SOURCES = tests/t-reuse-engine.c tests/mrc-cases.c tests/mrc-cases.h
tests_t_reuse_engine_LDADD = analyze/libanalyze.a $(TEST_LIBS)

SHELL_TESTS += tests/t-reuse.sh
