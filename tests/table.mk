# SPDX-License-Identifier: GPL-2.0-or-later
SHELL_TESTS += tests/t-locale.sh
UNIT_TESTS += tests/t-hist tests/t-table tests/t-units
tests_t_hist_SOURCES = tests/t-hist.c
tests_t_hist_LDADD = $(TEST_LIBS)
tests_t_table_SOURCES = tests/t-table.c
tests_t_table_LDADD = $(TEST_LIBS)
tests_t_units_SOURCES = tests/t-units.c
tests_t_units_LDADD = $(TEST_LIBS)
