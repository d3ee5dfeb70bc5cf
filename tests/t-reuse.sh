#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-reuse.sh - mm-reuse as one types it: tables, report, options, exit status
. "${top_srcdir:?}/tests/lib.sh"

data=$top_srcdir/tests/data
cd "$work" || exit 99

# Golden files do not change with the version.
unversioned()
{
	sed -e 's/mm-reuse [0-9][0-9.]*/mm-reuse VERSION/' \
	    -e 's/"release":"[0-9.]*"/"release":"VERSION"/' "$1" >"$1.cmp"
}

# golden DESCRIPTION NAME OPTION...
golden()
{
	g_what=$1
	g_name=$2
	shift 2
	mm-reuse "$@" >"$g_name"
	unversioned "$g_name"
	same "$g_what" "$g_name.cmp" "$data/$g_name"
}

# ------------------------------------------------------------------- logs
cat >base.in <<'END'
meta kernel.release 6.18.0-base
meta page.size 4096
meta memory.max 16384
1000 0 10 read 8:1 1 0 0
2000 0 10 read 8:1 1 1 1
3000 0 10 read 8:1 1 2 2
4000 0 10 read 8:1 1 0 0
5000 1 11 read 8:1 1 1 1
6000 1 11 read 8:1 1 2 2
7000 1 11 read 8:1 1 3 3
8000 1 11 read 8:1 1 3 3
9000 1 11 fault 8:1 1 0
9500 1 11 map 8:1 1 0 15
END
cat >fg.in <<'END'
meta kernel.release 6.18.0-fg
meta page.size 4096
1000 0 10 read 8:1 1 0 0
2000 0 10 read 8:1 1 1 1
3000 0 10 read 8:1 1 0 0
4000 0 10 read 8:1 1 600 600
5000 0 0 loss 5
5000 1 10 read 8:1 2 0 0
6000 1 0 loss unknown
END
mklog base.mmt <base.in
mklog fg.mmt <fg.in
mklog lossless.mmt <<'END'
1000 0 10 read 8:1 1 0 0
END
mklog zero.mmt </dev/null
(cat base.in; echo killed) | mklog killed.mmt
head -c -200 base.mmt >cut.mmt

# ----------------------------------------------------------------- golden
golden "report of one run" reuse-one.txt base=base.mmt
golden "report of two runs" reuse-two.txt base=base.mmt fg=fg.mmt
golden "summary as CSV" reuse-summary.csv --csv summary base=base.mmt fg=fg.mmt
golden "histogram as CSV" reuse-histogram.csv --csv histogram \
	base=base.mmt fg=fg.mmt
golden "mrc as CSV" reuse-mrc.csv --csv=mrc base=base.mmt fg=fg.mmt
golden "all tables as JSON" reuse-all.json -j base=base.mmt fg=fg.mmt

text "report of two runs" reuse-two.txt
ok "squeezed blanks leave each summary row whole" check_rows reuse-two.txt metric
ok "squeezed blanks leave each curve row whole" \
	check_rows reuse-two.txt cache_pages
mm-reuse a=base.mmt b=fg.mmt a_label_that_is_longer_than_most=base.mmt \
	d=fg.mmt >four.txt
text "report of four runs" four.txt
ok "four runs squeeze, too" check_rows four.txt metric
mm-reuse --help >help.txt
text "help" help.txt
ok "loss stands in the first lines" sh -c \
	'head -5 reuse-two.txt | grep -q "fg 5 (50.000%) and 1 gap, number unknown"'

# ---------------------------------------------------- known answers, by log
# Each trace of the list as a log of one-page reads; the curve that comes out
# is a step function that must give the misses and ratios of the list.
awk '/^\[/ { gsub(/[][]/, ""); name = $1; n = 0; delete page
	     printf "" >(name ".in") }
     /^trace/ { for (i = 3; i <= NF; i++) {
			if (!($i in page))
				page[$i] = n++
			print i * 1000, 0, 1, "read 8:1 1", page[$i], page[$i] \
				>(name ".in")
		} }
     /^accesses|^C=/ { print >(name ".want") }' "$data/mrc-expected.txt"

