#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-capture-mock.sh - the recorder on machines that we do not have: --root

. "${top_srcdir:?}/tests/lib.sh" || exit 99
cd "$work" || exit 99
mmcap=$top_builddir/capture/mmcap
[ -x "$mmcap" ] || skip_all "built without capture"

# mock NAME: a machine with tracefs, empty and mounted
mock()
{
	root=$work/$1
	tracing=$root/sys/kernel/tracing
	mkdir -p "$tracing" "$root/proc" "$root/sys/kernel/security"
	echo "nodev	tracefs" >"$root/proc/filesystems"
	echo "tracefs /sys/kernel/tracing tracefs rw 0 0" >"$root/proc/mounts"
}

# event SYSTEM NAME ID [FIELD...]: with the common fields, then u64 fields
event()
{
	dir=$tracing/events/$1/$2
	mkdir -p "$dir"
	: >"$tracing/events/$1/enable"
	: >"$dir/enable"
	{
		printf 'name: %s\nID: %s\nformat:\n' "$2" "$3"
		printf '\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n'
		printf '\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n'
		printf '\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n'
		printf '\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n'
		shift 3
		at=8
		for field; do
			printf '\tfield:unsigned long %s;\toffset:%d;\tsize:8;\tsigned:0;\n' \
				"$field" $at
			at=$((at + 8))
		done
		printf '\nprint fmt: "x"\n'
	} >"$dir/format"
}

# filled NAME: a machine like Linux 6.1: adds and removals, no reads
filled()
{
	mock "$1"
	mkdir -p "$tracing/instances" "$tracing/per_cpu/cpu0" \
		"$tracing/per_cpu/cpu1" "$tracing/per_cpu/cpu5"
	echo "[local] global mono x86-tsc" >"$tracing/trace_clock"
	event filemap mm_filemap_add_to_page_cache 600 pfn i_ino index s_dev
	event filemap mm_filemap_delete_from_page_cache 601 pfn i_ino index s_dev
	event vmscan mm_vmscan_writepage 602 pfn
	event pagemap mm_lru_insertion 603 pfn
	: >"$tracing/events/enable"
	cp /dev/stdin "$tracing/events/header_page" <<-EOF
		field: u64 timestamp;	offset:0;	size:8;	signed:0;
		field: local_t commit;	offset:8;	size:8;	signed:1;
		field: char data;	offset:16;	size:4080;	signed:0;
	EOF
}

# refused DESCRIPTION WORDS HINT ARGUMENT...: exit 1, said why, left nothing
refused()
{
	r_name=$1
	r_words=$2
	r_hint=$3
	shift 3
	status "$r_name: exit 1" 1 "$mmcap" record --root "$root" "$@" -o x.mmt
	says "$r_name: says why" "$r_words"
	says "$r_name: hint" "hint: $r_hint"
	is "$r_name: two lines" "$(wc -l <err)" 2
	ok "$r_name: no log" test ! -e x.mmt
}

mock absent
rmdir "$tracing"
: >"$root/proc/filesystems"
refused "no tracefs" "this kernel has no tracefs" "it needs CONFIG"
status "no tracefs: doctor exits 1" 1 "$mmcap" doctor --root "$root"
ok "no tracefs: doctor says so" grep -q "^tracefs: not in this kernel" out
text "no tracefs: doctor" out
status "no tracefs: list works" 0 "$mmcap" list --root "$root"
status "no tracefs: cleanup exits 1" 1 "$mmcap" cleanup --root "$root"

mock unmounted
: >"$root/proc/mounts"
refused "not mounted" "tracefs is not mounted" "mount -t tracefs nodev"
status "not mounted: doctor exits 1" 1 "$mmcap" doctor --root "$root"
ok "not mounted: doctor says so" grep -q "^tracefs: not mounted" out

mock empty
echo "none [integrity] confidentiality" >"$root/sys/kernel/security/lockdown"
refused "empty" "mounted, but empty (lockdown is integrity)" "look for tracefs"
echo "none integrity [confidentiality]" >"$root/sys/kernel/security/lockdown"
refused "locked down" "the kernel is locked down (confidentiality)" \
	"boot with lockdown=integrity"
status "locked down: doctor exits 1" 1 "$mmcap" doctor --root "$root"
ok "locked down: doctor says so" grep -q "^lockdown: confidentiality" out

