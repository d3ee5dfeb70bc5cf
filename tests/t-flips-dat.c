/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-flips-dat.c - trace.dat files cut and spoiled at 10,000 places */

/*
 * Version 6, and version 7 plain and packed both ways, in either byte order.
 * Half of the damage goes to what is not padding, as most of a small file is.
 */

#include "config.h"

#include "tests/flips.h"

/* No record is shorter; chunks unpack to no more than 4096 times their size. */
#define RECORD_MIN 4

static const struct import_options options = {.from = "tracedat"};

static void open_dat(struct flips *f, const char *file)
{
	const char *top = getenv("top_srcdir");
	char path[512];
	uint8_t *p;
	size_t len;

	snprintf(path, sizeof(path), "%s/tests/data/import/%s.dat",
		 top ? top : ".", file);
	p = flips_load(path, &len);
	flips_new(f, p, len);
	flips_seed(file);
}

/* At many lengths: a file that is cut has no more than the whole one. */
static void read_prefixes(struct flips *f, uint64_t nr_max)
{
	uint64_t nr_whole;
	struct flips_result r;
	size_t len;

	flips_put(f, f->bytes, f->len);
	flips_import(f, &options, nr_max, &r);
	assert_int_equal(r.ret, 0);
	assert_false(r.damaged);
	nr_whole = r.nr_events;
	for (len = 1; len < f->len; len += 1 + flips_random() % 64) {
		flips_put(f, f->bytes, len);
		flips_import(f, &options, nr_max, &r);
		assert_true(r.nr_events <= nr_whole);
		if (!r.ret && r.nr_events < nr_whole)
			assert_true(r.damaged);
	}
}

/* A place that is not among zeros. */
static size_t busy_place(const struct flips *f)
{
	size_t at;

	do {
		at = flips_random() % f->len;
	} while (!f->bytes[at]);
	return at;
}

static void read_flips(struct flips *f, uint64_t nr_max)
{
	unsigned int i, nr_read = 0;
	struct flips_result r;

	for (i = 0; i < NR_FLIPS / 4; i++) {
		size_t at = busy_place(f);

		if (i % 2)
			flips_spoil(f, 0, f->len);
		else
			flips_spoil(f, at, MIN(at + 16, f->len));
		flips_put(f, f->copy, f->len);
		flips_import(f, &options, nr_max, &r);
		nr_read += !r.ret;
	}
	/* most damage leaves something */
	assert_true(nr_read > NR_FLIPS / 16);
}

static void read_file(const char *file, unsigned int ratio)
{
	struct flips f;

	open_dat(&f, file);
	read_prefixes(&f, ratio * f.len / RECORD_MIN);
	read_flips(&f, ratio * f.len / RECORD_MIN);
	flips_free(&f);
	flips_done();
}

static void test_v6(void **state)
{
	(void)state;
	read_file("good_be64_4k", 1);
}

static void test_v7(void **state)
{
	(void)state;
	read_file("lost_counted_v7none", 1);
}

static void test_v7_zlib(void **state)
{
	(void)state;
	read_file("v7_be64_zlib", 4096);
}

static void test_v7_zstd(void **state)
{
	(void)state;
	read_file("v7_le32_zstd", 4096);
}

#define TEST(test) cmocka_unit_test_teardown(test, flips_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_v6),
		TEST(test_v7),
		TEST(test_v7_zlib),
		TEST(test_v7_zstd),
	};

	return cmocka_run_group_tests_name("spoiled trace.dat", tests, NULL,
					   NULL);
}
