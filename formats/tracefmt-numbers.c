/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt-numbers.c - reads the fields of records that are all numbers */

/*
 * How many fields there are is a constant in each of these functions, so that
 * its loop is none, and nothing is to be guessed but which of them is called.
 * They exist twice: with BMI2 a shift by the number in any register is one
 * step, without it is three.
 */

#include "config.h"

#include "formats/cpu.h"
#include "formats/tracefmt-priv.h"

#define NUMBERS(name, n, target)                                              \
	static target int name##n(const struct op *op, const uint8_t *record, \
				  uint64_t *vals)                             \
	{                                                                     \
		unsigned int i;                                               \
                                                                              \
		_Pragma("GCC unroll 16") for (i = 0; i < (n); i++) vals[i] =  \
			op_number(false, record, &op[i]);                     \
		return 0;                                                     \
	}

/* clang-format off */
#define EACH_NUMBER(X, name, target)                                 \
	X(name, 1, target)  X(name, 2, target)  X(name, 3, target)   \
	X(name, 4, target)  X(name, 5, target)  X(name, 6, target)   \
	X(name, 7, target)  X(name, 8, target)  X(name, 9, target)   \
	X(name, 10, target) X(name, 11, target) X(name, 12, target)  \
	X(name, 13, target) X(name, 14, target) X(name, 15, target)  \
	X(name, 16, target)
/* clang-format on */

#define ENTRY(name, n, target) name##n,

/* The functions, and their table by number of fields, called name. */
#define ALL_NUMBERS(name, target)                     \
	EACH_NUMBER(NUMBERS, name, target)            \
	static const tracefmt_numbers name[] = {NULL, \
						EACH_NUMBER(ENTRY, name, )};

ALL_NUMBERS(plain, )
#ifdef __x86_64__
ALL_NUMBERS(bmi2, __attribute__((target("bmi2"))))
#else
#define bmi2 plain
#endif

tracefmt_numbers tracefmt_numbers_of(unsigned int nr_fields)
{
	if (nr_fields >= ARRAY_SIZE(plain))
		return NULL;
	return cpu_level() >= CPU_AVX2 ? bmi2[nr_fields] : plain[nr_fields];
}