check_known()
{
	mm-reuse --csv summary x="$1.mmt" >"$1.sum" &&
	mm-reuse --csv mrc x="$1.mmt" >"$1.csv" &&
	awk -F '[ =,]' '
		FILENAME ~ /sum$/ { got[$1] = $3; next }
		FILENAME ~ /csv$/ { if ($1 ~ /^[0-9]/) row[nr++] = $0; next }
		/^accesses/ {
			bad += got["accesses"] != $2
			bad += got["cold_accesses"] != $4
			bad += got["distinct_pages"] != $6
			seen++
		}
		/^C/ {
			for (i = 0; i < nr; i++) {
				split(row[i], c, ",")
				if (c[1] <= $2 + 0)
					at = row[i]
			}
			split(at, c, ",")
			if (c[5] == "")
				c[5] = "undefined"
			bad += c[3] != $4 || c[4] != $6 || c[5] != $10
			seen++
		}
		END { exit bad > 0 || !seen }' FS='[,]' "$1.sum" FS='[,]' \
		"$1.csv" FS='[ =_]' "$1.want"
}

for trace in m0*.in; do
	name=${trace%.in}
	mklog "$name.mmt" <"$trace"
	ok "known answers of $name" check_known "$name"
done

# A folio of four pages, one page of it read, then all: pages are the unit.
mklog folio.mmt <<'END'
1000 0 1 add 8:1 1 0 256 2
1001 0 1 read 8:1 1 2 2
1002 0 1 read 8:1 1 0 3
1003 0 1 remove 8:1 1 0 256 2
1004 0 1 add 8:1 1 2 512 0
END
mm-reuse --csv summary folio.mmt >folio.csv
is "requests become pages" "$(awk -F , '/^(accesses|distinct_pages|cold_accesses|distance_max|requests),/ { printf "%s=%s ", $1, $3 }' folio.csv)" \
	"accesses=5 distinct_pages=4 cold_accesses=4 distance_max=2 requests=2 "

# ----------------------------------------------------------- labels, delta
cell()
{
	awk -F , -v row="$1" -v col="$2" '$1 == row { print $col }'
}
mm-reuse --csv summary base=base.mmt fg=fg.mmt fg=fg.mmt base=base.mmt >abba.csv
is "a repeated label gets a column of its own" \
	"$(grep ^metric abba.csv)" "metric,unit,base,fg,fg_2,base_2,delta_pct"
is "delta between the means of two labels" "$(cell accesses 7 <abba.csv)" -44.44
mm-reuse --csv summary a=base.mmt b=fg.mmt c=fg.mmt >three.csv
is "no delta between three labels" "$(cell accesses 6 <three.csv)" ""
mkdir "x=y"
cp base.mmt "x=y/"
is "what stands before a / is no label" \
	"$(mm-reuse --csv mrc "./x=y/base.mmt" | grep ^cache)" \
	"cache_pages,cache_bytes,base_misses,base_miss_ratio,base_miss_ratio_without_cold"
mm-reuse "$(printf 'a\033[31m"b,c')=base.mmt" >odd.txt
text "hostile label" odd.txt
is "hostile label becomes a plain column" \
	"$(mm-reuse --csv summary "$(printf 'unit\n,"b')=base.mmt" | grep ^metric)" \
	"metric,unit,unit___b,delta_pct"
is "a label does not take a column of the table" \
	"$(mm-reuse --csv summary unit=base.mmt | grep ^metric)" \
	"metric,unit,unit_2,delta_pct"
is "a log from standard input" \
	"$(mm-reuse --csv summary - <base.mmt | cell accesses 3)" 9

# ------------------------------------------------------------------- parts
is "--time in seconds" \
	"$(mm-reuse --csv summary --time 0.000001,0.000004 base.mmt | cell accesses 3)" 4
is "--time open at the end" \
	"$(mm-reuse --csv summary --time 0.000006, base.mmt | cell accesses 3)" 3
is "--time in shares" \
	"$(mm-reuse --csv summary --time 50%-100% base.mmt | cell accesses 3)" 4
is "-C" "$(mm-reuse --csv summary -C 1,3-9 base.mmt | cell accesses 3)" 5
status "part is named" 0 mm-reuse --time 0,1 -C 0 base.mmt
ok "in the report" grep -q '^part: --time 0,1 -C 0$' out
status "a part behind the end" 1 mm-reuse --time 100,200 base.mmt
says "names the length" "hint: the log is 8.5 us long"

