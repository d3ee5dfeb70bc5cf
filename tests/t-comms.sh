#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-comms.sh - names that others chose: nothing is printed as it is, and an
# anonymous copy has none of them
. "$top_srcdir/tests/lib.sh"

data=$top_srcdir/tests/data/import
cd "$work" || exit 99
# head COMM PID SECOND
head()
{
	printf "      $1-%d     [000] .....     1.%06d: " "$2" "$3"
}
fault='mm_filemap_fault: dev=8:1 ino=1f ofs=0'
{
	echo '# tracer: nop'
	head 'tab\\there' 7 0
	echo "$fault"
	head '\\033[2Jx' 8 1
	echo "$fault"
	head 'back\\\\\\\\x41sl"q' 9 2
	echo "$fault"
	head '\\303\\244\\377\\001' 10 3
	echo "$fault"
	head '=cmd()' 11 4
	printf 'sched_process_exec: filename=/a\033[31m/\303\244 b pid=11 old_pid=11\n'
	head 'secret' 12 5
	printf 'task_rename: pid=12 oldcomm=secret newcomm=\033[1mhidden,"x oom_score_adj=0\n'
} >odd.txt
cp "$data/comm_odd.dat" odd.dat

for in in odd.txt odd.dat; do
	log=$in.mmt
	status "$in: import" 0 mm-log import "$in" -o "$log"
	text "$in: its report" err
	status "$in: info" 0 mm-log info "$log"
	text "$in: info" out
	for form in "" --csv -j --pages; do
		status "$in: dump $form" 0 mm-log dump $form "$log"
		ok "$in: dump $form: printable" \
			sh -c '! LC_ALL=C grep -n "[^ -~]" out'
	done
	status "$in: anon" 0 mm-log anon "$log" -o anon.mmt
	text "$in: the report of anon" out
	ok "$in: no line of tasks is left out" sh -c '! grep "left out: .*task" out'
	for what in "dump --csv" "dump -j" info; do
		mm-log $what anon.mmt
	done >all
	ok "$in: no name is in the copy" sh -c \
		'! grep -E "here|sl.q|cmd|secret|hidden|x1b|x09" all'
	rm anon.mmt
done
mm-log anon odd.txt.mmt -o anon.mmt >report
ok "all names of tasks are replaced" grep -q '^replaced: 7 task names' report
finish
