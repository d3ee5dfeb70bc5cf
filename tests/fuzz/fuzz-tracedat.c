/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz-tracedat.c - a trace.dat of any bytes, imported */

#include "config.h"

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_import("tracedat", data, size);
	return 0;
}
