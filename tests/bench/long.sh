# SPDX-License-Identifier: GPL-2.0-or-later
# long.sh - sourced by run.sh: logs as long as those of a day
# shellcheck shell=bash disable=SC2154
#
# Each figure once: the runs are long enough.

# room MB FIGURE: is there so much below $work?  Else says what is absent.
room()
{
	free_mb=$(df -Pk "$work" | awk 'NR == 2 { print int($4 / 1024) }')
	[ "$free_mb" -ge "$1" ] && return
	absent "$2" "needs $1 MB in ${work%/*}, $free_mb are free"
	return 1
}

# analyzer NAME: the seconds by the clock and the memory it takes
analyzer()
{
	took "$1" "$top_builddir/analyze/$1" "$work/big.mmt"
	row "big: $1, s by the clock" "< 30" "$wall_s" -
	row "big: $1, peak MB" "< 2147" "$peak_mb" -
}

big_log()
{
	# 2.5 bytes an event, and room to spare
	room $((long_events / 200000 + 10)) "big log" || return
	took biglog "$bench/biglog" "$work/big.mmt" "$long_events"
	row "big: M events" - "$(calc 0 "$long_events / 1e6")" -
	row "big: bytes/event" - "$(calc 2 "$(stat -c %s "$work/big.mmt") / \
		$long_events")" -
	"$bench/decode" 1 "$work/big.mmt" >"$work/dec" ||
		give_up "the big log cannot be decoded"
	row "big: decode, M events/s" ">= 30" \
		"$(value "$work/dec" M_events_per_s)" -
	analyzer mm-refault
	analyzer mm-reuse
	rm -f "$work/big.mmt"
}

wide_log()
{
	room $((long_cpu_events * 256 * 14 / 1000000 + 10)) "256 CPUs" || return
	took wide "$top_builddir/tests/mergemem" make "$work/wide.mmt" 256 \
		"$long_cpu_events"
	took merge "$top_builddir/tests/mergemem" read "$work/wide.mmt"
	row "256 CPUs: MB of the log" - \
		"$(calc 0 "$(stat -c %s "$work/wide.mmt") / 1e6")" -
	row "256 CPUs: merge, peak MB" "<= 500" "$peak_mb" -
	row "256 CPUs: merge, M events/s" - \
		"$(calc 1 "$(value "$work/took.out" events) / 1e6 / $cpu_s")" -
	rm -f "$work/wide.mmt"
}

long_bench()
{
	long_events=${LONG_EVENTS:-100000000}
	long_cpu_events=${LONG_CPU_EVENTS:-320000}
	echo "long: one round"
	table_head
	big_log
	wide_log
}
