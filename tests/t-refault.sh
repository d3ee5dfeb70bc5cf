#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-refault.sh - mm-refault on logs whose answers are counted by hand
. "$top_srcdir/tests/lib.sh"

# body FILE: a table without its "#" lines
body()
{
	grep -v '^#' "$1"
}

# metric FILE NAME: a row of a summary behind its unit
metric()
{
	grep "^$2," "$1" | cut -d, -f3-
}

# base: four pages come in by one request with readahead, all are read.
# Reclaim takes 0, 1 and 2, truncation takes 3.  0 comes back on demand after
# 1 and 2 went (distance 2), 1 with readahead (1), 3 after no reclaim.
mklog "$work/base.mmt" <<'END'
meta kernel.release 6.18.0-test
no sync-ra async-ra
1000 0 10 add 8:1 7 0 100 2
2000 0 10 read 8:1 7 0 3
3000 0 20 read 8:1 7 0 0
4000 0 20 reclaim-begin 0 0
5000 0 20 remove 8:1 7 0 100 0
6000 0 20 remove 8:1 7 1 101 0
7000 1 30 remove 8:1 7 3 103 0
8000 0 20 remove 8:1 7 2 102 0
9000 0 20 reclaim-end 3
10000 1 10 add 8:1 7 0 200 0
11000 1 10 add 8:1 7 1 201 0
12000 1 10 read 8:1 7 0 0
13000 1 10 read 8:1 7 1 1
14000 1 10 add 8:1 7 3 203 0
15000 1 10 add 8:1 9 5 300 0
16000 1 30 remove 8:1 9 5 300 0
END

# fg: the same pages, and a loss that makes one removal unsure.
mklog "$work/fg.mmt" <<'END'
meta kernel.release 6.18.0-test
no sync-ra async-ra
1000 0 20 add 8:1 7 0 100 0
2000 0 20 add 8:1 7 1 100 0
2500 0 20 add 8:1 7 2 100 0
3000 0 20 reclaim-begin 0 0
4000 0 20 remove 8:1 7 0 100 0
5000 1 0 loss 5
6000 0 20 remove 8:1 7 1 100 0
7000 0 20 add 8:1 7 0 100 0
8000 0 21 reclaim-begin 0 0
9000 0 21 remove 8:1 7 2 100 0
9500 0 21 remove 8:1 7 0 100 0
10000 0 20 add 8:1 7 2 100 0
11000 0 20 add 8:1 7 2 100 0
12000 0 20 remove 8:1 8 0 100 0
END

status "summary of one run" 0 mm-refault --csv summary base="$work/base.mmt"
body "$work/out" >"$work/summary"
cat >"$work/want" <<'END'
metric,unit,base,delta_pct
readds_after_removal_pages,pages,3,
refaults_pages,pages,2,
reloads_pages,pages,3,
refaults_demand_pages,pages,1,
refaults_readahead_pages,pages,1,
refaults_demand_unknown_pages,pages,0,
adds_without_removal_pages,pages,0,
readds_across_loss_pages,pages,0,
distance_p10,removals,1,
distance_p50,removals,1,
distance_p90,removals,2,
distance_max,removals,2,
time_p50_ns,ns,4992,
adds_pages,pages,8,
removals_pages,pages,5,
removals_reclaim_pages,pages,3,
removals_invalidate_pages,pages,0,
removals_cause_unknown_pages,pages,2,
removals_of_unknown_pages,pages,0,
removed_unread_pages,pages,1,
events,events,16,
lost_events,events,0,
gaps_uncounted,gaps,0,
clock_went_back,events,0,
END
same "its rows" "$work/summary" "$work/want"

status "cause" 0 mm-refault --csv cause base="$work/base.mmt"
body "$work/out" >"$work/cause"
cat >"$work/want" <<'END'
cause,base_removals_pages,base_removals_share,base_readds_pages,base_readds_share
reclaim,3,0.600000,2,0.666667
truncate,,,,
invalidate,0,0.000000,0,0.000000
unknown,2,0.400000,1,0.333333
END
same "its rows" "$work/cause" "$work/want"

status "distance of two runs" 0 \
	mm-refault --csv distance base="$work/base.mmt" fg="$work/fg.mmt"
body "$work/out" >"$work/distance"
cat >"$work/want" <<'END'
distance_removals,distance_bytes,base_refaults,base_share,fg_refaults,fg_share
1,4096,1,0.500000,1,1.000000
2,8192,2,1.000000,1,1.000000
END
same "its rows" "$work/distance" "$work/want"
ok "the scope of the distance is in the table" \
	grep -q '^# distance: .*over all reclaim in this log' "$work/out"

# across the loss: the bracket of pid 20 is void, so 1 left for an unknown
# reason; 0 came back but its distance is unsure; 2 is added twice.
status "a loss" 0 mm-refault --csv summary base="$work/base.mmt" \
	fg="$work/fg.mmt"
is "nothing is measured across it" \
	"$(metric "$work/out" readds_across_loss_pages)" 0,1,
is "what is whole on one side counts" "$(metric "$work/out" refaults_pages)" \
	2,1,-50.00
is "a bracket does not reach across it" \
	"$(metric "$work/out" removals_cause_unknown_pages)" 2,2,0.00
is "an add without a removal is no refault" \
	"$(metric "$work/out" adds_without_removal_pages)" 0,1,
is "but it is a reload" "$(metric "$work/out" reloads_pages)" 3,3,0.00
is "a removal of a page never seen" \
	"$(metric "$work/out" removals_of_unknown_pages)" 0,1,
is "lost" "$(metric "$work/out" lost_events)" 0,5,
status "a loss with --strict" 3 mm-refault --strict "$work/fg.mmt"

