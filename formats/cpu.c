/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.c - which kernels of a hot loop this machine can run */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "formats/cpu.h"

static enum cpu_level machine_level(void)
{
#ifdef __x86_64__
	__builtin_cpu_init();
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
	    !__builtin_cpu_supports("bmi2"))
		return CPU_PLAIN;
	if (__builtin_cpu_supports("avx512f") &&
	    __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512vl"))
		return CPU_AVX512;
	return CPU_AVX2;
#else
	return CPU_PLAIN;
#endif
}

static enum cpu_level allowed_level(void)
{
	const char *name = getenv("MMCAP_CPU");

	if (name && !strcmp(name, "plain"))
		return CPU_PLAIN;
	if (name && !strcmp(name, "avx2"))
		return CPU_AVX2;
	return CPU_AVX512;
}

enum cpu_level cpu_level(void)
{
	enum cpu_level machine = machine_level(), allowed = allowed_level();

	return machine < allowed ? machine : allowed;
}
