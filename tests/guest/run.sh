#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - boots a Debian kernel in QEMU and runs jobs as its root
#
# usage: tests/guest/run.sh [-k 6.12|6.1|PACKAGE] [-b BUILD] [-o DIR]
#                [-l on|off] [-z MIB] [-m MIB] [-t SECONDS] [-a APPEND] JOB...
#        tests/guest/run.sh -s [...]
#
#   -k  the kernel (default 6.12), fetched by kernel.sh
#   -b  the build with the programs under test (default ./build of the tree)
#   -o  what the jobs leave: DIR/JOB/{tap,err,status,...}, DIR/console
#       (default ./guest-out)
#   -l  MGLRU on or off (default: as the kernel boots)
#   -z  swap on zram of that size     -m  memory (default 768)
#   -t  seconds for each job (default 180)
#   -a  more for the kernel's command line
#   -s  a shell on the console instead of jobs; exit ends the guest
#
# KVM is taken only where a trial boot reached its end: /dev/kvm may open and
# still not run a plain kernel.  Else QEMU emulates (TCG).  Exit: 0 every job
# gave 0; 1 one did not, or the guest died, with the last lines of its console;
# 2 usage; 77 it cannot be had here.

set -u
me=guest
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh" || exit 1
PATH=$PATH:/usr/sbin:/sbin

usage()
{
	echo "$me: $*" >&2
	sed -n 's/^# usage: /usage: /p' "$0" >&2
	exit 2
}

kernel=6.12 build=$here/../../build out=guest-out mglru="" zram_mib=0
memory_mib=768 limit=180 append="" shell=no
while getopts :k:b:o:l:z:m:t:a:s opt; do
	case $opt in
	k) kernel=$OPTARG ;;
	b) build=$OPTARG ;;
	o) out=$OPTARG ;;
	l) mglru=$OPTARG ;;
	z) zram_mib=$OPTARG ;;
	m) memory_mib=$OPTARG ;;
	t) limit=$OPTARG ;;
	a) append=$OPTARG ;;
	s) shell=yes ;;
	:) usage "-$OPTARG needs a value" ;;
	*) usage "option -$OPTARG is unknown" ;;
	esac
