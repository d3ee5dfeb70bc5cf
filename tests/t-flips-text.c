/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-flips-text.c - texts and access traces, cut and spoiled 2,000 times each */

#include "config.h"

#include "tests/flips.h"

static void read_as(struct flips *f, const char *kind)
{
	const struct import_options options = {.from = kind};
	struct flips_result r;

	/* a line or a record is two bytes or more, and makes one event */
	flips_import(f, &options, f->len / 2 + 1, &r);
}

static void read_spoiled(const char *kind, uint8_t *bytes, size_t len)
{
	struct flips f;
	unsigned int i;
	size_t n;

	flips_new(&f, bytes, len);
	for (n = 1; n <= len; n += 1 + n / 512) {
		flips_put(&f, f.bytes, n);
		read_as(&f, kind);
	}
	for (i = 0; i < NR_FLIPS / 5; i++) {
		flips_spoil(&f, 0, len);
		flips_put(&f, f.copy, len);
		read_as(&f, kind);
	}
	flips_free(&f);
	flips_done();
}

static void read_file(const char *name)
{
	const char *top = getenv("top_srcdir");
	char path[512];
	uint8_t *bytes;
	size_t len;

	flips_seed(name);
	snprintf(path, sizeof(path), "%s/tests/data/import/%s.txt",
		 top ? top : ".", name);
	bytes = flips_load(path, &len);
	read_spoiled("text", bytes, len);
}

static void test_trace(void **state)
{
	(void)state;
	read_file("t10_lost_markers");
}

static void test_report(void **state)
{
	(void)state;
	read_file("t03_tracecmd_5.10");
}

static void test_perf_script(void **state)
{
	(void)state;
	read_file("t04_perf_script_callchain");
}

static void test_csv(void **state)
{
	struct buf b = {0};
	unsigned int i;

	(void)state;
	flips_seed("csv");
	assert_int_equal(
		buf_printf(&b, "dev,ino,index,time_ns,cpu,pid,nr_pages,op\n"),
		0);
	for (i = 0; i < 20; i++)
		assert_int_equal(buf_printf(&b, "8,%u,%u,%u,%u,7,%u,%s\n",
					    i % 3, i * 9, i * 1000, i % 2,
					    1 + i % 4,
					    i % 5 ? "access" : "add"),
				 0);
	read_spoiled("csv", b.p, b.len);
}

static void test_csv_pages(void **state)
{
	struct buf b = {0};

	(void)state;
	flips_seed("csv of pages");
	assert_int_equal(buf_printf(&b, "page\na\n\"b \"\"1\"\"\"\nc,\na\n"),
			 0);
	read_spoiled("csv", b.p, b.len);
}

/* So many records of a number each, padded to the length. */
static uint8_t *make_records(unsigned int nr, size_t len, size_t key_at)
{
	uint8_t *p = calloc(nr, len);
	unsigned int i;

	assert_non_null(p);
	for (i = 0; i < nr; i++)
		put_le64(p + i * len + key_at, flips_random() % 16);
	return p;
}

static void test_keys64(void **state)
{
	(void)state;
	flips_seed("keys64");
	read_spoiled("keys64", make_records(64, 8, 0), 64 * 8);
}

static void test_oracle(void **state)
{
	(void)state;
	flips_seed("oracleGeneral");
	read_spoiled("oracleGeneral", make_records(32, 24, 4), 32 * 24);
}

#define TEST(test) cmocka_unit_test_teardown(test, flips_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_trace),  TEST(test_report),    TEST(test_perf_script),
		TEST(test_csv),    TEST(test_csv_pages), TEST(test_keys64),
		TEST(test_oracle),
	};

	return cmocka_run_group_tests_name("spoiled texts", tests, NULL, NULL);
}
