/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-tracefmt.c - kernels' own format texts, and records made by hand */

/*
 * The texts of three kernels put the same fields at different places; a
 * record is laid out by looking the place up in the text, value by value, with
 * a plain scanner that shares nothing with the compiler under test.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/tracefmt.h"

/* What libtraceevent leaks over a text it cannot parse is not ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so";
}

#define COMMON                                                                 \
	"format:\n"                                                            \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"      \
	"\tsigned:0;\n"                                                        \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char new_task[] =
	"name: task_newtask\nID: 7\n" COMMON
	"\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:char comm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
	"\tfield:u64 clone_flags;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"pid=%d\", REC->pid\n";

static const char exec[] =
	"name: sched_process_exec\nID: 8\n" COMMON
	"\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"filename=%s\", __get_str(filename)\n";

/* ------------------------------------------------------------------ helpers */

static char *slurp(const char *name)
{
	const char *top = getenv("top_srcdir");
	char path[512], *text = calloc(1, 1 << 18);
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/data/%s", top ? top : ".", name);
	f = fopen(path, "r");
	if (!f || !text)
		fail_msg("%s cannot be read", path);
	assert_true(fread(text, 1, (1 << 18) - 1, f) > 0);
	fclose(f);
	return text;
}

static struct tracefmt *new_book(bool big_endian)
{
	struct tracefmt *f;

	assert_int_equal(tracefmt_new(&f, big_endian, 8), 0);
	return f;
}

static int add(struct tracefmt *f, const char *system, const char *text)
{
	struct errbuf err = {0};
	int id = tracefmt_add(f, system, text, strlen(text), &err);

	if (id < 0)
		fail_msg("%s: %s", system, err.text);
	return id;
}

struct record {
	uint8_t bytes[512];
	size_t len;
	const char *text;
	bool big_endian;
};

/* Puts the value where the text says that the field is. */
static void put(struct record *r, const char *field, uint64_t v)
{
	unsigned int offset, size, i;
	char what[80];
	const char *at;

	snprintf(what, sizeof(what), " %s;", field);
	at = strstr(r->text, what);
	if (!at)
		fail_msg("no field %s", field);
	assert_int_equal(sscanf(at + strlen(what), "\toffset:%u;\tsize:%u;",
				&offset, &size),
			 2);
	for (i = 0; i < size; i++)
		r->bytes[offset + (r->big_endian ? size - 1 - i : i)] =
			(uint8_t)(v >> 8 * i);
	r->len = MAX(r->len, offset + size);
}

static void begin(struct record *r, const char *text, int id, bool big_endian)
{
	memset(r, 0, sizeof(*r));
	memset(r->bytes, 0xa5, sizeof(r->bytes));
	r->text = text;
	r->big_endian = big_endian;
	put(r, "common_type", (uint64_t)id);
	put(r, "common_flags", 0x18);
	put(r, "common_preempt_count", 3);
	put(r, "common_pid", 4321);
}

static int decode(const struct tracefmt *f, const struct record *r,
		  struct mmt_event *ev, uint64_t *vals)
{
	/* at the very end of its memory: a sanitizer sees any step beyond */
	uint8_t *exact = malloc(r->len ? r->len : 1);
	int ret;

	assert_non_null(exact);
	memcpy(exact, r->bytes, r->len);
	ret = tracefmt_decode(f, exact, r->len, ev, vals);
	free(exact);
	return ret;
}

static const struct mmt_field *field_of(const struct mmt_schema *s,
					const char *name, unsigned int *i)
{
	for (*i = 0; *i < s->nr_fields; ++*i)
		if (!strcmp(s->field[*i].name, name))
			return &s->field[*i];
	fail_msg("%s: no field %s", s->name, name);
	return NULL;
}

/* --------------------------------------------------------------- whole books */

