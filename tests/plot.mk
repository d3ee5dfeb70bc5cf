# SPDX-License-Identifier: GPL-2.0-or-later
SHELL_TESTS += tests/t-plot.sh
