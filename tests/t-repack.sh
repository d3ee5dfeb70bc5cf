#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-repack.sh - mm-log repack: equal results, messages, what it keeps saying
. "$top_srcdir/tests/lib.sh"

golden=$top_srcdir/tests/data/golden
cd "$work" || exit 99
for log in one killed; do
	mklog $log.mmt <"$golden/$log.txt" || exit 99
done

# What an analyzer or a dump says of a log but for its name and size.
plain()
{
	sed -E 's/[a-z]*\.(mmt|rp)/LOG/g; s/^size: .*/size: .../'
}

eq_label=
# equal DESCRIPTION FILE REPACKED COMMAND...: the same output for both
equal()
{
	eq_name=$1
	eq_a=$2
	eq_b=$3
	shift 3
	"$@" "$eq_label$eq_a" 2>&1 | plain >.a
	"$@" "$eq_label$eq_b" 2>&1 | plain >.b
	same "$eq_name" .b .a
}

# --------------------------------------------------------------------- results
status "repack" 0 mm-log repack one.mmt -o one.rp
cp out report
text "the report" report
is "the report names both" "$(grep -c '^one[.]' report)" 2
for form in "" --csv -j --pages "--pages --csv"; do
	equal "dump $form" one.mmt one.rp mm-log dump $form
done
equal "dump -e" one.mmt one.rp mm-log dump -e add -e fault
equal "dump --time" one.mmt one.rp mm-log dump --time 0.000001,1
status "check" 0 mm-log check one.rp
ok "check: all events, by CPU" grep -q '^ *all ' out
cp out check
ok "check: blanks carry no meaning" check_rows check cpu
text "check" check
mm-log info one.mmt | grep -E '^(events|lost|duration)' | sed 's/, in .*//' >.a
mm-log info one.rp | grep -E '^(events|lost|duration)' | sed 's/, in .*//' >.b
same "info: events, CPUs, loss, duration" .b .a
eq_label=run=
equal "mm-refault" one.mmt one.rp mm-refault --csv summary
equal "mm-reuse" one.mmt one.rp mm-reuse --csv summary
eq_label=

status "repacked again" 0 mm-log repack one.rp -o again.rp
equal "again, the same" one.rp again.rp mm-log dump

# -------------------------------------------------------------- what is missing
status "a killed recording" 0 mm-log repack killed.mmt -o killed.rp
equal "its events" killed.mmt killed.rp mm-log dump --csv
status "its copy still says so" 3 mm-log check killed.rp
status "and to --strict" 3 mm-log repack -f --strict killed.mmt -o killed.rp

size=$(stat -c %s one.mmt)
head -c $((size * 3 / 4)) one.mmt >cut.mmt
status "a cut log" 1 mm-log repack cut.mmt -o cut.rp
says "where it is cut" offset
ok "no copy is left behind" test ! -e cut.rp
status "--salvage" 0 mm-log repack --salvage cut.mmt -o cut.rp
status "the copy says what is missing" 3 mm-log check cut.rp
equal "its events, salvaged" cut.mmt cut.rp \
	sh -c 'mm-log dump --salvage --csv -F time,cpu,event "$1" 2>/dev/null |
		grep -v "^#"' sh

# the last kilobyte has the only block of events, and the index
for at in 200 300 400; do
	printf 'spoiled' | dd of=one.rp bs=1 conv=notrunc 2>/dev/null \
		seek=$(($(stat -c %s one.rp) - at))
done
status "a spoiled copy" 1 mm-log dump one.rp
says "where it is spoiled" offset

# ------------------------------------------------------------------------ usage
status "no output" 2 mm-log repack one.mmt
status "output to a pipe" 2 mm-log repack one.mmt -o -
status "onto itself" 1 mm-log repack -f one.mmt -o one.mmt
status "an existing file" 1 mm-log repack one.mmt -o again.rp
status "-f" 0 mm-log repack -f one.mmt -o again.rp
status "--level 19" 0 mm-log repack -f --level 19 one.mmt -o again.rp
status "--level 20" 2 mm-log repack -f --level 20 one.mmt -o again.rp
status "no such file" 1 mm-log repack nowhere.mmt -o again2.rp
status "--help" 0 mm-log repack --help

# ------------------------------------------------------------------- real pages
formats=$MMCAP_DATA/formats-6.18.txt

# real NAME LIMIT: pages of a recording, bytes a thousand events may take
real()
{
	if [ ! -r "$MMCAP_DATA/raw-$1.tar.zst" ] || [ ! -r "$formats" ]; then
		skip "raw-$1: equal and small" "no raw-$1 in MMCAP_DATA"
		return
	fi
	mkdir "$1.d"
	zstd -dcq "$MMCAP_DATA/raw-$1.tar.zst" | tar -x -C "$1.d" &&
		raw2mmt "$1.mmt" 1 "$formats" \
			$(find "$1.d" -name '*cpu[0-9]*' | sort) >/dev/null
	rm -r "$1.d"
	status "raw-$1: repack" 0 mm-log repack "$1.mmt" -o "$1.rp"
	events=$(sed -n 's/^.*, \([0-9]*\) events,.*/\1/p' out | head -n 1)
	is "raw-$1: every event" \
		"$(mm-log dump --csv "$1.rp" | grep -v '^#' | cksum)" \
		"$(mm-log dump --csv "$1.mmt" | grep -v '^#' | cksum)"
	ok "raw-$1: $2 bytes per 1000 events" \
		test $(($(stat -c %s "$1.rp") * 1000 / ${events:-1})) -le "$2"
	rm -f "$1.mmt" "$1.rp"
}

real scan 800
real real 2900
finish
