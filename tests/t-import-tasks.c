/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-import-tasks.c - names of tasks that imports put into the log */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/import-frame.h"

static void lines(void **state)
{
	static const char comm[] = "a\tb\n7 7 x\0\x1b[2J\xc3\xa4\\";
	struct buf out = {0};
	char longer[100];

	(void)state;
	assert_int_equal(import_task_line(&out, 12, -1, comm, sizeof(comm) - 1),
			 0);
	assert_string_equal((char *)out.p,
			    "12 -1 a\\x09b\\x0a7 7 x \\x1b[2J\\xc3\\xa4\\\\\n");
	memset(longer, 'x', sizeof(longer));
	out.len = 0;
	assert_int_equal(import_task_line(&out, 1, 1, longer, sizeof(longer)),
			 0);
	assert_int_equal(out.len, strlen("1 1 ") + 63 + 1);
	buf_free(&out);
}

/* The text "tasks" of what is imported from path, and a NUL. */
static void import_tasks(struct buf *out, const char *path)
{
	const struct import_options options = {0};
	struct import_report report;
	struct mmt_text text;
	struct errbuf err;
	unsigned int i = 0;
	struct mmt *log;

	assert_int_equal(
		import_run(&log, NULL, 0, &options, &path, 1, &report, &err),
		0);
	while (!mmt_text_next(log, &i, &text, &err) && text.name)
		if (!strcmp(text.name, "tasks"))
			assert_int_equal(
				buf_append(out, text.text, text.len + 1), 0);
	mmt_close(log);
	import_report_free(&report);
}

static void tracedat(void **state)
{
	struct buf out = {0};
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/data/import/comm_odd.dat",
		 getenv("top_srcdir"));
	import_tasks(&out, path);
	assert_string_equal((char *)out.p,
			    "177 -1 a b-12 [001] 1.0: x\n"
			    "52 -1 tab\\x09here\n"
			    "4194303 -1 \\x1b[2J\\x1b]0;title\\x07\n");
	buf_free(&out);
}

static void text(void **state)
{
	static const char lines[] =
		"# tracer: nop\n"
		" tab\there-7 [000] ..... 1.0: mm_filemap_fault: dev=8:1 ino=1f ofs=0\n"
		" \x1b[2J\\-8 [000] ..... 1.1: mm_filemap_fault: dev=8:1 ino=1f ofs=0\n";
	char path[] = "/tmp/mmcap-test.XXXXXX";
	struct buf out = {0};
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, lines, sizeof(lines) - 1),
			 sizeof(lines) - 1);
	close(fd);
	import_tasks(&out, path);
	unlink(path);
	assert_string_equal((char *)out.p, "7 -1 tab\\x09here\n"
					   "8 -1 \\x1b[2J\\\\\n");
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(tracedat),
		cmocka_unit_test(text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
