#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-capture.sh - live: a known workload, every way to end, nothing left behind

. "${top_srcdir:?}/tests/lib.sh" || exit 99
live_setup
mounted=
cleanup()
{
	[ -z "$mounted" ] || umount "$mounted"
	rm -rf "$data" "$work"
}
trap cleanup EXIT
instances=$(sed -n 's/^tracefs directory: //p' "$work/doctor")/instances

# Where are our instances?  Only those of recorders that we started count.
ours()
{
	for pid in $pids; do
		for i in "$instances/mmcap-$pid"*; do
			[ ! -d "$i" ] || echo "$i"
		done
	done
}

# start ARGUMENT...: a recorder in the background, once it records
start()
{
	"$mmcap" record "$@" 2>"$work/err" &
	rec=$!
	pids="$pids $rec"
	for i in $(seq 100); do
		[ "$(cat "$instances/mmcap-$rec/tracing_on" 2>&1)" = 1 ] && break
		sleep 0.05
	done
	sleep 0.1
}

# stop SIGNAL: ends it; its status is in $got
stop()
{
	kill -"$1" "$rec"
	{ wait "$rec"; } 2>/dev/null # bash would say "Killed"
	got=$?
}

# Waits up to 5 s until the command fails.
gone()
{
	for i in $(seq 100); do
		"$@" >/dev/null 2>&1 || return 0
		sleep 0.05
	done
	return 1
}

# count LOG EVENT INODE: events of one file
count()
{
	mm-log dump --csv -e "$2" "$1" | awk -F, -v ino="$3" '
		/^#/ { next }
		!col { for (i = 1; i <= NF; i++) if ($i == "ino") col = i
		       next }
		$col == ino { n++ }
		END { print n + 0 }'
}

# total LOG: its events
total()
{
	mm-log info "$1" | sed -n 's/^events: \([0-9]*\).*/\1/p'
}

# Instances of dead recorders; others may record at the same time.
leftovers()
{
	"$mmcap" doctor | sed -n 's/^leftovers: //p'
}

has_event()
{
	grep -q "^yes filemap:$1 " "$work/doctor"
}

# ---------------------------------------------------------- exact counts

pagewl create pages 64
ino=$(stat -c %i pages)
status "a known workload: exit 0" 0 "$mmcap" record -o known.mmt -- \
	pagewl read pages 3 0 5 6 63
is "its device and inode" "$(cut -d ' ' -f 2 "$work/out")" "$ino"
is "one add a page" "$(count known.mmt mm_filemap_add_to_page_cache $ino)" 4
is "one removal a page" \
	"$(count known.mmt mm_filemap_delete_from_page_cache $ino)" 4
if has_event mm_filemap_get_pages; then
	is "three reads a page" "$(count known.mmt mm_filemap_get_pages $ino)" 12
else
	skip "three reads a page" "mm_filemap_get_pages is not in this kernel"
fi
status "the log is sound" 0 mm-log check known.mmt
is "mode of the log" "$(stat -c %a known.mmt)" 600
is "nothing left" "$(leftovers)" 0
is "the command line is in the log" "$(mm-log info known.mmt | tr -d '\n' |
	grep -c 'record *-o *known.mmt *-- *pagewl *read *pages *3')" 1
# shellcheck disable=SC2016
status "a command of two lines" 0 "$mmcap" record -q -e task --note 'a
b' -o lines.mmt -- sh -c 'true
exit 0'
is "its line end is seen" "$(mm-log info lines.mmt | tr -d '\n' |
	grep -cF "sh -c 'true\nexit 0'")" 1
is "that of a note, too" "$(mm-log info lines.mmt | grep -cxF 'note: a\nb')" 1
status "output exists: 125 with a command" 125 \
	"$mmcap" record -o known.mmt -- touch ran
ok "and the command did not run" test ! -e ran

status "a filter: exit 0" 0 "$mmcap" record \
	-e filemap:mm_filemap_add_to_page_cache --filter "i_ino == $ino" \
	-o filter.mmt -- pagewl read pages 1 1 2 3
is "a filter keeps what it names" \
	"$(count filter.mmt mm_filemap_add_to_page_cache $ino)" 3
is "and nothing else" "$(total filter.mmt)" 3
status "a wrong filter: exit 1" 1 "$mmcap" record \
	-e filemap:mm_filemap_add_to_page_cache --filter "nosuch == 1" \
	-o wrong.mmt