static void test_all_of_6_18(void **state)
{
	char *text = slurp("formats-6.18.txt"), *p = text, *body, *next;
	struct tracefmt *f = new_book(false);
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
		s = tracefmt_schema(f, add(f, system, body));
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
	char *text = slurp(file);
	struct tracefmt *f = new_book(big_endian);
	int id = add(f, "filemap", text);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;
	unsigned int i;

	assert_int_equal(tracefmt_set_type(f, id, 17), 0);
	begin(&r, text, id, big_endian);
	put(&r, "s_dev", want[ADD_DEV]);
	put(&r, "i_ino", want[ADD_INO]);
	put(&r, "index", want[ADD_INDEX]);
	put(&r, "pfn", want[ADD_PFN]);
	put(&r, "order", want[ADD_ORDER]);
	assert_int_equal(decode(f, &r, &ev, vals), 0);
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
	char *text = slurp("formats-7.3/readahead.page_cache_sync_ra.format");
	struct tracefmt *f = new_book(false);
	int id = add(f, "readahead", text);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;
	unsigned int i;

	(void)state;
	begin(&r, text, id, false);
	put(&r, "mmap_miss", 0);
	put(&r, "index", 100);
	put(&r, "req_count", 7);
	put(&r, "prev_pos", (uint64_t)-1);
	assert_int_equal(decode(f, &r, &ev, vals), 0);
	assert_int_equal(ev.kind, MMT_SYNC_RA);
	assert_int_equal(ev.v[RA_INDEX], 100);
	assert_int_equal(ev.v[RA_NR], 7);
	/* fields of no role keep their names, their sign is spread */
	field_of(tracefmt_schema(f, id), "prev_pos", &i);
	assert_int_equal(ev.v[i], UINT64_MAX);
	tracefmt_free(f);
	free(text);
}

static void test_signs(void **state)
{
	char *text = slurp("formats-6.1/vmscan.mm_vmscan_lru_isolate.format");
	struct tracefmt *f = new_book(false);
	int id = add(f, "vmscan", text);
	const struct mmt_schema *s = tracefmt_schema(f, id);
	uint64_t vals[MMT_MAX_FIELDS];
	unsigned int order, mode;
	struct mmt_event ev;
	struct record r;

	(void)state;
	assert_int_equal(field_of(s, "order", &order)->type, MMT_SIGNED);
	assert_int_equal(field_of(s, "isolate_mode", &mode)->type,
			 MMT_UNSIGNED);
	begin(&r, text, id, false);
	put(&r, "lru", 3);
	put(&r, "order", 0xffffffff);
	put(&r, "isolate_mode", 0xffffffff);
	assert_int_equal(decode(f, &r, &ev, vals), 0);
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
	char *text = slurp(file), what[64], *at, *from, *to;

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
	struct tracefmt *f = new_book(false);
	int id = add(f, "filemap", text);
	const struct mmt_schema *s = tracefmt_schema(f, id);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;

	(void)state;
	assert_int_equal(s->kind, MMT_ADD);
	assert_int_equal(s->field[ADD_ORDER].type, MMT_ABSENT);
	assert_int_equal(s->field[ADD_ORDER].role, MMT_ORDER);
	assert_non_null(strstr(s->note, "order"));
	begin(&r, text, id, false);
	put(&r, "s_dev", 8 << 20);
	assert_int_equal(decode(f, &r, &ev, vals), 0);
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
	struct tracefmt *f = new_book(false);
	const struct mmt_schema *s =
		tracefmt_schema(f, add(f, "filemap", text));

	(void)state;
	assert_int_equal(s->kind, MMT_OTHER);
	assert_int_equal(s->nr_fields, 4);
	assert_true(*s->note);
	tracefmt_free(f);
	free(text);
}

