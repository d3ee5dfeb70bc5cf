/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz-text.c - text of ftrace, trace-cmd report, perf script, imported */

#include "config.h"

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_import("text", data, size);
	return 0;
}
