#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - the figures of DESIGN 8, beside the peers; "make bench" calls it
#
# usage: run.sh [capture] [log] [files] [long]
#
#   capture  what a recording costs the task that is traced, and the machine
#   log      sizes and speed of the log; "files" is the same without a
#            recording made for it
#   long     logs of 10^8 events and of 1 GB; "make bench-long" calls it
#
# Without arguments: capture and log.  Environment: ROUNDS (9 to capture, 5 for
# the log), PAGES (131072 pages a run of the scan, four events each),
# MMCAP_DATA (recordings; default ../shared/data), LONG_EVENTS (10^8),
# LONG_CPU_EVENTS (320000 of each of 256 CPUs), TMPDIR (default /var/tmp; some
# hundred MB).
#
# Limits are printed, not asserted: they hold on a machine of its own.

set -u
data=${MMCAP_DATA:-$top_srcdir/../shared/data}
bench=$top_builddir/tests/bench
mmcap=$top_builddir/capture/mmcap
mmlog=$top_builddir/formats/mm-log
export LC_ALL=C
work=$(mktemp -d "${TMPDIR:-/var/tmp}/mmcap-bench-XXXXXX") || exit 1

for part in lib capture log long; do
	# shellcheck source=/dev/null
	. "$top_srcdir/tests/bench/$part.sh"
done

cleanup()
{
	capture_cleanup
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

[ $# -gt 0 ] || set -- capture log
for part; do
	case $part in
	capture | log | files | long) ;;
	*)
		echo "bench: $part: not a part of the bench" >&2
		echo "hint: capture, log, files, long" >&2
		exit 2
		;;
	esac
done

echo "mmcap bench on $(uname -sr), $(nproc) CPUs"
for part; do
	echo
	case $part in
	capture) capture_bench ;;
	log) log_bench record ;;
	files) log_bench ;;
	long) long_bench ;;
	esac
done
