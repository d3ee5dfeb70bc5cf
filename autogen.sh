#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# autogen.sh - makes ./configure from configure.ac, in a fresh clone
set -e
cd "$(dirname "$0")"
mkdir -p m4
exec autoreconf --install --warnings=all,no-portability
