# SPDX-License-Identifier: GPL-2.0-or-later
# log.sh - sourced by run.sh: sizes and speed of the log, beside the peers
# shellcheck shell=bash disable=SC2154
#
# CPU time of all threads, the best of the rounds.  Figures that are compared
# with each other are taken in turn within each round.

# repack_rounds NAME: NAME.mmt to NAME.re.mmt, the time in NAME.re.s
repack_rounds()
{
	for _ in $(seq "$rounds"); do
		took "$1.re" "$mmlog" repack -f -o "$work/$1.re.mmt" \
			"$work/$1.mmt"
	done
}

# log_rows NAME CAPTURE_LIMIT REPACKED_LIMIT PEER_BYTES: of NAME.mmt
log_rows()
{
	repack_rounds "$1"
	"$bench/decode" "$rounds" "$work/$1.mmt" "$work/$1.re.mmt" \
		>"$work/dec" || give_up "$1: cannot be decoded"
	nr=$(value "$work/dec" events)
	row "$1: bytes/event at capture" "$2" \
		"$(value "$work/dec" bytes_per_event)" "$4"
	row "$1: bytes/event repacked" "$3" \
		"$(value "$work/dec" bytes_per_event 2)" -
	row "$1: decode, M events/s" ">= 30" \
		"$(value "$work/dec" M_events_per_s)" -
	row "$1: decode repacked, M events/s" ">= 10" \
		"$(value "$work/dec" M_events_per_s 2)" -
	row "$1: repack, M events/s" - \
		"$(calc 2 "$nr / $(best "$work/$1.re.s") / 1e6")" none
}

# The same pages by the library and by libtraceevent.
page_rows()
{
	"$bench/pages" "$rounds" "$data/formats-6.18.txt" "$work/$1.cpu0" \
		"$work/$1.cpu1" >"$work/pages.out" ||
		give_up "$1: pages cannot be read"
	row "$1: raw pages, M events/s" ">= 100" \
		"$(value "$work/pages.out" ours)" \
		"$(value "$work/pages.out" walk) kbuffer"
	row "$1: raw pages, M events/s" ">= 100" \
		"$(value "$work/pages.out" ours)" \
		"$(value "$work/pages.out" fields) kbuffer+tep"
}

# raw_figures NAME CAPTURE_LIMIT REPACKED_LIMIT: of raw-NAME.tar.zst
raw_figures()
{
	set=$data/raw-$1.tar.zst
	if [ ! -f "$set" ] || [ ! -f "$data/formats-6.18.txt" ]; then
		absent "$1" "no raw-$1.tar.zst, formats-6.18.txt in MMCAP_DATA"
		return
	fi
	zstd -dcq "$set" | tar -C "$work" -xf - || give_up "$set: not whole"
	for _ in $(seq "$rounds"); do
		"$top_builddir/tests/raw2mmt" "$work/$1.mmt" 1 \
			"$data/formats-6.18.txt" "$work/$1.cpu0" \
			"$work/$1.cpu1" >"$work/enc" ||
			give_up "$1: cannot be encoded"
		value "$work/enc" encode_cpu_s >>"$work/$1.enc.s"
	done
	raw_bytes=$(cat "$work/$1".cpu? | wc -c)
	nr=$("$bench/decode" 1 "$work/$1.mmt" | awk '{ print $3 }')
	log_rows "$1" "$2" "$3" "$(calc 1 "$raw_bytes / $nr") raw pages"
	row "$1: decode + encode, ns/event" - \
		"$(calc 0 "$(best "$work/$1.enc.s") * 1e9 / $nr")" none
	page_rows "$1"
	rm -f "$work/$1".*
}

# Two processes at once, one on the first CPU and one on the last.
record_mix()
{
	can_record && mix_setup || return 1
	run_workload()
	{
		mix "$last_cpu" >"$work/mix.last" &
		mix 0
		wait $!
	}
	run_mmcap || { why="the recorder failed"; return 1; }
	log_facts "$work/mmcap.mmt" || { why="a bad log"; return 1; }
	mv "$work/mmcap.mmt" "$work/mix.mmt"
	[ "$lost" = 0 ] || echo "mix: $lost events were lost"
}

