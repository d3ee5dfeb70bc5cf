#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-import-text.sh - text traces of all dialects, as people post them
. "$top_srcdir/tests/lib.sh"

data=$top_srcdir/tests/data/import

# take STATUS FILE [OPTION...]: imports it to $work/x.mmt
take()
{
	tk_want=$1
	tk_file=$2
	shift 2
	status "import $(basename "$tk_file")" "$tk_want" \
		mm-log import -f "$@" "$tk_file" -o "$work/x.mmt"
}

# rows: the log's events without the head
rows()
{
	mm-log dump "$work/x.mmt" | grep -v '^#'
}

take 3 "$data/t01_android_tgid.txt"
says "the header's count is compared" "announces 8 events, 6 are"
is "Android: hex ino, decimal pfn, byte offsets" "$(rows)" "\
16136.595194000 [000] 3021 filemap:mm_filemap_add_to_page_cache dev=253:6 \
ino=30080 index=39 pfn=0xa570e order=-
16136.595920000 [000] 3021 filemap:mm_filemap_add_to_page_cache dev=253:6 \
ino=30080 index=31 pfn=0xa570d order=-
16136.613471000 [002] 2719 filemap:mm_filemap_add_to_page_cache dev=253:6 \
ino=30080 index=59 pfn=0xb57b2 order=-
16138.357581000 [005] 5246 filemap:mm_filemap_delete_from_page_cache \
dev=253:6 ino=39524 index=1 pfn=0xc2cc6 order=-
16138.357600000 [005] 5246 filemap:mm_filemap_add_to_page_cache dev=253:6 \
ino=39524 index=2 pfn=0xc2cc6 order=-
16139.907553000 [001] 474 filemap:mm_filemap_add_to_page_cache dev=254:40 \
ino=3357 index=0 pfn=0xb88d8 order=-"

take 0 "$data/t03_tracecmd_5.10.txt"
says "an absent order is told" "without order, each"
is "trace-cmd report of 5.10" "$(rows | cut -d' ' -f1-7 | sed -n '1p;8p')" "\
13.166966000 [001] 177 filemap:mm_filemap_add_to_page_cache dev=259:5 \
ino=39697 index=294
13.166973000 [001] 177 filemap:mm_filemap_add_to_page_cache dev=259:5 \
ino=39697 index=301"

take 0 "$data/t04_perf_script_callchain.txt"
says "call chains are counted" "call chains left out: 3"
is "perf script: tid, wide ino" "$(rows)" "\
3103609.736344000 [005] 3619706 filemap:mm_filemap_add_to_page_cache \
dev=0:62 ino=1100086620059 index=256 pfn=0x7daf4c order=-
3103609.736401000 [127] 4194303 filemap:mm_filemap_add_to_page_cache \
dev=0:62 ino=1100086620059 index=257 pfn=0x7daf4d order=0"

take 0 "$data/t05_flag_columns.txt"
is "flags of any width" "$(rows | cut -d' ' -f1,2,7 | tr '\n' ' ')" "\
10.000001000 [001] index=0 10.000002000 [001] index=1 \
10.000003000 [001] index=2 10.000004000 [005] index=3 \
10.000005000 [001] index=4 "

take 0 "$data/t06_odd_comm.txt"
is "pids behind odd names" "$(rows | cut -d' ' -f1-3 | tr '\n' ' ')" "\
1.000001000 [000] 345 1.000002000 [000] 3901 1.000003000 [001] 77 \
1.000004000 [001] 88 "

take 1 "$data/t07_mail_wrapped_vmscan.txt"
says "the first line that failed" "no event could be read"
says "unwrapping is offered" "--unwrap"
take 0 "$data/t07_mail_wrapped_vmscan.txt" --unwrap
says "a join within a word is listed" "nr_activat + e=0"
is "the mail's events" "$(rows | cut -d' ' -f3- | cut -c1-100)" "\
455450 vmscan:mm_vmscan_memcg_reclaim_begin order=0 gfp=- may_writepage=1 \
gfp_flags=GFP_NOFS|__GFP_H
455450 vmscan:mm_vmscan_lru_isolate nr_scanned=1 nr_taken=1 lru=2 \
isolate_mode=0 classzone=3 order=0
455450 vmscan:mm_vmscan_lru_shrink_inactive nid=0 nr_scanned=1 \
nr_reclaimed=0 nr_dirty=0 nr_writebac
455450 vmscan:mm_vmscan_memcg_reclaim_end nr_reclaimed=0"
is "the word that was broken" "$(rows | grep -o ' nr_activate=0 ')" \
	" nr_activate=0 "

take 0 "$data/t08_vmscan_field_generations.txt"
is "an LRU by number, by name, or not at all" \
	"$(rows | grep isolate | grep -o 'lru=[^ ]*' | tr '\n' ' ')" \
	"lru=- lru=1 lru=2 lru=3 lru=- "

take 0 "$data/t10_lost_markers.txt"
says "losses, with and without a number" \
	"lost while recording: 205112 records (99.998%) and 1 gap"
is "losses on their CPUs" "$(rows | grep loss | cut -d' ' -f2,5 |
	sort | tr '\n' ' ')" \
	"[001] nr_lost=512 [002] nr_lost=unknown [007] nr_lost=204600 "
