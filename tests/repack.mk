# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_TESTS += tests/t-merge
tests_t_merge_SOURCES = tests/t-merge.c tests/log-gen.c tests/log-gen.h
tests_t_merge_LDADD = $(TEST_LIBS)
SHELL_TESTS += tests/t-repack.sh
