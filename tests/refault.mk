# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_TESTS += tests/t-pages
tests_t_pages_SOURCES = tests/t-pages.c
tests_t_pages_LDADD = $(TEST_LIBS)
