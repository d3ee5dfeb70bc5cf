#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-import-probes.sh - events of probes become kinds by their definitions
#
# MMCAP_DATA names a directory with guest-6.12.trace.dat and the definitions
# that it was recorded with; without it the recordings of tests/data are used
# alone.

. "$top_srcdir/tests/lib.sh"

cd "$work" || exit 99

# events LOG KIND: how many there are
events()
{
	mm-log info "$1" | awk -v kind="$2" '$3 == kind && NF == 4 {
		n += $1 } END { print n + 0 }'
}

# column LOG EVENT FIELD...: the values, without heads
column()
{
	column_log=$1
	column_event=$2
	shift 2
	mm-log dump -e "$column_event" -F "$(echo "$*" | tr ' ' ,)" \
		"$column_log" | grep -v '^#'
}

# addresses LOG: values in the kernel's half of the address space
addresses()
{
	mm-log dump -j "$1" | grep -cE ':18[34][0-9]{17}[,}]'
}

# ---------------------------------------------------------------- a small text
cat >trace.txt <<'END'
# tracer: nop
             cat-7     [000] d..1.     1.000001: mm_lru_insertion: folio=0xffffea0000040000 pfn=0x1000 lru=2 flags=0x24
             cat-7     [000] d..1.     1.000002: mm_lru_insertion: folio=0xffffea0000040040 pfn=0x1001 lru=2 flags=0x24
             cat-7     [000] d..1.     1.000003: back: (workingset_refault+0x0/0x1e0) folio=0xffffea0000040040 s=0x40002001 m=0xff137d144051bde8 ino=12 dev=266338304 index=5
             cat-7     [000] d..1.     1.000004: back: (workingset_refault+0x0/0x1e0) folio=0xffffea0000040000 s=0x40002001 m=0xff137d144051bde9 ino=18446744072046630532 dev=9 index=6
             cat-7     [000] d..1.     1.000005: gone: (shrink_folio_list+0x4/0x20 <- workingset_eviction) arg1=0x40002001
             cat-7     [000] d..1.     1.000006: half: (workingset_refault+0x0/0x1e0) folio=0xffffea0000040040
             cat-7     [000] d..1.     1.000007: mm_filemap_add_to_page_cache: dev 254:0 ino c pfn=0x1000 ofs=0 order=0
             cat-7     [000] d..1.     1.000008: mm_filemap_delete_from_page_cache: dev 254:0 ino c pfn=0x1000 ofs=0 order=0
             cat-7     [000] d..1.     1.000009: what: (do_exit+0x0/0x1e0) code=1
END
cat >defs <<'END'
# what was set
p:me/back workingset_refault folio=$arg1:x64 s=$arg2:x64 m=+24($arg1):x64 ino=+64(+0(+24($arg1))):u64 dev=+16(+40(+0(+24($arg1)))):u32 index=+32($arg1):u64
r10:me/gone workingset_eviction $retval:x64
p:me/half workingset_refault folio=$arg1
p:me/what do_exit code=$arg1
not a probe
END
status "text, without definitions" 0 mm-log import -f -o plain.mmt trace.txt
is "all are custom events" "$(events plain.mmt refault) $(events plain.mmt \
	evict-shadow) $(events plain.mmt other)" "0 0 5"
status "text, with definitions" 0 \
	mm-log import -f -o text.mmt --formats defs trace.txt
says "a line that is none is told" "defs: line 6: not a definition of a probe"
says "so is a field that is missing" "field shadow is missing"
is "each has its kind" "$(events text.mmt refault) $(events text.mmt \
	evict-shadow) $(events text.mmt other)" "2 1 2"
is "values by their roles; a folio's address becomes its frame" \
	"$(column text.mmt me:back dev ino index pfn mapping shadow)" \
	"$(printf '254:0 12 5 0x1001 4 0x40002001\n%s' \
		'0:0 0 6 0x1000 5 0x40002001')"
is "no address is left" "$(addresses text.mmt)" 0
mm-log info text.mmt >info
text "info" info
ok "info has the definition" grep -q \
	'^defined: r10:me/gone workingset_eviction \$retval:x64$' info
