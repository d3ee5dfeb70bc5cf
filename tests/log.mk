# SPDX-License-Identifier: GPL-2.0-or-later
# The log: its tools for tests, units, damage, mm-log.
check_PROGRAMS += tests/mklog tests/raw2mmt
tests_mklog_SOURCES = tests/mklog.c
tests_mklog_LDADD = $(MMT_LIBS)
RAW_INPUT = tests/raw-input.c tests/raw-input.h
tests_raw2mmt_SOURCES = tests/raw2mmt.c $(RAW_INPUT)
tests_raw2mmt_LDADD = $(MMT_LIBS)

UNIT_TESTS += tests/t-log tests/t-log-writer tests/t-log-damage tests/t-subbuf
UNIT_TESTS += tests/t-tracefmt tests/t-tracefmt-hostile
LOG_EXPECT = tests/log-expect.c tests/log-expect.h tests/log-gen.c \
	tests/log-gen.h
RECORD_GEN = tests/record-gen.c tests/record-gen.h
UNIT_TESTS += tests/t-varints
tests_t_varints_SOURCES = tests/t-varints.c
tests_t_varints_LDADD = $(TEST_LIBS)
tests_t_log_SOURCES = tests/t-log.c $(LOG_EXPECT)
tests_t_log_LDADD = $(TEST_LIBS)
tests_t_log_writer_SOURCES = tests/t-log-writer.c $(LOG_EXPECT)
tests_t_log_writer_LDADD = $(TEST_LIBS)
tests_t_log_damage_SOURCES = tests/t-log-damage.c tests/log-gen.c \
	tests/log-gen.h
tests_t_log_damage_LDADD = $(TEST_LIBS)
tests_t_tracefmt_SOURCES = tests/t-tracefmt.c $(RECORD_GEN)
tests_t_tracefmt_LDADD = $(TEST_LIBS)
tests_t_tracefmt_hostile_SOURCES = tests/t-tracefmt-hostile.c $(RECORD_GEN)
tests_t_tracefmt_hostile_LDADD = $(TEST_LIBS)
tests_t_subbuf_SOURCES = tests/t-subbuf.c
tests_t_subbuf_LDADD = $(TEST_LIBS)
SHELL_TESTS += tests/t-check.sh tests/t-cpu.sh tests/t-mmlog.sh
SHELL_TESTS += tests/t-loss-part.sh tests/t-outfile.sh tests/t-raw.sh
