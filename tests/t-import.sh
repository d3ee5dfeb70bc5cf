#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-import.sh - what all imports have in common: detection, report, exit
# status, and analyzers that take an input as it is

. "$top_srcdir/tests/lib.sh"
cd "$work" || exit 99

# Eight accesses to four pages.
printf '%s\n' page a b c a b d d a >good.csv
# The same as keys, and with half a record behind them.
for key in 1 2 3 1 2 4 4 1; do
	printf "\\x$key\\0\\0\\0\\0\\0\\0\\0"
done >good.keys64
{ cat good.keys64; printf 'abc'; } >cut.keys64
cat >lost.txt <<'END'
# tracer: nop
           a-1     [000] .....     1.000000: mm_filemap_fault: dev=8:1 ino=1f ofs=0
CPU:0 [LOST 17 EVENTS]
           a-1     [000] .....     1.000002: mm_filemap_fault: dev=8:1 ino=1f ofs=4096
END

# ------------------------------------------------------------- the import

status "a CSV: exit 0" 0 mm-log import good.csv -o good.mmt
says "its kind and its events are printed" "good.csv: csv, 8 events"
ok "nothing on standard output" test ! -s out
text "report of an import" err
is "the log is private" "$(stat -c %a good.mmt)" 600
status "the log is sound" 0 mm-log check good.mmt
mm-log info good.mmt >info
ok "the log says where it comes from" grep -q '^imported from: csv$' info
status "the default output" 0 mm-log import good.csv
ok "is trace.mmt" cmp trace.mmt good.mmt

cp good.mmt before.mmt
status "an output that exists: exit 1" 1 mm-log import good.keys64 -o good.mmt
says "with a hint" "hint: -f"
ok "and is left alone" cmp good.mmt before.mmt
status "-f replaces it" 0 mm-log import -f good.keys64 -o good.mmt
says "and keys are known by their name" "good.keys64: keys64, 8 events"
ok "it is another" test "$(mm-log info good.mmt | grep -c keys64)" -ge 1
cp good.csv both.csv
status "input and output are one file: exit 1" 1 \
	mm-log import -f both.csv -o both.csv
ok "which is left alone" cmp both.csv good.csv
status "no such directory: exit 1" 1 mm-log import good.csv -o no/x.mmt

mm-log import --level 1 good.csv -o one.mmt 2>/dev/null
status "--level 19" 0 mm-log import --level 19 good.csv -o best.mmt
is "and the events are the same" "$(mm-log dump best.mmt | grep -v '^#')" \
	"$(mm-log dump one.mmt | grep -v '^#')"
status "--level 0: exit 2" 2 mm-log import --level 0 good.csv -o x.mmt

# ------------------------------------------------------------------- pipes

cat good.csv | mm-log import - -o pipe.mmt 2>err
ok "standard input" grep -q '^standard input: csv, 8 events$' err
ok "gives the same log" cmp pipe.mmt one.mmt
status "a pipe with a name" 0 mm-log import <(cat good.csv) -o fifo.mmt
ok "gives the same log" cmp fifo.mmt one.mmt
yes 2>/dev/null | timeout 60 mm-log import - -o yes.mmt 2>err
is "a stream without an end that nobody knows: exit 1" $? 1

# ------------------------------------------------------ what is no input

: >empty
status "an empty file: exit 1" 1 mm-log import empty -o x.mmt
says "said so" "empty"
printf 'PERFILE2%96s' '' >perf.data
status "a perf.data: exit 1" 1 mm-log import perf.data -o x.mmt
says "named" "perf.data, not"
says "with a hint" "perf script"
status "a log: exit 1" 1 mm-log import one.mmt -o x.mmt
says "said so" "is a log already"
printf 'nothing that anybody knows\n' >other
status "an unknown kind: exit 1" 1 mm-log import other -o x.mmt
says "with the kinds there are" "oracleGeneral"
status "a file that is not there: exit 1" 1 mm-log import nosuch -o x.mmt
status "a directory: exit 1" 1 mm-log import . -o x.mmt
status "a kind that does not fit: exit 1" 1 \
	mm-log import --from tracedat good.csv -o x.mmt
ok "none of them left a log behind" test ! -e x.mmt

status "no input: exit 2" 2 mm-log import -o x.mmt
status "a log to standard output: exit 2" 2 mm-log import good.csv -o -
ok "and no file of that name" test ! -e -
status "a kind misspelt: exit 2" 2 mm-log import --from cvs good.csv
says "with a hint" "hint: did you mean --from csv?"
status "a kind that is none: exit 2" 2 mm-log import --from elephant good.csv
says "with all there are" "hint: kinds: tracedat keys64"
status "an option misspelt: exit 2" 2 mm-log import --fron csv good.csv
says "with a hint" "hint: did you mean --from?"

# ----------------------------------------------------------- damage and loss