status "the same by --probes" 0 \
	mm-log import -f -o again.mmt --probes defs trace.txt
mm-log dump -j text.mmt | tail -n +2 >a
mm-log dump -j again.mmt | tail -n +2 >b
same "gives the same events" b a
mkdir dir && cp defs dir/kprobe_events
status "the same by a directory" 0 \
	mm-log import -f -o again.mmt --formats dir trace.txt
mm-log dump -j again.mmt | tail -n +2 >b
same "gives the same events, too" b a
sed 's/: \(back\|gone\|half\|what\):/: me:\1:/
	s/mm_lru/pagemap:mm_lru/; s/mm_filemap/filemap:mm_filemap/; s/^ *cat-7 *\[000\] d..1./cat 7 [000]/' \
	trace.txt >perf.txt
status "text of perf script" 0 \
	mm-log import -f -o perf.mmt --probes defs perf.txt
is "has the same kinds" "$(events perf.mmt refault) $(events perf.mmt \
	evict-shadow)" "2 1"
status "a file without definitions" 1 \
	mm-log import -f -o no.mmt --probes trace.txt trace.txt
says "is refused" "no definition of a probe in it"
ok "and leaves nothing" test ! -e no.mmt
status "formats that are not there" 1 \
	mm-log import -f -o no.mmt --formats nowhere trace.txt
says "are an error" "nowhere: No such file or directory"
status "formats without definitions" 0 \
	mm-log import -f -o no.mmt --formats trace.txt trace.txt
says "are told of" "has no definition of a probe, and is not used"
status "an analyzer takes them, too" 0 \
	mm-refault --probes defs --csv summary trace.txt

# --------------------------------------------------- recordings of three kernels
if ! command -v zstd >/dev/null; then
	skip "recordings of three kernels" "zstd is not installed"
else
	for v in 6.1 6.12 7.3; do
		mkdir "$v"
		zstd -dcq "$top_srcdir/tests/data/fixtures/mm-$v.tar.zst" |
			tar -xf - -C "$v" ./cpu0.raw ./formats ./dynamic_events
	done
fi

# fixture KERNEL REFAULTS EVICTIONS REMOVALS
fixture()
{
	status "raw pages of $1" 0 mm-log import -f -o with.mmt --from raw \
		--formats "$1" "$1/cpu0.raw"
	is "$1: refaults as the kernel counted, evictions, removals" \
		"$(events with.mmt refault) $(events with.mmt evict) $(events \
			with.mmt cache-remove)" "$2 $3 $4"
	is "$1: none is a custom event of a probe" \
		"$(mm-log info with.mmt | grep -c ' other  *mmx:')" 0
	# the probe fires just before the tracepoint: the same page, the same
	# frame, found out in two ways
	column with.mmt cache-remove dev ino index pfn >a
	column with.mmt remove dev ino index pfn >b
	same "$1: probe and tracepoint agree on every removal" a b
	column with.mmt lru-add pfn >a
	column with.mmt lru-insert pfn >b
	same "$1: and on every LRU insertion" a b
	is "$1: no address is left, and so none is told of" \
		"$(addresses with.mmt) $(mm-log info with.mmt |
			grep -c 'kernel.addresses')" "0 0"
	status "$1: repacked" 0 mm-log repack -f -o small.mmt with.mmt
	mm-log dump -j with.mmt | tail -n +2 >a
	mm-log dump -j small.mmt | tail -n +2 >b
	ok "$1: the same events" cmp a b

	status "$1: without definitions" 0 mm-log import -f -o plain.mmt \
		--from raw --formats "$1/formats" "$1/cpu0.raw"
	is "$1: probes are custom events, and may hold addresses" \
		"$(events plain.mmt refault) $(mm-log info plain.mmt |
			grep -c 'kernel.addresses: yes')" "0 1"
	for table in summary distance; do
		for log in with plain; do
			mm-refault --csv $table x=$log.mmt | grep -v '^#' >$log
		done
		same "$1: mm-refault $table is the same" with plain
	done
}
if command -v zstd >/dev/null; then
	fixture 6.1 3486 6655 8703
	fixture 6.12 3487 6655 8703
	fixture 7.3 3461 4740 6788
