#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-raw.sh - kernels' own ring-buffer pages give the events that are known
. "$top_srcdir/tests/lib.sh"

command -v zstd >/dev/null || skip_all "zstd is not installed"

data=$top_srcdir/tests/data/raw-ftrace
unpack_raw "$work/cpu"
cd "$work" || exit 99

# number FILE EVENT: as info prints it
number()
{
	awk -v name="$2" '$4 ~ name "$" { print $1 }' "$1"
}

status "a 6.18 kernel's pages" 0 \
	raw2mmt a.mmt 1 "$data/formats.txt" cpu0 cpu1
is "no record is damaged" "$(cut -d' ' -f2 out)" 0
mm-log check a.mmt >check
is "events of CPU 0" "$(awk '$1 == "0" { print $3 }' check)" 184850
is "events of CPU 1" "$(awk '$1 == "1" { print $3 }' check)" 101145
ok "the log is sound" grep -qx 'result: sound' check
mm-log info a.mmt >info
text "info" info
while read -r name want; do
	is "$name" "$(number info "$name")" "$want"
done <<'END'
mm_lru_insertion 76335
mm_filemap_add_to_page_cache 70524
mm_filemap_get_pages 53341
mm_filemap_delete_from_page_cache 40846
mm_lru_activate 25350
mm_filemap_map_pages 5093
mm_shrink_slab_start 3974
mm_shrink_slab_end 3974
mm_vmscan_lru_isolate 2099
mm_vmscan_lru_shrink_inactive 2096
mm_filemap_fault 1110
mm_vmscan_memcg_reclaim_begin 625
mm_vmscan_memcg_reclaim_end 625
mm_vmscan_lru_shrink_active 3
END
is "bytes per event, at most 4" \
	"$(awk '/^size:/ { for (i = 1; i < NF; i++) if ($(i + 1) == "bytes" &&
		$(i + 2) == "per") print ($i <= 4) }' info)" 1
is "times never step back within a CPU" \
	"$(mm-log dump -F cpu,time_ns a.mmt | awk '!/^#/ {
		if ($2 < last[$1]) n++; last[$1] = $2 } END { print n + 0 }')" 0
is "no kernel address in the log" \
	"$(mm-log dump a.mmt | grep -c 'ffff[89a-f][0-9a-f]\{11\}')" 0
status "the page stream" 0 mm-log dump --pages a.mmt
is "pages added, as many as events: all of order 0" \
	"$(grep -c ' add ' out)" \
	"$(mm-log dump -e add a.mmt | awk '!/^#/ { sub(".*order=", "")
		n += 2 ^ $0 } END { print n }')"

# Recordings of three kernels, each with its own count of what it held.
for v in 6.1 6.12 7.3; do
	tar=$top_srcdir/tests/data/fixtures/mm-$v.tar.zst
	mkdir "$v"
	zstd -dcq "$tar" | tar -xf - -C "$v" ./cpu0.raw ./cpu0.stats ./formats
	for path in "$v"/formats/header_page "$v"/formats/*/*.format; do
		name=${path#"$v"/formats/}
		printf '=== %s\n' "${name%.format}"
		cat "$path"
	done >"$v/formats.txt"
	status "pages of $v" 0 raw2mmt "$v.mmt" 1 "$v/formats.txt" \
		"$v/cpu0.raw"
	is "pages of $v: as many as the kernel counted" \
		"$(mm-log check "$v.mmt" | awk '$1 == "0" { print $3 }')" \
		"$(sed -n 's/^entries: //p' "$v/cpu0.stats")"
done

finish
