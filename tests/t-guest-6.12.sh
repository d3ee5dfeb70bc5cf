#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-guest-6.12.sh - Debian's 6.12 in a guest, MGLRU on and off

. "${top_srcdir:?}/tests/lib.sh" || exit 99
. "$top_srcdir/tests/guest/lib.sh" || exit 99
guest_both 6.12
finish
