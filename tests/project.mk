# SPDX-License-Identifier: GPL-2.0-or-later
# Rules that hold for the whole tree.
SHELL_TESTS += tests/t-layers.sh tests/t-docs.sh tests/t-live.sh tests/t-readme.sh \
	tests/t-quickstart.sh
