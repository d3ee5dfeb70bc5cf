# SPDX-License-Identifier: GPL-2.0-or-later
# lib.sh - sourced by tests that boot guests, after tests/lib.sh
#
#	guest_boot "6.12 on" -k 6.12 -l on "$jobs/refault.sh" ...
#
# Every test of every job becomes one of ours, "6.12 on, refault: no loss".
# MMCAP_GUEST=no boots nothing.

jobs=$top_srcdir/tests/guest/jobs
[ -x "$top_builddir/capture/mmcap" ] || skip_all "built without capture"
[ "${MMCAP_GUEST-}" != no ] || skip_all "MMCAP_GUEST=no"
cd "$work" || exit 99

# guest_run WANTED OPTION... JOB...: boots; its words are in $work/boot, and
# what the jobs left in $work/guest.  Skips all where the lab cannot be had.
guest_run()
{
	gr_want=$1
	shift
	rm -rf guest
	bash "$top_srcdir/tests/guest/run.sh" -b "$top_builddir" -o guest \
		"$@" 2>boot
	gr_got=$?
	[ $gr_got -ne 77 ] || skip_all "$(head -n 1 boot)"
	[ $gr_got -eq "$gr_want" ]
}

# guest_tests NAME JOB: what the job found.  A job that did not say how many
# tests it has did not come to its end.
guest_tests()
{
	gt_plan=
	while IFS= read -r gt_line; do
		gt_text=${gt_line#* - }
		case $gt_line in
		'ok '*'# SKIP '*) skip "$1: ${gt_text%% # SKIP *}" \
			"${gt_text##*# SKIP }" ;;
		'ok '*) result 0 "$1: $gt_text" ;;
		'not ok '*) result 1 "$1: $gt_text" ;;
		'1..0 # SKIP '*)
			skip "$1" "${gt_line#*# SKIP }"
			gt_plan=0
			;;
		'1..'*) gt_plan=${gt_line#1..} ;;
		*) echo "$gt_line" ;;
		esac
	done <"guest/$2/tap"
	is "$1: ran to its end" "$gt_plan" \
		"$(grep -cE '^(not )?ok ' "guest/$2/tap")"
}

# guest_boot NAME OPTION... JOB...: all must go well
guest_boot()
{
	gb_name=$1
	shift
	guest_run 0 "$@"
	result $? "$gb_name: boot, jobs, and down again"
	sed 's/^/# /' boot
	for gb_tap in guest/*/tap; do
		[ -f "$gb_tap" ] || continue
		gb_job=$(basename "${gb_tap%/tap}")
		guest_tests "$gb_name, $gb_job" "$gb_job"
		sed "s/^/# $gb_job: /" "guest/$gb_job/err"
	done
	# a busy host makes an emulated CPU look stuck
	is "$gb_name: the kernel did not complain" "$(grep -E \
		'WARNING:|BUG:|Oops' guest/guest/dmesg |
		grep -v 'soft lockup')" ""
}

# guest_both KERNEL: what every kernel must do, MGLRU on and off
guest_both()
{
	for gk_lru in on off; do
		guest_boot "$1 MGLRU $gk_lru" -k "$1" -l $gk_lru \
			"$jobs/doctor.sh" "$jobs/refault.sh" "$jobs/endings.sh" \
			"$top_srcdir/tests/t-live.sh"
		# a log is read elsewhere as where it was made
		(cd guest/refault && mm-refault --csv summary log.mmt) >here.csv
		same "$1 MGLRU $gk_lru: the same refaults on this machine" \
			here.csv guest/refault/summary.csv
	done
}
