#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# swap.sh - in a guest with swap on zram: it is there, and the log says so

. "${top_srcdir:?}/tests/lib.sh" || exit 99
is "swap on zram" "$(awk '$1 ~ /zram/ { print $1 }' /proc/swaps)" /dev/zram0
status "a log" 0 mmcap record -q -o "${out:?}/swap.mmt" -- true
mm-log info "$out/swap.mmt" >"$work/info"
ok "the log: swap" grep -q "^swap: .*zram0" "$work/info"
sed -n 's/^swap/# swap/p' "$work/info"
finish