status "report" 0 mm-refault base="$work/base.mmt" fg="$work/fg.mmt"
text "report" "$work/out"
ok "every row of the report has all its cells" check_rows "$work/out" metric
ok "every row of its distances, too" check_rows "$work/out" below_removals
ok "loss stands before the first number" \
	awk '/^lost: .*fg 5/ { seen = 1 } /^metric/ { exit !seen }' \
	"$work/out"

# One folio of four pages goes, one page of it comes back alone.
mklog "$work/orders.mmt" <<'END'
1000001000 0 1 add 8:1 1 0 0x100 2
1000001000 0 1 read 8:1 1 2 2
1000002000 0 1 read 8:1 1 0 3
1000002500 0 1 reclaim-begin 0 0
1000003000 0 1 remove 8:1 1 0 0x100 2
1000003500 0 1 reclaim-end 4
1000004000 0 1 add 8:1 1 2 0x200 0
END
status "folio orders" 0 mm-refault --csv summary "$work/orders.mmt"
is "pages are the unit of adds" "$(metric "$work/out" adds_pages)" 5,
is "and of removals" "$(metric "$work/out" removals_pages)" 4,
is "one page is a refault" "$(metric "$work/out" refaults_pages)" 1,
is "its own folio is not in between" "$(metric "$work/out" distance_max)" 0,

# No reclaim events: what comes back is known, a refault is not.
sed 's/^no .*/& reclaim-begin reclaim-end/' >"$work/blind.txt" <<'END'
no read fault access
1000 0 20 add 8:1 7 0 100 0
2000 0 20 remove 8:1 7 0 100 0
3000 0 20 remove 8:1 7 1 100 0
4000 0 20 add 8:1 7 0 100 0
END
mklog "$work/blind.mmt" <"$work/blind.txt"
status "no reclaim events" 0 mm-refault --csv summary "$work/blind.mmt"
is "readds are counted" \
	"$(metric "$work/out" readds_after_removal_pages)" 1,
is "refaults are left empty" "$(metric "$work/out" refaults_pages)" ,
is "so is use, without accesses" \
	"$(metric "$work/out" removed_unread_pages)" ,
is "distance over all removals" "$(metric "$work/out" distance_max)" 1,
status "its report" 0 mm-refault "$work/blind.mmt"
ok "says what is missing" grep -q '^missing: blind: reclaim events' \
	"$work/out"
text "its report" "$work/out"

# Nothing came back: a report all the same.
printf '1000 0 1 add 8:1 7 0 1 0\n' | mklog "$work/still.mmt"
status "nothing came back" 0 mm-refault "$work/still.mmt"
ok "and it says so" grep -q '^No page came back' "$work/out"
status "its distances" 0 mm-refault --csv distance "$work/still.mmt"
is "are a head without rows" "$(body "$work/out")" \
	distance_removals,distance_bytes,still_refaults,still_share

printf 'no add\n1000 0 1 read 8:1 7 0 0\n' | mklog "$work/noadd.mmt"
status "no adds in the log" 1 mm-refault "$work/noadd.mmt"
says "is said" "has no events of pages entering the page cache"
says "with a hint" "hint: record them with: mmcap record -e refault"
printf 'no remove\n1000 0 1 add 8:1 7 0 1 0\n' | mklog "$work/noremove.mmt"
status "no removals in the log" 1 mm-refault "$work/noremove.mmt"
says "is said, too" "has no events of pages leaving the page cache"

printf '1000 0 1 add 8:1 7 0 1 63\n2000 0 1 add 8:1 7 0 1 0\n' |
	mklog "$work/order.mmt"
status "an impossible folio" 1 mm-refault "$work/order.mmt"
says "is damage" "no folio has order 63"
status "salvage goes on behind it" 0 \
	mm-refault --salvage --csv summary "$work/order.mmt"
is "with the rest" "$(metric "$work/out" adds_pages)" 1,

status "all tables as JSON" 0 mm-refault -j base="$work/base.mmt"
ok "JSON has the tables" grep -q '"cause"' "$work/out"
status "a part without a page" 1 mm-refault -C 9 base="$work/base.mmt"
says "says which" "base.mmt: no page added or removed in -C 9"
status "--from with a log" 1 mm-refault --from text base="$work/base.mmt"
says "says both" "is a log of mmcap, but --from says text"
ok "one label has no difference" sh -c \
	'! mm-refault "$0" | grep -q delta_pct' "$work/base.mmt"
status "files" 0 mm-refault -o "$work/dir" base="$work/base.mmt"
ok "have the stem of the program" test -s "$work/dir/refault-distance.csv"

# A recording of a real kernel whose numbers were counted from its text trace:
# fio, cat and grep in a memcg of 160 MiB, Linux 6.18.
if command -v zstd >/dev/null; then
	unpack_raw "$work/cpu"
	real=$work/real.mmt
	raw2mmt "$real" 1 "$top_srcdir/tests/data/raw-ftrace/formats.txt" \
		"$work/cpu0" "$work/cpu1" >/dev/null
	status "a real recording" 0 mm-refault --csv summary "$real"
	is "pages added" "$(metric "$work/out" adds_pages)" 70604,
	is "pages removed" "$(metric "$work/out" removals_pages)" 40877,
	is "added again" \
		"$(metric "$work/out" readds_after_removal_pages)" 5052,
	is "all of them reclaimed" "$(metric "$work/out" refaults_pages)" 5052,
	is "removed, but added before it began" \
		"$(metric "$work/out" removals_of_unknown_pages)" 4537,
else
	skip "a real recording" "zstd is not installed"
fi

finish