is "the other lines are no loss" "$(rows | grep -vc loss)" 4

take 0 "$data/overrun.txt"
says "the header's overrun" "2227 records (89.546%)"
is "its events" "$(rows | grep -v loss | cut -d' ' -f4 | sort | uniq -c |
	awk '{ print $1, $2 }')" "\
30 filemap:mm_filemap_add_to_page_cache
136 filemap:mm_filemap_delete_from_page_cache
61 filemap:mm_filemap_get_pages
2 filemap:mm_filemap_map_pages
31 pagemap:mm_lru_insertion"

take 1 "$data/t11_multi_buffer_report.txt"
says "buffers are never mixed" "host.dat (1), guest-vm1.dat (1), mmcase (1)"
take 0 "$data/t11_multi_buffer_report.txt" --buffer guest-vm1.dat
is "the buffer of that name" "$(rows | cut -d' ' -f1)" "5.000002000"
take 1 "$data/t11_multi_buffer_report.txt" --buffer nosuch
says "those that are there" "there are: host.dat"

take 0 "$data/t12_ranges.txt"
is "ranges are inclusive" "$(rows | cut -d' ' -f4- | cut -d: -f2-)" "\
mm_filemap_get_pages dev=254:0 ino=10953041 index=0 last_index=0
mm_filemap_get_pages dev=254:0 ino=10953041 index=0 last_index=1
mm_filemap_map_pages dev=254:0 ino=332835 index=209 last_index=224
mm_filemap_fault dev=254:0 ino=332835 index=209"

take 3 "$data/t13_truncated_last_line.txt"
says "a half line is dropped and told" "1 line dropped"
is "the whole one is there" "$(rows | wc -l)" 1

take 0 "$data/m07_folio_orders.txt"
is "folios" "$(rows | grep -c 'order=2')" 2

# Ways in which a line can lie.
cat >"$work/odd.txt" <<'END'
# tracer: nop
    x-1 [000] d..1. 1.000001: mm_filemap_fault: dev=8:1 ino=1f ofs=5
    x-1 [000] d.h1. 1.000002: mm_filemap_fault: dev=8:1 ino=1f ofs=-4096
    x-1 [000] ..... 1.000003: mm_filemap_fault: dev=8:1 ino=zz ofs=4096
    x-1 [000] ..... 1.000004: mm_filemap_get_pages: dev=8:1 ino=1 ofs=8192-1
    x-1 [000] ..... 0.500000: my_probe: (do_it+0x0/0x20) a=-5 b=0x10 c="q w" flags=0x1
    x-1 [000] ..... 1.000006: my_probe: (do_it+0x0/0x20) a=7 b=0xffff888100000000 c=z flags=0xffff000000000000
    x-1 [9999] .... 1.000007: mm_filemap_fault: dev=8:1 ino=1f ofs=0
not a line
END
take 0 "$work/odd.txt"
says "an unaligned offset" "no multiple of the page size"
says "a negative offset" "negative offsets"
says "a clock that goes back" "earlier than the one before"
says "a CPU that cannot be" "CPU above 8191"
says "the first line that failed" "ino=zz"
says "words without a name" "text:my_probe: events with words"
is "matched and failed" "$(grep -c '1        2  filemap\|2        2  filemap' \
	"$work/err")" 1
is "a custom event's fields" "$(rows | grep my_probe | cut -d' ' -f4-)" \
	'text:my_probe a=-5 b=1 c="q\x20w" flags=1
text:my_probe a=7 b=2 c=z flags=18446462598732840960'
is "no kernel address is kept" "$(rows | grep -c ffff8881)" 0

printf 'hello\nworld\n' >"$work/prose.txt"
take 1 "$work/prose.txt" --from text
says "nothing parsed is an error with a line" "the first that failed: hello"
: >"$work/empty.txt"
take 1 "$work/empty.txt" --from text

cat >"$work/lost.txt" <<'END'
 a-5 [001] ..... 1.000000: tracing_mark_write: begin GET x=1
 a 5 [001] 1.000001: filemap:mm_filemap_fault: dev=8:1 ino=1f ofs=0
 a 5 [001] 1.000002: PERF_RECORD_LOST lost 17
 a 5 [001] 1.000003: filemap:mm_filemap_fault: dev=8:1 ino=1f ofs=4096
CPU:1 [LOST EVENTS]
END
take 0 "$work/lost.txt"
is "losses of perf, and behind the last event" "$(rows | grep loss |
	cut -d' ' -f1,2,5 | tr '\n' ' ')" "\
1.000003000 [001] nr_lost=17 1.000003000 [001] nr_lost=unknown "

is "what a program wrote" "$(rows | head -n 1 | cut -d' ' -f4-)" \
	'text:tracing_mark_write buf=begin\x20GET\x20x=1'

# The same bytes with CRLF, and from a pipe
sed 's/$/\r/' "$data/t12_ranges.txt" >"$work/crlf.txt"
take 0 "$work/crlf.txt"
is "CRLF" "$(rows | tail -n 1 | cut -d' ' -f7)" "index=209"
mm-log import -f - -o "$work/x.mmt" <"$data/t12_ranges.txt" 2>/dev/null
is "standard input" "$(rows | wc -l)" 4
finish
