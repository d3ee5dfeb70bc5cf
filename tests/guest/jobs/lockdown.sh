#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# lockdown.sh - in a guest booted with lockdown=confidentiality: tracefs is
# mounted and empty; what can be said, and what must not happen

. "${top_srcdir:?}/tests/lib.sh" || exit 99
cd "${out:?}" || exit 99
reason="empty, the kernel is locked down (confidentiality)"

# flat FILE: its text without line breaks
flat()
{
	tr '\n' ' ' <"$1" | sed 's/  */ /g'
}

is "the kernel is locked down" \
	"$(grep -o '\[[a-z]*\]' /sys/kernel/security/lockdown)" \
	"[confidentiality]"
is "tracefs is empty" "$(ls /sys/kernel/tracing)" ""
status "doctor: exit 1" 1 mmcap doctor
cp "$work/out" doctor.txt
text "doctor" doctor.txt
ok "doctor: tracefs" grep -qx "tracefs: mounted, but empty" doctor.txt
ok "doctor: lockdown" grep -qx "lockdown: confidentiality" doctor.txt
flat doctor.txt >flat.txt
ok "doctor: why tracefs does not work" grep -qF \
	"tracefs reason: /sys/kernel/tracing: $reason" flat.txt
ok "doctor: why record cannot" grep -qF \
	"record: cannot run: /sys/kernel/tracing: $reason" flat.txt
ok "doctor: a hint" grep -qx "hint: boot with lockdown=integrity or less" \
	doctor.txt

status "record: exit 1" 1 mmcap record -d 1s
says "record: why" "mmcap: /sys/kernel/tracing: $reason"
says "record: a hint" "hint: boot with lockdown=integrity or less"
status "record with a command: exit 125" 125 mmcap record -- touch ran
ok "record: the command did not run" test ! -e ran
ok "record: no log" test ! -e trace.mmt
status "cleanup: exit 1" 1 mmcap cleanup
says "cleanup: why" "$reason"
status "list: works" 0 mmcap list
finish
