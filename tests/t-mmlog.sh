#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-mmlog.sh - mm-log: golden texts, selections, messages, exit status
. "$top_srcdir/tests/lib.sh"

golden=$top_srcdir/tests/data/golden
cd "$work" || exit 99
for log in one killed; do
	mklog $log.mmt <"$golden/$log.txt" || exit 99
done

# Sizes depend on the version of zstd.
mask()
{
	sed -E 's/^size: .*/size: .../; s/: [0-9]+ bytes, /: N bytes, /
		s/^# mm-log [^ ]+ /# mm-log VERSION /'
}

# golden NAME COMMAND...: its output is that of the golden file
golden()
{
	name=$1
	shift
	"$@" 2>&1 | mask >"$name"
	same "$name" "$name" "$golden/$name"
}

# ---------------------------------------------------------------- golden texts
golden one.info mm-log info one.mmt
golden one.check mm-log check one.mmt
golden one.dump mm-log dump one.mmt
golden one.csv mm-log dump --csv one.mmt
golden one.json mm-log dump -j one.mmt
golden one.pages mm-log dump --pages one.mmt
golden one.pages.csv mm-log dump --pages --csv one.mmt
golden one.pages.json mm-log dump --pages -j one.mmt
golden killed.info mm-log info killed.mmt
golden killed.check mm-log check killed.mmt
golden killed.dump mm-log dump killed.mmt
text "info" one.info
text "info, killed" killed.info
text "check" one.check
ok "info: blanks carry no meaning" check_rows one.info events
ok "check: blanks carry no meaning" check_rows one.check cpu

# ------------------------------------------------------------------ selections
# events OPTION...: names of the events that dump prints
events()
{
	mm-log dump "$@" one.mmt | sed '/^#/d; s/^[^:]*:\([^ ]*\).*/\1/' |
		tr '\n' ' '
}

loss="loss loss "
is "-e KIND" "$(events -e add)" "add $loss"
is "-e, twice" "$(events -e add -e fault)" "add loss fault loss "
is "-e system:name" "$(events -e mklog:fault)" "loss fault loss "
is "-e glob" "$(events -e 're*')" \
	"read remove loss reclaim-begin reclaim-end loss "
is "-e system" "$(events -e mklog | wc -w)" "$(events | wc -w)"
is "--time A,B" "$(events --time 700ns,1us)" \
	"reclaim-end task-new task-rename fault loss "
is "--time A," "$(events --time 1100ns,)" "loss lru-insert "
is "--time ,B" "$(events --time ,0.0000005)" \
	"add read remove loss reclaim-begin "
is "-F" "$(mm-log dump -F index,cpu,kind -e read one.mmt | tail -n +2)" \
	"# index cpu kind
5 0 read
- 1 loss
- 0 loss"
is "-F by the kernel's name" \
	"$(mm-log dump -F v3 -e read one.mmt | grep -v '^#')" 8
is "-F: loss stays visible" \
	"$(mm-log dump -F pid -e read one.mmt | grep -c '^# .*loss nr_lost=')" 2
is "-F --csv: a field that is not there is empty" \
	"$(mm-log dump --csv -F kind,index -e read one.mmt | tail -n 1)" \
	"loss,"
is "-F -j: a field that is not there is null" \
	"$(mm-log dump -j -F kind,index -e read one.mmt | tail -n 1)" \
	'{"kind":"loss","index":null}'
is "standard input, a pipe" \
	"$(mm-log dump - <one.mmt | tail -n +2 | cksum)" \
	"$(cat one.mmt | mm-log dump - | tail -n +2 | cksum)"
is "a pipe that closes early" \
	"$( (mm-log dump one.mmt | head -n 1) 2>&1 | wc -l)" 1

# ---------------------------------------------------------- what is incomplete
status "info: counted loss" 0 mm-log info one.mmt
status "info --strict: loss" 3 mm-log info --strict one.mmt
status "dump --strict: loss" 3 mm-log dump --strict one.mmt
status "check: loss is no damage" 0 mm-log check one.mmt
status "check --strict: loss" 3 mm-log check --strict one.mmt
status "info: killed recorder" 0 mm-log info killed.mmt
status "info --strict: killed recorder" 3 mm-log info --strict killed.mmt
status "check: killed recorder" 3 mm-log check killed.mmt