says "a wrong filter: the kernel's words" "Field not found"
says "a wrong filter: the fields that there are" \
	"hint: fields of mm_filemap_add_to_page_cache: common_pid, "
ok "a wrong filter: with their names" grep -q "^hint: .*, i_ino, .*index" \
	"$work/err"
status "no filter at all: exit 1" 1 "$mmcap" record \
	-e filemap:mm_filemap_add_to_page_cache --filter "i_ino =" -o wrong.mmt
says "no filter at all: no fields" "hint: a filter must fit every event"
ok "a wrong filter: no log" test ! -e wrong.mmt

start -q -C 0 -o cpu0.mmt
for cpu in 0 1; do
	taskset -c $cpu pagewl read pages 1 $cpu >/dev/null 2>&1
done
stop INT
is "-C 0: only CPU 0" "$(mm-log dump --csv cpu0.mmt |
	awk -F, '$2 ~ /^[0-9]+$/ && $2 { n++ } END { print n + 0 }')" 0
is "-C 0: its events" \
	"$(count cpu0.mmt mm_filemap_add_to_page_cache $ino)" 1

start -q -o own.mmt
pagewl spin pages 64 100
own=$(ls "/proc/$rec/task" | tr '\n' ' ')
stop INT
is "no access or add by the recorder itself" "$(mm-log dump --csv own.mmt |
	awk -F, -v own=" $own" '
		$4 ~ /^(read|add|fault|map)$/ && index(own, " " $3 " ") { n++ }
		END { print n + 0 }')" 0

# ------------------------------------------------------ every way to end

for sig in INT TERM HUP; do
	start -q -o $sig.mmt
	pagewl read pages 2 7 8 >/dev/null
	stop $sig
	is "SIG$sig: exit 0" "$got" 0
	is "SIG$sig: nothing left" "$(ours)" ""
	status "SIG$sig: the log is sound" 0 mm-log check $sig.mmt
	is "SIG$sig: events to the last" \
		"$(count $sig.mmt mm_filemap_delete_from_page_cache $ino)" 2
done

start -q -o kill.mmt
pagewl create many 4096
pagewl spin many 4096 40
sleep 0.2
stop KILL
is "SIGKILL: killed" "$got" 137
ok "SIGKILL: the supervisor removes the instance" \
	gone test -d "$instances/mmcap-$rec"
status "SIGKILL: the log is usable, not whole" 3 mm-log check kill.mmt
many=$(stat -c %i many)
ok "SIGKILL: at most half a buffer and a block of each CPU are missing" test \
	"$(count kill.mmt mm_filemap_add_to_page_cache $many)" -ge 81920

start -q -o both.mmt
kill -STOP "$rec"
for pid in $(cat "/proc/$rec/task/$rec/children"); do
	kill -KILL "$pid"
done
stop KILL
ok "recorder and supervisor killed: an instance is left" \
	test -d "$instances/mmcap-$rec"
start -q -o live.mmt
status "cleanup: exit 0" 0 "$mmcap" cleanup
is "cleanup: keeps the live recorder only" "$(ours)" "$instances/mmcap-$rec"
start -q -o second.mmt
pagewl read pages 1 9 >/dev/null
stop INT
status "a second recorder: sound" 0 mm-log check second.mmt
is "a second recorder: sees all" \
	"$(count second.mmt mm_filemap_add_to_page_cache $ino)" 1
for pid in $pids; do
	! kill -INT "$pid" 2>/dev/null || wait "$pid"
done
is "the first one, too" \
	"$(count live.mmt mm_filemap_add_to_page_cache $ino)" 1
is "both recorders: nothing left" "$(ours)" ""

status "a failing command: its status" 7 \
	"$mmcap" record -q -o fail.mmt -- sh -c 'exit 7'
status "a failing command: the log is sound" 0 mm-log check fail.mmt
status "a killed command: 128 + signal" 143 \
	"$mmcap" record -q -o killed.mmt -- sh -c 'kill -TERM $$'
status "-d ends it" 0 "$mmcap" record -q -d 200ms -o time.mmt
ok "-d: and says so" sh -c 'mm-log info time.mmt | grep -q "stop.*time"'
status "-m ends it, the command goes on" 0 "$mmcap" record -m 64K \
	-o size.mmt -- sh -c 'pagewl spin many 4096 12; touch finished'
