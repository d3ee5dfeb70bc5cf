# SPDX-License-Identifier: GPL-2.0-or-later
# Fuzz targets: libFuzzer brings main(); tests/fuzz/run.sh builds them.
FUZZ_TARGETS = tests/fuzz/fuzz-log tests/fuzz/fuzz-subbuf \
	tests/fuzz/fuzz-formats tests/fuzz/fuzz-probes tests/fuzz/fuzz-table \
	tests/fuzz/fuzz-tracedat tests/fuzz/fuzz-text tests/fuzz/fuzz-access
EXTRA_PROGRAMS += $(FUZZ_TARGETS)
FUZZ_COMMON = tests/fuzz/fuzz.c tests/fuzz/fuzz.h
FUZZ_LINK = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_fuzz_log_SOURCES = tests/fuzz/fuzz-log.c $(FUZZ_COMMON)
tests_fuzz_fuzz_log_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_log_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_subbuf_SOURCES = tests/fuzz/fuzz-subbuf.c $(FUZZ_COMMON)
tests_fuzz_fuzz_subbuf_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFUZZ_FORMATS='"$(abs_top_srcdir)/tests/data/formats-6.18.txt"'
tests_fuzz_fuzz_subbuf_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_subbuf_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_formats_SOURCES = tests/fuzz/fuzz-formats.c $(FUZZ_COMMON)
tests_fuzz_fuzz_formats_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_formats_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_probes_SOURCES = tests/fuzz/fuzz-probes.c $(FUZZ_COMMON)
tests_fuzz_fuzz_probes_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_probes_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_table_SOURCES = tests/fuzz/fuzz-table.c $(FUZZ_COMMON)
tests_fuzz_fuzz_table_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_table_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_tracedat_SOURCES = tests/fuzz/fuzz-tracedat.c $(FUZZ_COMMON)
tests_fuzz_fuzz_tracedat_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_tracedat_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_text_SOURCES = tests/fuzz/fuzz-text.c $(FUZZ_COMMON)
tests_fuzz_fuzz_text_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_text_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_access_SOURCES = tests/fuzz/fuzz-access.c $(FUZZ_COMMON)
tests_fuzz_fuzz_access_LDADD = $(MMT_LIBS)
tests_fuzz_fuzz_access_LDFLAGS = $(FUZZ_LINK)
EXTRA_DIST += tests/fuzz/run.sh

# mm-log anon
UNIT_TESTS += tests/t-pseudonyms tests/t-tracefmt-check
tests_t_pseudonyms_SOURCES = tests/t-pseudonyms.c
tests_t_pseudonyms_LDADD = $(TEST_LIBS)
tests_t_tracefmt_check_SOURCES = tests/t-tracefmt-check.c
tests_t_tracefmt_check_LDADD = $(TEST_LIBS)
SHELL_TESTS += tests/t-texts.sh
SHELL_TESTS += tests/t-anon.sh

# Memory of a merge; MMCAP_LONG=1 makes the log 1 GB.
check_PROGRAMS += tests/mergemem
tests_mergemem_SOURCES = tests/mergemem.c tests/kind-schema.h
tests_mergemem_LDADD = $(MMT_LIBS)
SHELL_TESTS += tests/t-merge-memory.sh
