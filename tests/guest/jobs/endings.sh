#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# endings.sh - in a guest: a recorder's ends, and what is left in tracefs

. "${top_srcdir:?}/tests/lib.sh" || exit 99
live_setup
instances=/sys/kernel/tracing/instances
: "${out:?}"

# start LOG: a recorder that records
start()
{
	mmcap record -o "$1" 2>"$work/err" &
	rec=$!
	for _ in $(seq 200); do
		[ "$(cat $instances/mmcap-$rec/tracing_on 2>&1)" = 1 ] && break
		sleep 0.1
	done
	sleep 0.3
}

# stop SIGNAL: its status is in $got
stop()
{
	kill -"$1" $rec
	{ wait $rec; } 2>/dev/null
	got=$?
}

# none: all instances are gone, within 10 s
none()
{
	for _ in $(seq 100); do
		[ -z "$(ls "$instances")" ] && return 0
		sleep 0.1
	done
	return 1
}

pagewl create pages 64
ino=$(stat -c %i pages)

start int.mmt
ok "there is an instance" test -d $instances/mmcap-$rec
pagewl read pages 2 7 8 >/dev/null
stop INT
is "SIGINT: exit 0" "$got" 0
is "SIGINT: nothing left at once" "$(ls "$instances")" ""
status "SIGINT: the log is sound" 0 mm-log check int.mmt
mm-log dump --csv -e mm_filemap_add_to_page_cache int.mmt >int.csv
is "SIGINT: one add a page" "$(awk -F, -v ino="$ino" '
	/^#/ { next }
	!col { for (i = 1; i <= NF; i++) if ($i == "ino") col = i; next }
	$col == ino { n++ }
	END { print n + 0 }' int.csv)" 2

start kill.mmt
pagewl spin pages 64 20
stop KILL
is "SIGKILL: killed" "$got" 137
ok "SIGKILL: the supervisor leaves no instance" none
status "SIGKILL: the log is usable, not whole" 3 mm-log check kill.mmt
status "cleanup: nothing to do" 0 mmcap cleanup

start both.mmt
kill -STOP $rec
for pid in $(cat /proc/$rec/task/$rec/children); do
	kill -KILL "$pid"
done
stop KILL
dead=mmcap-$rec
ok "recorder and supervisor killed: an instance is left" \
	test -d $instances/$dead
is "doctor counts it" "$(mmcap doctor | sed -n 's/^leftovers: //p')" 1
mkdir $instances/another
start live.mmt
status "cleanup: exit 0" 0 mmcap cleanup
ok "cleanup: names it" grep -q "$dead" "$work/out"
is "cleanup: keeps a live recorder and what is not ours" \
	"$(ls $instances | tr '\n' ' ')" "another mmcap-$rec "
stop INT
is "a live recorder during a cleanup: exit 0" "$got" 0
rmdir $instances/another
is "nothing left" "$(ls "$instances")" ""
is "and no supervisor" "$(pgrep -x mmcap | wc -l)" 0
finish
