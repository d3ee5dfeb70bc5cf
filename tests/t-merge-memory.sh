#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-merge-memory.sh - what merging 256 CPUs takes of memory
#
# 64 MB are enough to see a cursor that grows; MMCAP_LONG=1 makes it 1 GB,
# where every CPU has several full blocks.
. "$top_srcdir/tests/lib.sh"

events=20000
limit_mb=300
if [ -n "${MMCAP_LONG:-}" ]; then
	events=320000
	limit_mb=500
fi

# The log of MMCAP_LONG needs room that a small /tmp may not have.
room=$(df -Pk "$work" | awk 'NR == 2 { print int($4 / 1024) }')
[ "$room" -gt $((events / 100)) ] ||
	skip_all "$room MiB free are too few for the log"

ok "a log of 256 CPUs" mergemem make "$work/log.mmt" 256 $events
size_mb=$(($(wc -c <"$work/log.mmt") / 1000000))
ok "it is large enough: $size_mb MB" test "$size_mb" -ge $((events / 320))
line=$(mergemem read "$work/log.mmt")
ok "all events, in order" test $? -eq 0
is "their number" "$(echo "$line" | cut -d' ' -f2)" $((256 * events))
peak_mb=${line##* }
if [ "$peak_mb" = - ]; then
	skip "memory" "a sanitizer takes more than the merge"
else
	ok "$peak_mb MB are no more than $limit_mb" \
		test "$peak_mb" -le $limit_mb
fi
finish