status "a cut input: exit 3" 3 mm-log import cut.keys64 -o cut.mmt
says "what is whole is used" "cut.keys64: keys64, 8 events"
says "the damage is named" "damage: "
text "report of a damaged input" err
status "the log remembers: check gives 3" 3 mm-log check cut.mmt
ok "and info says it" grep -q '^missing in the source: ' \
	<(mm-log info cut.mmt)
status "an analysis of it: exit 0" 0 mm-reuse cut=cut.mmt
ok "which says first what is missing" grep -q '^incomplete: cut: ' out
status "--strict: exit 3" 3 mm-reuse --strict cut.mmt

status "an analysis of the cut input: exit 1" 1 mm-reuse cut=cut.keys64
says "the damage is named" "cut.keys64: "
says "with a hint" "hint: --salvage"
status "--salvage: exit 0" 0 mm-reuse --salvage cut=cut.keys64
ok "which says first what is missing" grep -q '^incomplete: cut: ' out
text "the report" out
status "--salvage --strict: exit 3" 3 mm-reuse --salvage --strict cut.keys64

status "counted loss: exit 0" 0 mm-log import lost.txt -o lost.mmt
says "with the loss" "lost while recording: 17 records"
says "and how each event fared" "mm_filemap_fault"
status "counted loss, --strict: exit 3" 3 \
	mm-log import --strict -f lost.txt -o lost.mmt
status "the same in an analyzer: exit 0" 0 mm-reuse lost.txt
status "and --strict: exit 3" 3 mm-reuse --strict lost.txt

# ---------------------------------------------- analyzers, without a log

# by_path FILE: all tables of mm-reuse, the name of the input left out
by_path()
{
	mm-reuse -j x="$1" | sed "s,$1,INPUT,g"
}

for input in good.csv good.keys64 lost.txt; do
	mm-log import -f $input -o same.mmt 2>/dev/null
	by_path same.mmt >imported
	by_path $input >direct
	same "$input: in memory as imported" direct imported
done
rm same.mmt
cat good.csv | mm-reuse --csv mrc x=- | grep -v '^#' >piped
mm-reuse --csv mrc x=good.csv | grep -v '^#' >direct
same "standard input" piped direct
mm-reuse --csv mrc x=one.mmt | grep -v '^#' >direct
mm-reuse --csv mrc x=- <one.mmt | grep -v '^#' >piped
same "a log on standard input" piped direct
is "the miss ratios" "$(tail -n 1 direct)" \
	"3,12288,4,0.500000,0.000000"
status "a log and an input side by side" 0 \
	mm-reuse --csv summary log=one.mmt csv=good.csv
ok "are the same" grep -q '^accesses,accesses,8,8,' out
status "an analyzer, a kind misspelt: exit 2" 2 mm-reuse --from cvs good.csv
says "with a hint" "hint: did you mean --from csv?"
printf '\0\0\0\0' >nul
status "an analyzer, no event: exit 1" 1 mm-reuse --from text nul
status "an analyzer, an unknown kind: exit 1" 1 mm-reuse other
status "mm-log info of an input: exit 1" 1 mm-log info good.csv
says "with a hint" "mm-log import"

# --------------------------------------------- raw pages, a file per CPU

raw=$top_srcdir/tests/data/raw-ftrace
fmt=$top_srcdir/tests/data/formats-6.18.txt
if command -v zstd >/dev/null; then
	mkdir cpus
	unpack_raw cpus/cpu .raw
	echo 'entries: 1' >cpus/cpu0.stats
	status "raw pages without formats: exit 1" 1 \
		mm-log import cpus/cpu0.raw -o x.mmt
	says "with a hint" "hint: raw pages of a kernel need --formats"
	status "a directory of raw pages" 0 \
		mm-log import --formats "$fmt" cpus -o dir.mmt
	says "their kind is found" "cpus: raw, 285995 events"
	text "report of many events" err
	status "its files" 0 mm-log import --formats "$fmt" \
		cpus/cpu1.raw cpus/cpu0.raw -o files.mmt
	mm-log dump -F time,cpu,event dir.mmt | grep -v '^#' >dir.txt
	mm-log dump -F time,cpu,event files.mmt | grep -v '^#' >files.txt
	ok "the order of the files does not matter" cmp dir.txt files.txt
	mm-refault --formats "$fmt" --csv summary x=cpus >out
	ok "the directory in an analyzer" \
		grep -q '^readds_after_removal_pages,pages,5052,' out
else
	skip "raw pages" "zstd is not installed"
fi

# ------------------------------------------------ accesses, page by page

mklog access.mmt <<'END'
with access
1000 0 5 access 8:1 7 3 1
2000 0 5 access 8:1 7 10 4
3000 0 5 access 8:1 8 68719476734 4
4000 0 5 access 8:1 7 0 0
END
mm-log dump --pages --csv access.mmt | grep -v '^#' | cut -d, -f4-8 >pages
sed -i 's/,*$//' pages
is "exactly the pages of the range" "$(tail -n +2 pages | wc -l)" 9
ok "over the end of a segment, too" grep -q ',68719476737' pages

finish