mix_figures()
{
	record_mix || { absent mix "$why"; return; }
	log_rows mix "<= 5.0" "<= 3.5" -
	"$mmcap" record -q -e vmscan -o "$work/true.mmt" -- true ||
		give_up "a short recording failed"
	row "recording of true, bytes" "<= 16384" \
		"$(stat -c %s "$work/true.mmt")" -
}

# trace_dat_rounds FILE NR_ROUNDS: ours and the peers in turn
trace_dat_rounds()
{
	for round in $(seq "$rounds"); do
		took import "$mmlog" import -f -o "$work/dat.mmt" "$1"
		if [ -x "$bench/tcmd" ]; then
			"$bench/tcmd" "$1" >"$work/tcmd.out" ||
				give_up "libtracecmd cannot read $1"
			value "$work/tcmd.out" cpu_s >>"$work/tcmd.s"
		fi
		if [ "$round" -eq 1 ] && command -v trace-cmd >/dev/null; then
			took report trace-cmd report "$1"
			took report-R trace-cmd report -R "$1"
		fi
	done
}

# dat_peer FILE WORD: M events/s of a peer that may not be there
dat_peer()
{
	if [ -s "$work/$1.s" ]; then
		echo "$(calc 2 "$nr / $(best "$work/$1.s") / 1e6") $2"
	else
		echo "no $2"
	fi
}

dat_figures()
{
	file=$data/guest-6.12.trace.dat
	if [ ! -f "$file" ]; then
		absent trace.dat "no guest-6.12.trace.dat in MMCAP_DATA"
		return
	fi
	trace_dat_rounds "$file"
	"$bench/decode" "$rounds" "$work/dat.mmt" >"$work/dec" ||
		give_up "the imported log cannot be decoded"
	nr=$(value "$work/dec" events)
	if [ -x "$bench/tcmd" ] &&
		[ "$(value "$work/tcmd.out" events)" != "$nr" ]; then
		give_up "libtracecmd finds other events in $file"
	fi
	import=$(calc 2 "$nr / $(best "$work/import.s") / 1e6")
	decode=$(value "$work/dec" M_events_per_s)
	row "trace.dat: bytes/event" - \
		"$(value "$work/dec" bytes_per_event)" \
		"$(calc 1 "$(stat -c %s "$file") / $nr") trace-cmd"
	row "trace.dat: import, M events/s" - "$import" \
		"$(dat_peer tcmd libtracecmd)"
	row "trace.dat: import, M events/s" - "$import" \
		"$(dat_peer report report)"
	row "trace.dat: import, M events/s" - "$import" \
		"$(dat_peer report-R "report -R")"
	row "its log: decode, M events/s" ">= 30" "$decode" \
		"$(dat_peer tcmd libtracecmd)"
}

text_figures()
{
	set=$data/mm-trace-6.18-memcg160M.ftrace.txt.zst
	if [ ! -f "$set" ]; then
		absent "ftrace text" "no ${set##*/} in MMCAP_DATA"
		return
	fi
	zstd -dcq "$set" >"$work/trace.txt" || give_up "$set: not whole"
	for _ in $(seq "$rounds"); do
		took text "$mmlog" import -f -o "$work/text.mmt" \
			"$work/trace.txt"
	done
	nr=$(wc -l <"$work/trace.txt")
	row "ftrace text: import, M lines/s" - \
		"$(calc 2 "$nr / $(best "$work/text.s") / 1e6")" none
}

# The formats of a whole recording, and no event.
header_figure()
{
	"$top_builddir/tests/raw2mmt" "$work/header.mmt" 1 \
		"$top_srcdir/tests/data/formats-6.18.txt" /dev/null \
		>"$work/enc" || give_up "a log without events cannot be made"
	row "a log without events, bytes" "<= 16384" \
		"$(stat -c %s "$work/header.mmt")" -
}

# log_bench [record]
log_bench()
{
	rounds=${ROUNDS:-5}
	command -v zstd >/dev/null || { absent log "zstd is not installed"; return; }
	echo "log: one core, CPU time, best of $rounds rounds"
	table_head
	raw_figures scan "<= 1.0" "<= 0.8"
	raw_figures real "<= 3.4" "<= 2.9"
	[ $# -eq 0 ] || mix_figures
	dat_figures
	text_figures
	header_figure
	cat <<-'END'
	kbuffer: libtraceevent, records and times only; +tep: all fields, by
	tep_read_number_field.  libtracecmd: the same of the whole file.
	report: trace-cmd report, one round.  none: no peer does this.
	END
}
