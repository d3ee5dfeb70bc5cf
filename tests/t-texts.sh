#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-texts.sh - the snapshots of a log are printed as they were taken
. "$top_srcdir/tests/lib.sh"

cd "$work" || exit 99
mklog one.mmt <<'END'
text vmstat 1000000000 nr_free_pages 12\npgsteal 0\n
text psi.io 1000000000 some avg10=0.00
text vmstat 3000000000 nr_free_pages 9\npgsteal 7
text a\tb 3000000000 x\033[31my
2000000000 0 7 add 8:1 5 1 1 0
END

# texts ARGS...: prints them
texts()
{
	mm-log dump --text "$@" one.mmt
}

is "a text, each time" "$(texts vmstat)" "# vmstat at -1.000000 s
nr_free_pages 12
pgsteal 0
# vmstat at +1.000000 s
nr_free_pages 9
pgsteal 7"
is "a glob" "$(texts 'psi.*')" "# psi.io at -1.000000 s
some avg10=0.00"
is "a part" "$(texts vmstat --time 0.5, | head -n 1)" "# vmstat at +1.000000 s"
is "nothing that a terminal obeys" "$(texts '*' | tr -d '\n\t' |
	LC_ALL=C tr -d ' -~' | wc -c)" 0
status "none of that name" 1 mm-log dump --text pgscan one.mmt
says "none: what lists them" "mm-log info"
for with in --csv -j --pages "-e add" "-F pid"; do
	# shellcheck disable=SC2086
	status "with $with" 2 mm-log dump --text vmstat $with one.mmt
done
finish
