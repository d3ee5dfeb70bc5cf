# SPDX-License-Identifier: GPL-2.0-or-later
# Every test speaks TAP, so that each assertion group counts by itself and a
# skip carries its reason: t-*.c are cmocka programs, t-*.sh shell.
TEST_EXTENSIONS = .sh
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)
AM_TESTS_ENVIRONMENT = CMOCKA_MESSAGE_OUTPUT=TAP; \
	top_builddir=$(abs_top_builddir); top_srcdir=$(abs_top_srcdir); \
	LC_ALL=C; \
	export CMOCKA_MESSAGE_OUTPUT top_builddir top_srcdir LC_ALL;
TEST_LIBS = $(MMT_LIBS) $(CMOCKA_LIBS)

UNIT_TESTS =
SHELL_TESTS =
include tests/log.mk
include tests/flips.mk
include tests/table.mk
include tests/analyze.mk
include tests/refault.mk
include tests/capture.mk
include tests/plot.mk
include tests/import.mk
include tests/repack.mk
include tests/anon.mk
include tests/project.mk
include tests/guest.mk
include tests/probes.mk
include tests/bench/local.mk
if HAVE_CMOCKA
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif
TESTS += $(SHELL_TESTS)
EXTRA_DIST += tests/run.sh tests/packages.sh tests/lib.sh tests/data $(SHELL_TESTS)
