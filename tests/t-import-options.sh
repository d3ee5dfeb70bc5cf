#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-import-options.sh - what the user says of an input: --page-size
. "$top_srcdir/tests/lib.sh"

data=$top_srcdir/tests/data/import
cd "$work" || exit 99
printf '%s\n' page a b c a b >keys.csv
{
	echo '# tracer: nop'
	echo ' a-1     [000] .....     1.000000: mm_filemap_fault:' \
		'dev=8:1 ino=1f ofs=131072'
} >one.txt

# import STATUS IN [OPTION...]
import()
{
	im_status=$1
	im_in=$2
	shift 2
	status "$im_in $*: exit $im_status" "$im_status" \
		mm-log import -f "$@" "$im_in" -o log.mmt
}

# stated: the page size that the log states
stated()
{
	mm-log info log.mmt | sed -n 's/^page size: //p'
}

index()
{
	mm-log dump --csv -F index log.mmt | tail -n 1
}

import 0 one.txt
is "4096 is taken" "$(index)" 32
ok "and noted" grep -q 'the page size: taken as 4096' err
for size in 64K 64k 65536 64KiB; do
	import 0 one.txt --page-size $size
	is "offsets are of 64 KiB" "$(index)" 2
	is "the log says so" "$(stated)" "64 KiB"
	ok "nothing is assumed" sh -c '! grep "page size" err'
done
import 0 one.txt --page-size 16K
is "16K" "$(index)" 8

import 0 keys.csv
is "a CSV has no page size" "$(stated)" ""
import 0 keys.csv --page-size 16K
is "but can be given one" "$(stated)" "16 KiB"
mm-reuse --csv mrc log.mmt | grep -v '^[#c]' | cut -d, -f1,2 >sizes
ok "sizes in bytes are of these pages" \
	awk -F, '$2 != $1 * 16384 { exit 1 } END { exit !NR }' sizes

import 0 "$data/good_le64_4k.dat" --page-size 4K
is "a trace.dat that agrees" "$(stated)" "4 KiB"
import 1 "$data/good_le64_4k.dat" --page-size 16K
says "one that does not: both sizes" \
	"has pages of 4096 bytes, --page-size says 16384"
import 1 "$data/good_le64_16k.dat" --page-size 4K
says "the other way" "has pages of 16384 bytes, --page-size says 4096"
import 0 "$data/good_le64_16k.dat" --page-size 16K

for size in 3000 0 256 32M 1T x "" 4Kx -4096; do
	status "--page-size '$size': usage" 2 \
		mm-log import -f "--page-size=$size" one.txt -o bad.mmt
	says "--page-size '$size': it is named" "--page-size "
	says "--page-size '$size': a hint" "hint: "
done
ok "nothing is made" test ! -e bad.mmt

# -------------------------------------------------------- what is of no use here
status "an option with an empty value" 2 mm-log import --clock "" one.txt
says "which it is" "--clock has an empty value"
status "an output without a name" 2 mm-log import one.txt -o ""
status "no input" 2 mm-log import -o log.mmt
says "what is missing" "hint: mm-log import IN -o OUT.mmt"
import 0 keys.csv --buffer top --unwrap --clock mono
for option in buffer unwrap clock; do
	says "--$option is said to be of no use" "note: --$option is not used"
done
is "the clock is what the times are" \
	"$(mm-log info log.mmt | sed -n 's/^clock: \(order\).*/\1/p')" order
import 0 one.txt --formats keys.csv
says "--formats without a probe is said to be of no use" \
	"note: --formats is not used"
import 1 one.txt --formats nowhere
says "--formats that is not there" "nowhere: No such file"
iconv -f UTF-8 -t UTF-16 one.txt >utf16.txt
import 1 utf16.txt
says "UTF-16 is known" "hint: it is UTF-16"
import 0 one.txt --clock mono
ok "it is used for a text" sh -c '! grep "is not used" err'
finish
