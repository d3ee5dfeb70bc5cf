#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-anon.sh - mm-log anon: nobody is named, nothing else has changed
. "$top_srcdir/tests/lib.sh"

cd "$work" || exit 99
secrets="alice|secret|hunter2|job[0-9]|9f3c"
{
	cat <<-'END'
		meta kernel.release 6.18.1-test
		meta page.size 4096
		meta command mmcap record -- secret --password=hunter2
		meta note run by alice
		meta cgroup /user.slice/alice.slice/secret
		meta boot.id 9f3c-9f3c
		meta swap /dev/zram0 4 KiB, /home/alice/swap 5 KiB
		meta capture.filters filemap:x if comm == "secret"
		meta owner alice
		text tasks 1 7 7 secret\n8 7 job8\n40 40 kswapd0\n41 41 kworker/u8:3-secret
		text vmstat 2 nr_free_pages 12
		text lru_gen_full 3 memcg 1 /alice\n node 0\n 7 1 2 3
		text memcg 4 cgroup /user.slice/alice.slice/secret\nfile memory.current\n4096
		text mounts 3 /dev/vda /home/alice
		1 0 7 task-new 9 secret
		2 1 7 task-rename 9 job9
		3 0 9 task-exec 9
		4 1 0 loss 5
		5 1 0 loss unknown
	END
	# three passes over more pages than fit; kswapd removes what was added
	i=0
	while [ $i -lt 900 ]; do
		t=$((i * 100 + 1000))
		p=$((i % 300))
		echo "$t $((i % 2)) 7 add 8:1 12 $p $((p + 4096)) 0"
		echo "$((t + 10)) $((i % 2)) 7 read 8:1 12 $p $p"
		[ $i -lt 200 ] ||
			echo "$((t + 20)) $((i % 2)) 40 remove 8:1 12 $(((i - 200) % 300)) $(((i - 200) % 300 + 4096)) 0"
		i=$((i + 1))
	done
	echo "999999 0 9 task-exit 9"
} >log.txt
mkdir before after
mklog before/trace.mmt <log.txt || exit 99

status "anon" 0 mm-log anon before/trace.mmt -o after/trace.mmt
cp out report
text "report" report
ok "report: what was replaced" grep -q '^replaced: 3 task names$' report
ok "report: what was left out" \
	grep -q '^left out: note, owner, text mounts$' report
ok "report: what remains" grep -q '^remains: .*inode numbers' report
ok "report: kernel threads" \
	grep -q '^remains: names of kernel threads: kswapd0, kworker/u8:3$' report
ok "report names nobody" sh -c "! grep -Eq '$secrets' report"
is "mode" "$(stat -c %a after/trace.mmt)" 600
status "the copy is sound" 0 mm-log check after/trace.mmt

# ------------------------------------------------------------------ no secrets
# texts are compressed: all of them must be looked at unpacked
mm-log info after/trace.mmt >info
mm-log dump after/trace.mmt >dump
ok "info names nobody" sh -c "! grep -Eq '$secrets' info"
ok "dump names nobody" sh -c "! grep -Eq '$secrets' dump"
ok "the file names nobody" sh -c "! grep -aEq '$secrets' after/trace.mmt"
ok "the same search finds them in the log" \
	sh -c "mm-log dump before/trace.mmt | grep -Eq '$secrets'"
ok "cgroup: its depth is kept" grep -Eq \
	'^cgroup: /cgroup-[0-9a-f]{10}/cgroup-[0-9a-f]{10}/cgroup-[0-9a-f]{10}$' info
ok "boot id" grep -Eq '^boot.id: boot-[0-9a-f]{10}$' info
ok "texts that are kept" \
	grep -q '^texts: tasks 1, vmstat 1, lru_gen_full 1, memcg 1$' info
mm-log dump --text '*' after/trace.mmt >texts
ok "texts name nobody" sh -c "! grep -Eq '$secrets' texts"
ok "the same search finds them in the log's" sh -c \
	"mm-log dump --text '*' before/trace.mmt | grep -Eq '$secrets'"
is "memcg: the path is that of the setup" "$(sed -n 's/^cgroup //p' texts)" \
	"$(sed -n 's/^cgroup: //p' info)"
ok "lru_gen_full: the counts stay" grep -q '^ 7 1 2 3$' texts

# ------------------------------------------------------------ the same results
# events LOG: all events, names of tasks apart
events()
{
	mm-log dump --csv "$1" | grep -v '^#' |
		sed -E 's/comm-[0-9a-f]{10}/NAME/g; s/secret|job[0-9]/NAME/g'
}

