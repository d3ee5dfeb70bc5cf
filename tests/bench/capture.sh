# SPDX-License-Identifier: GPL-2.0-or-later
# capture.sh - sourced by run.sh: what a recording costs, beside the peer
# shellcheck shell=bash disable=SC2154
#
# One round runs a workload (wl.c) untraced, with events on and nobody reading,
# under mmcap, and under trace-cmd where it can record, one right after the
# other.  The workload is pinned to CPU 0, recorders to the other CPUs.
# Figures are ratios of the workload's CPU time within a round: the median of
# the rounds.

pages=${PAGES:-131072}
tracing=/sys/kernel/tracing
instance=$tracing/instances/bench_$$
events="filemap pagemap vmscan"
last_cpu=$(($(nproc) - 1))
group=

capture_cleanup()
{
	[ ! -d "$instance" ] || rmdir "$instance"
	[ -z "$group" ] || rmdir "$group" 2>/dev/null
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
	wait_for_start || { kill -INT $pid 2>/dev/null; wait $pid; return 1; }
	cpu_ns=$(run_workload)
	kill -INT $pid
	wait $pid
	read -r rec_s status _ <"$work/rusage"
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

# Facts of mmcap's last log: events, bytes, lost.
log_facts()
{
	"$mmlog" check "$1" >/dev/null || return 1
	"$bench/decode" 1 "$1" >"$work/facts" || return 1
	nr=$(value "$work/facts" events)
	bytes=$(stat -c %s "$1")
	lost=$("$mmlog" info "$1" | awk '$1 == "lost:" { print $2; exit }')
	[ "$lost" != none ] || lost=0
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
	for _ in $(seq "$rounds"); do
		base=$(run_workload)
		run_noread || return 1
		noread=$cpu_ns
		ratio "$noread" "$base" >>"$work/noread.x"
		run_mmcap || { cat "$work/mmcap.out"; return 1; }
		ratio "$cpu_ns" "$base" >>"$work/mmcap.x"
		ratio "$cpu_ns" "$noread" >>"$work/mmcap.n"
		log_facts "$work/mmcap.mmt" || return 1
		ratio "$rec_s" "$(ratio "$nr" 1000000)" >>"$work/mmcap.r"
		ratio "$bytes" "$nr" >>"$work/mmcap.b"
		echo "$lost" >>"$work/mmcap.l"
		[ -n "$peer" ] || continue
		run_tracecmd || return 1
		ratio "$cpu_ns" "$base" >>"$work/tc.x"
		ratio "$cpu_ns" "$noread" >>"$work/tc.n"
		ratio "$rec_s" "$(ratio "$nr" 1000000)" >>"$work/tc.r"
		ratio "$(stat -c %s "$work/trace.dat")" "$nr" >>"$work/tc.b"
	done
}

# peer_of SUFFIX: trace-cmd's median
peer_of()
{
	[ -n "$peer" ] || { echo -; return; }
	echo "$(median "$work/tc.$1") trace-cmd"
}

# report CPU_LIMIT BYTES_LIMIT
report()
{
	table_head
	row "task, traced / nobody reads" "<= 1.05" \
		"$(median "$work/mmcap.n")" "$(peer_of n)"
	row "task, traced / untraced" - \
		"$(median "$work/mmcap.x")" "$(peer_of x)"
	row "task, nobody reads / untraced" - \
		"$(median "$work/noread.x")" -
	row "recorder, CPU s per M events" "<= $1" \
		"$(median "$work/mmcap.r")" "$(peer_of r)"
	row "bytes per event" "<= $2" \
		"$(median "$work/mmcap.b")" "$(peer_of b)"
	row "lost, all rounds" "<= 0" \
		"$(awk '{ n += $1 } END { print n + 0 }' "$work/mmcap.l")" -
	printf 'min-max of ours, row by row: %s %s %s\n    %s %s\n' \
		"$(spread "$work/mmcap.n")" "$(spread "$work/mmcap.x")" \
		"$(spread "$work/noread.x")" "$(spread "$work/mmcap.r")" \
		"$(spread "$work/mmcap.b")"
}

# section TITLE CPU_LIMIT BYTES_LIMIT: rounds of run_workload, which the caller
# has defined
section()
{
	rm -f "$work"/*.[xnrbl]
	rounds_of || give_up "a recorder failed"
	echo
	echo "$1"
	echo "median of $rounds rounds, $nr events each"
	report "$2" "$3"
}

# Is there what a recording needs?  Else sets why.
can_record()
{
	why=
	if [ ! -x "$mmcap" ]; then
		why="built without capture"
	elif [ "$(id -u)" -ne 0 ] || [ ! -w "$tracing/instances" ]; then
		why="needs root and a writable tracefs"
	elif [ "$last_cpu" -lt 1 ]; then
		why="needs two CPUs"
	fi
	[ -z "$why" ]
}

# A memory cgroup of 256 MiB, and a file of 1 GiB; else sets why.
mix_setup()
{
	v1=/sys/fs/cgroup/memory
	truncate -s 1G "$work/mixfile"
	[ -z "$group" ] || return 0
	if [ -f $v1/memory.limit_in_bytes ]; then
		group=$v1/mmcap-bench-$$
		mkdir "$group" && echo 256M >"$group/memory.limit_in_bytes"
	elif grep -qsw memory /sys/fs/cgroup/cgroup.subtree_control; then
		group=/sys/fs/cgroup/mmcap-bench-$$
		mkdir "$group" && echo 256M >"$group/memory.max"
	else
		why="no memory cgroup"
		return 1
	fi
}

# mix CPU: Zipf reads and a scan in the cgroup
mix()
{
	sh -c 'echo $$ >"$1/cgroup.procs" &&
	       exec "$2" mix "$3" 262144 300000 "$4"' sh \
		"$group" "$bench/wl" "$work/mixfile" "$1" |
		awk '{ print $4 }'
}

capture_bench()
{
	rounds=${ROUNDS:-9}
	can_record || { absent capture "$why"; return; }
	peer=
	if tracecmd_works; then peer=yes; fi
	[ -n "$peer" ] || absent "capture: trace-cmd" "cannot record: $why"
	truncate -s $((pages * 4096)) "$work/hole"
	run_workload() { scan; }
	section "capture, scan: 4 events a page, no disk I/O" 0.06 1.0
	mix_setup || { absent "capture, mix" "$why"; return; }
	run_workload() { mix 0; }
	section "capture, mix: Zipf reads and a scan, 256 MiB memcg over 1 GiB" \
		0.07 5.0
}
