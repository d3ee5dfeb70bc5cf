# SPDX-License-Identifier: GPL-2.0-or-later
noinst_PROGRAMS += examples/zipfread
examples_zipfread_SOURCES = examples/zipfread.c
examples_zipfread_LDADD = -lm

EXTRA_DIST += examples/quickstart.sh examples/sample.mmt \
	examples/sample-classic.mmt
