# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_TESTS += tests/t-pages
tests_t_pages_SOURCES = tests/t-pages.c
tests_t_pages_LDADD = $(TEST_LIBS)
UNIT_TESTS += tests/t-refault-engine
tests_t_refault_engine_SOURCES = tests/t-refault-engine.c
tests_t_refault_engine_LDADD = analyze/libanalyze.a $(TEST_LIBS)
SHELL_TESTS += tests/t-refault.sh
UNIT_TESTS += tests/t-pages-sim
tests_t_pages_sim_SOURCES = tests/t-pages-sim.c
tests_t_pages_sim_LDADD = $(TEST_LIBS)
