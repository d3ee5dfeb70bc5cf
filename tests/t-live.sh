#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-live.sh - live: distances of a known order, refaults as the kernel counts

. "${top_srcdir:?}/tests/lib.sh" || exit 99
live_setup
group=
cleanup()
{
	[ -z "$group" ] || rmdir "$group"
	rm -rf "$data" "$work"
}
trap cleanup EXIT

# metric FILE PROGRAM NAME: one value of a summary
metric()
{
	"$2" --csv summary "$1" |
		awk -F, -v name="$3" '$1 == name { print $3 }'
}

# ------------------------------------------------- distances, to the page

# Pages 0 5 6 63, three rounds: 4 cold accesses, 8 at distance 3.
pagewl create pages 64
ino=$(stat -c %i pages)
status "a known order: recorded" 0 "$mmcap" record -q -o known.mmt \
	-e filemap --filter "i_ino == $ino" -- pagewl read pages 3 0 5 6 63
if grep -q "^yes filemap:mm_filemap_get_pages " "$work/doctor"; then
	is "accesses" "$(metric known.mmt mm-reuse accesses)" 12
	is "distinct pages" "$(metric known.mmt mm-reuse distinct_pages)" 4
	is "every distance" "$(mm-reuse --csv histogram known.mmt |
		grep -v '^#' | sed 1d | cut -d, -f 1-3)" "3,3,8"
	is "misses of 3 and of 4 pages" "$(mm-reuse --csv mrc known.mmt |
		awk -F, '$1 == 3 || $1 == 4 { print $1, $3 }' | tr '\n' ' ')" \
		"4 4 "
else
	skip "distances" "this kernel has no mm_filemap_get_pages"
fi
is "adds" "$(metric known.mmt mm-refault adds_pages)" 4
is "removals" "$(metric known.mmt mm-refault removals_pages)" 4

# --------------------------------------- refaults against the kernel's own

v1=/sys/fs/cgroup/memory
v2=/sys/fs/cgroup
make_group()
{
	if grep -qsw memory $v2/cgroup.subtree_control; then
		group=$v2/mmcap-live-$$
		limit=memory.max
	elif [ -f $v1/memory.limit_in_bytes ]; then
		group=$v1/mmcap-live-$$
		limit=memory.limit_in_bytes
	else
		return 1
	fi
	mkdir "$group" && echo 16M >"$group/$limit"
}

if ! make_group 2>/dev/null; then
	group=
	skip "refaults" "no memory cgroup can be made here"
	finish
fi
zipfread=$top_builddir/examples/zipfread
"$zipfread" -c -s 64 zipf
ino=$(stat -c %i zipf)
# shellcheck disable=SC2016
status "a workload four times its memory: recorded" 0 "$mmcap" record -q \
	-o zipf.mmt -e filemap --filter "i_ino == $ino" -e vmscan -- \
	sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" -n 15000 zipf' \
	sh "$group" "$zipfread"
kernel=$(awk '$1 == "workingset_refault_file" { print $2 }' \
	"$group/memory.stat")
ours=$(metric zipf.mmt mm-refault refaults_pages)
echo "# workingset_refault_file $kernel, refaults_pages $ours"
ok "there are refaults" test "$ours" -gt 100
# The kernel also counts pages of other files of the group (a library, a
# metadata block), and those evicted before the recording began.
ok "not more than the kernel counts" test "$ours" -le "$kernel"
ok "and hardly less" test "$((kernel - ours))" -le 16
is "no loss" "$(metric zipf.mmt mm-refault lost_events)" 0

# ----------------------------------------------------- limit of the command

# limited WHAT COMMAND...: the log has the group's limit
limited()
{
	li_name=$1
	shift
	"$mmcap" record -q -f -o limit.mmt -e task -- "$@"
	mm-log info limit.mmt >info
	is "$li_name: its cgroup" "$(sed -n 's/^cgroup: //p' info)" \
		"/${group##*/}"
	is "$li_name: its limit, by its name" \
		"$(sed -n 's/^memory limit: //p' info)" \
		"16 MiB ($limit 16777216)"
}
# shellcheck disable=SC2016
{
	limited "a command that joins and ends" \
		sh -c 'echo $$ >"$1/cgroup.procs"; exec sleep 0.05' sh "$group"
	limited "a command that joins late" \
		sh -c 'sleep 0.3; echo $$ >"$1/cgroup.procs"; exec sleep 0.1' \
		sh "$group"
	limited "a command whose child joins" \
		sh -c 'sh -c "echo \$\$ >$1/cgroup.procs; exec sleep 0.1"; exec sleep 0.2' \
		sh "$group"
}
ok "CPU and memory are in the log" sh -c \
	'grep -q "^CPU model: ." info && grep -q "^RAM: [0-9.]* [MGT]iB" info'

finish