size=$(wc -c <one.mmt)
head -c $((size - 100)) one.mmt >cut.mmt
status "info: a cut log" 1 mm-log info cut.mmt
says "info: where it is cut" "at offset"
says "info: what to type" "hint: --salvage"
ok "info: no result of a cut log" test ! -s out
status "dump: a cut log" 1 mm-log dump cut.mmt
status "info --salvage" 0 mm-log info --salvage cut.mmt
ok "info --salvage says what is missing" grep -q '^damage: ends inside' out
status "dump --salvage" 0 mm-log dump --salvage cut.mmt
ok "dump --salvage says first what is missing" \
	sh -c 'sed -n 2p out | grep -q "^# damage: ends inside"'
is "dump --salvage has all events" "$(grep -vc '^#' out)" 11
status "dump --salvage --strict" 3 mm-log dump --salvage --strict cut.mmt
status "check: a cut log" 3 mm-log check cut.mmt
head -c 100 one.mmt >stump.mmt
status "check: not usable" 1 mm-log check stump.mmt

# a CPU's block in the middle is overwritten
{
	echo "meta kernel.release x"
	i=0
	while [ $i -lt 200000 ]; do
		echo "$i 0 1 fault 8:1 7 $((i * 7 % 1000))"
		i=$((i + 1))
	done
} | mklog large.mmt
size=$(wc -c <large.mmt)
{
	head -c $((size / 2)) large.mmt
	echo "spoiled"
	tail -c +$((size / 2 + 9)) large.mmt
} >spoiled.mmt
is "the spoiled log is as long" "$(wc -c <spoiled.mmt)" "$size"
status "dump: stops at the damage" 1 mm-log dump -F time_ns spoiled.mmt
says "dump: names the block" "is damaged (65536 events)"
status "check: lists the block" 3 mm-log check spoiled.mmt
ok "check: with its offset" grep -q '^damage: block at offset [0-9]* is' out
# the index is gone, too: the numbers of the blocks tell
head -c $((size - 8)) spoiled.mmt >both.mmt
status "check: without index" 3 mm-log check both.mmt
ok "check: a block is missing" grep -q '^missing: CPU 0: 1 of its blocks' out
status "dump --salvage: the rest" 0 mm-log dump --salvage -F time_ns spoiled.mmt
is "dump --salvage: all but one block" "$(grep -vc '^#' out)" \
	$((200000 - 65536))

# ------------------------------------------------------------------- messages
status "no such file" 1 mm-log info nothing.mmt
says "no such file: its name" "mm-log: nothing.mmt: No such file"
status "a directory" 1 mm-log info .
status "an empty file" 1 mm-log info /dev/null
echo "hello, world" >foreign
status "a foreign file" 1 mm-log info foreign
says "a foreign file: what it is not" "not an mmcap log"
printf '\027\010Dtracing7' >trace.dat
status "a trace.dat" 1 mm-log info trace.dat
says "a trace.dat: said so" "trace.dat"
{
	head -c 8 one.mmt
	printf '\005'
	tail -c +10 one.mmt
} >newer.mmt
status "a newer version" 1 mm-log info newer.mmt
says "a newer version: said so" "log format 5"
{
	head -c 8 one.mmt
	printf '\001'
	tail -c +10 one.mmt
} >older.mmt
status "a version before the first release" 1 mm-log info older.mmt
says "an older version: said so" "an older mmcap"
status "no verb" 2 mm-log
status "a misspelt verb" 2 mm-log dmup one.mmt
says "a misspelt verb: what was meant" "mm-log dump"
status "a misspelt option" 2 mm-log dump --salvaeg one.mmt
says "a misspelt option: what was meant" "--salvage"
status "an option of another verb" 2 mm-log info -e add one.mmt
status "a missing value" 2 mm-log dump one.mmt -F
status "no log" 2 mm-log dump
status "two logs" 2 mm-log dump one.mmt killed.mmt
status "a time that is none" 2 mm-log dump --time 5 one.mmt
status "a time backwards" 2 mm-log dump --time 5,2 one.mmt
status "--pages with -e" 2 mm-log dump --pages -e add one.mmt
status "a misspelt event" 1 mm-log dump -e falut one.mmt
says "a misspelt event: what was meant" "-e fault"
ok "a misspelt event: no result" test ! -s out
status "a misspelt field" 1 mm-log dump -F indx one.mmt
says "a misspelt field: what was meant" "-F index"
for verb in info check dump; do
	status "$verb --help" 0 mm-log $verb --help
	text "$verb --help" out
	status "$verb: full disk" 1 sh -c "mm-log $verb one.mmt >/dev/full"
	says "$verb: full disk, said so" "No space left"
done
status "--version" 0 mm-log --version

finish
