#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - builds the fuzz targets with clang and runs each for a while
#
# usage: tests/fuzz/run.sh [SECONDS [TARGET...]]
#
# SECONDS is for each target, 60 if not given; two run at a time.  TARGET is
# log, subbuf, formats, probes, table, tracedat, text or access; all if none is
# named.
# The seeds are made of tests/data, and of $FUZZ_SEEDS/TARGET/* if that is set.
# Mutations follow $FUZZ_SEED (1), so that a run can be repeated; 0 is chance.
# Prints TAP.  What made a target fail is left in $FUZZ_OUT, or in a directory
# that the last lines name.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-60}
[ $# -eq 0 ] || shift
targets=${*:-log subbuf formats probes table tracedat text access}
data=$top/tests/data
LC_ALL=C
export LC_ALL

skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

clang=${CLANG:-clang}
command -v "$clang" >/dev/null || skip_all "clang is not installed"
work=$(mktemp -d "${TMPDIR:-/tmp}/mmcap-fuzz.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
out=${FUZZ_OUT:-}

echo 'int LLVMFuzzerTestOneInput(const char *p, long n)
{ return p && n < 0; }' >"$work/probe.c"
"$clang" -fsanitize=fuzzer,address,undefined -o "$work/probe" \
	"$work/probe.c" 2>/dev/null ||
	skip_all "this clang has no libFuzzer (libclang-rt-dev)"

# ---------------------------------------------------------------------- build
sanitize=fuzzer-no-link,address,undefined
build()
{
	mkdir -p "$work/build" "$work/bin" && cd "$work/build" &&
		"$top/configure" --disable-capture CC="$clang" \
			CFLAGS="-O1 -g -fno-omit-frame-pointer \
			-fsanitize=$sanitize -fno-sanitize-recover=undefined" \
			LDFLAGS="-fsanitize=address,undefined" || return 1
	list="tests/mklog formats/mm-log"
	for target in $targets; do
		list="$list tests/fuzz/fuzz-$target"
	done
	# shellcheck disable=SC2086
	make -j2 $list
}

build >"$work/build.log" 2>&1 || {
	echo "1..1"
	echo "not ok 1 - build of the fuzz targets"
	tail -n 20 "$work/build.log" | sed 's/^/# /'
	exit 1
}
cd "$work" || exit 99

# ---------------------------------------------------------------------- seeds
# An input of fuzz-subbuf and fuzz-formats begins with a byte of options.
with_byte()
{
	printf '%b' "$1" >"$3"
	cat "$2" >>"$3"
}

# Pages that are added, read, removed and come back, on two CPUs.
pages_text()
{
	awk 'BEGIN {
		for (i = 0; i < 150; i++) {
			t = i * 100; c = i % 2; p = i % 40; f = 4096 + p
			print t, c, 7, "add 8:1", 12 + p % 3, p, f, 0
			print t + 10, c, 7, "read 8:1", 12 + p % 3, p, p
			print t + 20, c, 7, "lru-insert", f, 2, 1
			if (i >= 30)
				print t + 30, c, 40, "remove 8:1", \
					12 + (i - 30) % 40 % 3, (i - 30) % 40, \
					4096 + (i - 30) % 40, 0
		}
	}'
}

seed_log()
{
	pages_text >pages.txt
	for text in "$data"/golden/*.txt pages.txt; do
		log=$1/$(basename "$text" .txt)
		build/tests/mklog "$log" <"$text"
		build/formats/mm-log repack "$log" -o "$log-merged" >/dev/null
	done
}

seed_subbuf()
{
	command -v zstd >/dev/null || return 0
	for raw in "$data"/raw-ftrace/*.raw.zst; do
		zstd -dcq "$raw" 2>/dev/null | head -c 32768 >pages
		for page in 0 1 2 3 4 5 6 7; do
			dd if=pages of=page bs=4096 skip=$page count=1 \
				2>/dev/null
			with_byte '\000' page \
				"$1/$(basename "$raw")-$page"
		done
	done
}

seed_formats()
{
	awk -v dir="$1" '/^=== / { gsub("/", "-"); file = dir "/" $2; next }
			 file { print >file }' "$data/formats-6.18.txt"
	for file in "$1"/*; do
		mv "$file" format
		case $file in
		*/filemap*) with_byte '\000' format "$file" ;;
		*/vmscan*) with_byte '\002' format "$file" ;;
		*) with_byte '\001' format "$file" ;;
		esac
	done
}

