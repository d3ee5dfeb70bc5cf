# SPDX-License-Identifier: GPL-2.0-or-later
# The log: its tools for tests, units, damage, mm-log.
check_PROGRAMS += tests/mklog tests/raw2mmt
tests_mklog_SOURCES = tests/mklog.c
tests_mklog_LDADD = $(MMT_LIBS)
tests_raw2mmt_SOURCES = tests/raw2mmt.c
tests_raw2mmt_LDADD = $(MMT_LIBS)

UNIT_TESTS += tests/t-log tests/t-log-damage tests/t-tracefmt tests/t-subbuf
UNIT_TESTS += tests/t-varints
tests_t_varints_SOURCES = tests/t-varints.c
tests_t_varints_LDADD = $(TEST_LIBS)
tests_t_log_SOURCES = tests/t-log.c tests/log-gen.c tests/log-gen.h
tests_t_log_LDADD = $(TEST_LIBS)
tests_t_log_damage_SOURCES = tests/t-log-damage.c tests/log-gen.c \
	tests/log-gen.h
tests_t_log_damage_LDADD = $(TEST_LIBS)
tests_t_tracefmt_SOURCES = tests/t-tracefmt.c
tests_t_tracefmt_LDADD = $(TEST_LIBS)
tests_t_subbuf_SOURCES = tests/t-subbuf.c
tests_t_subbuf_LDADD = $(TEST_LIBS)
SHELL_TESTS += tests/t-check.sh tests/t-cpu.sh tests/t-mmlog.sh
SHELL_TESTS += tests/t-loss-part.sh tests/t-outfile.sh tests/t-raw.sh
