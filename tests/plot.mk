# SPDX-License-Identifier: GPL-2.0-or-later
SHELL_TESTS += tests/t-plot.sh
EXTRA_DIST += tests/data/plot/distance.csv tests/data/plot/distance.gp \
	tests/data/plot/distance.txt tests/data/plot/empty.csv \
	tests/data/plot/hostile-labels.txt tests/data/plot/mrc.csv \
	tests/data/plot/mrc.gp tests/data/plot/mrc.txt \
	tests/data/plot/zeros.csv
