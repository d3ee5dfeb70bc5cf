/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.h - which kernels of a hot loop this machine can run */
#ifndef FORMATS_CPU_H
#define FORMATS_CPU_H

/*
 * Programs are built for any machine of their architecture; where a loop is
 * worth it, there are more of it, and the choice is made at run time.  All
 * give the same results to the bit.
 */
enum cpu_level {
	CPU_PLAIN,
	CPU_AVX2,   /* x86-64 with AVX2, BMI1 and BMI2 */
	CPU_AVX512, /* and AVX-512 F, BW, DQ, VL */
};

/*
 * The best level of this machine; the environment's MMCAP_CPU (plain, avx2,
 * avx512) can lower it, so that each can be tested and timed.
 */
enum cpu_level cpu_level(void);

#endif