mock denied
touch "$tracing/README"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 700 "$tracing"
	chmod 755 "$work"
	cp "$mmcap" "$work/mmcap" && chmod 755 "$work/mmcap"
	status "no permission: exit 1" 1 setpriv --reuid=65534 --clear-groups \
		"$work/mmcap" record --root "$root" -o /tmp/x.mmt
	says "no permission: says so" "Permission denied"
	says "no permission: hint" "hint: run as root"
else
	skip "no permission" "needs root and setpriv"
fi

mock oldplace
rmdir "$tracing"
tracing=$root/sys/kernel/debug/tracing
mkdir -p "$tracing/instances"
event filemap mm_filemap_add_to_page_cache 600 pfn i_ino index s_dev
: >"$tracing/events/enable"
status "old place: doctor" 1 "$mmcap" doctor --root "$root"
ok "old place: is found" grep -q "^tracefs directory: .*/debug/tracing" out

filled old
status "Linux 6.1: doctor exits 0" 0 "$mmcap" doctor --root "$root"
ok "6.1: refault works" grep -qx "yes refault" out
ok "6.1: reuse does not" grep -q "^no  reuse lacks 1 event" out
ok "6.1: missing event" grep -qx \
	"no  filemap:mm_filemap_get_pages since Linux 6.12" out
ok "6.1: an older name is found" grep -q "^yes vmscan:mm_vmscan_writepage " out
ok "6.1: what no program of ours analyzes" grep -qx \
	"yes lrugen, but mm-lrugen is not in this version" out
ok "6.1: only clocks that --clock takes" grep -qx "clocks: mono local global" out
ok "6.1: CPUs with holes" grep -qx "CPUs with a buffer: 0-1,5" out
text "6.1: doctor" out
status "6.1: list" 0 "$mmcap" list --root "$root"
ok "6.1: list marks what is missing" grep -q "not in this kernel, since" out
text "6.1: list" out
for set in reuse refault lrugen coldstart tiering swap; do
	program=$(sed -n "s/^$set, for \(mm-[a-z]*\).*/\1/p" out)
	grep -q "^$set, for .*(not in this version)" out
	later=$?
	[ -x "$top_builddir/analyze/$program" ]
	is "list: $set: $program is there, or said not to be" $? $((!later))
done
refused "reuse on 6.1" "set 'reuse' needs filemap:mm_filemap_get_pages" \
	"Linux 6.12 has it" -e reuse
refused "misspelt set" "no event or set called 'refalt'" \
	"did you mean 'refault'?" -e refalt
refused "misspelt event" "no event or set called 'mm_filemap_ad_to_page_cache'" \
	"did you mean 'mm_filemap_add_to_page_cache'?" \
	-e mm_filemap_ad_to_page_cache
refused "misspelt system" "no event or set called 'filemp'" \
	"did you mean 'filemap'?" -e filemp
refused "unknown clock" "no clock called 'mon'" "did you mean 'mono'?" \
	--clock mon
refused "clock in ticks" "clock 'x86-tsc' does not count nanoseconds" \
	"mono compares" --clock x86-tsc
status "no such CPU: exit 1" 1 "$mmcap" record --root "$root" -C 0,2 -o x.mmt
says "no such CPU: says which" "this machine has no CPU 2"
is "nothing was created" "$(ls "$tracing/instances")" ""

# The limit is that of the kind of cgroup, and the tightest on the way up.
# cgroup CONTROLLERS TYPE MOUNT OPTIONS FILE
cgroup()
{
	mkdir -p "$root/proc/self" "$root$3/a/b"
	echo "0:$1:/a/b" >"$root/proc/self/cgroup"
	echo "30 20 0:29 / $3 rw - $2 none rw,$4" >"$root/proc/self/mountinfo"
	echo 67108864 >"$root$3/a/$5"
	echo 134217728 >"$root$3/a/b/$5"
	status "cgroup, $5: doctor" 0 "$mmcap" doctor --root "$root"
	ok "cgroup, $5: its limit" grep -qx "memory limit: 64 MiB ($5)" out
	rm -r "$root$3"
}
cgroup "" cgroup2 /sys/fs/cgroup rw memory.max
cgroup memory cgroup /sys/fs/cgroup/memory memory memory.limit_in_bytes
long=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod01234567
echo "0::$long" >"$root/proc/self/cgroup"
status "a long cgroup: doctor" 0 "$mmcap" doctor --root "$root"
text "a long cgroup: doctor" out

