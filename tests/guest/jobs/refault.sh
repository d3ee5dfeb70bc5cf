#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# refault.sh - in a guest: our counts of refaults and removals are the kernel's
#
# Everything is recorded, of the whole machine, and compared with the counters
# of the whole machine.  The log and both sets of counters are left in $out.

. "${top_srcdir:?}/tests/lib.sh" || exit 99
live_setup
cd "${out:?}" || exit 99
group=/sys/fs/cgroup/refault
zipfread=$top_builddir/examples/zipfread
lru=/sys/kernel/debug/lru_gen_full

# delta COUNTER: by how much it grew in /proc/vmstat
delta()
{
	awk -v name="$1" '$1 == name { v[n++] = $2 }
		END { print n == 2 ? v[1] - v[0] : "no such counter" }' \
		vmstat.before vmstat.after
}

metric()
{
	mm-refault --csv summary log.mmt |
		awk -F, -v name="$1" '$1 == name { print $3 }'
}

# lru_gen_full of our cgroup: the oldest generation of files, and what it says
# of them: "refaults evictions".  A generation that only anonymous pages have
# has an x behind its number of files; the rows of tiers, of 7 words, follow.
oldest()
{
	awk '$1 == "memcg" { ours = $3 == "/refault" }
	     !ours { next }
	     NF == 4 && $1 ~ /^[0-9]+$/ { found = seq == "" && $NF !~ /x$/
					  if (found) seq = $1 }
	     NF == 7 && found { r += $5; e += $6 }
	     END { print seq ": " r + 0 " " e + 0 }' lru_gen_full
}

# Counters of pages have a remainder for each CPU, which the kernel adds once in
# a second, or when it is told to.
counters()
{
	echo 1 >/proc/sys/vm/stat_refresh
	cat /proc/vmstat
}

mkdir $group && echo 16M >$group/memory.max
"$zipfread" -c -s 64 "$data/zipf"
echo 3 >/proc/sys/vm/drop_caches
counters >vmstat.before
# shellcheck disable=SC2016
status "a workload four times its memory: recorded" 0 mmcap record -o log.mmt \
	-- sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" -n 15000 "$3"' \
	sh $group "$zipfread" "$data/zipf"
counters >vmstat.after
cat "$lru" >lru_gen_full
refaults=$(metric refaults_pages)
echo "# refaults $refaults, removals $(metric removals_reclaim_pages)"
is "no loss" "$(metric lost_events)" 0
status "the log is sound" 0 mm-log check log.mmt
ok "there are refaults" test "$refaults" -gt 500
is "nothing but files was reclaimed" "$(delta pgsteal_anon)" 0
is "removals by reclaim are pgsteal_file" \
	"$(metric removals_reclaim_pages)" "$(delta pgsteal_file)"
# Where a shadow is dropped before its page returns, the kernel cannot know.
is "no shadow was dropped" "$(delta workingset_nodereclaim)" 0
# MGLRU of 6.1 counts a refault only if the oldest generation of files is still
# the one that the page was evicted from.  A new cgroup has 0 to 3 and puts file
# pages into 1 and later, so none is evicted from 0.  If in the end the oldest
# is 1, then it was 1 at every eviction and at every refault: the rule leaves
# none out, and the counts of that generation are those of the recording.
if [ "${GUEST_MGLRU:?}" = on ]; then
	is "the counts of the oldest generation of files, which is 1" \
		"$(oldest)" "1: $refaults $(metric removals_reclaim_pages)"
fi
is "refaults are workingset_refault_file" "$refaults" \
	"$(delta workingset_refault_file)"
is "and those of the cgroup" "$refaults" \
	"$(awk '$1 == "workingset_refault_file" { print $2 }' \
		$group/memory.stat)"
mm-refault --csv summary log.mmt >summary.csv

if grep -q "^yes filemap:mm_filemap_get_pages " "$work/doctor"; then
	status "mm-reuse: accesses were recorded" 0 mm-reuse log.mmt
else
	status "mm-reuse: refuses a log without accesses" 1 mm-reuse log.mmt
	says "mm-reuse: why" "log.mmt: has no access events"
	says "mm-reuse: what works" "hint: mm-refault"
	ok "mm-reuse: no result" test ! -s "$work/out"
fi
rmdir $group
finish
