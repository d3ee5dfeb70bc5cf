/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-tracefmt-hostile.c - records and format texts that are not as they should */

/*
 * Strings without an end or outside of their record, records that are short or
 * of no known event, texts that are cut or odd: refused, or decoded as far as
 * they mean something.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/record-gen.h"

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

/* ------------------------------------------------------------------- strings */

static void test_fixed_string(void **state)
{
	struct tracefmt *f = record_book(false);
	int id = record_format(f, "task", new_task);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;

	(void)state;
	record_begin(&r, new_task, id, false);
	record_put(&r, "pid", 55);
	record_put(&r, "clone_flags", 0x100);
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
	struct tracefmt *f = record_book(false);
	int id = record_format(f, "sched", exec);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;
	unsigned int i;

	record_begin(&r, exec, id, false);
	record_put(&r, "filename", loc);
	record_put(&r, "pid", 9);
	memcpy(r.bytes + 16, "/bin/sh\0", 8);
	r.len = 24;
	assert_int_equal(tracefmt_decode(f, r.bytes, r.len, &ev, vals),
			 want ? 0 : -EBADMSG);
	if (!want) {
		tracefmt_free(f);
		return;
	}
	assert_int_equal(ev.v[TASK_TID], 9);
	record_field(tracefmt_schema(f, id), "filename", &i);
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

static void test_short_and_unknown(void **state)
{
	char *text = record_text(
		"formats-7.3/filemap.mm_filemap_add_to_page_cache.format");
	struct tracefmt *f = record_book(false);
	int id = record_format(f, "filemap", text);
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev;
	struct record r;
	size_t full;

	(void)state;
	record_begin(&r, text, id, false);
	record_put(&r, "order", 1);
	full = r.len;
	for (r.len = 0; r.len < full; r.len++)
		assert_int_equal(record_decode(f, &r, &ev, vals), -EBADMSG);
	assert_int_equal(record_decode(f, &r, &ev, vals), 0);
	record_put(&r, "common_type", (uint64_t)id + 1);
	assert_int_equal(record_decode(f, &r, &ev, vals), -ENOENT);
	record_put(&r, "common_type", 0xffff);
	assert_int_equal(record_decode(f, &r, &ev, vals), -ENOENT);
	assert_null(tracefmt_schema(f, id + 1));
	assert_null(tracefmt_schema(f, -1));
	assert_int_equal(tracefmt_set_type(f, id + 1, 3), -ENOENT);
	tracefmt_free(f);
	free(text);
}

static void test_no_format(void **state)
{
	struct tracefmt *f = record_book(false);
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
	char *text =
		record_text("formats-7.3/readahead.page_cache_sync_ra.format");
	size_t len;

	(void)state;
	for (len = 0; len < strlen(text); len += 3) {
		struct tracefmt *f = record_book(false);
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
	char *text =
		record_text("formats-7.3/readahead.page_cache_sync_ra.format");
	char *at = strstr(text, " index;");
	struct tracefmt *f = record_book(false);
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
	struct tracefmt *f = record_book(false);
	struct errbuf err = {0};
	int id = tracefmt_add(f, "x", odd, strlen(odd), &err);
	const struct mmt_schema *s;
	unsigned int i;

	(void)state;
	if (id >= 0) {
		s = tracefmt_schema(f, id);
		assert_int_equal(s->kind, MMT_OTHER);
		assert_int_equal(s->nr_fields, 1);
		record_field(s, "fine", &i);
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
	struct tracefmt *f = record_book(false);
	struct errbuf err = {0};

	(void)state;
	record_format(f, "task", new_task);
	assert_int_equal(tracefmt_add(f, "x", other, strlen(other), &err),
			 -EINVAL);
	tracefmt_free(f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_string),
		cmocka_unit_test(test_data_loc),
		cmocka_unit_test(test_short_and_unknown),
		cmocka_unit_test(test_no_format),
		cmocka_unit_test(test_cut_format),
		cmocka_unit_test(test_cut_in_field),
		cmocka_unit_test(test_odd_fields),
		cmocka_unit_test(test_other_common),
	};

	return cmocka_run_group_tests_name("tracefmt, hostile", tests, NULL,
					   NULL);
}