done
shift $((OPTIND - 1))
case $mglru in
on | off | '') ;;
*) usage "-l: '$mglru' is neither on nor off" ;;
esac
case $zram_mib$memory_mib$limit in
*[!0-9]*) usage "-z, -m and -t want numbers" ;;
esac
[ $# -gt 0 ] || [ $shell = yes ] || usage "no job"
for job; do
	[ -f "$job" ] || die 2 "$job: no such job"
done

need qemu-system-x86_64 qemu-system-x86
need mke2fs e2fsprogs
[ $shell = yes ] || mkdir -p "$out" || exit 1
tmp=$(mktemp -d "${TMPDIR:-/tmp}/mmcap-guest.XXXXXX") || exit 1
qemu=
cleanup()
{
	[ -z "$qemu" ] || kill -KILL "$qemu" 2>/dev/null
	rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

# emulator ARGUMENT...: what every boot has in common
emulator()
{
	exec qemu-system-x86_64 -M q35 -display none -monitor none -nic none \
		-no-reboot -kernel "$kernel/vmlinuz" "$@"
}

# A kernel without a root file system panics: if it gets that far, KVM works.
try_kvm()
{
	(
		emulator -accel kvm -cpu host -m 256 -serial "file:$tmp/trial" \
			-append 'console=ttyS0 panic=-1' </dev/null &
		trial=$!
		for _ in $(seq 100); do
			kill -0 $trial 2>/dev/null || break
			sleep 0.1
		done
		kill -KILL $trial
	) >/dev/null 2>&1
	grep -qas 'Kernel panic' "$tmp/trial"
}

# The trial may cost 10 s: what it said holds until this machine boots anew.
kvm_works()
{
	[ -w /dev/kvm ] || return 1
	verdict=${kernel%/*}/kvm-$(cat /proc/sys/kernel/random/boot_id)
	if [ ! -e "$verdict" ]; then
		if try_kvm; then
			echo yes
		else
			echo no
		fi >"$verdict" 2>/dev/null
	fi
	[ "$(cat "$verdict" 2>/dev/null)" = yes ]
}

# Sparse, made anew for every boot.
make_disk()
{
	truncate -s 512M "$tmp/disk" &&
		mke2fs -q -F -t ext4 -E lazy_itable_init=1 "$tmp/disk"
}

# start CONSOLE: the guest in this process's place
start()
{
	emulator -accel "$accel" -cpu "$cpu" -m "$memory_mib" -smp 2 \
		-serial "$1" -initrd "$tmp/initrd" \
		-drive "if=virtio,file=$tmp/disk,format=raw,cache=unsafe" \
		-device virtio-serial-pci -device virtserialport,chardev=o,name=out \
		-chardev "file,id=o,path=$tmp/out.tar" \
		-append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr $append"
}

# Until it ends, or nothing new has begun for longer than a job may take.  The
# guest's own limit comes first; this one is for a guest that hangs.
watch_guest()
{
	steps=-1
	timed_out=
	while kill -0 "$qemu" 2>/dev/null; do
		now=$(grep -ac '^guest: ' "$out/console")
		[ "$now" = "$steps" ] || since=$SECONDS
		steps=$now
		if [ $((SECONDS - since)) -gt $((limit + 30)) ]; then
			timed_out=yes
			# the emulator itself is well and ends in order
			kill -TERM "$qemu" 2>/dev/null
		fi
		sleep 0.2
	done
	wait "$qemu" 2>/dev/null
	qemu_status=$?
	qemu=
}

# The last words of the guest, for people: of a kernel that died those from
# where it says why, which the registers and the call trace follow
last_lines()
{
	tr -cd '\n\t -~' <"$out/console" | grep -v '^ *$' | awk '
		/Kernel panic|BUG:|Oops|general protection|\[#[0-9]+\]/ {
			if (!died) died = NR
		}
		{ line[NR] = $0 }
		END { from = died ? died : NR - 14
		      to = died && died + 29 < NR ? died + 29 : NR
		      for (i = from > 0 ? from : 1; i <= to; i++)
			      print "  | " line[i] }' >&2
	[ ! -s "$tmp/err" ] || sed 's/^/  qemu: /' "$tmp/err" >&2
}

# How it ended, if not well: the first that fits
why_dead()
{
	where=$(grep -a '^guest: ' "$out/console" | tail -n 1 | tr -d '\r')
	where=${where#guest: }
	if grep -qa '^guest: no way out' "$out/console"; then
		echo "no virtio port for files"
	elif grep -qa 'Kernel panic' "$out/console"; then
		echo "kernel panic after: ${where:-start}"
	elif [ "$timed_out" ]; then
		echo "no progress for $((limit + 30)) s after: ${where:-start}"
	elif [ "$qemu_status" -ne 0 ]; then
		echo "qemu: exit $qemu_status"
	elif [ -z "$where" ]; then
		echo "the kernel did not reach user space"
	else
		echo "it ended after: $where"
	fi
}

# job_status NAME: and a line about it
job_status()
{
	status=$(cat "$out/$1/status" 2>/dev/null)
	case $status in
	0) return 0 ;;
	'') echo "$me: job $1: did not end" >&2 ;;
	124 | 137) echo "$me: job $1: timeout after $limit s" >&2 ;;
	*) echo "$me: job $1: exit $status" >&2 ;;
	esac
	return 1
}

kernel=$("$here/kernel.sh" "$kernel") || exit
accel=tcg,thread=multi cpu=max
! kvm_works || accel=kvm cpu=host
printf '%s\n' "mglru=$mglru" "zram_mib=$zram_mib" "limit=$limit" \
	"shell=$shell" >"$tmp/settings"
jobs=("$@")
[ $shell = no ] || jobs=("$here/common.sh")
"$here/initrd.sh" "$kernel" "$build" "$tmp/settings" "$tmp/initrd" \
	"${jobs[@]}" || exit
make_disk || die 1 "the disk cannot be made"
echo "$me: ${kernel##*/}, ${accel%%,*}, MGLRU ${mglru:-as it boots}" >&2

if [ $shell = yes ]; then
	(start mon:stdio)
	exit
fi
: >"$out/console" || exit 1
(start "file:$out/console") </dev/null >"$tmp/err" 2>&1 &
qemu=$!
watch_guest
for job; do
	name=$(basename "$job" .sh)
	rm -rf "${out:?}/$name"
done
# one archive after the other, the last perhaps cut
[ ! -s "$tmp/out.tar" ] ||
	tar -C "$out" -ixf "$tmp/out.tar" --no-same-owner 2>"$tmp/tar.err"
ret=0
for job; do
	job_status "$(basename "$job" .sh)" || ret=1
done
if ! grep -qa '^guest: done' "$out/console"; then
	echo "$me: $(why_dead)" >&2
	last_lines
	ret=1
fi
exit $ret
