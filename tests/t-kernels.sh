#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-kernels.sh - offsets, arguments and page flags of three Debian kernels
#
# The recordings of tests/data/fixtures come with the kernel's BTF and its
# configuration; what they must give was read with another program, and their
# events tell whether the layout of the page flags is right.

. "$top_srcdir/tests/lib.sh"
cd "$work" || exit 99

if ! command -v zstd >/dev/null; then
	skip "types of three kernels" "zstd is not installed"
	finish
	exit
fi

# unpack KERNEL: a tree for --root
unpack()
{
	mkdir -p "$1/sys/kernel/btf" "$1/sys/devices/system/cpu" "$1/proc"
	zstd -dcq "$top_srcdir/tests/data/fixtures/mm-$1.tar.zst" |
		tar -xf - -C "$1" ./cpu0.raw ./formats ./dynamic_events \
			./vmlinux.btf ./config
	mv "$1/vmlinux.btf" "$1/sys/kernel/btf/vmlinux"
	gzip -c "$1/config" >"$1/proc/config.gz"
	echo 8191 >"$1/sys/devices/system/cpu/kernel_max"
}

# offsets WANT PATH: of 6.1, 6.12 and 7.3
offsets()
{
	got=
	for v in 6.1 6.12 7.3; do
		got="$got $(kernelfacts $v "$2" | sed 's/ .*//')"
	done
	is "$2" "${got# }" "$1"
}

# facts WANT-OF-6.1 WANT-OF-6.12 WANT-OF-7.3 WHAT
facts()
{
	is "6.1: $4" "$(kernelfacts 6.1 "$4")" "$1"
	is "6.12: $4" "$(kernelfacts 6.12 "$4")" "$2"
	is "7.3: $4" "$(kernelfacts 7.3 "$4")" "$3"
}

for v in 6.1 6.12 7.3; do
	unpack $v
done

# ----------------------------------------------------------------- offsets
offsets "32 40 32" file.f_inode
offsets "216 24 16" file.f_mapping
offsets "16 24 24" iov_iter.count
offsets "112 128 88" vm_area_struct.vm_file
offsets "104 104 144" lruvec.nonresident_age
offsets "136 136 176" lruvec.lrugen.max_seq
offsets "144 144 184" "lruvec.lrugen.min_seq[0]"
offsets "152 152 192" "lruvec.lrugen.min_seq[1]"
offsets "160 160 200" lruvec.lrugen.timestamps
offsets "2192 1712 1528" "mem_cgroup.nodeinfo[0]"
offsets "0 64 64" mem_cgroup_per_node.lruvec
offsets "200 208 248" mem_cgroup.id
offsets "248 256 296" cgroup.kn
offsets "104 96 96" kernfs_node.id
offsets "0 0 0" folio.flags
offsets "24 24 24" folio.mapping
offsets "32 32 32" folio.index
offsets "56 56 56" folio.memcg_data
offsets "0 0 0" address_space.host
offsets "40 40 40" inode.i_sb
offsets "64 64 64" inode.i_ino
offsets "16 16 16" super_block.s_dev
offsets "8 8 8" kiocb.ki_pos
offsets "16 16 16" vm_fault.pgoff
offsets "24 24 24" readahead_control._index
offsets "0 0 0" page_vma_mapped_walk.pfn
facts "no: folio.flags.f: what should have f is no struct, it has no members" \
	"no: folio.flags.f: what should have f is no struct, it has no members" \
	"0 8" folio.flags.f

# --------------------------------------------------------------- arguments
facts 1 1 2 "arg:evict_folios:*lruvec"
facts 2 2 2 "arg:try_to_inc_max_seq:seq|max_seq"
facts 2 2 2 "arg:filemap_add_folio:*folio"
facts "no: migrate_misplaced_folio: the kernel's BTF has no such function" \
	3 2 "arg:migrate_misplaced_folio:node"
facts "3 arguments, int of 4" "4 arguments, int of 4" "4 arguments, int of 4" \
	func:filemap_get_pages
facts "2 arguments, pointer of 8" "2 arguments, pointer of 8" \
	"2 arguments, pointer of 8" func:workingset_eviction

