#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-guest-lockdown.sh - kernels that were booted with lockdown=confidentiality

. "${top_srcdir:?}/tests/lib.sh" || exit 99
. "$top_srcdir/tests/guest/lib.sh" || exit 99
for kernel in 6.12 6.1; do
	guest_boot "$kernel locked down" -k $kernel -a lockdown=confidentiality \
		"$jobs/lockdown.sh"
done
finish
