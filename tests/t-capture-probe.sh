#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-capture-probe.sh - live: dynamic events come, are recorded, and are gone
#
# With uprobes, which kernels without kprobes have, too; those of functions of
# the kernel are tested in the guests.

. "${top_srcdir:?}/tests/lib.sh" || exit 99
live_setup
events=/sys/kernel/tracing/dynamic_events
other=other_$$
cleanup()
{
	! grep -q "$other" $events || echo "-:$other/keep" >>$events
	rm -rf "$data" "$work"
}
trap cleanup EXIT

# Where a program begins, as an offset in its file.
entry()
{
	printf '0x%s' "$(od -An -tx8 -j24 -N8 "$1" | tr -d ' ')"
}
program=$(command -v true)
# a shell's own "true" may be the first
program=$(readlink -f "${program#true}")
[ -f "$program" ] || program=/bin/true
at=$program:$(entry "$program")
echo "p:$other/keep $at" >>$events 2>/dev/null ||
	skip_all "this kernel has no uprobes"
# left DEFINITIONS: all lines but that of somebody else
left()
{
	grep -v "$other" $events
}

status "a probe" 0 "$mmcap" record -q -o u.mmt -e filemap \
	-e "p:begin $at" -- "$program"
mm-log dump -F event -e mmcap:begin u.mmt >events
is "each call, once" "$(grep -c '^mmcap:begin$' events)" 1
mm-log info u.mmt >info
ok "its definition is in the log" grep -q "^defined: p:mmcap/begin " info
is "nothing is left" "$(left)" ""
ok "but what is somebody else's" grep -q "$other/keep" $events
status "two, and a filter" 0 "$mmcap" record -q -f -o u.mmt -e "p:one $at" \
	-e "p:two $at" --filter 'common_pid == 1' -- "$program"
mm-log dump -F event -e 'mmcap:*' u.mmt >events
is "one sees it, two does not" "$(grep -c mmcap:one events) \
$(grep -c mmcap:two events)" "1 0"

status "refused by the kernel" 125 "$mmcap" record -o x.mmt \
	-e "p:bad $at x=%nonesuch" -- "$program"
says "refused: its words" "Invalid register"
is "refused: no log" "$(ls x.mmt 2>/dev/null)" ""
is "refused: nothing is left" "$(left)" ""
status "a group" 125 "$mmcap" record -o x.mmt -e "p:mine/bad $at" -- \
	"$program"
says "a group: whose it is" "recorder's own"
status "the same name twice" 125 "$mmcap" record -o x.mmt -e "p:bad $at" \
	-e "p:bad $at" -- "$program"
says "the same name twice: said so" "taken"
status "no function" 125 "$mmcap" record -o x.mmt -e 'p:bad ' -- "$program"
says "no function: how it is written" 'p:NAME FUNCTION'

"$mmcap" record -q -f -o k.mmt -e "p:begin $at" >out 2>&1 &
pid=$!
for _ in $(seq 100); do
	left | grep -q . && [ -s k.mmt ] && break
	sleep 0.05
done
ok "while it records it is there" grep -q "mmcap_$pid/begin" $events
kill -9 $pid
wait $pid 2>/dev/null
for _ in $(seq 100); do
	left | grep -q . || break
	sleep 0.05
done
is "killed: the supervisor removes it" "$(left)" ""
ok "killed: not what is somebody else's" grep -q "$other/keep" $events
finish
