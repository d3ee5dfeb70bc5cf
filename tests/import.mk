# SPDX-License-Identifier: GPL-2.0-or-later
# The frame of all importers.
SHELL_TESTS += tests/t-import.sh tests/t-import-options.sh
SHELL_TESTS += tests/t-comms.sh
UNIT_TESTS += tests/t-import-tasks
tests_t_import_tasks_SOURCES = tests/t-import-tasks.c
tests_t_import_tasks_LDADD = $(TEST_LIBS)
UNIT_TESTS += tests/t-import-frame
tests_t_import_frame_SOURCES = tests/t-import-frame.c
tests_t_import_frame_LDADD = $(TEST_LIBS)

# Text, CSV and keys.
UNIT_TESTS += tests/t-import-lines
tests_t_import_lines_SOURCES = tests/t-import-lines.c
tests_t_import_lines_LDADD = $(TEST_LIBS)
SHELL_TESTS += tests/t-import-text.sh tests/t-import-csv.sh

# trace.dat and raw sub-buffers.
SHELL_TESTS += tests/t-import-dat.sh tests/t-import-oracle.sh

# Definitions of probes, and what their events become.
UNIT_TESTS += tests/t-probe
tests_t_probe_SOURCES = tests/t-probe.c
tests_t_probe_LDADD = $(TEST_LIBS)
SHELL_TESTS += tests/t-import-probes.sh
