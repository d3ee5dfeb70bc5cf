#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# doctor.sh - in a guest: what doctor and the log say is what this kernel is

. "${top_srcdir:?}/tests/lib.sh" || exit 99
events=/sys/kernel/tracing/events
status "doctor: exit 0" 0 mmcap doctor
cp "$work/out" "${out:?}/doctor.txt"
doctor=$out/doctor.txt
text "doctor" "$doctor"

# words LINE: doctor has just this line
words()
{
	ok "doctor: $1" grep -qxF -e "$1" "$doctor"
}
words "kernel: $(uname -r) x86_64"
words "tracefs: works"
words "MGLRU: enabled $(cat /sys/kernel/mm/lru_gen/enabled)"
words "lockdown: none"
words "leftovers: 0"
words "record: can run"

# Event by event, against the directories of tracefs
awk '$1 ~ /^(yes|no)$/ && $2 ~ /:/ { print $1, $2 }' "$doctor" >"$work/said"
while read -r _ event; do
	if [ -d "$events/${event%:*}/${event#*:}" ]; then
		echo "yes $event"
	else
		echo "no $event"
	fi
done <"$work/said" >"$work/true"
ok "doctor: there are events" test "$(wc -l <"$work/true")" -gt 20
same "doctor: each is there, or is not" "$work/said" "$work/true"
case $(uname -r) in
6.1.*) access=no ;;
*) access=yes ;;
esac
ok "doctor: mm_filemap_get_pages: $access" \
	grep -q "^$access filemap:mm_filemap_get_pages" "$work/said"

status "a log" 0 mmcap record -q -o "$out/info.mmt" -- true
mm-log info "$out/info.mmt" >"$work/info"
case ${GUEST_MGLRU:?} in
on) want="on ($(cat /sys/kernel/mm/lru_gen/enabled))" ;;
off) want="off (0x0000), classical LRU" ;;
esac
is "the log: MGLRU" "$(sed -n 's/^MGLRU: //p' "$work/info")" "$want"
ok "the log: kernel" grep -q "^kernel: $(uname -r) " "$work/info"
ok "the log: configuration" grep -q "^config: LRU_GEN=y " "$work/info"
ok "the log: a hypervisor" grep -qx "hypervisor: yes" "$work/info"
finish
