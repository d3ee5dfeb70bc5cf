#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-guest-6.1.sh - Debian's 6.1 in a guest, MGLRU on and off

. "${top_srcdir:?}/tests/lib.sh" || exit 99
. "$top_srcdir/tests/guest/lib.sh" || exit 99
guest_both 6.1
finish
