# SPDX-License-Identifier: GPL-2.0-or-later
# packages.sh - sourced: installs the Debian packages that are missing

build_packages="gcc make autoconf automake pkg-config libc6-dev libzstd-dev zlib1g-dev
	libxxhash-dev libcsv-dev libjson-c-dev libtraceevent-dev libtracefs-dev libbpf-dev"
guest_packages="qemu-system-x86 busybox-static kmod cpio xz-utils e2fsprogs procps"

# install_missing PACKAGE...: as root, apt-get update first; else says which
# are missing and fails.
install_missing()
{
	missing=
	for package; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
			grep -q 'ok installed' || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		echo "missing packages:$missing" >&2
		echo "hint: sudo apt-get install$missing" >&2
		return 1
	fi
	echo "installing:$missing"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -q >/dev/null || return 1
	# shellcheck disable=SC2086
	apt-get install -q -y --no-install-recommends $missing \
		</dev/null >/dev/null
}
