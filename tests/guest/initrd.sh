#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# initrd.sh - the guest's root file system, as an initramfs
#
# usage: tests/guest/initrd.sh KERNEL BUILD SETTINGS OUTPUT JOB...
#
# KERNEL is a directory of kernel.sh, BUILD a build of this tree, SETTINGS a
# file of shell variables for guest-init (see run.sh), JOB a script.  In the
# guest /t stands for both source and build: /t/capture/mmcap, /t/tests/lib.sh;
# the jobs are in /jobs in their order.  Programs are taken from BUILD and from
# this machine, with the shared libraries that ldd names; modules with what
# modprobe says that they depend on.

set -u
me=initrd.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh" || exit 1
PATH=$PATH:/usr/sbin:/sbin

[ $# -ge 5 ] || die 2 "usage: $0 KERNEL BUILD SETTINGS OUTPUT JOB..."
kernel=$1
build=$2
settings=$3
output=$4
shift 4
release=${kernel##*/}

# The disk; the way out of the guest; swap.  Where one is not there it is built
# in, or its absence shows in the guest.
modules="virtio_pci virtio_console virtio_blk lzo-rle zram"
# What tests use and busybox has not, or has with another exit status.
tools="bash timeout pgrep"

need busybox busybox-static
need cpio cpio
need xz xz-utils
need modprobe kmod
root=$(mktemp -d "${TMPDIR:-/tmp}/mmcap-initrd.XXXXXX") || exit 1
trap 'rm -rf "$root"' EXIT
trap 'exit 1' HUP INT TERM

# copy_libraries PROGRAM...: to the places where their loader looks
copy_libraries()
{
	ldd "$@" 2>/dev/null | grep -o '/[^ ]*\.so[^ ]*' | sort -u |
		while read -r lib; do
			mkdir -p "$root${lib%/*}" &&
				cp -L "$lib" "$root$lib" || return 1
		done
}

# Programs only: no script, no object, no unit test.
built_programs()
{
	find "$build"/{capture,formats,analyze,plot,examples,tests} \
		-maxdepth 1 -type f -perm -100 ! -name '*.*' ! -name 't-*' \
		2>/dev/null
}

copy_programs()
{
	list=
	for tool in $tools; do
		path=$(command -v "$tool") ||
			die "$CANNOT" "$tool is not installed"
		cp -L "$path" "$root/bin/" || return 1
		list="$list $path"
	done
	for path in $(built_programs); do
		dir=$(basename "${path%/*}")
		mkdir -p "$root/t/$dir" && cp "$path" "$root/t/$dir/" ||
			return 1
		list="$list $path"
	done
	# shellcheck disable=SC2086
	copy_libraries $list
}

# In the order in which they must be loaded; insmod of busybox wants them
# uncompressed.
copy_modules()
{
	i=100
	for module in $modules; do
		modprobe -d "$kernel" -S "$release" --show-depends "$module" \
			2>/dev/null
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' |
		while read -r file; do
			i=$((i + 1))
			name=$root/modules/$i-$(basename "${file%.xz}")
			case $file in
			*.xz) xz -dc "$file" >"$name" || return 1 ;;
			*) cp "$file" "$name" || return 1 ;;
			esac
		done
}

copy_jobs()
{
	i=100
	for job; do
		i=$((i + 1))
		cp "$job" "$root/jobs/$i-$(basename "$job")" || return 1
	done
}

# The archive is not compressed: reading it costs QEMU nothing, unpacking it
# would cost an emulated CPU a second.
pack()
{
	(cd "$root" && find . | sort | cpio -o -H newc --quiet -R 0:0) >"$output"
}

mkdir -p "$root"/{bin,boot,dev,jobs,modules,out,proc,sys,t/tests,tmp,var/tmp} &&
	cp "$(command -v busybox)" "$root/bin/busybox" &&
	ln -s busybox "$root/bin/sh" &&
	cp "$here/guest-init" "$root/init" && chmod +x "$root/init" &&
	cp "$settings" "$root/settings" &&
	cp "$here/../lib.sh" "$root/t/tests/" &&
	cp "$kernel/config" "$root/boot/config-$release" &&
	copy_programs && copy_modules && copy_jobs "$@" && pack ||
	die 1 "$output: cannot be made"