events before/trace.mmt >a
events after/trace.mmt >b
same "events" b a
ok "loss is among them" grep -q loss b
for tool in "mm-log info" "mm-log dump --pages --csv" \
	"mm-refault --csv summary" "mm-refault --csv distance" \
	"mm-refault --csv cause" "mm-reuse --csv summary" \
	"mm-reuse --csv histogram" "mm-reuse --csv mrc"; do
	for side in before after; do
		# shellcheck disable=SC2086
		(cd $side && $tool trace.mmt) >out.$side 2>err.$side ||
			echo "failed" >>out.$side
	done
	case $tool in
	*info)
		# how much was lost, how many events of each kind
		for side in before after; do
			sed -n '/^Recording/,/^texts/p' out.$side |
				grep -Ev '^(size|texts|events:)' >x
			mv x out.$side
		done
		;;
	esac
	ok "$tool has a result" sh -c "! grep -qx failed out.before"
	same "$tool: the same" out.after out.before
done
ok "refaults are among them" \
	sh -c "cd after && mm-refault --csv summary trace.mmt |
		grep -q '^refaults_pages,[^,]*,[1-9]'"

# ------------------------------------------------------------------------ keys
# comms LOG: the pseudonyms in it
comms()
{
	mm-log dump -e task-new -F comm "$1" | grep -v '^#'
}

mm-log anon before/trace.mmt -o again.mmt >/dev/null
ok "another key, other names" \
	test "$(comms again.mmt)" != "$(comms after/trace.mmt)"
head -c 16 /dev/urandom >key
mm-log anon --key key before/trace.mmt -o one.mmt >report
ok "--key: said so" grep -q '^key: from a file' report
mm-log anon --key key before/trace.mmt -o two.mmt >/dev/null
is "--key: the same names in another copy" "$(comms one.mmt)" \
	"$(comms two.mmt)"
same "--key: the same copy" two.mmt one.mmt
printf short >short
status "--key: too short" 1 mm-log anon --key short one.mmt -o x.mmt
says "--key: how long it has to be" "16 bytes"
ok "--key: nothing is left behind" test ! -e x.mmt
status "a pseudonym gets a pseudonym" 0 mm-log anon one.mmt -o x.mmt
rm -f x.mmt

# -------------------------------------------------------------------- the rest
status "--keep-note" 0 mm-log anon --keep-note one.mmt -o x.mmt
rm -f x.mmt
mm-log anon --keep-note before/trace.mmt -o noted.mmt >report
ok "--keep-note: it is there" \
	sh -c "mm-log info noted.mmt | grep -q '^note: run by alice'"
ok "--keep-note: said so" grep -q '^remains: facts: .*note' report
status "no output named" 2 mm-log anon one.mmt
says "no output named: what to type" "-o OUT"
status "the output exists" 1 mm-log anon one.mmt -o two.mmt
says "the output exists: what to type" "hint: -f"
status "-f" 0 mm-log anon -f one.mmt -o two.mmt
cp one.mmt kept.mmt
status "over the log itself" 1 mm-log anon -f one.mmt -o ./one.mmt
same "the log is still there" one.mmt kept.mmt
status "full disk" 1 sh -c "mm-log anon one.mmt -o full.mmt >/dev/full"
status "no such directory" 1 mm-log anon one.mmt -o nowhere/x.mmt
echo "meta raw yes" | mklog raw.mmt
status "raw addresses" 1 mm-log anon raw.mmt -o x.mmt
says "raw addresses: said so" "raw kernel addresses"
ok "raw addresses: no copy" test ! -e x.mmt
status "standard input" 0 sh -c "mm-log anon -o piped.mmt - <one.mmt"

# what the log misses, its copy misses, too
size=$(wc -c <before/trace.mmt)
head -c $((size - 100)) before/trace.mmt >cut.mmt
status "a cut log" 1 mm-log anon cut.mmt -o x.mmt
says "a cut log: what to type" "--salvage"
ok "a cut log: no copy" test ! -e x.mmt
status "--salvage" 0 mm-log anon --salvage cut.mmt -o salvaged.mmt
ok "--salvage: said first" grep -q '^incomplete: ends inside' out
status "--salvage --strict" 3 mm-log anon -f --salvage --strict cut.mmt \
	-o salvaged.mmt
status "the copy is still incomplete" 3 mm-log check salvaged.mmt
{ cat log.txt; echo killed; } | mklog killed.mmt
status "a killed recorder" 0 mm-log anon killed.mmt -o unkilled.mmt
status "a killed recorder: so is the copy" 3 mm-log check unkilled.mmt
echo "meta import.damage alice.dat: cut at 5" | mklog damaged.mmt
mm-log anon damaged.mmt -o undamaged.mmt >/dev/null
status "damage of an import is kept" 3 mm-log check undamaged.mmt
ok "damage of an import names nobody" \
	sh -c "! mm-log info undamaged.mmt | grep -q alice"
status "anon --help" 0 mm-log anon --help
text "anon --help" out

finish
