#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-bench.sh - the bench runs and prints its table, with data and without
#
# Its speeds mean nothing here.  That libtraceevent and libtracecmd find the
# same events as we do is checked by the bench itself, which fails otherwise.

. "$top_srcdir/tests/lib.sh"

command -v zstd >/dev/null || skip_all "zstd is not installed"
run=$top_srcdir/tests/bench/run.sh
export ROUNDS=1 TMPDIR=$work LONG_EVENTS=200000 LONG_CPU_EVENTS=500

# field FIGURE N: a word of that row, from its end
field()
{
	awk -v figure="$1" -v n="$2" 'index($0, figure) == 1 {
		print $(NF - n); exit }' "$work/out"
}

# Every row has a limit or a dash, and a number of ours.
bad_rows()
{
	awk '/^figure/ { table = 1; next }
	     table && length($0) == 72 && substr($0, 45, 10) !~ /^ *[0-9.]+$/ {
		print }' "$1"
}

# A recording in pages, one of trace-cmd, and no text.
mkdir "$work/data" "$work/none" || exit 99
unpack_raw "$work/scan.cpu"
tar -C "$work" -cf - scan.cpu0 scan.cpu1 | zstd -1 -q \
	>"$work/data/raw-scan.tar.zst" || exit 99
cp "$top_srcdir/tests/data/formats-6.18.txt" "$work/data" || exit 99
cp "$top_srcdir/tests/data/import/good_le64_4k_v7zstd.dat" \
	"$work/data/guest-6.12.trace.dat" || exit 99

status "the figures of a log" 0 env MMCAP_DATA="$work/data" "$run" files
text "the figures" "$work/out"
is "every row has a number of ours" "$(bad_rows "$work/out")" ""
is "bytes per event of raw pages" "$(field "scan: bytes/event at" 2)" 44.3
is "a log without events: its limit" "$(field "a log without" 2)" 16384
is "all rows of the pages" "$(grep -c '^scan: ' "$work/out")" 8
is "the rows of the trace.dat" "$(grep -c '^trace.dat: ' "$work/out")" 4
ok "text is said to be absent" grep -q '^ftrace text: skipped, no ' "$work/out"
ok "other pages are, too" grep -q '^real: skipped, no ' "$work/out"

status "without data" 0 env MMCAP_DATA="$work/none" "$run" files
is "all four are absent" "$(grep -c ': skipped, ' "$work/out")" 4
status "other pages than the formats' kernel" 1 env MMCAP_DATA="$work/data" \
	sh -c 'head -c 100000 /dev/urandom >"$MMCAP_DATA/scan.cpu0"
	       cp "$MMCAP_DATA/scan.cpu0" "$MMCAP_DATA/scan.cpu1"
	       tar -C "$MMCAP_DATA" -cf - scan.cpu0 scan.cpu1 | zstd -1 -q -f \
			-o "$MMCAP_DATA/raw-scan.tar.zst"
	       exec "$1" files' sh "$run"
says "what failed" "bench: scan: cannot be encoded"

status "the long runs, short" 0 "$run" long
text "the long runs" "$work/out"
is "ten rows" "$(awk 'NR > 4 && NF' "$work/out" | wc -l)" 10
is "every row of them has a number" "$(bad_rows "$work/out")" ""
status "a part that is none" 2 "$run" nonsense
says "which there are" "hint: capture, log, files, long"
is "nothing is left behind" "$(ls -d "$work"/mmcap-bench-* 2>/dev/null)" ""
finish
