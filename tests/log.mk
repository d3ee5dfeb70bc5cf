# SPDX-License-Identifier: GPL-2.0-or-later
# The log: its tools for tests, units, damage, mm-log.
check_PROGRAMS += tests/mklog tests/raw2mmt
tests_mklog_SOURCES = tests/mklog.c
tests_mklog_LDADD = $(MMT_LIBS)
tests_raw2mmt_SOURCES = tests/raw2mmt.c
tests_raw2mmt_LDADD = $(MMT_LIBS)

UNIT_TESTS += tests/t-log tests/t-log-damage
tests_t_log_SOURCES = tests/t-log.c tests/log-gen.c tests/log-gen.h
tests_t_log_LDADD = $(TEST_LIBS)
tests_t_log_damage_SOURCES = tests/t-log-damage.c tests/log-gen.c \
	tests/log-gen.h
tests_t_log_damage_LDADD = $(TEST_LIBS)