fi

# --------------------------------------------------------------- a large guest
guest=$MMCAP_DATA/guest-6.12.trace.dat
if [ ! -e "$guest" ]; then
	skip "recording of a guest" "no $guest"
	finish
fi
status "guest" 0 mm-log import -f -o guest.mmt \
	--formats "$MMCAP_DATA/guest-6.12.kprobe_events" "$guest"
while read -r kind want; do
	is "guest: $kind" "$(events guest.mmt "$kind")" "$want"
done <<'END'
refault 123616
evict 234700
evict-shadow 234700
gen-update 35535
gen-inc 4090
mark-accessed 284692
cache-add 216692
cache-remove 216691
evict-begin 4223
gen-try-end 8
END
is "guest: new generations" \
	"$(column guest.mmt gen-try-end ret | grep -c '^1$')" 8
column guest.mmt cache-remove dev ino index pfn >a
column guest.mmt remove dev ino index pfn >b
ok "guest: probe and tracepoint agree on every removal" cmp a b

# Values as trace-cmd prints them, of the first 3000 events of each type; where
# a folio is no file's, its device and inode are not kept.
cat >compare.pl <<'END'
use strict;
no warnings 'portable';
my ($ours, $theirs, $event, %name) = @ARGV;
my (@want, $nr, $bad, %base);

sub number {
	my ($v) = @_;
	return $v =~ /^0x/ ? sprintf("%u", hex $v) : $v;
}

open(my $t, '<', $theirs) or die;
while (<$t>) {
	/: \Q$event\E: +(.*)/ or next;
	push @want, { $1 =~ /(\w+)=(\S+)/g };
	last if @want == 3000;
}
open(my $o, '<', $ours) or die;
while (<$o>) {
	my %got = /(\w+)=(\S+)/g;
	my $w = $want[$nr++] or last;
	if (exists $w->{mapping} && ($w->{mapping} eq '0x0' ||
		hex(substr($w->{mapping}, -1)) & 3)) {
		$w->{dev} = $w->{ino} = 0;
	}
	$got{dev} = ($1 << 20) + $2 if ($got{dev} // '') =~ /(\d+):(\d+)/;
	for my $role (keys %name) {
		my ($x, $y) = map { number($_) } $got{$role}, $w->{$name{$role}};
		if ($role eq 'pfn') {
			# far from each other: 64 bytes of struct page a frame
			$base{hex(substr $w->{$name{pfn}}, -12) - 64 * $x} = 1;
		} elsif ($x ne $y && $bad++ < 5) {
			print "# $event $nr: $role is $x, not $y\n";
		}
	}
}
$bad++ if keys %base > 1;
printf "# %d events, %d bases, %d differ\n", $nr, scalar keys %base, $bad;
exit($bad || !$nr || $nr < @want);
END

# values EVENT ROLE=FIELD...: ours by its role, theirs by its name
values()
{
	values_event=$1
	shift
	mm-log dump -e "tp:$values_event" guest.mmt | grep -v '^#' |
		head -n 3000 >ours.txt
	# shellcheck disable=SC2046
	ok "guest: values of $values_event" perl compare.pl ours.txt \
		theirs.txt "$values_event" $(echo "$*" | tr = ' ')
}

if ! command -v trace-cmd >/dev/null || ! command -v perl >/dev/null; then
	skip "guest: values" "no trace-cmd, or no perl"
	finish
fi
trace-cmd report -R -t "$guest" 2>/dev/null | sed -E 's/: +/: /2' >theirs.txt
values ws_refault dev=dev ino=ino index=index pfn=folio page_flags=flags \
	shadow=shadow
values ws_eviction dev=dev ino=ino index=index pfn=folio page_flags=flags
values try_inc_max_seq max_seq=max_seq min_seq_anon=min_anon \
	min_seq_file=min_file memcg_id=memcgid cgroup_ino=cgino seq=seq
values update_gen dev=dev ino=ino index=index pfn=folio page_flags=flags \
	gen=newgen
values lru_add dev=dev ino=ino index=index pfn=folio page_flags=flags
values remove_mapping index=index pfn=folio reclaimed=reclaimed
finish
