/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-tracefmt.c - kernels' own format texts, and records made by hand */

/*
 * The texts of three kernels put the same fields at different places, and lack
 * some: values, kinds and roles come out the same.  No address of the kernel
 * comes out.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/record-gen.h"

/* --------------------------------------------------------------- whole books */

static void test_all_of_6_18(void **state)
{
	char *text = record_text("formats-6.18.txt"), *p = text, *body, *next;
	struct tracefmt *f = record_book(false);
	unsigned int nr = 0, nr_other = 0, i;
	const struct mmt_schema *s;
	const uint8_t *roles;
	char system[64];

	(void)state;
	for (p = strstr(text, "=== "); p; p = next) {
		body = strchr(p, '\n') + 1;
		next = strstr(body, "=== ");
		if (!strncmp(p + 4, "header", 6))
			continue;
		assert_int_equal(sscanf(p + 4, "%63[^/]", system), 1);
		if (next)
			next[-1] = '\0';
		s = tracefmt_schema(f, record_format(f, system, body));
		assert_non_null(s);
		assert_string_equal(s->system, system);
		for (i = 0; i < mmt_kind_roles((enum mmt_kind)s->kind, &roles);
		     i++)
			assert_int_equal(s->field[i].role, roles[i]);
		nr_other += s->kind == MMT_OTHER;
		nr++;
	}
	assert_int_equal(nr, 32);
	/* write-back errors, shrink_active, throttled, wakeup, migration */
	assert_int_equal(nr_other, 8);
	tracefmt_free(f);
	free(text);
}

