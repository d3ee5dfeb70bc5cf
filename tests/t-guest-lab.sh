#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-guest-lab.sh - the guest lab itself: what goes wrong is called what it is

. "${top_srcdir:?}/tests/lib.sh" || exit 99
. "$top_srcdir/tests/guest/lib.sh" || exit 99
run=$top_srcdir/tests/guest/run.sh
kernel=$top_srcdir/tests/guest/kernel.sh

status "no job: usage" 2 bash "$run"
says "no job: says so" "guest: no job"
status "an unknown option: usage" 2 bash "$run" -x
status "a job that is not there: usage" 2 bash "$run" nosuch.sh
status "a wrong kernel: usage" 2 bash "$kernel" 6.13
status "a kernel that apt does not know: 77" 77 \
	env MMCAP_GUEST_CACHE="$work/cache" bash "$kernel" linux-image-nosuch
says "and why" "linux-image-nosuch: apt knows no such kernel"
status "one whose package cannot be had: 77" 77 \
	env MMCAP_GUEST_CACHE="$work/cache" bash "$kernel" linux-image-6.1.0-0-no
says "and why" "linux-image-6.1.0-0-no: download: Unable to locate package"

# An image without the network: the newest kernel of the series that is there,
# or none
mkdir -p stub cache/6.12.{9,10}+x cache/6.1.3-x
touch cache/6.12.{9,10}+x/vmlinuz cache/6.1.3-x/vmlinuz
printf '#!/bin/sh\nexit 0\n' >stub/apt-cache
printf '#!/bin/sh\necho "E: no network"\nexit 100\n' >stub/apt-get
chmod +x stub/*
status "no network, but a cached kernel: exit 0" 0 env PATH="$work/stub:$PATH" \
	MMCAP_GUEST_CACHE="$work/cache" bash "$kernel" 6.12
is "it is the newest of the series" "$(cat out)" "$work/cache/6.12.10+x"
says "and that is said" "apt knows no such kernel: taking 6.12.10+x"
status "no network, no cached kernel: 77" 77 env PATH="$work/stub:$PATH" \
	MMCAP_GUEST_CACHE="$work/nothing" bash "$kernel" 6.1

# Without QEMU a test skips, saying so.
mkdir few
for tool in bash cat dirname head mktemp rm sed; do
	ln -s "$(command -v $tool)" few/
done
status "no QEMU: a test skips" 0 env PATH="$work/few" bash \
	"$top_srcdir/tests/t-guest-lockdown.sh"
is "no QEMU: and says why" "$(cat out)" \
	"1..0 # SKIP guest: qemu-system-x86_64 is not installed"

# In one boot: a job that fails, one that takes too long, one that is well,
# one that ends the guest; the last cannot begin.
# shellcheck disable=SC2016
{
	echo 'echo "not ok 1 - $out"; echo words >&2; exit 7' >fails.sh
	echo 'echo here >$out/file;
		dd if=/dev/zero of=$out/big bs=1M count=20' >well.sh
}
echo 'sleep 100' >slow.sh
echo 'echo c >/proc/sysrq-trigger; sleep 100' >panic.sh
echo 'exit 0' >never.sh
cp "$jobs/swap.sh" .
guest_run 1 -k 6.12 -z 64 -t 10 swap.sh fails.sh slow.sh well.sh panic.sh \
	never.sh
result $? "a boot with bad jobs: exit 1"
sed 's/^/# /' boot
cp boot err
guest_tests swap swap
says "a job that fails: its status" "guest: job fails: exit 7"
is "a job that fails: its words" "$(cat guest/fails/err)" words
says "a slow job: called so" "guest: job slow: timeout after 10 s"
is "a job after that: its file" "$(cat guest/well/file)" here
is "a job after that: its large file" "$(stat -c %s guest/well/big)" 20971520
ok "a job after that: is well" sh -c '! grep -q "job well" boot'
says "a panic: did not end" "guest: job panic: did not end"
says "a panic: called so" "guest: kernel panic after: job panic"
says "a panic: the kernel's last words" "  | "
ok "a panic: with its reason" grep -q '^  | .*sysrq triggered crash' boot
says "a job after the panic: did not end" "guest: job never: did not end"

guest_run 1 -k 6.12 -a rdinit=/nosuch never.sh
result $? "a boot that fails: exit 1"
cp boot err
says "a boot that fails: called so" "guest: kernel panic after: start"
finish
