#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-import-dat.sh - trace.dat files, sound, cut and hostile, and raw pages
#
# Most inputs hold the same 25 events (16 adds and, 5 s later, 1 removal on
# CPU 0, 8 adds on CPU 1), written by machines of different word size, byte
# order and page size, in both versions, and with different event formats.

. "$top_srcdir/tests/lib.sh"

data=$top_srcdir/tests/data/import

# import FILE STATUS [OPTION...]
import()
{
	im_name=$1
	im_status=$2
	shift 2
	status "$im_name: status $im_status" "$im_status" \
		mm-log import -f -o "$work/log.mmt" "$@" "$data/$im_name.dat"
}

# events FILE: what must be the same whoever wrote it
events()
{
	mm-log dump --csv -F "time_ns,cpu,pid,event,dev,ino,index$1" \
		"$work/log.mmt" | grep -v '^#'
}

# heard WORDS: the last import printed them, on either stream
heard()
{
	# lines are folded to 72 columns
	ok "$im_name: says \"$1\"" grep -qF -e "$1" "$work/all"
}

unfold()
{
	cat "$work/out" "$work/err" | tr '\n' ' ' | sed 's/  */ /g' \
		>"$work/all"
}

base()
{
	{
		echo time_ns,cpu,pid,event,dev,ino,index
		i=0
		while [ $i -lt 16 ]; do
			echo "$((13166966000 + 1000 * i)),0,177,add,$i"
			[ $i -ge 8 ] || echo \
				"$((13166971000 + 700 * i)),1,4194303,add,$i"
			i=$((i + 1))
		done
		echo 18166981000,0,52,remove,0
	} | awk -F, 'BEGIN { OFS = ","
		e["add"] = "filemap:mm_filemap_add_to_page_cache"
		e["remove"] = "filemap:mm_filemap_delete_from_page_cache" }
	NR == 1 { print; next }
	{ print $1, $2, $3, e[$4], "259:5",
		$2 ? 39698 : 39697, $2 ? 4 * $5 : 294 + $5 }' |
		sort -t, -k1,1n
}

base >"$work/base"
for f in good_le64_4k good_le64_4k_nopfnorder good_le64_4k_oldpage \
	good_be64_4k good_le32_4k good_le64_16k good_le64_4k_v7none \
	good_le64_4k_v7zstd v7_be64_zlib v7_le32_zstd comm_odd; do
	import $f 0
	events | sort -t, -k1,1n >"$work/got"
	if [ $f = comm_odd ]; then
		is "$f: events" "$(wc -l <"$work/got")" 26
	else
		same "$f: the 25 events" "$work/got" "$work/base"
	fi
	mm-log check "$work/log.mmt" >"$work/out" 2>&1
	is "$f: a sound log" $? 0
done

import good_le64_4k_oldpage 0
unfold
heard 'no field pfn; no field order'
is "no pfn in 3.x: not made up" \
	"$(events ,pfn | awk -F, 'NR > 1 && $8 + 0 { n++ } END { print n + 0 }')" 0
import good_le64_16k 0
is "16 KiB pages" "$(mm-log info "$work/log.mmt" | grep '^page size')" \
	"page size: 16 KiB"

for f in lost_counted lost_counted_v7none lost_counted_v7zstd; do
	import $f 0
	unfold
	heard '24 events'
	heard 'lost while recording: 204600 records'
done
import clock_back_across_cpus 0
unfold
heard 'CPU 0: clock went back once, by 5.004015'
heard '29 events'
import unknown_event_id 0
unfold
heard '25 events'
heard 'event id 999'

# file, status, events, what is said
while IFS='|' read -r f st nr words; do
	import "$f" "$st"
	unfold
	[ -z "$nr" ] || heard ", $nr events"
	heard "$words"
done <<'END'
empty|1||empty file
not_a_trace|1||perf.data, not a trace.dat
trunc_in_header_page|1||cut in the header_page text at offset
trunc_before_cpu_table|1||cut in the CPU table at offset 2154
trunc_mid_page|3|17|CPU 0: 2000 bytes missing
trunc_mid_page|3|17|CPU 1: 4096 bytes missing
hostile_field_offset|3|17|format of filemap:evil: field index at offset 4000000000
hostile_ncpu|1||CPU count 2147483647 at offset
hostile_offset_past_eof|3|17|lie past the end of the file
hostile_page_size_0|3|25|page size 0 is bad
hostile_short_record|3|2|record of filemap:mm_filemap_add_to_page_cache does not fit its format at offset 4200
hostile_zero_len_record|3|2|record of impossible length (the rest of its sub-buffer is lost) at offset 4200
trunc_v7n_mid|3|25|data of 2 CPUs of 2 found, their numbers are assumed
trunc_v7z_mid|3|17|data of 1 CPUs of 2 found, their numbers are assumed
v8|1||trace.dat v8; I read 6 and 7
lz4|1||compressed with lz4x; I read none, zlib and zstd
END