status "a part without an access: -C" 1 mm-reuse -C 9 base=base.mmt
says "says which part" "mm-reuse: base.mmt: no access in -C 9"
says "and what there is" "hint: the whole log has 10 events of 2 CPUs in 8.5 us"
is "and prints no zeros" "$(cat out)" ""
status "a part without an access: --time" 1 \
	mm-reuse --time 0.0000086,0.0000087 -C 0 base.mmt
status "and of the second log" 1 mm-reuse -C 1 base.mmt lossless.mmt
says "names it" "lossless.mmt: no access in -C 1"
ok "no difference, no column for it" sh -c \
	'mm-reuse base.mmt | grep -q "^metric *unit *base$"'
ok "nor with three labels" sh -c '! mm-reuse base.mmt fg.mmt lossless.mmt |
	grep -q delta_pct'
status "--from with a log" 1 mm-reuse --from csv base.mmt
says "says both" "base.mmt: is a log of mmcap, but --from says csv"
says "and the way out" "hint: leave out --from"
status "a label that is altered" 0 mm-reuse "a b=base.mmt" unit=fg.mmt
says "is said" "mm-reuse: label 'a b' is printed as a_b"
says "and a number, too" "mm-reuse: label 'unit' is printed as unit_2"
mm-reuse base=base.mmt fg=fg.mmt fg=fg.mmt >out 2>err
is "a repeated one is not" "$(cat err)" ""

# ------------------------------------------------------------- exit status
status "a clean log" 0 mm-reuse --strict base.mmt
status "loss" 0 mm-reuse fg.mmt
status "loss, --strict" 3 mm-reuse --strict fg.mmt
status "a killed recorder" 0 mm-reuse killed.mmt
ok "is said" grep -q '^incomplete: killed: .* not closed in order' out
status "a killed recorder, --strict" 3 mm-reuse --strict killed.mmt
status "a cut log" 1 mm-reuse cut.mmt
says "names the offset" "offset"
says "and the way out" "hint: --salvage"
status "a cut log, --salvage" 0 mm-reuse --salvage cut.mmt
ok "says what is missing" grep -q '^incomplete: cut: ' out
status "a cut log, --salvage --strict" 3 mm-reuse --salvage --strict cut.mmt
status "no such log" 1 mm-reuse nosuch.mmt
says "names it" "mm-reuse: nosuch.mmt: No such file or directory"
status "a foreign file" 1 mm-reuse base.in
status "no event at all" 0 mm-reuse zero.mmt
ok "has no curve" grep -q '^no accesses, so there is no curve$' out
ok "and no number for 0/0" sh -c 'mm-reuse --csv mrc zero.mmt | grep -qx 0,0,0,,'
status "one access" 0 mm-reuse lossless.mmt

mklog adds.mmt <<'END'
no read fault map
1000 0 1 add 8:1 1 0 256 0
END
status "a log of adds only" 1 mm-reuse adds.mmt
says "is refused with the reason" "adds.mmt: has no access events (adds and removals are not accesses)"
says "and the way out" "hint: mm-refault"

mklog big.mmt <<'END'
meta page.size 65536
1000 0 1 read 8:1 1 0 0
END
status "runs of other page sizes" 1 mm-reuse base=base.mmt big=big.mmt
says "are not compared" "page size of base is 4096, of big 65536"
is "a page of 64 KiB" "$(mm-reuse --csv summary big.mmt | cell footprint_bytes 3)" 65536

