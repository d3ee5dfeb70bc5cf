#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-check.sh - mm-log check: what it lists as missing
. "$top_srcdir/tests/lib.sh"

cd "$work" || exit 99
# CPU 3 has the first block, CPU 5 the second; the index is behind them
awk 'BEGIN {
	for (i = 0; i < 300; i++) print 1000 + i, 3, 7, "add 8:1 5", i, i, 0
	for (i = 0; i < 200; i++) print 1000 + i, 5, 7, "add 8:1 5", i, i, 0
}' | mklog two.mmt || exit 99
status "a whole log" 0 mm-log check two.mmt

# blocks FILE: offset, kind and CPU of each block
blocks()
{
	LC_ALL=C grep -abo mmtb "$1" | cut -d: -f1 | while read -r at; do
		echo "$at $(od -An -tu2 -j $((at + 4)) -N 4 "$1")"
	done
}

# at CPU [FILE]: where the block of this CPU begins
at()
{
	blocks "${2:-two.mmt}" | awk -v cpu="$1" '$2 == 3 && $3 == cpu {
		print $1 }'
}

# row CPU: its row of the last check, without repeated blanks
row()
{
	awk -v cpu="$1" '$1 == cpu { $1 = $1; print }' out
}

first=$(at 3)
second=$(at 5)
[ "$first" ] && [ "$second" ] || exit 99
[ "$first" -lt "$second" ] || { x=$first; first=$second; second=$x; }
cpu1=$(blocks two.mmt | awk -v at="$first" '$1 == at { print $3 }')
cpu2=$(blocks two.mmt | awk -v at="$second" '$1 == at { print $3 }')
count()
{
	[ "$1" = 3 ] && echo 300 || echo 200
}
n1=$(count "$cpu1")
n2=$(count "$cpu2")

head -c $((second + 70)) two.mmt >cut.mmt
status "cut in the only block of a CPU" 3 mm-log check cut.mmt
text "its report" out
is "the CPU that is whole" "$(row "$cpu1")" "$cpu1 1 $n1 0"
is "the CPU that is cut" "$(row "$cpu2")" "$cpu2 0 0 1"
ok "the damage, with its offset and CPU" sh -c 'tr -d "\n" <out |
	tr -s " " | grep -q "$1"' sh \
	"begins at offset $second and has $n2 events of CPU $cpu2"
ok "what is missing" \
	grep -q "^missing: CPU $cpu2: 1 of its blocks, $n2 events" out

head -c $((first + 70)) two.mmt >cut.mmt
status "cut in the first block" 3 mm-log check cut.mmt
is "its CPU" "$(row "$cpu1")" "$cpu1 0 0 1"
is "of the other, nothing is known" "$(row "$cpu2")" ""

head -c $((second + 20)) two.mmt >cut.mmt
status "cut in a header" 3 mm-log check cut.mmt
is "no CPU is made up" "$(row "$cpu2")" ""
ok "the offset" grep -q "header of block 2, at offset $second" out

# spoil FILE AT: bytes that no block has there
spoil()
{
	cp two.mmt "$1"
	printf 'spoiled' | dd of="$1" bs=1 conv=notrunc seek="$2" 2>/dev/null
}

spoil bad.mmt $((second + 90))
status "damaged, with an index" 3 mm-log check bad.mmt
is "its block is missing" "$(row "$cpu2")" "$cpu2 0 0 1"
is "the other is not" "$(row "$cpu1")" "$cpu1 1 $n1 0"
index=$(blocks bad.mmt | awk '$2 == 5 { print $1 }')
head -c "$index" bad.mmt >noindex.mmt
status "damaged, without an index" 3 mm-log check noindex.mmt
is "its block is missing, too" "$(row "$cpu2")" "$cpu2 0 0 1"
ok "its events are known" \
	grep -q "^missing: CPU $cpu2: 1 of its blocks, $n2 events" out

# a damaged header names CPUs and numbers that never were
cp noindex.mmt seq.mmt
printf '\377' | dd of=seq.mmt bs=1 conv=notrunc seek=$((second + 34)) \
	2>/dev/null
status "a number that cannot be" 3 mm-log check seq.mmt
is "is not believed" "$(row "$cpu2")" ""

mm-log repack two.mmt -o merged.mmt >/dev/null || exit 99
start=$(blocks merged.mmt | awk '$2 == 6 { print $1 }')
head -c $((start + 70)) merged.mmt >cut.mmt
status "a merged log, cut" 3 mm-log check cut.mmt
is "the row of all CPUs" "$(row all)" "all 0 0 1"
ok "its events" grep -q "^missing: all CPUs: 1 of its blocks, 500 events" out

# ---------------------------------------------------------------------- options
for two in "--csv -j" "-j --csv" "--json --csv"; do
	status "dump $two" 2 mm-log dump $two two.mmt
	says "dump $two: the conflict" "--csv and -j"
	is "dump $two: nothing is printed" "$(cat out)" ""
done
status "dump -j -j" 0 mm-log dump -j -j two.mmt
finish