says "-m: says so" "recording has ended (size), the command goes on"
ok "-m: the command ended well" test -e finished
ok "-m: the log has about that size" \
	test "$(stat -c %s size.mmt)" -ge 65536 -a \
	"$(stat -c %s size.mmt)" -le 2097152

# --------------------------------------------------- loss, and a full disk

# only events of one file, so that counters stand still when we read them
start -b 64 -e 'filemap:mm_filemap_*_page_cache' --filter "i_ino == $many" \
	-o lost.mmt
kill -STOP "$rec"
pagewl spin many 4096 2
kill -CONT "$rec"
sleep 0.3
pagewl spin many 64 1
sleep 0.3
overrun=$(cat "$instances/mmcap-$rec"/per_cpu/cpu*/stats |
	awk '/overrun:|dropped/ { n += $NF } END { print n }')
stop INT
is "loss: exit 0" "$got" 0
ok "loss: there is some" test "$overrun" -gt 1000
says "loss: the count is the kernel's" "mmcap: lost $overrun events ("
says "loss: hint" "hint: -b 256 (now 64 KiB per CPU)"
is "loss: the log has the count" \
	"$(mm-log info lost.mmt | grep -c "^lost: $overrun records")" 1
is "loss: events and lost are all there were" \
	"$(($(total lost.mmt) + overrun))" $((2 * (2 * 4096 + 64)))
status "loss: the log is sound" 0 mm-log check lost.mmt
start -q --strict -b 64 -o strict.mmt
kill -STOP "$rec"
pagewl spin many 4096 2
kill -CONT "$rec"
stop INT
is "loss under --strict: 3" "$got" 3

mkdir small
if mount -t tmpfs -o size=1m mmcap-test small 2>/dev/null; then
	mounted=$data/small
	status "disk full: 1 though the command succeeds" 1 "$mmcap" record \
		-o small/full.mmt -- sh -c 'pagewl spin many 4096 60; touch end'
	says "disk full: says where" "small/full.mmt: writing stopped at"
	says "disk full: says why" "No space left on device"
	said=$(sed -n 's/^mmcap: \([0-9]*\) events in .*/\1/p' "$work/err")
	lost=$(sed -n 's/^mmcap: lost \([0-9]*\) events.*/\1/p' "$work/err")
	is "disk full: as many events as it says" "$(total small/full.mmt)" \
		"$said"
	# a block that did not fit, at least; recording ends there
	ok "disk full: what did not fit is said to be lost" \
		test "${lost:-0}" -ge 4096
	ok "disk full: the command ended well" test -e end
	is "disk full: nothing left" "$(leftovers)" 0
	status "disk full: the log is usable, not whole" 3 \
		mm-log check small/full.mmt
	ok "disk full: what was recorded is kept" \
		test "$(count small/full.mmt mm_filemap_add_to_page_cache \
		$many)" -ge 4096
	dd if=/dev/zero of=small/rest bs=4096 2>/dev/null
	status "disk full from the start: 125" 125 \
		"$mmcap" record -o small/none.mmt -- touch ran
	ok "disk full from the start: the command did not run" test ! -e ran
	ok "disk full from the start: no log" test ! -e small/none.mmt
else
	skip "disk full" "no right to mount a tmpfs"
fi

# ------------------------------------------ somebody else in our instance

start -o meddled.mmt
echo 0 >"$instances/mmcap-$rec/events/filemap/enable"
stop INT
says "events switched off by others: is said" "was switched off"
start -o cleared.mmt
pagewl read pages 1 12 >/dev/null
echo >"$instances/mmcap-$rec/trace"
stop INT
is "buffer cleared by others: exit 0" "$got" 0
status "buffer cleared by others: the log is sound" 0 mm-log check cleared.mmt
sleep 0.1
is "at the end nothing is left" "$(ours)" ""
is "and no supervisor" "$(pgrep -P 1 -x mmcap | wc -l)" 0
# ---------------------------------------------------------------- snapshots

status "snapshots" 0 "$mmcap" record -q -f -o snap.mmt --snap 100ms -d 1 \
	-e filemap
mm-log info snap.mmt >info
nr=$(sed -n 's/^texts: vmstat \([0-9]*\),.*/\1/p' info)
ok "every 100 ms of a second, $nr" test "$nr" -ge 8 -a "$nr" -le 12
is "what /proc/stat says" "$(mm-log dump --text stat snap.mmt |
	grep -c '^cpu ')" "$nr"
status "--snap 0" 2 "$mmcap" record -o x.mmt --snap 0 -- true
finish
