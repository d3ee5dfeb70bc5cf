#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-import-oracle.sh - imported events against trace-cmd's reading of them
#
# MMCAP_DATA names a directory with recordings (*.trace.dat).  The first
# 100,000 events of each are compared field by field with what
# "trace-cmd report -R" prints: CPU by CPU, in order.  A field printed by
# trace-cmd in hexadecimal or in decimal must be so in all events of its type;
# where we keep a dense id for a pointer, ids and pointers must pair up.

. "$top_srcdir/tests/lib.sh"

nr_wanted=100000

command -v trace-cmd >/dev/null || skip_all "no trace-cmd"
command -v perl >/dev/null || skip_all "no perl"

set -- "$MMCAP_DATA"/*.trace.dat
[ -e "$1" ] || skip_all "no *.trace.dat in $MMCAP_DATA"

cat >"$work/compare.pl" <<'END'
use strict;
no warnings 'portable';
my ($ours, $theirs, $wanted) = @ARGV;
my (%queue, %base, %to_id, %to_ptr, $n, $bad, $nr_fields);
my %alias = (s_dev => 'dev', i_ino => 'ino', flags => 'lru_flags',
	gfp_flags => 'gfp', nr_taken => 'nr_taken');

sub complain {
	print "# $_[0]\n" if $bad++ < 10;
}

open(my $a, '<', $ours) or die;
while (<$a>) {
	/"time_ns":(\d+),"cpu":(\d+),"pid":(-?\d+),.*?"event":"([^"]*)"(.*)}/
		or next;
	push @{$queue{$2}}, [$1, $3, $4, $5];
}
open(my $b, '<', $theirs) or die;
while (<$b>) {
	# COMM-PID [CPU] SECONDS.NANOSECONDS: EVENT: FIELDS
	/-(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}): (\S+):\s+(.*)$/ or next;
	last if $n == $wanted;
	my ($pid, $cpu, $time, $name, $rest) = ($1, $2 + 0, "$3$4", $5, $6);
	my $e = shift @{$queue{$cpu}};
	$n++;
	$time =~ s/^0+(?=\d)//;
	if (!$e) {
		complain("CPU $cpu: no event for $time $name");
		next;
	}
	my ($system, $mine) = split /:/, $e->[2];
	if ($e->[0] ne $time || $e->[1] != $pid || $mine ne $name) {
		complain("CPU $cpu: $e->[0] $e->[1] $mine, not $time $pid $name");
		next;
	}
	next if $system eq 'ftrace';
	my %v;
	$v{$1} = $2 while $e->[3] =~ /"(\w+)":(-?\d+|"[^"]*")/g;
	while ($rest =~ /(\w+)=(\S+)/g) {
		my ($f, $x) = ($1, $2);
		my $k = exists $v{$f} ? $f : $alias{$f};
		if (!defined $k || !exists $v{$k}) {
			# said once more by the pfn beside it
			next if ($f eq 'folio' || $f eq 'page') && exists $v{pfn};
			complain("$name: no field $f");
			next;
		}
		my $y = $v{$k};
		$y = ($1 << 20) + $2 if $y =~ /^"(\d+):(\d+)"$/;
		my $id = "$system:$name.$f";
		$nr_fields++;
		(my $h = $x) =~ s/^0x//;
		my $m = 0;
		$m |= 1 if $x eq $y;
		$m |= 2 if $h =~ /^[0-9a-f]{1,16}$/ &&
			sprintf("%u", hex($h)) eq sprintf("%u", $y);
		$base{$id} = 3 unless defined $base{$id};
		if ($base{$id} & $m) {
			$base{$id} &= $m;
			next;
		}
		if ($y < 1000000 && $h =~ /^[0-9a-f]{8,16}$/ &&
		    ($to_id{$id}{$h} // $y) eq $y &&
		    ($to_ptr{$id}{$y} // $h) eq $h) {
			$to_id{$id}{$h} = $y;
			$to_ptr{$id}{$y} = $h;
			next;
		}
		complain("$id is $y, not $x, at $time");
	}
}
printf "# %d events, %d fields, %d differ\n", $n, $nr_fields, $bad;
exit($bad || !$n || $n < $wanted);
END

# counts of the guest recording that were checked against /proc/vmstat
known()
{
	ok "$1: $3 $2" grep -q "^ *$3  *0  $2\$" "$work/counts"
}

for file; do
	name=${file##*/}
	status "$name: import" 0 mm-log import -f -o "$work/log.mmt" "$file"
	cat "$work/out" "$work/err" >"$work/counts"
	if [ "$name" = guest-6.12.trace.dat ]; then
		known "$name" filemap:mm_filemap_add_to_page_cache 216692
		known "$name" filemap:mm_filemap_delete_from_page_cache 216691
		known "$name" filemap:mm_filemap_get_pages 129266
		known "$name" filemap:mm_filemap_fault 69291
		known "$name" pagemap:mm_lru_insertion 311921
		known "$name" pagemap:mm_lru_activate 9526
		known "$name" vmscan:mm_vmscan_lru_isolate 6965
		known "$name" vmscan:mm_vmscan_write_folio 18009
		known "$name" tp:ws_refault 123616
		known "$name" tp:ws_eviction 234700
		known "$name" tp:update_gen 35535
		known "$name" tp:mark_accessed 284692
		known "$name" tp:evict 4223
		known "$name" tp:inc_gen 4090
		ok "$name: nothing lost" \
			grep -q '^lost while recording: none' "$work/counts"
	fi
	mm-log dump -j "$work/log.mmt" | head -n $((nr_wanted * 2)) \
		>"$work/ours.json"
	trace-cmd report -R -t "$file" 2>/dev/null |
		head -n $((nr_wanted + 10)) >"$work/theirs.txt"
	ok "$name: $nr_wanted events field by field" perl "$work/compare.pl" \
		"$work/ours.json" "$work/theirs.txt" $nr_wanted
done
finish
