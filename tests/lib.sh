# SPDX-License-Identifier: GPL-2.0-or-later
# lib.sh - what the shell tests share: TAP, exit status, the form of texts
#
#	. "$top_srcdir/tests/lib.sh"
#	ok "the sum is right" test "$sum" = 7
#	is "the sum" "$sum" 7
#	status "no such file" 1 mm-log info /nonexistent
#	text "the report" report.txt
#	skip "live capture" "tracefs is not writable"
#	finish
#
# $work is an empty directory that goes away at the end.

: "${top_builddir:?}" "${top_srcdir:?}"
LC_ALL=C
export LC_ALL
nr_tests=0
nr_failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/mmcap-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# Large recordings, where there are any; tests that need them skip without.
MMCAP_DATA=${MMCAP_DATA:-$top_srcdir/../shared/data}
export MMCAP_DATA
PATH=$top_builddir/formats:$top_builddir/analyze:$top_builddir/plot:$PATH
PATH=$top_builddir/capture:$top_builddir/tests:$PATH

# result STATUS DESCRIPTION: one line of TAP
result()
{
	nr_tests=$((nr_tests + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $nr_tests - $2"
	else
		nr_failed=$((nr_failed + 1))
		echo "not ok $nr_tests - $2"
	fi
}

# ok DESCRIPTION COMMAND...: the command succeeds
ok()
{
	ok_name=$1
	shift
	"$@"
	result $? "$ok_name"
}

# is DESCRIPTION GOT WANTED: two equal strings
is()
{
	if [ "$2" = "$3" ]; then
		result 0 "$1"
	else
		result 1 "$1"
		printf 'got:\n%s\nwanted:\n%s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

# same DESCRIPTION GOT WANTED: two equal files
same()
{
	diff -u "$3" "$2" >"$work/.diff" 2>&1
	same_ret=$?
	result $same_ret "$1"
	[ $same_ret -eq 0 ] || sed 's/^/# /' "$work/.diff"
}

# status DESCRIPTION WANTED COMMAND...: exit status; output in $work/out, err
status()
{
	st_name=$1
	st_want=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err"
	st_got=$?
	[ $st_got -eq "$st_want" ]
	result $? "$st_name"
	[ $st_got -eq "$st_want" ] ||
		{
			echo "exit $st_got, wanted $st_want: $*"
			cat "$work/err"
		} | sed 's/^/# /'
}

# says DESCRIPTION WORDS: the last status command's stderr has these words
says()
{
	grep -qF -e "$2" "$work/err"
	says_ret=$?
	result $says_ret "$1"
	[ $says_ret -eq 0 ] || sed 's/^/# stderr: /' "$work/err"
}

# check_text FILE: ASCII, at most 72 columns, no tab, no blank at a line's end
check_text()
{
	awk 'length($0) > 72 { print "# line " NR " is wide: " $0; bad = 1 }
	     /[^ -~]/ { print "# line " NR " is not plain: " $0; bad = 1 }
	     / $/ { print "# line " NR " ends in a blank: " $0; bad = 1 }
	     END { exit bad + (NR == 0) }' "$1"
}

# check_rows FILE WORD: every table whose head begins with WORD has, in each
# row, as many words as in its head: blanks carry no meaning
check_rows()
{
	awk -v word="$2" '
		NF == 0 { want = 0 }
		$1 == word { want = NF; nr++; next }
		want && NF != want {
			print "# line " NR ": " NF " words, head has " want \
				": " $0
			bad = 1
		}
		END { exit bad + (nr == 0) }' "$1"
}

# text DESCRIPTION FILE: check_text as a test
text()
{
	ok "$1: ASCII, 72 columns" check_text "$2"
}

# skip DESCRIPTION REASON
skip()
{
	nr_tests=$((nr_tests + 1))
	echo "ok $nr_tests - $1 # SKIP $2"
}

# skip_all REASON: nothing of this test can run here
skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

# unpack_raw PREFIX [SUFFIX]: the pages of a 6.18 kernel's two CPUs, whose
# numbers are known (tests/data/raw-ftrace), as PREFIX0SUFFIX and PREFIX1SUFFIX
unpack_raw()
{
	for ur_cpu in 0 1; do
		zstd -dcq "$top_srcdir/tests/data/raw-ftrace/cpu$ur_cpu.raw.zst" \
			>"$1$ur_cpu${2:-}" || exit 99
	done
}

# live_setup: for tests that record on this kernel.  Skips all where that is
# not possible, with the doctor's reason; else sets $mmcap and $data, a directory
# of its own on a file system whose page cache has events, and goes there.  The
# doctor's words are in $work/doctor.
live_setup()
{
	mmcap=$top_builddir/capture/mmcap
	[ -x "$mmcap" ] || skip_all "built without capture"
	[ "$(id -u)" = 0 ] || skip_all "recording needs root"
	if ! "$mmcap" doctor >"$work/doctor" 2>&1; then
		ls_why=$(sed -n 's/^record: //p' "$work/doctor" | head -n 1)
		# a doctor without a reason is broken, not the kernel
		[ -n "$ls_why" ] || { cat "$work/doctor"; exit 99; }
		skip_all "$ls_why"
	fi
	data=
	for ls_dir in "${TMPDIR:-/tmp}" /var/tmp "$PWD"; do
		case $(stat -f -c %T "$ls_dir") in
		tmpfs | ramfs | overlayfs) continue ;;
		esac
		data=$(mktemp -d "$ls_dir/mmcap-live.XXXXXX") && break
	done
	[ -n "$data" ] ||
		skip_all "no directory on a file system with a page cache"
	cd "$data" || exit 99
}

# The plan, at the end
finish()
{
	echo "1..$nr_tests"
	[ $nr_failed -eq 0 ] || exit 1
	exit 0
}
