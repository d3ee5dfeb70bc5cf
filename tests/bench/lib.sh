# SPDX-License-Identifier: GPL-2.0-or-later
# lib.sh - sourced by run.sh: the table, statistics of rounds, timed commands
# shellcheck shell=bash disable=SC2154

# row FIGURE LIMIT OURS PEER: a line of every table, 72 columns
row()
{
	printf '%-34s %8s %10s %17s\n' "$@"
}

table_head()
{
	row figure limit ours peer
}

# absent FIGURE REASON: instead of the rows that cannot be had
absent()
{
	printf '%s: skipped, %s\n' "$1" "$2" | fold -s -w 72 | sed 's/ *$//'
}

give_up()
{
	echo "bench: $*" >&2
	exit 1
}

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

# best FILE: the least of the numbers in it
best()
{
	sort -g "$1" | head -n 1
}

ratio()
{
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.4f\n", b ? a / b : 0 }'
}

# calc DECIMALS EXPRESSION: numbers only, so that nothing of it is code
calc()
{
	awk "BEGIN { printf \"%.$1f\n\", $2 }"
}

# value FILE WORD [LINE]: what follows the word in that line of the file
value()
{
	awk -v word="$2" -v line="${3:-1}" 'NR == line {
		for (i = 1; i < NF; i++) if ($i == word) v = $(i + 1)
		} END { print v }' "$1"
}

# took NAME COMMAND...: runs it, adds its seconds of CPU to $work/NAME.s
took()
{
	took_name=$1
	shift
	"$bench/rusage" "$work/rusage" "$@" >"$work/took.out" 2>&1
	read -r cpu_s status wall_s peak_mb <"$work/rusage"
	if [ "$status" -ne 0 ]; then
		tail -n 5 "$work/took.out" >&2
		give_up "$1: exit status $status"
	fi
	echo "$cpu_s" >>"$work/$took_name.s"
}
