/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz-access.c - access traces: CSV, keys, oracleGeneral, by the first byte */

#include "config.h"

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const kinds[] = {"csv", "keys64", "oracleGeneral"};

	if (size)
		fuzz_import(kinds[data[0] % ARRAY_SIZE(kinds)], data + 1,
			    size - 1);
	return 0;
}