seed_probes()
{
	for file in "$data"/probes/*.txt; do
		cut -f2 "$file" >"$1/$(basename "$file")"
		split -l 4 "$1/$(basename "$file")" "$1/$(basename "$file" .txt)-"
	done
	printf 'r10:a/b workingset_eviction $retval\nf c%%return x=a->b:x64\n' \
		>"$1/forms"
}

seed_table()
{
	cp "$data"/*.csv "$1"
	find "$data/plot" -name '*.csv' -exec cp {} "$1" \;
}

seed_tracedat()
{
	printf '\027\010Dtracing6\000\000\010\000\020\000\000' >"$1/head6"
	printf '\027\010Dtracing7\000\000\010\000\020\000\000none\000\000' \
		>"$1/head7"
	find "$data" -name '*.dat' -size -64k -exec cp {} "$1" \;
}

seed_text()
{
	cat >"$1/trace" <<-'END'
		# tracer: nop
		# entries-in-buffer/entries-written: 2/2   #P:2
		             fio-7 [000] ...1. 1.000001: mm_filemap_add_to_page_cache: dev 8:1 ino c pfn=0x1000 ofs=4096 order=0
		          <idle>-0 [001] d..2. 1.000002: mm_filemap_fault: dev 8:1 ino c ofs=8192
		CPU:1 [LOST 12 EVENTS]
	END
	cat >"$1/report" <<-'END'
		cpus=2
		           fio-7     [000]     1.000001: mm_filemap_delete_from_page_cache: dev 8:1 ino c pfn=0x1000 ofs=4096 order=0
		           fio-7     [001]     1.000002: mm_vmscan_direct_reclaim_begin: order=0 gfp_flags=GFP_KERNEL
	END
	printf 'fio     7 [000]     1.000001: filemap:mm_filemap_fault: dev 8:1 ino c ofs=8192\n' \
		>"$1/perf"
	cp "$data"/import/*.txt "$1"
}

seed_access()
{
	printf '\000page\na\nb\na\n' >"$1/page"
	printf '\000dev,ino,index,time_ns,op\n1,2,3,4,add\n1,2,3,5,access\n' \
		>"$1/columns"
	printf '\001\001\000\000\000\000\000\000\000' >"$1/keys"
	printf '\002\001\000\000\000\001\000\000\000\000\000\000\000' \
		>"$1/oracle"
	printf '\001\000\000\000\377\377\377\377\377\377\377\377' \
		>>"$1/oracle"
}

# ----------------------------------------------------------------------- runs
# fuzz TARGET: one run; its exit status goes to a file
fuzz()
{
	mkdir -p "seeds-$1" "corpus-$1" "artifacts-$1"
	"seed_$1" "seeds-$1"
	extra=${FUZZ_SEEDS:+$FUZZ_SEEDS/$1}
	[ -d "$extra" ] || extra=
	max=16384
	[ "$1" = subbuf ] && max=4097
	build/tests/fuzz/fuzz-"$1" -seed="${FUZZ_SEED:-1}" -max_total_time="$seconds" -timeout=20 \
		-rss_limit_mb=1024 -max_len=$max -print_final_stats=1 \
		-artifact_prefix="artifacts-$1/" \
		"corpus-$1" "seeds-$1" ${extra:+"$extra"} >"$1.log" 2>&1
	echo $? >"$1.status"
}

# told TARGET: what its log says of its runs
told()
{
	sed -n 's/^stat::number_of_executed_units: */runs /p
		s/^stat::peak_rss_mb: */peak MiB /p' "$1.log" | tr '\n' ' '
}

nr=0
nr_failed=0
report()
{
	nr=$((nr + 1))
	if [ "$(cat "$1.status")" = 0 ]; then
		echo "ok $nr - fuzz-$1, $seconds s: $(told "$1")"
		return
	fi
	nr_failed=$((nr_failed + 1))
	echo "not ok $nr - fuzz-$1"
	grep -E -A 12 'ERROR: |runtime error|SUMMARY: ' "$1.log" | head -n 40 |
		sed 's/^/# /'
	out=${out:-$(mktemp -d "${TMPDIR:-/tmp}/mmcap-fuzz-found.XXXXXX")}
	mkdir -p "$out"
	cp "$1.log" "artifacts-$1"/* "$out" 2>/dev/null
	echo "# its input and its output are in $out"
}

# shellcheck disable=SC2086
set -- $targets
while [ $# -gt 0 ]; do
	one=$1
	two=${2:-}
	shift
	[ -z "$two" ] || shift
	fuzz "$one" &
	[ -z "$two" ] || fuzz "$two"
	wait
	report "$one"
	[ -z "$two" ] || report "$two"
done
echo "1..$nr"
[ $nr_failed -eq 0 ]
