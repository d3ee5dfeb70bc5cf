/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-subbuf.c - ring-buffer pages made by hand, whole and damaged */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/event.h"
#include "formats/subbuf.h"

#define PAGE   4096
#define DATA   16
#define STORED (1U << 30)
#define MISSED (1U << 31)

static const struct subbuf_layout le = {8, 8, DATA, false};

/* A page under construction. */
struct page {
	uint8_t bytes[PAGE];
	size_t len; /* of the data */
	bool big_endian;
};

static void put32(struct page *p, size_t at, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		p->bytes[at + (p->big_endian ? 3 - i : i)] =
			(uint8_t)(v >> 8 * i);
}

static void put64(struct page *p, size_t at, uint64_t v)
{
	put32(p, at + (p->big_endian ? 4 : 0), (uint32_t)v);
	put32(p, at + (p->big_endian ? 0 : 4), (uint32_t)(v >> 32));
}

static void word(struct page *p, uint32_t v)
{
	put32(p, DATA + p->len, v);
	p->len += 4;
}

/* The word that begins a record. */
static void head(struct page *p, uint32_t type, uint32_t delta)
{
	word(p, p->big_endian ? type << 27 | delta : delta << 5 | type);
}

/* A record of n words that hold v, v + 1, ... */
static void record(struct page *p, uint32_t n, uint32_t delta, uint32_t v)
{
	head(p, n, delta);
	while (n--)
		word(p, v++);
}

static void begin_page(struct page *p, uint64_t time_ns)
{
	bool big_endian = p->big_endian;

	memset(p, 0, sizeof(*p));
	memset(p->bytes, 0xee, sizeof(p->bytes));
	p->big_endian = big_endian;
	put64(p, 0, time_ns);
}

static void begin_read(struct subbuf *sb, struct page *p, uint64_t flags)
{
	struct subbuf_layout layout = le;

	layout.big_endian = p->big_endian;
	put64(p, 8, p->len | flags);
	assert_int_equal(subbuf_begin(sb, &layout, p->bytes, PAGE), 0);
}

static void expect(struct subbuf *sb, int len, uint64_t time_ns, uint32_t first)
{
	const uint8_t *record = NULL;
	uint32_t v;

	assert_int_equal(subbuf_next(sb, &record), len);
	assert_int_equal(sb->time_ns, time_ns);
	if (sb->big_endian)
		v = (uint32_t)record[0] << 24 | (uint32_t)record[1] << 16 |
		    (uint32_t)record[2] << 8 | record[3];
	else
		v = get_le32(record);
	assert_int_equal(v, first);
}

static void expect_end(struct subbuf *sb, int ret)
{
	const uint8_t *record;

	assert_int_equal(subbuf_next(sb, &record), ret);
}

/* ------------------------------------------------------------------ records */

static void all_types(bool big_endian)
{
	struct page p = {.big_endian = big_endian};
	struct subbuf sb;

	begin_page(&p, 1000);
	record(&p, 1, 5, 11);
	record(&p, 28, 0, 12);
	/* an extension of the time: low 27 bits here, the rest in a word */
	head(&p, 30, 7);
	word(&p, 2);
	record(&p, 2, 1, 13);
	/* length in the first word, which counts itself; not a word's multiple
	 */
	head(&p, 0, 3);
	word(&p, 4 + 118);
	p.len += 120;
	put32(&p, DATA + p.len - 120, 14);
	/* a record that was discarded: its time passes all the same */
	head(&p, 29, 2);
	word(&p, 12);
	word(&p, 0);
	word(&p, 0);
	record(&p, 1, 1, 15);
	begin_read(&sb, &p, 0);
	assert_false(sb.missed);
	expect(&sb, 4, 1005, 11);
	expect(&sb, 112, 1005, 12);
	expect(&sb, 8, 1005 + (2ULL << 27) + 7 + 1, 13);
	expect(&sb, 118, 1005 + (2ULL << 27) + 7 + 1 + 3, 14);
	expect(&sb, 4, 1005 + (2ULL << 27) + 7 + 1 + 3 + 2 + 1, 15);
	expect_end(&sb, 0);
	expect_end(&sb, 0);
}

