#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-locale.sh - numbers look the same where the decimal point is a comma
. "$top_srcdir/tests/lib.sh"

data=$(cd "$top_srcdir/tests/data/plot" && pwd)
mkdir "$work/locale"
localedef -i de_DE -f UTF-8 "$work/locale/de_DE.UTF-8" >/dev/null 2>&1 ||
	skip_all "no sources of the de_DE locale (package locales)"
LOCPATH=$work/locale
LC_ALL=de_DE.UTF-8
export LOCPATH LC_ALL

if [ -x "$top_builddir/tests/t-table" ]; then
	# glibc never frees its copy of LOCPATH, which is no leak of ours.
	status "tables under de_DE" 0 env TEST_DECIMAL_POINT=, \
		ASAN_OPTIONS=detect_leaks=0 \
		"$top_builddir/tests/t-table"
else
	skip "tables under de_DE" "t-table was not built (no cmocka)"
fi
version=$("$top_builddir/plot/mm-plot" --version)
cd "$work" || exit 99
status "mm-plot under de_DE" 0 "$top_builddir/plot/mm-plot" -t txt \
	"$data/mrc.csv"
for suffix in gp txt; do
	sed "s/$version/mm-plot VERSION/" reuse-mrc.$suffix >got
	same "the same $suffix" got "$data/mrc.$suffix"
done
finish
