#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-import-csv.sh - access traces: CSV, 64-bit keys, libCacheSim's records
. "$top_srcdir/tests/lib.sh"

take()
{
	tk_want=$1
	tk_file=$2
	shift 2
	status "import $(basename "$tk_file")" "$tk_want" \
		mm-log import -f "$@" "$work/$tk_file" -o "$work/x.mmt"
}

rows()
{
	mm-log dump "$work/x.mmt" | grep -v '^#'
}

# bad NAME LINES WORDS: these lines are refused with these words
bad()
{
	printf "$2" >"$work/bad.csv"
	take 1 bad.csv --from csv
	says "$1" "$3"
}

printf '\357\273\277dev,ino,index,nr_pages\r\n8:1,0x10,0,4\r\n7,5,2,1\r\n' \
	>"$work/bom.csv"
take 0 bom.csv
is "BOM, CRLF, numbers of devices" "$(rows)" "\
0.000000000 [000] 0 csv:access dev=8:1 ino=16 index=0 nr=4
0.000000001 [000] 0 csv:access dev=0:7 ino=5 index=2 nr=1"
is "the clock is the order" \
	"$(mm-log info "$work/x.mmt" | grep -c 'clock: *order')" 1

cat >"$work/pages.csv" <<'END'
"page",op,time_ns,cpu,pid,who
/etc/a,access,10,0,5,x
"b ""q"",",add,20,1,6,
/etc/a,remove,30,2,7,"two
lines"
END
take 0 pages.csv
says "a column that means nothing is named" "column who is ignored"
is "any text is a page" "$(rows)" "\
0.000000010 [000] 5 csv:access dev=0:0 ino=0 index=0 nr=1
0.000000020 [001] 6 csv:add dev=0:0 ino=0 index=1 pfn=- order=0
0.000000030 [002] 7 csv:remove dev=0:0 ino=0 index=0 pfn=- order=0"

printf 'dev,ino,index,nr_pages,op\n1,1,8,4,add\n' >"$work/folio.csv"
take 0 folio.csv
is "the order of a folio" "$(rows | cut -d' ' -f7-)" "index=8 pfn=- order=2"

bad "a number with something behind it" \
	'dev,ino,index\n1,1,1\n1,2x,3\n' 'line 3, column 2 ino: not a number: 2x'
bad "a decimal comma" 'dev,ino,index\n1,1,"1,5"\n' 'column 3 index'
bad "a negative number" 'dev,ino,index\n1,1,-1\n' 'not a number: -1'
bad "a number beyond 64 bits" \
	'dev,ino,index\n1,1,18446744073709551616\n' 'not a number'
bad "a row of another width" 'dev,ino,index\n1,1\n' \
	'line 2: 2 cells where the head line has 3'
bad "an open quote, at its line" 'page\na\n"b\nc\n' 'line 3'
bad "a NUL byte" 'page\na\n\0\n' 'NUL'
bad "another operation" 'page,op\na,eat\n' 'not access, add or remove: eat'
bad "a column twice" 'page,page\na,a\n' 'a second column'
bad "no page at all" 'time_ns,cpu\n1,2\n' 'neither page nor dev, ino, index'
bad "too many pages" 'dev,ino,index,nr_pages\n1,1,1,99999999999\n' 'too large'
bad "pages that wrap" \
	'dev,ino,index,nr_pages\n1,1,18446744073709551615,2\n' 'wrap'
bad "half a folio" 'dev,ino,index,nr_pages,op\n1,1,1,3,add\n' 'power of two'

# A trace of no accesses is one, too.
printf 'page\n' >"$work/empty.csv"
take 0 empty.csv
says "a head line alone is noted" "no row"
is "and is a curve without a point to miss" "$(mm-reuse --csv summary "$work/empty.csv" |
	awk -F, '$1 == "accesses" || $1 == "cold_accesses" ||
		$1 == "distinct_pages" { print $3 }' | tr '\n' ' ')" "0 0 0 "

printf 'dev,ino,index\n1,1,1\n1,1' >"$work/cut.csv"
take 3 cut.csv
says "a last line that is cut" "the last line is cut"
is "the rows before it" "$(rows | wc -l)" 1

# keys: 5, 2^63 + 5, 5, 0
printf '\5\0\0\0\0\0\0\0\5\0\0\0\0\0\0\200\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' \
	>"$work/k.u64"
take 0 k.u64
is "keys in order of appearance" "$(rows | cut -d' ' -f1,7 | tr '\n' ' ')" "\
0.000000000 index=0 0.000000001 index=1 0.000000002 index=0 \
0.000000003 index=2 "
says "how many keys" "different keys, numbered in order of appearance: 3"
cp "$work/k.u64" "$work/plain"
take 1 plain
take 0 plain --from keys64
printf 'abc' >>"$work/k.u64"
take 3 k.u64
says "a cut record, at its offset" "offset 32: 3 bytes"

# record TIME OBJECT SIZE NEXT, each one byte's worth
record()
{
	printf "\\$1\\0\\0\\0\\$2\\0\\0\\0\\0\\0\\0\\1\\$3\\0\\0\\0"
	printf "\\$4\\0\\0\\0\\0\\0\\0\\0"
}
{
	record 1 7 10 2
	record 1 10 10 377
	record 2 7 20 377
} >"$work/t.oracleGeneral"
take 0 t.oracleGeneral
is "libCacheSim's records" "$(rows | cut -d' ' -f7 | tr '\n' ' ')" \
	"index=0 index=1 index=0 "
says "what of them is left out" "times, sizes and next accesses"
finish
