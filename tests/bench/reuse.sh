#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# reuse.sh - the exact reuse engine beside its yardstick, in the same run
#
# Environment: ROUNDS (5), ACCESSES (1e7; 1e8 is the long run), TRACES (z20 z24
# mix: Zipf over 2^20 and 2^24 pages, Zipf and sequential reads).
#
# A round runs every program once, one right after the other; the best of the
# rounds counts.  lim is the yardstick; both count keys that lie in memory, and
# both spend the same to have them there.  With one thread the figure is CPU
# time, lim's less that; with two it is the time that passed, which says little
# on a machine that does other things: "if both run" is the CPU time of the
# thread that needs more.

set -u
rounds=${ROUNDS:-5}
accesses=${ACCESSES:-1e7}
# shellcheck disable=SC2154
bench=$top_builddir/tests/bench
export LC_ALL=C
work=$(mktemp -d "${TMPDIR:-/var/tmp}/mmcap-bench-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

row()
{
	printf '%-34s %8s %10s %17s\n' "$@"
}

best()
{
	sort -g "$work/$1" | head -n 1
}

calc()
{
	awk "BEGIN { printf \"%.$1f\n\", $2 }"
}

# value FILE WORD: what follows the word
value()
{
	awk -v word="$2" '{ for (i = 1; i < NF; i++)
		if ($i == word) { print $(i + 1); exit } }' "$1"
}

# cpu NAME COMMAND...: adds the seconds of CPU of the whole program
cpu()
{
	name=$1
	shift
	"$bench/rusage" "$work/rusage" "$@" >"$work/out" || exit 1
	read -r cpu_s status _ <"$work/rusage"
	[ "$status" -eq 0 ] || { echo "bench: $1: status $status" >&2; exit 1; }
	echo "$cpu_s" >>"$work/$name"
}

# ours KERNELS THREADS
ours()
{
	MMCAP_CPU=$1 cpu "ours-$1-$2" "$bench/stackdist" -t "$2" \
		-H "$work/hist.$1-$2" "$work/keys"
	value "$work/out" wall_s >>"$work/wall-$1-$2"
	value "$work/out" cpu_s >>"$work/engine-$1-$2"
	awk '{ b = $8 - $10; if (b < $10) b = $10; print b }' "$work/out" \
		>>"$work/slower-$1-$2"
	value "$work/out" peak_page >"$work/peak-$2"
	distinct=$(value "$work/out" distinct)
}

lim()
{
	cpu "lim-$1" "$bench/lim" "$1" "$work/keys" "$work/hist.lim-$1"
	sed -n 's/.* time=\([0-9.]*\)s.*/\1/p' "$work/out" >>"$work/wall-$1"
}

# The histograms of all ways, and the yardstick's, are the same.
same_hist()
{
	for h in "$work"/hist.*; do
		cmp -s "$work/hist.avx512-1" "$h" && continue
		echo "bench: ${h##*hist.} counts other distances" >&2
		exit 1
	done
}

one_round()
{
	for kernels in avx512 avx2 plain; do
		ours $kernels 1
	done
	[ -z "$yardstick" ] || lim exact
	[ "$cpus" -ge 2 ] || return 0
	ours avx512 2
	[ -z "$yardstick" ] || lim pipe2
}

# rate SECONDS: M accesses/s
rate()
{
	calc 1 "$accesses / $1 / 1e6"
}

# report_two LIMIT
report_two()
{
	wall=$(best wall-avx512-2)
	peer=-
	[ -z "$yardstick" ] || peer=$(rate "$(best wall-pipe2)")
	row "$trace, two threads" "$1" "$(rate "$wall")" "$peer"
	[ -z "$yardstick" ] || row "$trace, two threads, ours/lim" 0.7 \
		"$(calc 2 "$(best wall-pipe2) / $wall")" -
	row "$trace, two threads, if both run" "$1" \
		"$(rate "$(best slower-avx512-2)")" -
}

# The yardstick's CPU time without what it takes to map the keys.
lim_s()
{
	calc 4 "$(best lim-exact) - $(best ours-avx512-1) + $engine"
}

# report LIMIT LIMIT2
report()
{
	engine=$(best engine-avx512-1)
	peer=-
	[ -z "$yardstick" ] || peer=$(rate "$(lim_s)")
	row "$trace, M accesses/s" "$1" "$(rate "$engine")" "$peer"
	[ -z "$yardstick" ] || row "$trace, ours/lim" 0.7 \
		"$(calc 2 "$(lim_s) / $engine")" -
	for kernels in avx2:0.6 plain:0.4; do
		row "$trace, ${kernels%:*}/avx512" "${kernels#*:}" "$(calc 2 \
			"$engine / $(best "engine-${kernels%:*}-1")")" -
	done
	row "$trace, peak bytes/page" 34 "$(cat "$work/peak-1")" -
	[ "$cpus" -lt 2 ] || report_two "$2"
}

# bench_trace NAME KIND PAGES LIMIT LIMIT2
bench_trace()
{
	trace=$1
	rm -f "$work"/*
	"$bench/gen" "$2" "$3" "$accesses" "$work/keys" || exit 1
	for _ in $(seq "$rounds"); do
		one_round
	done
	same_hist
	report "$4" "$5"
	echo "$trace: $distinct distinct pages, the same histogram in every way"
}

cpus=$(nproc)
yardstick=yes
if ! grep -qsw avx512bw /proc/cpuinfo || ! grep -qsw avx512vl /proc/cpuinfo; then
	yardstick=
	echo "lim: skipped, this machine has no AVX-512"
elif [ ! -x "$bench/lim" ]; then
	yardstick=
	echo "lim: skipped, it could not be built"
fi
[ "$cpus" -ge 2 ] || echo "two threads: skipped, one CPU"
echo "exact reuse distance, $accesses accesses, best of $rounds rounds"
row figure limit ours lim
for t in ${TRACES:-z20 z24 mix}; do
	case $t in
	z20) bench_trace z20 zipf $((1 << 20)) 30 60 ;;
	z24) bench_trace z24 zipf $((1 << 24)) 20 35 ;;
	mix) bench_trace mix mix $((1 << 20)) 20 35 ;;
	*) echo "bench: $t: not a trace" >&2; exit 2 ;;
	esac
done
