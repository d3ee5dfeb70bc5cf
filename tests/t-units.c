/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-units.c - sizes, times and shares, read and printed */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/units.h"

struct parse_case {
	const char *text;
	int ret;
	uint64_t v;
};

static void check_parse(int (*parse)(const char *, uint64_t *),
			const struct parse_case *c, unsigned int nr)
{
	unsigned int i;
	uint64_t v;

	for (i = 0; i < nr; i++) {
		v = 0;
		assert_int_equal(parse(c[i].text, &v), c[i].ret);
		assert_true(v == c[i].v);
	}
}

static void sizes_are_read(void **state)
{
	static const struct parse_case cases[] = {
		{"0", 0, 0},
		{"4096", 0, 4096},
		{"64K", 0, 65536},
		{"64k", 0, 65536},
		{"2M", 0, 2097152},
		{"1G", 0, 1073741824},
		{"1GiB", 0, 1073741824},
		{"2.5G", 0, 2684354560},
		{"1kB", 0, 1024},
		{"18446744073709551615", 0, UINT64_MAX},
		{"18446744073709551616", -ERANGE, 0},
		{"16384P", -ERANGE, 0},
		{"", -EINVAL, 0},
		{"K", -EINVAL, 0},
		{"-1", -EINVAL, 0},
		{" 1", -EINVAL, 0},
		{"1 K", -EINVAL, 0},
		{"1.", -EINVAL, 0},
		{"1,5G", -EINVAL, 0},
		{"1X", -EINVAL, 0},
		{"1Kx", -EINVAL, 0},
		{"0x10", -EINVAL, 0},
	};

	(void)state;
	check_parse(units_parse_size, cases, ARRAY_SIZE(cases));
}

static void times_are_read(void **state)
{
	static const struct parse_case cases[] = {
		{"30", 0, 30000000000},
		{"1.5s", 0, 1500000000},
		{"10m", 0, 600000000000},
		{"1h", 0, 3600000000000},
		{"250ms", 0, 250000000},
		{"3us", 0, 3000},
		{"7ns", 0, 7},
		{"0.000000001", 0, 1},
		{"1d", -EINVAL, 0},
		{"99999999999999h", -ERANGE, 0},
	};

	(void)state;
	check_parse(units_parse_time, cases, ARRAY_SIZE(cases));
}

static void numbers_are_read(void **state)
{
	static const struct parse_case cases[] = {
		{"0", 0, 0},         {"42", 0, 42},
		{"42 ", -EINVAL, 0}, {"4.2", -EINVAL, 0},
		{"", -EINVAL, 0},    {"99999999999999999999", -ERANGE, 0},
	};

	(void)state;
	check_parse(units_parse_u64, cases, ARRAY_SIZE(cases));
}

static void sizes_are_printed(void **state)
{
	char out[UNITS_MAX];

	(void)state;
	assert_string_equal(units_size(out, 0), "0 B");
	assert_string_equal(units_size(out, 1023), "1023 B");
	assert_string_equal(units_size(out, 4096), "4 KiB");
	assert_string_equal(units_size(out, 4097), "4.0 KiB");
	assert_string_equal(units_size(out, 281437798), "268.4 MiB");
	assert_string_equal(units_size(out, 1048575), "1.0 MiB");
	assert_string_equal(units_size(out, 2684354560), "2.5 GiB");
	assert_string_equal(units_size(out, UINT64_MAX), "16384.0 PiB");
}

static void times_are_printed(void **state)
{
	char out[UNITS_MAX];

	(void)state;
	assert_string_equal(units_time(out, 0), "0 ns");
	assert_string_equal(units_time(out, 999), "999 ns");
	assert_string_equal(units_time(out, 3100), "3.1 us");
	assert_string_equal(units_time(out, 312345678), "312 ms");
	assert_string_equal(units_time(out, 999600000), "1 s");
	assert_string_equal(units_time(out, 240000000000), "240 s");
}

static void shares_are_printed(void **state)
{
	char out[UNITS_MAX];

	(void)state;
	assert_string_equal(units_share(out, 128, 1000), "12.8%");
	assert_string_equal(units_share(out, 0, 5), "0.0%");
	assert_string_equal(units_share(out, 5, 5), "100.0%");
	assert_string_equal(units_share(out, 1, 0), "-");
	assert_string_equal(units_delta(out, 4688, 4425), "-5.61%");
	assert_string_equal(units_delta(out, 100, 150), "+50.00%");
	assert_string_equal(units_delta(out, 0, 3), "new");
	assert_string_equal(units_delta(out, 0, 0), "0.00%");
	assert_string_equal(units_delta(out, 1e6, 1e6 - 1), "0.00%");
	assert_string_equal(units_delta(out, NAN, 1), "-");
}

static void foreign_text_is_escaped(void **state)
{
	char out[32], small[6];

	(void)state;
	assert_string_equal(units_escape(out, sizeof(out), "kworker/0:1"),
			    "kworker/0:1");
	assert_string_equal(units_escape(out, sizeof(out), "a\033[1m\n"),
			    "a\\x1b[1m\\x0a");
	assert_string_equal(units_escape(out, sizeof(out), "\xc3\\"),
			    "\\xc3\\\\");
	/* Cut between escapes, never inside one. */
	assert_string_equal(units_escape(small, sizeof(small), "ab\n"), "ab");
	assert_string_equal(units_escape(small, sizeof(small), "abcdefg"),
			    "abcde");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_read),
		cmocka_unit_test(times_are_read),
		cmocka_unit_test(numbers_are_read),
		cmocka_unit_test(sizes_are_printed),
		cmocka_unit_test(times_are_printed),
		cmocka_unit_test(shares_are_printed),
		cmocka_unit_test(foreign_text_is_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