# -------------------------------------------------------------- page flags
facts \
"node 54+10, zone 51+3, cpu 30+21, gen 27+3, refs 25+2, flags 0+25" \
"node 54+10, zone 51+3, cpu 30+21, gen 27+3, refs 25+2, flags 0+24" \
"node 54+10, zone 51+3, cpu 30+21, gen 27+3, refs 25+2, flags 0+25" layout
facts \
"locked 0 referenced 1 uptodate 2 dirty 3 lru 4 active 5 workingset 6 writeback 15 head 16 reclaim 18 readahead 18 swapbacked 19 unevictable 20 swapcache 10" \
"locked 0 referenced 2 uptodate 3 dirty 4 lru 5 active 8 workingset 9 writeback 1 head 6 reclaim 16 readahead 16 swapbacked 17 unevictable 18 swapcache 10" \
"locked 0 referenced 2 uptodate 3 dirty 4 lru 5 active 8 workingset 9 writeback 1 head 6 reclaim 16 readahead 16 swapbacked 17 unevictable 18 swapcache 10 dropbehind 19" \
	flags
is "6.12: which source gave what" "$(kernelfacts 6.12 how)" \
	"BTF: 24 flags, 5 zones, 4 generations, 4 tiers; \
6.12/proc/config.gz: nodes of 10 bits, cpu and pid of 21, KASAN of 0"

# Without the configuration, from what else tells it.
if [ "$(uname -m)" = x86_64 ]; then
	mkdir -p 6.12/proc/sys/kernel
	echo 1 >6.12/proc/sys/kernel/numa_balancing
	mv 6.12/proc/config.gz .
	is "6.12: the same layout without configuration" \
		"$(kernelfacts 6.12 layout)" \
"node 54+10, zone 51+3, cpu 30+21, gen 27+3, refs 25+2, flags 0+24"
	mv config.gz 6.12/proc
fi
# Another kernel's configuration does not pass for this one's.
sed 's/^\(CONFIG_NODES_SHIFT\)=.*/\1=6/' 6.12/config | gzip >7.3/proc/config.gz
is "7.3: a configuration of another kernel" "$(kernelfacts 7.3 layout)" \
	"no: 7.3/proc/config.gz: is of another kernel: CONFIG_NODES_SHIFT is 6, \
but nodemask_t has 16 words"
gzip -c 7.3/config >7.3/proc/config.gz

# ------------------------------------------------------------- calibration
# observations LOG: one line for each insertion, with what the same folio
# showed before it, and when it was evicted
observations()
{
	mm-log dump -e lru-add -e lru-added -e evict "$1" | awk '
	/^#/ { next }
	{
		for (i = 5; i <= NF; i++) {
			split($i, kv, "=")
			f[kv[1]] = kv[2]
		}
		pfn = f["pfn"]
	}
	function put(evicted) {
		print pfn, before[pfn], after[pfn], evicted
		delete before[pfn]
		delete after[pfn]
	}
	$4 ~ /lruadd$/ {
		if (pfn in after)
			put("-")
		before[pfn] = f["page_flags"]
	}
	$4 ~ /eins$/ { after[pfn] = f["page_flags"] }
	$4 ~ /evict$/ && pfn in after { put(f["page_flags"]) }
	END {
		for (pfn in after)
			put("-")
	}'
}

# calibrated KERNEL COUNTS
calibrated()
{
	mm-log import -f -o log.mmt --from raw --formats "$1" "$1/cpu0.raw" \
		2>/dev/null
	observations log.mmt >obs
	# no other place of the generation does
	is "$1: the layout fits" "$(kernelfacts "$1" calibrate <obs)" \
		"fits: $2
of all places: 27"
}

calibrated 6.1 "10197 insertions, 10197 seen before, 6655 evicted, \
10193 neighbours"
calibrated 6.12 "10201 insertions, 10201 seen before, 6655 evicted, \
10196 neighbours"
calibrated 7.3 "7948 insertions, 7948 seen before, 4740 evicted, \
7937 neighbours"
finish