static void test_types(void **state)
{
	(void)state;
	all_types(false);
}

static void test_types_big_endian(void **state)
{
	(void)state;
	all_types(true);
}

/* An absolute stamp sets the time; its high bits come from the page's. */
static void test_absolute(void **state)
{
	struct page p = {0};
	struct subbuf sb;
	uint64_t high = 3ULL << 59;

	(void)state;
	begin_page(&p, high + 5000);
	head(&p, 31, 77);
	word(&p, 9);
	record(&p, 1, 1, 21);
	/* also backwards */
	head(&p, 31, 3);
	word(&p, 0);
	record(&p, 1, 0, 22);
	begin_read(&sb, &p, 0);
	expect(&sb, 4, high + (9ULL << 27) + 77 + 1, 21);
	expect(&sb, 4, high + 3, 22);
	expect_end(&sb, 0);
}

static void test_null_padding_ends(void **state)
{
	struct page p = {0};
	struct subbuf sb;

	(void)state;
	begin_page(&p, 10);
	record(&p, 1, 1, 31);
	head(&p, 29, 0);
	word(&p, 0xffffffff);
	begin_read(&sb, &p, 0);
	expect(&sb, 4, 11, 31);
	expect_end(&sb, 0);
	expect_end(&sb, 0);
}

static void test_empty_and_full(void **state)
{
	struct page p = {0};
	struct subbuf sb;
	unsigned int i, nr = (PAGE - DATA) / 8;

	(void)state;
	begin_page(&p, 10);
	begin_read(&sb, &p, 0);
	assert_int_equal(sb.time_ns, 10);
	expect_end(&sb, 0);
	begin_page(&p, 10);
	for (i = 0; i < nr; i++)
		record(&p, 1, 1, i);
	begin_read(&sb, &p, 0);
	for (i = 0; i < nr; i++)
		expect(&sb, 4, 11 + i, i);
	expect_end(&sb, 0);
}

/* --------------------------------------------------------------------- loss */

static void test_missed(void **state)
{
	struct page p = {0};
	struct subbuf sb;

	(void)state;
	begin_page(&p, 10);
	record(&p, 1, 1, 1);
	begin_read(&sb, &p, MISSED);
	assert_true(sb.missed);
	assert_true(sb.nr_lost == MMT_LOST_UNKNOWN);
	expect(&sb, 4, 11, 1);
	/* the number stands behind the data */
	put64(&p, DATA + p.len, 12345);
	begin_read(&sb, &p, MISSED | STORED);
	assert_true(sb.missed);
	assert_int_equal(sb.nr_lost, 12345);
	expect(&sb, 4, 11, 1);
	expect_end(&sb, 0);
}

/* No room for the number behind the data: it cannot be there. */
static void test_missed_without_room(void **state)
{
	struct page p = {0};
	struct subbuf sb;

	(void)state;
	begin_page(&p, 10);
	while (p.len + 8 <= PAGE - DATA)
		record(&p, 1, 1, 1);
	begin_read(&sb, &p, MISSED | STORED);
	assert_true(sb.missed);
	assert_true(sb.nr_lost == MMT_LOST_UNKNOWN);
}

/* ------------------------------------------------------------------- damage */

static void test_commit_too_long(void **state)
{
	struct page p = {0};
	struct subbuf sb;

	(void)state;
	begin_page(&p, 10);
	put64(&p, 8, PAGE - DATA + 1);
	assert_int_equal(subbuf_begin(&sb, &le, p.bytes, PAGE), -EBADMSG);
	put64(&p, 8, 0xfffff);
	assert_int_equal(subbuf_begin(&sb, &le, p.bytes, PAGE), -EBADMSG);
	put64(&p, 8, 0);
	assert_int_equal(subbuf_begin(&sb, &le, p.bytes, DATA - 1), -EBADMSG);
	assert_int_equal(subbuf_begin(&sb, &le, p.bytes, DATA), 0);
	expect_end(&sb, 0);
}

