/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-import-lines.c - heads of text events, and text that is cut or broken */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/import-text.h"
#include "formats/stream.h"

struct want {
	const char *line;
	const char *comm, *buffer, *event, *payload;
	uint64_t time_ns;
	int32_t pid, tgid;
	uint32_t cpu;
	uint8_t flags, preempt;
};

static const struct want heads[] = {
	{" x-1 [000] d..2. 1.5: a: b", "x", "", "a", " b", 1500000000, 1, -1, 0,
	 0x01, 2},
	{" x-1 [000] 1.000000001: a:", "x", "", "a", "", 1000000001, 1, -1, 0,
	 0, 0},
	/* a name that ends in a dash, one of brackets, one that is a head */
	{" a--7 [003] .N.. 2.0: e: ", "a-", "", "e", " ", 2000000000, 7, -1, 3,
	 0x24, 0},
	{" (x) [1]-7 (   9) [003] .... 2.0: e: ", "(x) [1]", "", "e", " ",
	 2000000000, 7, 9, 3, 0, 0},
	{" a-1 [000] 1: b:-2 [001] 3.000000: e: ", "a-1 [000] 1: b:", "", "e",
	 " ", 3000000000, 2, -1, 1, 0, 0},
	/* a payload that looks like a head is one */
	{" a-1 [000] 1.000000: print: b-2 [001] 3.000000: e: ", "a", "",
	 "print", " b-2 [001] 3.000000: e: ", 1000000000, 1, -1, 0, 0, 0},
	/* trace-cmd's buffers; a colon in a name is none */
	{" vm.dat:           cat-20 [000] 1.0: e:", "cat", "vm.dat", "e", "",
	 1000000000, 20, -1, 0, 0, 0},
	{" a: b-20 [000] 1.0: e:", "a: b", "", "e", "", 1000000000, 20, -1, 0,
	 0, 0},
	/* perf: pid/tid, a period, no CPU */
	{"a b 12/34 [002] 1.0:  100 s:e: x", "a b", "", "s:e", " x", 1000000000,
	 34, 12, 2, 0, 0},
	{"a 34 1.25: s:e: x", "a", "", "s:e", " x", 1250000000, 34, -1, 0, 0,
	 0},
	/* a clock without a unit; 2^64 - 1 */
	{" x-1 [000] 18446744073709551615: a:", "x", "", "a", "", UINT64_MAX, 1,
	 -1, 0, 0, 0},
};

static const char *const no_heads[] = {
	"",
	"x",
	" x-1 [00] 1.0: a:",            /* no CPU has two digits */
	" x-1 [000] 1.0:a:",            /* no blank */
	" x-1 [000] -1.0: a:",          /* before the beginning of time */
	" x-1 [000] 1.0: a b",          /* no event */
	" x-99999999999 [000] 1.0: a:", /* no pid */
	" x-1 [000] 18446744073709551616: a:",
	" x-1 [000] 18446744074.000000: a:",
	"# x-1 [000] 1.0: a:",
	" x [000] 1.0: a:",
};

static void check_span(struct span got, const char *want)
{
	char text[128];

	snprintf(text, sizeof(text), "%.*s", (int)got.len, got.p);
	assert_string_equal(text, want);
}

static void check_head(const struct want *w)
{
	const char *end = w->line + strlen(w->line);
	struct text_head h;
	struct span event;

	assert_true(text_head_parse(&h, w->line, end));
	check_span(h.comm, w->comm);
	check_span(h.buffer, w->buffer);
	event = h.name;
	if (h.system.len)
		event = (struct span){h.system.p,
				      h.system.len + 1 + h.name.len};
	check_span(event, w->event);
	assert_string_equal(h.payload, w->payload);
	assert_int_equal(h.time_ns, w->time_ns);
	assert_int_equal(h.pid, w->pid);
	assert_int_equal(h.tgid, w->tgid);
	assert_int_equal(h.cpu, w->cpu);
	assert_int_equal(h.flags, w->flags);
	assert_int_equal(h.preempt, w->preempt);
}

static void test_heads(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(heads); i++)
		check_head(&heads[i]);
}

static void test_no_heads(void **state)
{
	struct text_head h;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(no_heads); i++)
		assert_false(text_head_parse(
			&h, no_heads[i], no_heads[i] + strlen(no_heads[i])));
}

