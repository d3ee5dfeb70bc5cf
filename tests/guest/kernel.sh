#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kernel.sh - fetches a Debian kernel and unpacks it, without installing it
#
# usage: tests/guest/kernel.sh 6.12|6.1|PACKAGE
#
# Prints the directory with the kernel: vmlinuz, config, lib/modules.  6.12 and
# 6.1 are the cloud kernels of Debian 12 (security), the newest that apt knows;
# PACKAGE is any package of a kernel, or one that depends on it.  apt verifies
# what it downloads.  The cache is $MMCAP_GUEST_CACHE, else
# $XDG_CACHE_HOME/mmcap-guest, else /var/cache/mmcap-guest (root) or
# ~/.cache/mmcap-guest.  Exit: 0 done, 1 failed, 2 usage, 77 cannot be had.

set -u
me=kernel.sh
. "$(dirname "$0")/common.sh" || exit 1
PATH=$PATH:/usr/sbin:/sbin
tmp=
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

cache_dir()
{
	if [ -n "${MMCAP_GUEST_CACHE-}" ]; then
		echo "$MMCAP_GUEST_CACHE"
	elif [ -n "${XDG_CACHE_HOME-}" ]; then
		echo "$XDG_CACHE_HOME/mmcap-guest"
	elif [ "$(id -u)" -eq 0 ]; then
		echo /var/cache/mmcap-guest
	else
		echo "$HOME/.cache/mmcap-guest"
	fi
}

# The package with the kernel itself; nothing where apt does not know one.
resolve()
{
	case $1 in
	linux-image-[0-9]*.[0-9]*.[0-9]*) echo "$1" ;;
	*)
		apt-cache depends --no-recommends "$1" 2>/dev/null |
			sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' |
			head -n 1
		;;
	esac
}

# The newest kernel of a series in the cache, for when apt cannot be asked.
cached()
{
	find "$cache" -mindepth 2 -maxdepth 2 -name vmlinuz \
		-path "*/$series.*" 2>/dev/null | sort -V | tail -n 1 |
		sed 's,/vmlinuz$,,'
}

# New lists of packages; only root may.  A network that is not there takes its
# time to say so.
update()
{
	[ "$(id -u)" -eq 0 ] && timeout 120 apt-get -q update >/dev/null 2>&1
}

fetch()
{
	(cd "$tmp" && timeout 600 apt-get -q download "$1") >"$tmp/log" 2>&1
}

# download PACKAGE: its .deb in $tmp.  The lists may be so old that the file
# has gone from the mirror: then once more.
download()
{
	fetch "$1" || { update && fetch "$1"; }
}

# unpack RELEASE: of the .deb in $tmp, moved to its place when it is whole.
# Newer packages have their modules below usr/.
unpack()
{
	dpkg-deb -x "$tmp"/*.deb "$tmp/k" &&
		{ [ -d "$tmp/k/lib" ] || ln -s usr/lib "$tmp/k/lib"; } &&
		mv "$tmp/k/boot/vmlinuz-$1" "$tmp/k/vmlinuz" &&
		mv "$tmp/k/boot/config-$1" "$tmp/k/config" &&
		rm -rf "$tmp/k/boot" "$tmp/k/usr/share" &&
		depmod -b "$tmp/k" "$1" && mv "$tmp/k" "$cache/$1"
}

# use DIRECTORY: the answer
use()
{
	echo "$1"
	exit 0
}

# give_up REASON: unless an older kernel of the series is there
give_up()
{
	old=
	[ -z "$series" ] || old=$(cached)
	[ -n "$old" ] || die "$CANNOT" "$package: $1"
	echo "$me: $package: $1: taking ${old##*/}" >&2
	use "$old"
}

[ $# -eq 1 ] || die 2 "usage: $0 6.12|6.1|PACKAGE"
series=
case $1 in
6.12) package=linux-image-6.12-cloud-amd64 series=6.12 ;;
6.1) package=linux-image-cloud-amd64 series=6.1 ;;
linux-image-*) package=$1 ;;
*) die 2 "'$1' is neither 6.12, 6.1 nor the package of a kernel" ;;
esac
[ "$(uname -m)" = x86_64 ] ||
	die "$CANNOT" "the kernels are for x86_64, this is $(uname -m)"
need apt-get apt
need dpkg-deb dpkg
need depmod kmod

cache=$(cache_dir)
mkdir -p "$cache" || exit 1
# tests may run side by side
exec 9>"$cache/lock" && flock 9 || die 1 "$cache/lock: cannot be locked"

image=$(resolve "$package")
if [ -z "$image" ] && update; then
	image=$(resolve "$package")
fi
[ -n "$image" ] || give_up "apt knows no such kernel"
release=${image#linux-image-}
release=${release%-unsigned}
case $release in
${series:+"$series".}*) ;;
*) give_up "it is now $release, not $series" ;;
esac
[ ! -e "$cache/$release/vmlinuz" ] || use "$cache/$release"

tmp=$(mktemp -d "$cache/tmp.XXXXXX") || exit 1
download "$image" ||
	give_up "download: $(grep -m 1 '^E: ' "$tmp/log" | cut -c 4-)"
unpack "$release" >&2 || die 1 "$image: cannot be unpacked"
use "$cache/$release"
