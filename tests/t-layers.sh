#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# t-layers.sh - includes run one way: capture -> formats <- analyze, plot

. "$top_srcdir/tests/lib.sh"

# wrong_arrows TREE: every include of ours that points where it must not
wrong_arrows()
{
	(cd "$1" && grep -HoE '^#[[:space:]]*include[[:space:]]+"[a-z]+/' \
		-- */*.c */*.h 2>/dev/null) |
	sed -E 's/^([a-z]+)\/([^:]*):.*"([a-z]+)\/$/\1 \2 \3/' |
	awk '{ ok = $3 == $1 || $3 == "formats" }
	     $1 == "formats" { ok = $3 == "formats" }
	     $1 == "tests" { ok = 1 }
	     !ok { print $1 "/" $2 " includes " $3 "/" }'
}

# Names without a folder would pass unseen.
bare_includes()
{
	(cd "$1" && grep -HE '^#[[:space:]]*include[[:space:]]+"[^/"]+"' \
		-- */*.c */*.h 2>/dev/null) | grep -v '"config.h"'
}

tracefs_users()
{
	(cd "$1" && grep -lE '<tracefs(/[a-z-]+)?\.h>' -- */*.c */*.h \
		2>/dev/null) | grep -v '^capture/'
}

is "no include against the arrows" "$(wrong_arrows "$top_srcdir")" ""
is "every include of ours names its folder" "$(bare_includes "$top_srcdir")" ""
is "only capture/ includes libtracefs" "$(tracefs_users "$top_srcdir")" ""

# The check must be able to fail.
tree=$work/tree
mkdir "$tree" && mkdir "$tree/formats" "$tree/analyze" "$tree/capture" "$tree/plot"
echo '#include "analyze/tracker.h"' >"$tree/formats/a.c"
echo '#include "capture/plan.h"' >"$tree/analyze/b.c"
printf '#include "plot/text.h"\n#include "x.h"\n' >"$tree/capture/c.h"
printf '#include <tracefs/tracefs.h>\n#include "formats/base.h"\n' \
	>"$tree/plot/d.c"
is "three seeded arrows are found" "$(wrong_arrows "$tree" | wc -l)" 3
is "a seeded bare include is found" "$(bare_includes "$tree" | wc -l)" 1
is "a seeded use of libtracefs is found" "$(tracefs_users "$tree")" plot/d.c

sizes=$(cd "$top_srcdir" && wc -l -- \
	{formats,capture,analyze,plot,tests,tests/bench,tests/fuzz}/*.[ch] |
	awk '$2 != "total" && $1 >= 600 { print $2 }')
is "every file ends before 600 lines" "$sizes" ""

# automake names the log of tests/t-x and of tests/t-x.sh alike: one would
# silently not run.
twice=$(cd "$top_srcdir/tests" && ls t-*.c t-*.sh |
	sed -E 's/\.(c|sh)$//' | sort | uniq -d)
is "no unit test has the name of a shell test" "$twice" ""

finish