/* Task events: a name may look like a field. */
static void test_comm_pairs(void **state)
{
	static const char line[] = " x-1 [000] 1.0: task_rename: pid=7 "
				   "oldcomm=a b=c newcomm=d pid= "
				   "oom_score_adj=0";
	const char *end = line + sizeof(line) - 1;
	struct text_pairs ps;
	struct text_head h;

	(void)state;
	assert_true(text_head_parse(&h, line, end));
	text_pairs_parse(&ps, &h, end);
	check_span(ps.pair[1].key, "oldcomm");
	check_span(ps.pair[1].val, "a b=c");
	check_span(ps.pair[2].key, "newcomm");
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		enum text_class class;
		uint64_t v;
	} numbers[] = {
		{"0", TEXT_UNSIGNED, 0},
		{"18446744073709551615", TEXT_UNSIGNED, UINT64_MAX},
		{"18446744073709551616", TEXT_STRING, 0},
		{"-9223372036854775808", TEXT_SIGNED, 1ULL << 63},
		{"-9223372036854775809", TEXT_STRING, 0},
		{"0x1f", TEXT_UNSIGNED, 31},
		{"0x", TEXT_STRING, 0},
		{"1f", TEXT_STRING, 0},
		{"00000000ebaa814a", TEXT_POINTER, 0xebaa814a},
		{"0xffff888100000000", TEXT_POINTER, 0xffff888100000000},
		{"0xff13888100000000", TEXT_POINTER, 0xff13888100000000},
		{"18380172030198898688", TEXT_POINTER, 18380172030198898688ULL},
		{"-5000", TEXT_SIGNED, (uint64_t)-5000},
		{"0xffffffffffffffff", TEXT_UNSIGNED, UINT64_MAX},
		{"", TEXT_STRING, 0},
		{"-", TEXT_STRING, 0},
	};
	unsigned int i;
	uint64_t v;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		const char *text = numbers[i].text;

		assert_int_equal(
			text_number((struct span){text, strlen(text)}, &v),
			numbers[i].class);
		if (numbers[i].class != TEXT_STRING)
			assert_int_equal(v, numbers[i].v);
	}
}

/* ------------------------------------------------------ broken on purpose */

static const char sample[] =
	"# entries-in-buffer/entries-written: 3/9   #P:2\n"
	"CPU:1 [LOST 2 EVENTS]\n"
	"  b: x (-----) a-1 (  12) [000] d..1. 1.000001: "
	"mm_filemap_add_to_page_cache: dev 8:1 ino 1f page=0x1 pfn=0x1 "
	"ofs=4096 order=0\n"
	"> x-2 [001] ..... 1.000002:\n"
	"> mm_filemap_get_pages: dev=8:1 ino=1f ofs=0-\n"
	"> 8191\n"
	"  x-2 [001] ..... 1.000003: mm_shrink_slab_start: scan+0x0/0x2 "
	"00000000ebaa814a: nid: 0 objects to shrink 14\n"
	"y 1/2 [001] 1.000004: a:b: c=-1 d=x comm=e f=g pid=0xffff888100000000\n"
	"\tffffffff81000000 f (k)\n";

/* Imports what is in the file; a log must be sound, an error have words. */
static void import_once(const char *path, bool unwrap)
{
	const struct import_options options = {.from = "text",
					       .unwrap = unwrap};
	const char *paths[] = {path};
	struct import_report report = {0};
	struct errbuf err = {{0}, {0}};
	struct mmt *log = NULL;

	if (import_run(&log, NULL, 0, &options, paths, 1, &report, &err)) {
		assert_true(err.text[0]);
	} else {
		assert_true(report.nr_matched > 0);
		assert_int_equal(mmt_verify(log, &err), 0);
		mmt_close(log);
	}
	import_report_free(&report);
}

static void put(const char *path, const char *p, size_t len)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

/* The index of the first event of a text, with pages of this size. */
static uint64_t first_index(const char *text, uint64_t page_size)
{
	const struct import_options options = {.from = "text",
					       .page_size = page_size};
	char path[] = "/tmp/mmcap-text.XXXXXX";
	const char *paths[] = {path};
	struct import_report report = {0};
	const struct mmt_event *ev;
	struct errbuf err = {{0}, {0}};
	struct mmt_stream *stream;
	int fd = mkstemp(path);
	struct mmt *log;
	uint64_t index;

	assert_true(fd >= 0);
	close(fd);
	put(path, text, strlen(text));
	assert_int_equal(
		import_run(&log, NULL, 0, &options, paths, 1, &report, &err),
		0);
	unlink(path);
	assert_int_equal(mmt_stream_open(&stream, log, NULL, &err), 0);
	ev = mmt_stream_next(stream);
	assert_non_null(ev);
	index = ev->v[READ_INDEX];
	mmt_stream_close(stream);
	mmt_close(log);
	import_report_free(&report);
	return index;
}

static void test_page_size(void **state)
{
	static const char line[] = " x-1 [000] 1.0: mm_filemap_fault: "
				   "dev=8:1 ino=1 ofs=131072\n";

	(void)state;
	assert_int_equal(first_index(line, 0), 32);
	assert_int_equal(first_index(line, 16384), 8);
	assert_int_equal(first_index(line, 65536), 2);
}

static void test_broken(void **state)
{
	char path[] = "/tmp/mmcap-text.XXXXXX", copy[sizeof(sample)];
	int fd = mkstemp(path);
	size_t i, len = sizeof(sample) - 1;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (i = 0; i <= len; i++) {
		put(path, sample, i);
		import_once(path, i & 1);
	}
	srand(1);
	for (i = 0; i < 1000; i++) {
		memcpy(copy, sample, len);
		copy[(size_t)rand() % len] ^= (char)(1 << rand() % 8);
		copy[(size_t)rand() % len] = (char)rand();
		put(path, copy, len);
		import_once(path, i & 1);
	}
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_no_heads),
		cmocka_unit_test(test_comm_pairs),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_page_size),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
