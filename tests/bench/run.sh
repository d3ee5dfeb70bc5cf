#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - what a recording costs, beside the peer; "make bench" calls it
#
# Environment: ROUNDS (9), PAGES (131072 pages a run, four events each),
# MMCAP_DATA (raw pages for the decode figures; default ../shared/data).
#
# One round runs the scan workload (wl.c: single-page reads of a sparse file,
# dropped every 256 pages) untraced, with events on and nobody reading, under
# mmcap, and under trace-cmd where it can record, one right after the other.
# The workload is pinned to CPU 0, recorders to the other CPUs.  Figures are
# ratios of the workload's CPU time within a round: the median of the rounds.

set -u
rounds=${ROUNDS:-9}
pages=${PAGES:-131072}
data=${MMCAP_DATA:-$top_srcdir/../shared/data}
bench=$top_builddir/tests/bench
mmcap=$top_builddir/capture/mmcap
tracing=/sys/kernel/tracing
instance=$tracing/instances/bench_$$
events="filemap pagemap vmscan"
export LC_ALL=C
work=$(mktemp -d "${TMPDIR:-/var/tmp}/mmcap-bench-XXXXXX") || exit 1
group=

cleanup()
{
	[ ! -d "$instance" ] || rmdir "$instance"
	[ -z "$group" ] || rmdir "$group" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# median FILE: of the numbers in it, one a line
median()
{
	sort -g "$1" | awk '{ v[NR] = $1 }
		END { if (!NR) print "-"
		      else if (NR % 2) printf "%.4f\n", v[(NR + 1) / 2]
		      else printf "%.4f\n", (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

spread()
{
	sort -g "$1" | awk 'NR == 1 { a = $1 } { b = $1 }
			    END { printf "%.3f-%.3f", a, b }'
}

# The workload, pinned; prints its CPU time in ns.
workload()
{
	"$bench/wl" "$@" | awk '{ print $4 }'
}

scan()
{
	workload scan "$work/hole" "$pages" 1 0
}

last_cpu=$(($(nproc) - 1))

# recorder NAME OUT COMMAND...: starts it off CPU 0, runs the workload while
# it records, ends it by SIGINT.  Sets cpu_ns (workload), rec_s (recorder).
recorder()
{
	name=$1
	log=$2
	shift 2
	rm -f "$log"
	taskset -c "1-$last_cpu" "$bench/rusage" "$work/rusage" "$@" \
		>"$work/$name.out" 2>&1 &
	pid=$!
	wait_for_start "$name" || { kill -INT $pid 2>/dev/null; wait $pid; return 1; }
	cpu_ns=$(run_workload)
	kill -INT $pid
	wait $pid
	read -r rec_s status <"$work/rusage"
	[ "$status" -eq 0 ]
}

# Until the recorder's own instance has its events on.
wait_for_start()
{
	for _ in $(seq 100); do
		kill -0 $pid 2>/dev/null || return 1
		for dir in "$tracing"/instances/mmcap-* \
			"$tracing"/instances/benchtc_$$; do
			if grep -qs 1 "$dir/events/vmscan/enable"; then
				sleep 0.3
				return 0
			fi
		done
		sleep 0.05
	done
	return 1
}

run_mmcap()
{
	recorder mmcap "$work/mmcap.mmt" "$mmcap" record -q \
		-e filemap -e pagemap -e vmscan -o "$work/mmcap.mmt"
}

run_tracecmd()
{
	recorder trace-cmd "$work/trace.dat" trace-cmd record -B benchtc_$$ \
		-b 8192 -e filemap -e pagemap -e vmscan -o "$work/trace.dat"
}

# Events on in an instance of our own, and nobody reads.
run_noread()
{
	mkdir "$instance" || return 1
	echo 8192 >"$instance/buffer_size_kb"
	echo mono >"$instance/trace_clock"
	for e in $events; do
		echo 1 >"$instance/events/$e/enable"
	done
	cpu_ns=$(run_workload)
	for e in $events; do
		echo 0 >"$instance/events/$e/enable"
	done
	rmdir "$instance"
}

ratio()
{
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.4f\n", a / b }'
}

# Facts of mmcap's last log: events, bytes, lost.
log_facts()
{
	"$top_builddir/formats/mm-log" check "$1" >/dev/null || return 1
	"$bench/decode" "$1" | awk '{ print $2 }' >"$work/nr"
	nr=$(cat "$work/nr")
	bytes=$(stat -c %s "$1")
	lost=$("$top_builddir/formats/mm-log" info "$1" |
		awk '$1 == "lost:" || $1 == "lost" { print $2; exit }')
}

tracecmd_works()
{
	command -v trace-cmd >/dev/null || { why="not installed"; return 1; }
	run_workload() { sleep 0.1; echo 1; }
	if ! recorder trace-cmd "$work/trace.dat" trace-cmd record \
		-B benchtc_$$ -e filemap -o "$work/trace.dat"; then
		why=$(tr '\n' ' ' <"$work/trace-cmd.out" | cut -c 1-60)
		rmdir "$tracing/instances/benchtc_$$" 2>/dev/null
		return 1
	fi
}

rounds_of()
{
	for round in $(seq "$rounds"); do
		base=$(run_workload)
		run_noread || return 1
		noread=$cpu_ns
		ratio "$noread" "$base" >>"$work/noread.x"
		run_mmcap || { cat "$work/mmcap.out"; return 1; }
		ratio "$cpu_ns" "$base" >>"$work/mmcap.x"
		ratio "$cpu_ns" "$noread" >>"$work/mmcap.n"
		log_facts "$work/mmcap.mmt" || return 1
		ratio "$rec_s" "$(ratio "$nr" 1000000)" >>"$work/mmcap.s"
		ratio "$bytes" "$nr" >>"$work/mmcap.b"
		echo "${lost:-0}" >>"$work/mmcap.l"
		[ -n "$peer" ] || continue
		run_tracecmd || return 1
		ratio "$cpu_ns" "$base" >>"$work/tc.x"
		ratio "$cpu_ns" "$noread" >>"$work/tc.n"
		ratio "$rec_s" "$(ratio "$nr" 1000000)" >>"$work/tc.s"
		ratio "$(stat -c %s "$work/trace.dat")" "$nr" >>"$work/tc.b"
	done
}

row()
{
	printf '%-26s %10s %10s   %s\n' "$@"
}

report()
{
	row "" mmcap trace-cmd "mmcap min-max"
	if [ -n "$peer" ]; then p=tc; else p=none; : >"$work/none.x"; fi
	for s in x n s b; do
		: >>"$work/none.$s"
	done
	row "task, traced/untraced" "$(median "$work/mmcap.x")" \
		"$(median "$work/$p.x")" "$(spread "$work/mmcap.x")"
	row "task, traced/nobody_reads" "$(median "$work/mmcap.n")" \
		"$(median "$work/$p.n")" "$(spread "$work/mmcap.n")"
	row "recorder_CPU_s/M_events" "$(median "$work/mmcap.s")" \
		"$(median "$work/$p.s")" "$(spread "$work/mmcap.s")"
	row "bytes/event" "$(median "$work/mmcap.b")" \
		"$(median "$work/$p.b")" "$(spread "$work/mmcap.b")"
	echo "events a round: $nr   lost in all rounds:" \
		"$(awk '{ n += $1 } END { print n + 0 }' "$work/mmcap.l")"
	echo "nobody reads/untraced: $(median "$work/noread.x")" \
		"($(spread "$work/noread.x"))"
}

# section TITLE: rounds of run_workload, which the caller has defined
section()
{
	rm -f "$work"/*.[xnsbl]
	echo
	echo "$1, $rounds rounds"
	rounds_of || { echo "bench: a recorder failed"; exit 1; }
	report
}

capture_bench()
{
	if [ "$(id -u)" -ne 0 ] || [ ! -w "$tracing/instances" ]; then
		echo "capture: skipped, needs root and a writable tracefs"
		return
	fi
	if [ "$last_cpu" -lt 1 ]; then
		echo "capture: skipped, needs two CPUs"
		return
	fi
	peer=
	why=
	if tracecmd_works; then peer=yes; fi
	[ -n "$peer" ] || echo "trace-cmd cannot record here: $why"
	truncate -s $((pages * 4096)) "$work/hole"
	run_workload() { scan; }
	section "scan: 4 events a page, no disk I/O"
	mix_bench
}

# Zipf and scan in a memory cgroup of a quarter of the file.
mix_bench()
{
	v1=/sys/fs/cgroup/memory
	if [ -f $v1/memory.limit_in_bytes ]; then
		group=$v1/mmcap-bench-$$
		mkdir "$group" && echo 256M >"$group/memory.limit_in_bytes"
	elif grep -qw memory /sys/fs/cgroup/cgroup.subtree_control; then
		group=/sys/fs/cgroup/mmcap-bench-$$
		mkdir "$group" && echo 256M >"$group/memory.max"
	else
		echo "mix: skipped, no memory cgroup"
		return
	fi
	truncate -s 1G "$work/mixfile"
	run_workload()
	{
		sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" mix "$3" \
		       262144 300000 0' sh "$group" "$bench/wl" \
			"$work/mixfile" | awk '{ print $4 }'
	}
	section "mix: Zipf reads and a scan, memcg of 256 MiB over 1 GiB"
}

decode_bench()
{
	echo
	echo "log: encoding raw pages (one thread, all of it), and decoding"
	for set in raw-scan raw-real; do
		if [ ! -f "$data/$set.tar.zst" ]; then
			echo "$set: skipped, not in $(basename "$data")"
			continue
		fi
		zstd -dcq "$data/$set.tar.zst" | tar -C "$work" -xf -
		n=${set#raw-}
		"$top_builddir/tests/raw2mmt" "$work/$n.mmt" 1 \
			"$data/formats-6.18.txt" "$work/$n.cpu0" \
			"$work/$n.cpu1" >"$work/enc" || exit 1
		"$bench/decode" "$work/$n.mmt" >"$work/dec" || exit 1
		awk -v set=$set 'NR == FNR { s = $4; next }
			{ printf "%s: %s events, %s bytes/event, encode %.0f ns" \
			  "/event,\n    decode %s M events/s\n", set, $2, $4,
			  s * 1e9 / $2, $7 }' "$work/enc" "$work/dec"
		rm -f "$work/$n".*
	done
}

echo "mmcap bench on $(uname -sr), $(nproc) CPUs"
capture_bench
decode_bench