# What follows gets as far as the instance, whose files a mock does not have.
status "settings fail: exit 1" 1 "$mmcap" record --root "$root" -q -o x.mmt
says "settings fail: says which" "tracing_on: No such file"
is "settings fail: the instance is gone" "$(ls "$tracing/instances")" ""
ok "settings fail: no log" test ! -e x.mmt
status "with a command: 125" 125 "$mmcap" record --root "$root" -q -o x.mmt \
	-- touch ran
ok "with a command: it did not run" test ! -e ran

echo kept >old.mmt
status "output exists: exit 1" 1 "$mmcap" record --root "$root" -o old.mmt
says "output exists: hint" "hint: -f replaces it"
is "output exists: is kept" "$(cat old.mmt)" kept
status "-f, but no recording: exit 1" 1 \
	"$mmcap" record --root "$root" -q -f -o old.mmt
is "-f, but no recording: is kept" "$(cat old.mmt)" kept
ln -s nowhere link.mmt
status "output is a link: exit 1" 1 "$mmcap" record --root "$root" -f -o link.mmt
status "output is a device: exit 1" 1 "$mmcap" record --root "$root" -f -o /dev/null
says "output is a device: hint" "hint: name one with -o FILE"
status "no such directory: exit 1" 1 "$mmcap" record --root "$root" -o no/x.mmt
status "command not found: 127" 127 \
	"$mmcap" record --root "$root" -o x.mmt -- no-such-command
status "command not executable: 126" 126 \
	"$mmcap" record --root "$root" -o x.mmt -- /dev/null

status "unknown option: 2" 2 "$mmcap" record --nte x
says "unknown option: which" "mmcap: option --nte is unknown"
says "unknown option: nearest" "hint: did you mean --note?"
status "option without value: 2" 2 "$mmcap" record -b
says "option without value: which" "mmcap: option -b needs a value"
for verb in "" record doctor list cleanup; do
	status "mmcap $verb --help=X: 2" 2 "$mmcap" $verb --help=X
	says "mmcap $verb --help=X: says so" \
		"mmcap: option --help takes no value"
done
status "mmcap --hlp: 2" 2 "$mmcap" --hlp
says "mmcap --hlp: nearest" "hint: did you mean --help?"
status "-b 0: 2" 2 "$mmcap" record -b 0
status "-d never: 2" 2 "$mmcap" record -d never
status "-C 3-1: 2" 2 "$mmcap" record -C 3-1
status "-m lots: 2" 2 "$mmcap" record -m lots
status "--filter first: 2" 2 "$mmcap" record --filter x
status "misspelt verb: 2" 2 "$mmcap" recrod
says "misspelt verb: hint" "did you mean 'record'?"
status "doctor with an argument: 2" 2 "$mmcap" doctor now

# Leftovers: of a dead recorder, of a live one (its lock), of somebody else.
true &
dead=$!
wait $dead
mkdir "$tracing/instances/mmcap-$dead" "$tracing/instances/mmcap-$dead-1" \
	"$tracing/instances/mmcap-$$" "$tracing/instances/theirs" \
	"$tracing/instances/mmcap-x"
mkdir -p "$root/proc/$$"
cp /proc/$$/stat "$root/proc/$$/stat"
status "doctor counts leftovers" 0 "$mmcap" doctor --root "$root"
ok "doctor: two leftovers" grep -qx "leftovers: 2" out
ok "doctor: one recorder" grep -qx "recorders running: 1" out
status "cleanup: exit 0" 0 "$mmcap" cleanup --root "$root"
is "cleanup: removes the dead only" \
	"$(ls "$tracing/instances" | sort | tr '\n' ' ')" \
	"$(printf '%s\n' mmcap-$$ mmcap-x theirs | sort | tr '\n' ' ')"
ok "cleanup: says what it kept" grep -q "^kept mmcap-$$:" out
# the same pid, but a process that began after the instance was made
awk '{ $22 = "99999999999"; print }' /proc/$$/stat >"$root/proc/$$/stat"
if command -v flock >/dev/null; then
	status "cleanup while the lock is held" 0 flock \
		"$tracing/instances/mmcap-$$" "$mmcap" cleanup --root "$root"
	ok "a held lock keeps it" test -d "$tracing/instances/mmcap-$$"
else
	skip "a held lock keeps it" "no flock(1)"
fi
status "cleanup of a recycled pid" 0 "$mmcap" cleanup --root "$root"
ok "a recycled pid is not the recorder" \
	test ! -d "$tracing/instances/mmcap-$$"
status "cleanup again" 0 "$mmcap" cleanup --root "$root"
is "nothing left to do" "$(cat out)" "nothing to clean up"

finish