/* One whole record, then the one that ends behind the data. */
static void cut_record(uint32_t type, uint32_t delta, uint32_t length)
{
	struct page p = {0};
	struct subbuf sb;

	begin_page(&p, 10);
	record(&p, 1, 1, 41);
	head(&p, type, delta);
	if (length)
		word(&p, length);
	begin_read(&sb, &p, 0);
	expect(&sb, 4, 11, 41);
	expect_end(&sb, -EBADMSG);
}

static void test_cut_records(void **state)
{
	(void)state;
	cut_record(1, 0, 0);
	cut_record(28, 0, 1);
	cut_record(0, 0, 0);
	cut_record(0, 0, 9);
	cut_record(0, 0, 0xffffffff);
	cut_record(0, 0, 3);
	cut_record(0, 0, 4);
	cut_record(29, 1, 0);
	cut_record(29, 1, 2000);
	cut_record(30, 1, 0);
	cut_record(31, 1, 0);
}

/* Any bytes: an end, sooner or later, and nothing from beyond the data. */
static void test_noise(void **state)
{
	const uint8_t *record;
	struct subbuf sb;
	uint8_t *page = malloc(PAGE);
	unsigned int i, k, n;
	uint64_t seed = 1;
	int len;

	(void)state;
	assert_non_null(page);
	for (i = 0; i < 3000; i++) {
		for (k = 0; k < PAGE; k++) {
			seed = seed * 6364136223846793005ULL + 1;
			page[k] = (uint8_t)(seed >> 56);
		}
		put_le64(page + 8, seed % (PAGE - DATA + 1));
		assert_int_equal(subbuf_begin(&sb, &le, page, PAGE), 0);
		for (n = 0; (len = subbuf_next(&sb, &record)) > 0; n++) {
			assert_true(n < PAGE);
			assert_true(record >= page + DATA);
			assert_true(record + len <= page + PAGE);
		}
	}
	free(page);
}

/* ------------------------------------------------------------------- layout */

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

static void test_layout(void **state)
{
	static const char small[] =
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield: char data;\toffset:12;\tsize:4084;\tsigned:0;\n";
	struct subbuf_layout l;
	struct errbuf err = {0};

	(void)state;
	assert_int_equal(
		subbuf_layout_parse(&l, header_page, strlen(header_page), &err),
		0);
	assert_int_equal(l.commit_offset, 8);
	assert_int_equal(l.commit_size, 8);
	assert_int_equal(l.data_offset, 16);
	assert_false(l.big_endian);
	assert_int_equal(subbuf_layout_parse(&l, small, strlen(small), &err),
			 0);
	assert_int_equal(l.commit_size, 4);
	assert_int_equal(l.data_offset, 12);
}

static void test_bad_layout(void **state)
{
	static const char *const bad[] = {
		"",
		"hello\n",
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n",
		"\tfield: local_t commit;\toffset:8;\tsize:3;\tsigned:1;\n"
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n",
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: char data;\toffset:12;\tsize:4080;\tsigned:0;\n",
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: char data;\toffset:99999;\tsize:1;\tsigned:0;\n",
	};
	struct subbuf_layout l;
	struct errbuf err;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(
			subbuf_layout_parse(&l, bad[i], strlen(bad[i]), &err),
			-EINVAL);
		assert_true(*err.text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_types_big_endian),
		cmocka_unit_test(test_absolute),
		cmocka_unit_test(test_null_padding_ends),
		cmocka_unit_test(test_empty_and_full),
		cmocka_unit_test(test_missed),
		cmocka_unit_test(test_missed_without_room),
		cmocka_unit_test(test_commit_too_long),
		cmocka_unit_test(test_cut_records),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_bad_layout),
	};

	return cmocka_run_group_tests_name("subbuf", tests, NULL, NULL);
}
