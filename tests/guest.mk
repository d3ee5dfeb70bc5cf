# SPDX-License-Identifier: GPL-2.0-or-later
# Tests in guests that run Debian kernels; they skip where QEMU or the kernel
# cannot be had.
SHELL_TESTS += tests/t-guest-6.12.sh tests/t-guest-6.1.sh
SHELL_TESTS += tests/t-guest-lockdown.sh tests/t-guest-lab.sh
EXTRA_DIST += tests/guest