# usage WORDS HINT OPTION...
usage()
{
	us_says=$1
	us_hint=$2
	shift 2
	status "usage: $*" 2 mm-reuse "$@"
	says "says: $us_says" "mm-reuse: $us_says"
	[ -z "$us_hint" ] || says "hint: $us_hint" "hint: $us_hint"
}
usage "option --slavage is unknown" "did you mean --salvage?" --slavage base.mmt
usage "option -x is unknown" "--help lists" -x base.mmt
usage "option --time needs a value" "" base.mmt --time
usage "table mcr is unknown" "did you mean --csv mrc?" --csv mcr base.mmt
usage "table zzzz is unknown" "tables: summary histogram mrc" --csv zzzz base.mmt
usage "no log is named" "mm-reuse base=BASE.mmt"
usage "--plot needs a directory" "add -o DIR" --plot base.mmt
usage "--time 5: not understood" "seconds from" --time 5 base.mmt
usage "--time 9,5: not understood" "seconds from" --time 9,5 base.mmt
usage "--time 5%,101%: not understood" "seconds from" --time 5%,101% base.mmt
usage "-C 3-1: not understood" "a list of CPUs" -C 3-1 base.mmt
usage "-C 1,: not understood" "a list of CPUs" -C 1, base.mmt
usage "'=base.mmt' has no label" "LABEL=FILE" =base.mmt
usage "'base=' has no file name" "LABEL=FILE" base=
usage "standard input is named twice" "" - fg=-
usage "option --help takes no value" "--help lists" --help=X
usage "option --plot takes no value" "--help lists" --plot=3 base.mmt
usage "--stem: its value is empty" "a file name" -o d --stem "" base.mmt
usage "--time: its value is empty" "seconds from" --time= base.mmt
usage "--stem ../x: not understood" "a file name" -o d --stem ../x base.mmt

if [ -c /dev/full ]; then
	ok "a full disk is an error" sh -c \
		'mm-reuse base.mmt >/dev/full 2>err; [ $? -eq 1 ]'
	says "with its reason" "standard output: No space left on device"
else
	skip "a full disk is an error" "no /dev/full"
fi
status "--version" 0 mm-reuse --version
ok "goes to stdout" grep -q '^mm-reuse [0-9]' out

# ------------------------------------------------------------ files, charts
mkdir out.d
echo precious >victim
ln -s ../victim out.d/reuse-mrc.csv
status "a link in the way" 1 mm-reuse -o out.d base=base.mmt fg=fg.mmt
says "is not replaced" "mm-reuse: out.d/reuse-mrc.csv: is a symbolic link"
is "nor followed" "$(cat victim)" precious
is "and is seen before the work" "$(cat out; ls -A out.d)" "reuse-mrc.csv"
rm out.d/reuse-mrc.csv
echo former >out.d/reuse-mrc.csv
status "-o" 0 mm-reuse -o out.d base=base.mmt fg=fg.mmt
is "every table is a file" "$(ls -A out.d | tr '\n' ' ')" \
	"reuse-histogram.csv reuse-mrc.csv reuse-summary.csv "
unversioned out.d/reuse-mrc.csv
same "the same as on stdout" out.d/reuse-mrc.csv.cmp "$data/reuse-mrc.csv"
status "-o makes the directory; --stem" 0 mm-reuse -o new.d --stem ab base.mmt
is "names the files" "$(ls -A new.d | tr '\n' ' ')" \
	"ab-histogram.csv ab-mrc.csv ab-summary.csv "
status "-o on a file" 1 mm-reuse -o victim nosuch.mmt
says "says so before logs are read" "mm-reuse: victim: Not a directory"
status "a log that is not there" 1 mm-reuse -o made.d nosuch.mmt
ok "leaves no directory" test ! -e made.d
mkdir full.d
if mount -t tmpfs -o size=16k mmcap-test full.d 2>/dev/null; then
	dd if=/dev/zero of=full.d/rest bs=4096 2>/dev/null
	status "-o on a full disk" 1 mm-reuse -o full.d base.mmt
	says "names the reason" \
		"mm-reuse: full.d/reuse-summary.csv: No space left on device"
	is "leaves nothing" "$(ls -A full.d)" "rest"
	umount full.d
else
	skip "-o on a full disk" "no right to mount a tmpfs"
fi
if command -v gnuplot >/dev/null; then
	status "--plot" 0 mm-reuse -o p.d --plot base=base.mmt fg=fg.mmt
	ok "draws the curve" test -s p.d/reuse-mrc.svg
	text "chart as text" p.d/reuse-mrc.txt
else
	skip "--plot" "gnuplot is not installed"
fi
mkdir alone && cp "$top_builddir/analyze/mm-reuse" alone
status "--plot without mm-plot" 1 env PATH=/nonexistent \
	alone/mm-reuse -o q.d --plot base.mmt
says "says so" "mm-reuse: mm-plot: not"
ok "but the tables are there" test -s q.d/reuse-mrc.csv

finish
