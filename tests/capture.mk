# SPDX-License-Identifier: GPL-2.0-or-later
SHELL_TESTS += tests/t-capture-mock.sh tests/t-capture.sh
SHELL_TESTS += tests/t-capture-probe.sh
check_PROGRAMS += tests/pagewl
tests_pagewl_SOURCES = tests/pagewl.c
