#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-loss-part.sh - a part of a log has the losses that overlap it
. "$top_srcdir/tests/lib.sh"

cd "$work" || exit 99
# CPU 0: 17 records are lost between 2 s and 5 s, some between 5 and 6;
# CPU 1: 9 between 1.5 and 9
{
	echo 1000000000 0 7 add 8:1 5 1 1 0
	echo 2000000000 0 7 add 8:1 5 2 2 0
	echo 5000000000 0 0 loss 17
	echo 5000000001 0 7 add 8:1 5 3 3 0
	echo 6000000000 0 0 loss unknown
	echo 6000000000 0 7 add 8:1 5 4 4 0
	echo 1500000000 1 7 add 8:1 5 5 5 0
	echo 9000000000 1 0 loss 9
	echo 9000000000 1 7 add 8:1 5 6 6 0
} >one.txt
mklog one.mmt <one.txt || exit 99
# the same in blocks of their own: a full one ends where the loss begins
{
	awk 'BEGIN { for (i = 0; i < 65535; i++)
		print 1000000000 + i, "0 7 add 8:1 5", i, i, 0 }'
	sed 1d one.txt
} | mklog long.mmt || exit 99
for log in one long; do
	mm-log repack $log.mmt -o $log.rp >/dev/null || exit 99
done

# losses LOG A,B: what the part has lost: CPU,NUMBER; no number: unknown
losses()
{
	mm-log dump --csv -e loss --time "$2" -F cpu,nr_lost,event "$1" |
		sed -n 's/,mmcap:loss$//p' | tr '\n' ' '
}

for log in one.mmt one.rp long.mmt long.rp; do
	is "$log: before all of it" "$(losses $log 0,0.4)" ""
	is "$log: it begins in the part" "$(losses $log 0,0.7)" "1,9 "
	is "$log: it is all around" "$(losses $log 1.5,3)" "0,17 1,9 "
	is "$log: it ends in the part" "$(losses $log 3,4)" "0,17 1,9 "
	is "$log: one ends, one begins" "$(losses $log 3.5,4.5)" \
		"0,17 0, 1,9 "
	is "$log: the last goes on" "$(losses $log 6,7)" "1,9 "
	is "$log: no more is lost" "$(losses $log 8.5,9)" ""
	is "$log: no event from behind the part" \
		"$(mm-log dump --csv -e add --time 1.5,3 -F index $log |
			grep -c '^[0-9]')" 0
done
finish
