#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-readme.sh - what README.md shows is what the programs print

. "${top_srcdir:?}/tests/lib.sh" || exit 99
cd "$top_srcdir" || exit 99

# Each console block: its command to cmd.N, its text to want.N.
awk -v dir="$work" '
	/^```console/ { n++; inside = 1; next }
	/^```/ { inside = 0 }
	inside && /^\$ / { print substr($0, 3) >(dir "/cmd." n); next }
	inside { print >(dir "/want." n) }' README.md

# Every line of the block stands in the output, in that order; [...] is any
# number of lines.
in_order()
{
	awk 'NR == FNR { if ($0 != "[...]") want[++n] = $0; next }
	     at < n && $0 == want[at + 1] { at++ }
	     END { if (at < n) print "not printed: " want[at + 1]
		   exit at < n || !n }' "$1" "$2"
}

for cmd in "$work"/cmd.*; do
	n=${cmd##*.}
	status "$(cat "$cmd"): exit 0" 0 bash -c "$(cat "$cmd")"
	[ ! -f "$work/want.$n" ] ||
		ok "and prints what README.md shows" \
			in_order "$work/want.$n" "$work/out"
done
ok "README.md has such blocks" test -f "$work/cmd.1" -a -f "$work/want.1"

finish