static void test_short_and_unknown(void **state)
{
	char *text = slurp(
		"formats-7.3/filemap.mm_filemap_add_to_page_cache.format");
	struct tracefmt *f = new_book(false);
	int id = add(f, "filemap", text);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;
	size_t full;

	(void)state;
	begin(&r, text, id, false);
	put(&r, "order", 1);
	full = r.len;
	for (r.len = 0; r.len < full; r.len++)
		assert_int_equal(decode(f, &r, &ev, vals), -EBADMSG);
	assert_int_equal(decode(f, &r, &ev, vals), 0);
	put(&r, "common_type", (uint64_t)id + 1);
	assert_int_equal(decode(f, &r, &ev, vals), -ENOENT);
	put(&r, "common_type", 0xffff);
	assert_int_equal(decode(f, &r, &ev, vals), -ENOENT);
	assert_null(tracefmt_schema(f, id + 1));
	assert_null(tracefmt_schema(f, -1));
	assert_int_equal(tracefmt_set_type(f, id + 1, 3), -ENOENT);
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

	begin(&r, text, id, false);
	put(&r, "shr", pointer);
	put(&r, "shrink", 0xffffffff81234567ULL);
	put(&r, "priority", 12);
	assert_int_equal(decode(f, &r, &ev, vals), 0);
	field_of(tracefmt_schema(f, id), "shr", &i);
	assert_int_equal(tracefmt_schema(f, id)->field[i].type, MMT_ID);
	assert_int_equal(ev.v[i], want);
	for (i = 0; i < ev.nr; i++)
		assert_true(ev.v[i] != 0xffffffff81234567ULL);
}

static void test_pointers(void **state)
{
	char *book = slurp("formats-6.18.txt");
	char *text = section(book, "=== vmscan/mm_shrink_slab_start");
	struct tracefmt *f = new_book(false);
	int id = add(f, "vmscan", text);
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
	char *book = slurp("formats-6.18.txt");
	char *text = section(book, "=== vmscan/mm_shrink_slab_start");
	struct tracefmt *f = new_book(false);
	int id = add(f, "vmscan", text);
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
	char *text = slurp("formats-6.1/pagemap.mm_lru_insertion.format");
	struct tracefmt *f = new_book(false);
	const struct mmt_schema *s =
		tracefmt_schema(f, add(f, "pagemap", text));
	unsigned int i;

	(void)state;
	assert_int_equal(s->kind, MMT_LRU_INSERT);
	assert_int_equal(s->nr_fields, 3);
	for (i = 0; i < s->nr_fields; i++)
		assert_int_equal(s->field[i].type, MMT_UNSIGNED);
	tracefmt_free(f);
	free(text);
}

/* ------------------------------------------------------------------- strings */

static void test_fixed_string(void **state)
{
	struct tracefmt *f = new_book(false);
	int id = add(f, "task", new_task);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;

	(void)state;
	begin(&r, new_task, id, false);
	put(&r, "pid", 55);
	put(&r, "clone_flags", 0x100);
	memcpy(r.bytes + 12, "kworker/0:1\0junk", 16);
	assert_int_equal(tracefmt_decode(f, r.bytes, r.len, &ev, vals), 0);
	assert_int_equal(ev.kind, MMT_TASK_NEW);
	assert_int_equal(ev.v[TASK_TID], 55);
	assert_string_equal(mmt_event_string(&ev, TASK_COMM), "kworker/0:1");
	/* no NUL in its 16 bytes: not a string of the kernel */
	memset(r.bytes + 12, 'x', 16);
	assert_int_equal(tracefmt_decode(f, r.bytes, r.len, &ev, vals), 0);
	assert_string_equal(mmt_event_string(&ev, TASK_COMM), "");
	tracefmt_free(f);
}

/* want is NULL for a record that is refused. */
static void expect_filename(uint32_t loc, const char *want)
{
	struct tracefmt *f = new_book(false);
	int id = add(f, "sched", exec);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;
	unsigned int i;

	begin(&r, exec, id, false);
	put(&r, "filename", loc);
	put(&r, "pid", 9);
	memcpy(r.bytes + 16, "/bin/sh\0", 8);
	r.len = 24;
	assert_int_equal(tracefmt_decode(f, r.bytes, r.len, &ev, vals),
			 want ? 0 : -EBADMSG);
	if (!want) {
		tracefmt_free(f);
		return;
	}
	assert_int_equal(ev.v[TASK_TID], 9);
	field_of(tracefmt_schema(f, id), "filename", &i);
	assert_string_equal(mmt_event_string(&ev, i), want);
	tracefmt_free(f);
}