static void expect_add(const char *file, bool big_endian)
{
	static const uint64_t want[] = {254 << 20 | 1, 0xfedcba9876543210ULL,
					0x123456789abULL, 0x8000000000000001ULL,
					9};
	char *text = record_text(file);
	struct tracefmt *f = record_book(big_endian);
	int id = record_format(f, "filemap", text);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;
	unsigned int i;

	assert_int_equal(tracefmt_set_type(f, id, 17), 0);
	record_begin(&r, text, id, big_endian);
	record_put(&r, "s_dev", want[ADD_DEV]);
	record_put(&r, "i_ino", want[ADD_INO]);
	record_put(&r, "index", want[ADD_INDEX]);
	record_put(&r, "pfn", want[ADD_PFN]);
	record_put(&r, "order", want[ADD_ORDER]);
	assert_int_equal(record_decode(f, &r, &ev, vals), 0);
	assert_int_equal(ev.kind, MMT_ADD);
	assert_int_equal(ev.type, 17);
	assert_int_equal(ev.pid, 4321);
	assert_int_equal(ev.flags, 0x18);
	assert_int_equal(ev.preempt, 3);
	assert_int_equal(ev.nr, 5);
	for (i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(ev.v[i], want[i]);
	tracefmt_free(f);
	free(text);
}

static void test_layouts(void **state)
{
	(void)state;
	expect_add("formats-6.1/filemap.mm_filemap_add_to_page_cache.format",
		   false);
	expect_add("formats-7.3/filemap.mm_filemap_add_to_page_cache.format",
		   false);
}

static void test_big_endian(void **state)
{
	(void)state;
	expect_add("formats-7.3/filemap.mm_filemap_add_to_page_cache.format",
		   true);
}

static void test_readahead_7_3(void **state)
{
	char *text =
		record_text("formats-7.3/readahead.page_cache_sync_ra.format");
	struct tracefmt *f = record_book(false);
	int id = record_format(f, "readahead", text);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;
	unsigned int i;

	(void)state;
	record_begin(&r, text, id, false);
	record_put(&r, "mmap_miss", 0);
	record_put(&r, "index", 100);
	record_put(&r, "req_count", 7);
	record_put(&r, "prev_pos", (uint64_t)-1);
	assert_int_equal(record_decode(f, &r, &ev, vals), 0);
	assert_int_equal(ev.kind, MMT_SYNC_RA);
	assert_int_equal(ev.v[RA_INDEX], 100);
	assert_int_equal(ev.v[RA_NR], 7);
	/* fields of no role keep their names, their sign is spread */
	record_field(tracefmt_schema(f, id), "prev_pos", &i);
	assert_int_equal(ev.v[i], UINT64_MAX);
	tracefmt_free(f);
	free(text);
}

static void test_signs(void **state)
{
	char *text =
		record_text("formats-6.1/vmscan.mm_vmscan_lru_isolate.format");
	struct tracefmt *f = record_book(false);
	int id = record_format(f, "vmscan", text);
	const struct mmt_schema *s = tracefmt_schema(f, id);
	uint64_t vals[MMT_MAX_FIELDS];
	unsigned int order, mode;
	struct mmt_event ev;
	struct record r;

	(void)state;
	assert_int_equal(record_field(s, "order", &order)->type, MMT_SIGNED);
	assert_int_equal(record_field(s, "isolate_mode", &mode)->type,
			 MMT_UNSIGNED);
	record_begin(&r, text, id, false);
	record_put(&r, "lru", 3);
	record_put(&r, "order", 0xffffffff);
	record_put(&r, "isolate_mode", 0xffffffff);
	assert_int_equal(record_decode(f, &r, &ev, vals), 0);
	assert_int_equal(ev.v[order], UINT64_MAX);
	assert_int_equal(ev.v[mode], 0xffffffff);
	assert_int_equal(ev.v[2], 3);
	tracefmt_free(f);
	free(text);
}

/* ------------------------------------------------------------ what may lack */

/* The text without the line of a field. */
static char *without(const char *file, const char *field)
{
	char *text = record_text(file), what[64], *at, *from, *to;

	snprintf(what, sizeof(what), " %s;", field);
	at = strstr(text, what);
	assert_non_null(at);
	for (from = at; *from != '\n';)
		from--;
	to = strchr(at, '\n');
	memmove(from, to, strlen(to) + 1);
	return text;
}

static void test_no_order(void **state)
{
	char *text = without(
		"formats-6.1/filemap.mm_filemap_add_to_page_cache.format",
		"order");
	struct tracefmt *f = record_book(false);
	int id = record_format(f, "filemap", text);
	const struct mmt_schema *s = tracefmt_schema(f, id);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;

	(void)state;
	assert_int_equal(s->kind, MMT_ADD);
	assert_int_equal(s->field[ADD_ORDER].type, MMT_ABSENT);
	assert_int_equal(s->field[ADD_ORDER].role, MMT_ORDER);
	assert_non_null(strstr(s->note, "order"));
	record_begin(&r, text, id, false);
	record_put(&r, "s_dev", 8 << 20);
	assert_int_equal(record_decode(f, &r, &ev, vals), 0);
	assert_int_equal(ev.nr, 5);
	assert_int_equal(ev.v[ADD_ORDER], 0);
	tracefmt_free(f);
	free(text);
}

/* An event that lacks what makes its kind is kept, but not as that kind. */
static void test_no_index(void **state)
{
	char *text = without(
		"formats-6.1/filemap.mm_filemap_add_to_page_cache.format",
		"index");
	struct tracefmt *f = record_book(false);
	const struct mmt_schema *s =
		tracefmt_schema(f, record_format(f, "filemap", text));

	(void)state;
	assert_int_equal(s->kind, MMT_OTHER);
	assert_int_equal(s->nr_fields, 4);
	assert_true(*s->note);
	tracefmt_free(f);
	free(text);
}

/* ----------------------------------------------------------------- addresses */

/* The section of one event in the book of 6.18. */
static char *section(char *book, const char *name)
{
	char *at = strstr(book, name), *end;

	assert_non_null(at);
	at = strchr(at, '\n') + 1;
	end = strstr(at, "=== ");
	if (end)
		*end = '\0';
	return at;
}

static void expect_id(const struct tracefmt *f, const char *text, int id,
		      uint64_t pointer, uint64_t want)
{
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;
	unsigned int i;

	record_begin(&r, text, id, false);
	record_put(&r, "shr", pointer);
	record_put(&r, "shrink", 0xffffffff81234567ULL);
	record_put(&r, "priority", 12);
	assert_int_equal(record_decode(f, &r, &ev, vals), 0);
	record_field(tracefmt_schema(f, id), "shr", &i);
	assert_int_equal(tracefmt_schema(f, id)->field[i].type, MMT_ID);
	assert_int_equal(ev.v[i], want);
	for (i = 0; i < ev.nr; i++)
		assert_true(ev.v[i] != 0xffffffff81234567ULL);
}

static void test_pointers(void **state)
{
	char *book = record_text("formats-6.18.txt");
	char *text = section(book, "=== vmscan/mm_shrink_slab_start");
	struct tracefmt *f = record_book(false);
	int id = record_format(f, "vmscan", text);
	uint64_t a = 0xffff888012345678ULL;
	unsigned int i;

	(void)state;
	expect_id(f, text, id, a, 1);
	expect_id(f, text, id, 0, 0);
	/* the function was the second address seen */
	expect_id(f, text, id, a + 64, 3);
	expect_id(f, text, id, a, 1);
	/* many: the table grows */
	for (i = 0; i < 5000; i++)
		expect_id(f, text, id, a + 128 + 64 * i, 4 + i);
	expect_id(f, text, id, a + 64, 3);
	tracefmt_free(f);
	free(book);
}

static uint64_t own_number(void *arg, uint64_t pointer)
{
	(void)pointer;
	return ++*(uint64_t *)arg;
}

static void test_resolver(void **state)
{
	char *book = record_text("formats-6.18.txt");
	char *text = section(book, "=== vmscan/mm_shrink_slab_start");
	struct tracefmt *f = record_book(false);
	int id = record_format(f, "vmscan", text);
	uint64_t nr = 100;

	(void)state;
	tracefmt_resolver(f, own_number, &nr);
	expect_id(f, text, id, 0xffff888012345678ULL, 101);
	assert_int_equal(nr, 102);
	tracefmt_free(f);
	free(book);
}

/* The folio's address says nothing that its pfn does not. */
static void test_folio_left_out(void **state)
{
	char *text = record_text("formats-6.1/pagemap.mm_lru_insertion.format");
	struct tracefmt *f = record_book(false);
	const struct mmt_schema *s =
		tracefmt_schema(f, record_format(f, "pagemap", text));
	unsigned int i;

	(void)state;
	assert_int_equal(s->kind, MMT_LRU_INSERT);
	assert_int_equal(s->nr_fields, 3);
	for (i = 0; i < s->nr_fields; i++)
		assert_int_equal(s->field[i].type, MMT_UNSIGNED);
	tracefmt_free(f);
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_6_18),
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_big_endian),
		cmocka_unit_test(test_readahead_7_3),
		cmocka_unit_test(test_signs),
		cmocka_unit_test(test_no_order),
		cmocka_unit_test(test_no_index),
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_resolver),
		cmocka_unit_test(test_folio_left_out),
	};

	return cmocka_run_group_tests_name("tracefmt", tests, NULL, NULL);
}
