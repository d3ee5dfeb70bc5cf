# SPDX-License-Identifier: GPL-2.0-or-later
# The frame of all importers.
SHELL_TESTS += tests/t-import.sh
UNIT_TESTS += tests/t-import-frame
tests_t_import_frame_SOURCES = tests/t-import-frame.c
tests_t_import_frame_LDADD = $(TEST_LIBS)
