# SPDX-License-Identifier: GPL-2.0-or-later
# common.sh - sourced by the guest lab's programs: messages and statuses
#
# 77 means, as for automake: it cannot be had here, and standard error says
# why.  A test skips for that reason and for no other.

: "${me:?}"
CANNOT=77
LC_ALL=C
export LC_ALL

# die STATUS MESSAGE
die()
{
	dc_status=$1
	shift
	echo "$me: $*" >&2
	exit "$dc_status"
}

# need PROGRAM PACKAGE: or it cannot be had
need()
{
	command -v "$1" >/dev/null ||
		die "$CANNOT" "$1 is not installed
hint: apt-get install $2"
}
