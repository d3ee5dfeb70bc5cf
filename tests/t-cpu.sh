#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-cpu.sh - what is chosen by the CPU at run time gives the same everywhere

. "$top_srcdir/tests/lib.sh"

command -v zstd >/dev/null || skip_all "zstd is not installed"

data=$top_srcdir/tests/data/raw-ftrace
unpack_raw "$work/cpu"
cd "$work" || exit 99

# Every field of every event of real pages, as this level decodes them.
all_fields()
{
	MMCAP_CPU=$1 mm-log import -f --from raw --formats \
		"$data/formats.txt" -o "$1.mmt" cpu0 cpu1 &&
		MMCAP_CPU=$1 mm-log dump "$1.mmt" | tail -n +2 >"$1.txt"
}

status "plain: decodes" 0 all_fields plain
is "plain: all events" "$(wc -l <plain.txt)" 285995
for level in avx2 avx512; do
	status "$level, or what the machine has: decodes" 0 all_fields $level
	ok "$level: the same" cmp $level.txt plain.txt
done

finish
