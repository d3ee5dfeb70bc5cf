#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart.sh - from nothing to charts of this machine's page cache
#
# usage: examples/quickstart.sh [-n READS]
#
# Installs what is missing (Debian), builds in ./build, records a small
# workload in a memory cgroup of 64 MiB, prints the reports and leaves log,
# tables and charts in a new folder.  Where this kernel cannot be traced it
# says why and goes on with a sample recorded on Linux 6.12.  Whatever it
# changes on the machine (a mount, a cgroup, a file) it takes back.

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
build=$top/build
reads=150000
limit=$((64 << 20))
sample=$top/examples/sample.mmt
export LC_ALL=C

usage()
{
	echo "quickstart: $*" >&2
	echo "usage: $0 [-n READS]" >&2
	exit 2
}

while getopts :n: opt; do
	case $opt in
	n) reads=$OPTARG ;;
	:) usage "-$OPTARG needs a value" ;;
	*) usage "option -$OPTARG is unknown" ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || usage "unexpected argument '$1'"
case $reads in
*[!0-9]* | '' | ??????????*) usage "-n: '$reads' is not a number of reads" ;;
esac
[ "$reads" -gt 0 ] || usage "-n: there is nothing to record in 0 reads"

. "$top/tests/packages.sh"

say()
{
	printf '\n== %s\n' "$*"
}

fail()
{
	echo "quickstart: $*" >&2
	exit 1
}

# ---- undo: everything below registers here what it has changed

mounted=
group=
file=
log=
out=
child=
# A group that the signal does not end within 5 s is killed.
end_child()
{
	[ -n "$child" ] || return 0
	kill -TERM -- "-$child" 2>/dev/null
	for _ in $(seq 50); do
		kill -0 -- "-$child" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL -- "-$child" 2>/dev/null
	wait "$child" 2>/dev/null
	child=
}
undo()
{
	end_child
	[ -z "$file" ] || rm -f "$file"
	[ -z "$log" ] || rm -f "$log"
	if [ -n "$group" ]; then
		# the last task may take a moment to be gone
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			rmdir "$group" 2>/dev/null && break
			sleep 0.2
		done
	fi
	[ -z "$mounted" ] || umount "$mounted"
	# results are kept, an empty folder is none
	[ -z "$out" ] || rmdir "$out" 2>/dev/null
	file="" group="" mounted="" log="" out=""
}
trap undo EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# run COMMAND...: where it may take long.  The shell handles a signal only
# when its foreground command has ended; it can wait for one in the background
# and still listen.  A process group of its own makes all of it end at once.
run()
{
	set -m
	"$@" </dev/null &
	child=$!
	set +m
	wait "$child"
	run_status=$?
	child=
	return $run_status
}

# ---- build

# As the user who called sudo, so that the tree does not fill with root's files
as_user()
{
	if [ "$(id -u)" -eq 0 ] && [ -n "${SUDO_USER-}" ]; then
		runuser -u "$SUDO_USER" -- "$@"
	else
		"$@"
	fi
}

build()
(
	[ -x "$top/configure" ] || as_user "$top/autogen.sh" || return 1
	as_user mkdir -p "$build" || return 1
	cd "$build" || return 1
	[ -f Makefile ] || as_user "$top/configure" || return 1
	as_user make -j"$(nproc)"
)

say "packages and build"
# shellcheck disable=SC2086
run install_missing $build_packages gnuplot-nox || exit 1
log=$(mktemp) || exit 1
run build >"$log" 2>&1 || { tail -n 30 "$log" >&2; fail "the build failed"; }
rm -f "$log"
log=
echo "programs are in $build"
PATH=$build/capture:$build/formats:$build/analyze:$build/plot:$PATH
out=$(as_user mktemp -d "$PWD/quickstart-XXXXXX") || exit 1

# ---- record

mount_tracefs()
{
	grep -q ' tracefs ' /proc/self/mounts && return 0
	[ -d /sys/kernel/tracing ] || return 0
	mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null &&
		mounted=/sys/kernel/tracing
}

# A cgroup with a memory limit, v2 or v1; without one there is no reclaim.
make_group()
{
	name=mmcap-quickstart-$$
	v2=/sys/fs/cgroup
	v1=/sys/fs/cgroup/memory
	if grep -qw memory "$v2/cgroup.subtree_control" 2>/dev/null; then
		mkdir "$v2/$name" && group=$v2/$name &&
			echo "$limit" >"$group/memory.max"
	elif [ -f "$v1/memory.limit_in_bytes" ]; then
		mkdir "$v1/$name" && group=$v1/$name &&
			echo "$limit" >"$group/memory.limit_in_bytes"
	else
		return 1
	fi
}

# The workload's file must lie on a file system with a page cache of its own.
make_file()
{
	for dir in /var/tmp "$out" "$HOME"; do
		case $(stat -f -c %T "$dir" 2>/dev/null) in
		tmpfs | ramfs | overlayfs | "") continue ;;
		esac
		file=$(mktemp "$dir/mmcap-quickstart-XXXXXX") || continue
		run "$build/examples/zipfread" -c "$file" && return 0
		rm -f "$file"
		file=
	done
	return 1
}

record()
{
	if [ "$(id -u)" -ne 0 ]; then
		echo "not recording: needs root"
		return 1
	fi
	mount_tracefs
	if ! mmcap doctor >"$out/doctor.txt" 2>&1; then
		echo "not recording: this kernel cannot be traced:"
		grep -v '^ *$' "$out/doctor.txt" | head -n 12
		return 1
	fi
	if ! make_file; then
		echo "not recording: no disk file system to read from"
		return 1
	fi
	make_group || echo "no memory cgroup here: expect no refaults"
	# only the workload's file: other tasks would blur the picture
	# shellcheck disable=SC2016
	run mmcap record -o "$out/trace.mmt" --note "quick start" \
		-e filemap --filter "i_ino == $(stat -c %i "$file")" \
		-e pagemap -e vmscan -e task -- \
		sh -c '[ -z "$1" ] || echo $$ >"$1/cgroup.procs" || exit 1
		       exec "$2" -n "$3" "$4"' \
		sh "$group" "$build/examples/zipfread" "$reads" "$file"
}

say "recording: page reads of a 256 MiB file in 64 MiB of memory"
if record; then
	trace=$out/trace.mmt
else
	trace=$sample
	echo "going on with the sample $sample"
fi

# ---- analyze

say "mm-log info"
mm-log info "$trace" || fail "the log cannot be read"
say "mm-refault"
run mm-refault "$trace" || fail "mm-refault failed"
run mm-refault -o "$out" --plot "$trace" >/dev/null || fail "no refault charts"

say "mm-reuse"
reuse=$trace
if ! run mm-reuse "$trace"; then
	# kernels before 6.12 have no mm_filemap_get_pages
	[ "$trace" != "$sample" ] || fail "mm-reuse failed"
	echo "this kernel's tracepoints show no accesses (see mmcap doctor):"
	echo "here is the sample instead, recorded on Linux 6.12"
	reuse=$sample
	run mm-reuse "$sample" || fail "mm-reuse failed"
fi
run mm-reuse -o "$out" --plot "$reuse" >/dev/null || fail "no reuse charts"

[ -z "${SUDO_UID-}" ] || chown -R "$SUDO_UID:${SUDO_GID-}" "$out"
say "results"
[ ! -f "$out/reuse-mrc.txt" ] || { cat "$out/reuse-mrc.txt"; echo; }
echo "log, tables and charts are in $out:"
ls "$out"
echo "again by hand: $build/analyze/mm-reuse $reuse"