# cut within the data, and so before the section that says where they are;
# the options in front of the data are a chain of two sections
for len in 2300 6400 11000; do
	head -c $len "$data/good_le64_4k_v7none.dat" >"$work/cut.dat"
	status "version 7, $len bytes: status" $((len < 3000 ? 1 : 3)) \
		mm-log import -f -o "$work/log.mmt" "$work/cut.dat"
	im_name="version 7, $len bytes"
	unfold
	case $len in
	2300) heard "no event data up to its end at offset 2300" ;;
	6400) heard ", 17 events" ;;
	11000) heard ", 25 events" ;;
	esac
done

# several buffers
import multi_top_both_v7 0
unfold
heard 'buffer mm has events, too, and is left out (--buffer mm)'
for f in multi_two_v6 multi_two_v7; do
	import $f 1
	unfold
	heard 'several buffers have events; it has: top, mm, other'
	heard 'hint: --buffer NAME'
	import $f 0 --buffer mm
	events | sort -t, -k1,1n >"$work/got"
	same "$f: buffer mm" "$work/got" "$work/base"
	import $f 0 --buffer other
	unfold
	heard 'lost while recording: 204600 records'
	import $f 1 --buffer nix
	unfold
	heard 'no buffer is called nix; it has: top, mm, other'
done

# options
import opts_v6 0
mm-log info "$work/log.mmt" >"$work/out"
unfold
heard 'kernel: 6.12.1-x x86_64'
heard 'clock: mono'
heard 'recorded by: trace-cmd 3.2 abc'
heard 'clock.offset_ns: 100000000000'
heard 'lost: 1008 records'
is "the file's offset is added to its times" \
	"$(events | sed -n 's/,.*//;2p')" 13166967000
import opts_v7 0
unfold
heard 'lost while recording: 204600 records'

# raw sub-buffers: those of good_le64_4k.dat, its formats as text and as files
dd if="$data/good_le64_4k.dat" of="$work/a-cpu0.raw" bs=4096 skip=1 count=1 \
	2>/dev/null
dd if="$data/good_le64_4k.dat" of="$work/a-cpu1.raw" bs=4096 skip=2 count=1 \
	2>/dev/null
formats=$top_srcdir/tests/data/formats-6.18.txt
grep -A 15 -e '=== filemap/mm_filemap_add' -e '=== filemap/mm_filemap_del' \
	"$formats" >"$work/formats.txt"
mkdir -p "$work/flat" "$work/deep/filemap"
for e in add_to delete_from; do
	name=mm_filemap_${e}_page_cache
	mkdir -p "$work/deeper/filemap/$name"
	sed -n "/^=== filemap.$name/,/^print fmt/p" "$work/formats.txt" |
		sed 1d >"$work/deeper/filemap/$name/format"
	cp "$work/deeper/filemap/$name/format" \
		"$work/deep/filemap/$name.format"
	cp "$work/deeper/filemap/$name/format" \
		"$work/flat/filemap.$name.format"
done
for f in formats.txt flat deep deeper; do
	status "raw, formats as in $f" 0 mm-log import -f -o "$work/log.mmt" \
		--from raw --formats "$work/$f" --clock mono \
		"$work/a-cpu1.raw" "$work/a-cpu0.raw"
	events | sort -t, -k1,1n >"$work/got"
	same "raw, formats as in $f: the 25 events" "$work/got" "$work/base"
done
mm-log info "$work/log.mmt" >"$work/out"
ok "raw: clock as said" grep -q '^clock: mono' "$work/out"
status "raw: kind detected if formats are given" 0 mm-log import -f \
	-o "$work/log.mmt" --formats "$work/formats.txt" "$work/a-cpu0.raw"
status "raw without formats" 1 mm-log import -f -o "$work/log.mmt" \
	--from raw "$work/a-cpu0.raw"
says "raw without formats: what is needed" "hint: --formats FILE|DIR"
cp "$work/a-cpu0.raw" "$work/b-cpu0.raw"
status "raw: a CPU twice" 1 mm-log import -f -o "$work/log.mmt" --from raw \
	--formats "$work/flat" "$work/a-cpu0.raw" "$work/b-cpu0.raw"
head -c 700 "$work/a-cpu0.raw" >"$work/c-cpu0.raw"
status "raw: cut" 3 mm-log import -f -o "$work/log.mmt" --from raw \
	--formats "$work/flat" "$work/c-cpu0.raw" "$work/a-cpu1.raw"
finish
