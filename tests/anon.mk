# SPDX-License-Identifier: GPL-2.0-or-later
# Fuzz targets: libFuzzer brings main(); tests/fuzz/run.sh builds them.
FUZZ_TARGETS = tests/fuzz/fuzz-log tests/fuzz/fuzz-subbuf \
	tests/fuzz/fuzz-formats tests/fuzz/fuzz-table \
	tests/fuzz/fuzz-tracedat tests/fuzz/fuzz-text tests/fuzz/fuzz-access
EXTRA_PROGRAMS += $(FUZZ_TARGETS)
FUZZ_COMMON = tests/fuzz/fuzz.c tests/fuzz/fuzz.h
FUZZ_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_fuzz_log_SOURCES = tests/fuzz/fuzz-log.c $(FUZZ_COMMON)
tests_fuzz_fuzz_log_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_log_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_subbuf_SOURCES = tests/fuzz/fuzz-subbuf.c $(FUZZ_COMMON)
tests_fuzz_fuzz_subbuf_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFUZZ_FORMATS='"$(abs_top_srcdir)/tests/data/formats-6.18.txt"'
tests_fuzz_fuzz_subbuf_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_subbuf_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_formats_SOURCES = tests/fuzz/fuzz-formats.c $(FUZZ_COMMON)
tests_fuzz_fuzz_formats_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_formats_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_table_SOURCES = tests/fuzz/fuzz-table.c $(FUZZ_COMMON)
tests_fuzz_fuzz_table_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_table_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_tracedat_SOURCES = tests/fuzz/fuzz-tracedat.c $(FUZZ_COMMON)
tests_fuzz_fuzz_tracedat_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_tracedat_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_text_SOURCES = tests/fuzz/fuzz-text.c $(FUZZ_COMMON)
tests_fuzz_fuzz_text_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_text_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_access_SOURCES = tests/fuzz/fuzz-access.c $(FUZZ_COMMON)
tests_fuzz_fuzz_access_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_access_LDFLAGS = $(FUZZ_LDFLAGS)
EXTRA_DIST += tests/fuzz/run.sh