static void test_data_loc(void **state)
{
	(void)state;
	expect_filename(8 << 16 | 16, "/bin/sh");
	/* without its NUL */
	expect_filename(7 << 16 | 16, "");
	/* beyond the record */
	expect_filename(9 << 16 | 16, NULL);
	expect_filename(0xffffU << 16 | 16, NULL);
	expect_filename(8 << 16 | 0xffff, NULL);
	/* empty */
	expect_filename(24, "");
	expect_filename(0, "");
}

/* ------------------------------------------------------------------- hostile */

static void test_no_format(void **state)
{
	struct tracefmt *f = new_book(false);
	struct errbuf err = {0};

	(void)state;
	assert_int_equal(tracefmt_add(f, "a", "", 0, &err), -EINVAL);
	assert_int_equal(tracefmt_add(f, "a", "hello\n", 6, &err), -EINVAL);
	assert_true(*err.text);
	tracefmt_free(f);
}

/* A file that is cut anywhere compiles or is refused. */
static void test_cut_format(void **state)
{
	char *text = slurp("formats-7.3/readahead.page_cache_sync_ra.format");
	size_t len;

	(void)state;
	for (len = 0; len < strlen(text); len += 3) {
		struct tracefmt *f = new_book(false);
		struct errbuf err = {0};
		int id = tracefmt_add(f, "readahead", text, len, &err);

		assert_true(id >= 0 || *err.text);
		tracefmt_free(f);
	}
	free(text);
}

/* A field without its offset, and none of those behind it: not an event. */
static void test_cut_in_field(void **state)
{
	char *text = slurp("formats-7.3/readahead.page_cache_sync_ra.format");
	char *at = strstr(text, " index;");
	struct tracefmt *f = new_book(false);
	struct errbuf err = {0};

	(void)state;
	assert_non_null(at);
	at = strstr(at, "offset:") + strlen("offset:");
	assert_int_equal(
		tracefmt_add(f, "readahead", text, (size_t)(at - text), &err),
		-EINVAL);
	tracefmt_free(f);
	free(text);
}

static void test_odd_fields(void **state)
{
	static const char odd[] =
		"name: odd\nID: 9\n" COMMON
		"\tfield:u64 far;\toffset:65532;\tsize:8;\tsigned:0;\n"
		"\tfield:u24 three;\toffset:8;\tsize:3;\tsigned:0;\n"
		"\tfield:int many[4];\toffset:12;\tsize:16;\tsigned:1;\n"
		"\tfield:u32 fine;\toffset:28;\tsize:4;\tsigned:0;\n"
		"\nprint fmt: \"\"\n";
	struct tracefmt *f = new_book(false);
	struct errbuf err = {0};
	int id = tracefmt_add(f, "x", odd, strlen(odd), &err);
	const struct mmt_schema *s;
	unsigned int i;

	(void)state;
	if (id >= 0) {
		s = tracefmt_schema(f, id);
		assert_int_equal(s->kind, MMT_OTHER);
		assert_int_equal(s->nr_fields, 1);
		field_of(s, "fine", &i);
		assert_non_null(strstr(s->note, "far"));
	} else {
		assert_true(*err.text);
	}
	tracefmt_free(f);
}

/* Other common fields than the book's would be read at the wrong places. */
static void test_other_common(void **state)
{
	static const char other[] =
		"name: other\nID: 10\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
		"\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:8;\tsize:1;"
		"\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;"
		"\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\nprint fmt: \"\"\n";
	struct tracefmt *f = new_book(false);
	struct errbuf err = {0};

	(void)state;
	add(f, "task", new_task);
	assert_int_equal(tracefmt_add(f, "x", other, strlen(other), &err),
			 -EINVAL);
	tracefmt_free(f);
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
		cmocka_unit_test(test_short_and_unknown),
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_resolver),
		cmocka_unit_test(test_folio_left_out),
		cmocka_unit_test(test_fixed_string),
		cmocka_unit_test(test_data_loc),
		cmocka_unit_test(test_no_format),
		cmocka_unit_test(test_cut_format),
		cmocka_unit_test(test_cut_in_field),
		cmocka_unit_test(test_odd_fields),
		cmocka_unit_test(test_other_common),
	};

	return cmocka_run_group_tests_name("tracefmt", tests, NULL, NULL);
}
