#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-quickstart.sh - the quick start: usage, and what a signal leaves behind

. "${top_srcdir:?}/tests/lib.sh" || exit 99
mmcap=$top_builddir/capture/mmcap
zipfread=$top_builddir/examples/zipfread

# A tree whose packages are there and whose build does what we say.
top=$work/top
mkdir -p "$top/examples" "$top/tests" "$top/build" "$work/here"
cp "$top_srcdir/examples/quickstart.sh" "$top/examples/"
{
	echo 'build_packages='
	echo 'install_missing() { :; }'
} >"$top/tests/packages.sh"
printf '#!/bin/sh\n' >"$top/configure"
chmod +x "$top/configure"
cd "$work/here" || exit 99

refuses()
{
	r_words=$1
	shift
	status "quickstart $*: usage" 2 bash "$top/examples/quickstart.sh" "$@"
	says "quickstart $*: says why" "quickstart: $r_words"
	says "quickstart $*: and how" "usage: "
}
refuses "-n: 'abc' is not a number of reads" -n abc
refuses "-n: '' is not a number of reads" -n ""
refuses "-n: '-5' is not a number of reads" -n -5
refuses "-n: there is nothing to record in 0 reads" -n 0
refuses "-n needs a value" -n
refuses "option -x is unknown" -x
refuses "unexpected argument 'now'" now
is "and does nothing" "$(ls -A)" ""

# now_ms: for how long something took
now_ms()
{
	echo $(($(date +%s%N) / 1000000))
}

# interrupt SIGNAL WANTED FILE: starts it, sends the signal to it alone once
# FILE is there and not empty; sets $took in ms
interrupt()
{
	rm -f "$3"
	# a shell without job control starts children that ignore SIGINT
	set -m
	bash "$top/examples/quickstart.sh" -n 999999999 >"$work/out" \
		2>"$work/err" </dev/null &
	qs=$!
	set +m
	for _ in $(seq 200); do
		[ -s "$3" ] && break
		sleep 0.1
	done
	[ -s "$3" ]
	result $? "$1: it works"
	before=$(now_ms)
	kill -"$1" "$qs"
	wait "$qs"
	got=$?
	took=$(($(now_ms) - before))
	is "$1: exit $2" "$got" "$2"
	ok "$1: at once ($took ms)" test "$took" -lt 4000
}

# While it builds; the pid of the build is in the file.
printf 'all:\n\t@echo $$$$ >%s/pid; exec sleep 300\n' "$work" \
	>"$top/build/Makefile"
for sig in TERM INT; do
	interrupt $sig $((128 + $(kill -l $sig))) "$work/pid"
	ok "$sig: the build has ended" sh -c '! kill -0 $(cat "$0") 2>/dev/null' "$work/pid"
	is "$sig: nothing left" "$(ls -A; cat "$work/err")" ""
done

# While it records, where that is possible.
printf 'all:\n' >"$top/build/Makefile"
for dir in capture formats analyze plot examples; do
	ln -s "$top_builddir/$dir" "$top/build/$dir"
done
if [ ! -x "$mmcap" ] || [ ! -x "$zipfread" ] || [ "$(id -u)" != 0 ] ||
	! "$mmcap" doctor >/dev/null 2>&1; then
	skip "a signal while it records" "nothing can be recorded here"
	finish
fi
groups()
{
	find /sys/fs/cgroup -maxdepth 2 -name 'mmcap-quickstart-*' 2>/dev/null
}
files()
{
	find /var/tmp "$PWD" -maxdepth 1 -name 'mmcap-quickstart-??????' \
		2>/dev/null
}
groups | sort >"$work/groups"
files | sort >"$work/files"
# the log grows once it records
mkdir rec && cd rec || exit 99
cat >"$work/grow.sh" <<'END'
for _ in $(seq 300); do
	for log in "$1"/quickstart-*/trace.mmt; do
		[ ! -s "$log" ] || { sleep 1; echo "$log" >"$2"; exit; }
	done
	sleep 0.1
done
END
bash "$work/grow.sh" "$PWD" "$work/recording" &
interrupt TERM 143 "$work/recording"
wait
is "TERM: the cgroup is gone" "$(groups | sort | comm -13 "$work/groups" -)" ""
is "TERM: the file is gone" "$(files | sort | comm -13 "$work/files" -)" ""
is "TERM: the workload has ended" "$(pgrep -P 1 -x zipfread | wc -l)" 0
status "TERM: the log is sound" 0 mm-log check quickstart-*/trace.mmt

finish
