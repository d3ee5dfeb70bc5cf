# SPDX-License-Identifier: GPL-2.0-or-later
# Hostile input at scale: a program a reader.
FLIPS = tests/flips.c tests/flips.h
FLIPS_WRAP = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

UNIT_TESTS += tests/t-flips-log
tests_t_flips_log_SOURCES = tests/t-flips-log.c $(FLIPS) tests/log-gen.c \
	tests/log-gen.h
tests_t_flips_log_LDFLAGS = $(AM_LDFLAGS) $(FLIPS_WRAP)
tests_t_flips_log_LDADD = $(TEST_LIBS)

UNIT_TESTS += tests/t-flips-dat tests/t-flips-raw tests/t-flips-text
tests_t_flips_dat_SOURCES = tests/t-flips-dat.c $(FLIPS)
tests_t_flips_dat_LDFLAGS = $(AM_LDFLAGS) $(FLIPS_WRAP)
tests_t_flips_dat_LDADD = $(TEST_LIBS)
tests_t_flips_raw_SOURCES = tests/t-flips-raw.c $(FLIPS)
tests_t_flips_raw_LDFLAGS = $(AM_LDFLAGS) $(FLIPS_WRAP)
tests_t_flips_raw_LDADD = $(TEST_LIBS)
tests_t_flips_text_SOURCES = tests/t-flips-text.c $(FLIPS)
tests_t_flips_text_LDFLAGS = $(AM_LDFLAGS) $(FLIPS_WRAP)
tests_t_flips_text_LDADD = $(TEST_LIBS)
