# SPDX-License-Identifier: GPL-2.0-or-later
# The frame of all importers.
SHELL_TESTS += tests/t-import.sh
UNIT_TESTS += tests/t-import-frame
tests_t_import_frame_SOURCES = tests/t-import-frame.c
tests_t_import_frame_LDADD = $(TEST_LIBS)

# Text, CSV and keys.
UNIT_TESTS += tests/t-import-text
tests_t_import_text_SOURCES = tests/t-import-text.c
tests_t_import_text_LDADD = $(TEST_LIBS)
SHELL_TESTS += tests/t-import-text.sh tests/t-import-csv.sh
EXTRA_DIST += \
	tests/data/import/m07_folio_orders.txt \
	tests/data/import/overrun.txt \
	tests/data/import/t01_android_tgid.txt \
	tests/data/import/t03_tracecmd_5.10.txt \
	tests/data/import/t04_perf_script_callchain.txt \
	tests/data/import/t05_flag_columns.txt \
	tests/data/import/t06_odd_comm.txt \
	tests/data/import/t07_mail_wrapped_vmscan.txt \
	tests/data/import/t08_vmscan_field_generations.txt \
	tests/data/import/t10_lost_markers.txt \
	tests/data/import/t11_multi_buffer_report.txt \
	tests/data/import/t12_ranges.txt \
	tests/data/import/t13_truncated_last_line.txt
