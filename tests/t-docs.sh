#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-docs.sh - programs and their manual pages say the same

. "$top_srcdir/tests/lib.sh"

# Long options named in a text, one a line.
help_options()
{
	grep -oE -- '--[a-z][a-z-]+' | sort -u
}

# In mdoc a long option is an argument of Fl that begins with a dash.
page_options()
{
	grep -E '^\.(It|Op|Fl|Nm|Oo|Ic)' "$1" |
		grep -oE '(Fl|,) (Fl |\\-|-)[a-z][a-z-]+' |
		sed -E 's/^(Fl|,) (Fl |\\-|-)/--/' | sort -u
}

programs="formats/mm-log analyze/mm-reuse analyze/mm-refault plot/mm-plot"
[ -x "$top_builddir/capture/mmcap" ] && programs="capture/mmcap $programs"

for path in $programs; do
	name=${path##*/}
	page=$top_srcdir/doc/$name.1
	status "$name --help: exit 0" 0 "$top_builddir/$path" --help
	ok "$name --help: on stdout" test -s "$work/out" -a ! -s "$work/err"
	text "$name --help" "$work/out"
	if [ "$name" = mmcap ]; then
		for verb in record doctor list cleanup; do
			"$top_builddir/$path" $verb --help >>"$work/out"
		done
	elif [ "$name" = mm-log ]; then
		for verb in info check dump import repack anon; do
			"$top_builddir/$path" $verb --help >>"$work/out"
		done
	fi
	help_options <"$work/out" >"$work/help.opt"
	page_options "$page" >"$work/page.opt"
	is "$name: options in --help and page agree" \
		"$(diff "$work/help.opt" "$work/page.opt")" ""
	status "$name --version: exit 0" 0 "$top_builddir/$path" --version
	status "$name --nonsense: exit 2" 2 "$top_builddir/$path" --nonsense
done

if command -v mandoc >/dev/null; then
	for page in "$top_srcdir"/doc/*.[157]; do
		is "${page##*/}: mandoc -Tlint" \
			"$(mandoc -Tlint -W warning "$page" 2>&1)" ""
	done
else
	skip "mandoc -Tlint" "mandoc is not installed"
fi

finish
