#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - installs what is missing, builds, runs every test
#
# usage: tests/run.sh [--keep]
#
# As root it also mounts tracefs where it is not mounted (and unmounts it
# again), so that the live tests can run.  Builds are made below build-tests/,
# which is removed at the end unless something failed or --keep is given.
# Closes with "N passed, N failed, N skipped"; a skip says why.

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
build=$top/build-tests
keep=
[ "${1-}" = --keep ] && keep=yes
export LC_ALL=C
nr_pass=0
nr_fail=0
nr_skip=0

. "$top/tests/packages.sh"

step()
{
	printf '\n== %s\n' "$*"
}

# One check of run.sh itself: passed or failed by its exit status.
check()
{
	name=$1
	shift
	if "$@" >"$build/step.log" 2>&1; then
		echo "PASS: $name"
		nr_pass=$((nr_pass + 1))
	else
		echo "FAIL: $name"
		tail -n 40 "$build/step.log"
		nr_fail=$((nr_fail + 1))
		return 1
	fi
}

# Builds in build-tests/NAME with the configure options that follow.
build_in()
{
	dir=$build/$1
	shift
	mkdir -p "$dir" && cd "$dir" &&
		"$top/configure" --enable-werror "$@" && make -j2 all &&
		make -j2 check TESTS=
}

# Adds up what automake's TAP driver counted for the build NAME.
count_tests()
{
	sum=$build/$1/test-suite.sum
	make -C "$build/$1" check >"$build/$1/check.log" 2>&1
	grep -E '^(PASS|SKIP|FAIL|XPASS|ERROR): ' "$build/$1/check.log" \
		>"$sum"
	grep -E '^(SKIP|FAIL|XPASS|ERROR): ' "$sum"
	pass=$(grep -c '^PASS: ' "$sum")
	fail=$(grep -cE '^(FAIL|XPASS|ERROR): ' "$sum")
	skip=$(grep -c '^SKIP: ' "$sum")
	if [ "$pass" -eq 0 ]; then
		echo "FAIL: $1: no test ran"
		tail -n 40 "$build/$1/check.log"
		fail=$((fail + 1))
	fi
	[ "$fail" -eq 0 ] || tail -n 60 "$build/$1/test-suite.log" 2>/dev/null
	echo "$1: $pass passed, $fail failed, $skip skipped"
	nr_pass=$((nr_pass + pass))
	nr_fail=$((nr_fail + fail))
	nr_skip=$((nr_skip + skip))
}

# A program that prints TAP itself.
count_tap()
{
	name=$1
	shift
	"$@" >"$build/$name.tap" 2>"$build/$name.err"
	pass=$(grep -E '^ok ' "$build/$name.tap" | grep -vc '# SKIP')
	skip=$(grep -cE '^(ok .*|1\.\.0 )# SKIP' "$build/$name.tap")
	fail=$(grep -c '^not ok ' "$build/$name.tap")
	[ "$((pass + skip + fail))" -gt 0 ] || fail=1
	grep -E '^not ok |# SKIP' "$build/$name.tap" | sed "s/^/$name: /"
	[ "$fail" -eq 0 ] || tail -n 60 "$build/$name.err"
	echo "$name: $pass passed, $fail failed, $skip skipped"
	nr_pass=$((nr_pass + pass))
	nr_fail=$((nr_fail + fail))
	nr_skip=$((nr_skip + skip))
}

# The style of files is of use in a checkout only.
style()
{
	if ! git -C "$top" rev-parse --git-dir >/dev/null 2>&1; then
		echo "SKIP: style # not a git checkout"
		nr_skip=$((nr_skip + 1))
		return
	fi
	check "style: clang-format" make -C "$build/plain" check-style
}

mounted=
unmount()
{
	[ -z "$mounted" ] || umount "$mounted"
	mounted=
}

mount_tracefs()
{
	[ "$(id -u)" -eq 0 ] || return 0
	grep -q ' tracefs ' /proc/self/mounts && return 0
	[ -d /sys/kernel/tracing ] || return 0
	mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null &&
		mounted=/sys/kernel/tracing
}

trap unmount EXIT
trap 'exit 130' INT TERM

step "packages"
# shellcheck disable=SC2086
install_missing $build_packages libcmocka-dev gnuplot-nox mandoc zstd \
	clang-format clang libclang-rt-14-dev git locales trace-cmd \
	libtracecmd-dev || exit 1
# shellcheck disable=SC2086
install_missing $guest_packages || echo "no guests: their tests will be skipped"
git config --global --get-all safe.directory 2>/dev/null |
	grep -qxF "$top" ||
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory \
		GIT_CONFIG_VALUE_0="$top"
mkdir -p "$build"
mount_tracefs

step "builds"
check "autogen.sh" "$top/autogen.sh" || exit 1
check "build" build_in plain || exit 1
check "build --disable-capture" build_in no-capture --disable-capture
check "build --enable-sanitizers" build_in sanitizers --enable-sanitizers

step "tests"
style
count_tests plain
step "tests with AddressSanitizer and UBSan"
count_tests sanitizers
step "fuzzing, a minute each"
count_tap fuzz "$top/tests/fuzz/run.sh" "${FUZZ_SECONDS:-60}"
step "distribution"
# the guests have run for both builds above
MMCAP_GUEST=no check "make distcheck" make -C "$build/plain" distcheck \
	DISTCHECK_CONFIGURE_FLAGS=--enable-werror

[ -n "$keep" ] || [ "$nr_fail" -gt 0 ] || rm -rf "$build"
printf '\n%d passed, %d failed, %d skipped\n' "$nr_pass" "$nr_fail" "$nr_skip"
[ "$nr_fail" -eq 0 ]
