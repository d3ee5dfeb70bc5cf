/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-import-frame.c - what an import counts and notes */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/import-frame.h"

#define NR_NAMES 5000

static void count_names(void **state)
{
	struct import_report report = {0};
	struct import im = {.report = &report};
	unsigned int i, round;
	char name[32];

	(void)state;
	for (round = 0; round < 2; round++)
		for (i = 0; i < NR_NAMES; i++) {
			snprintf(name, sizeof(name), "event_%u", i);
			assert_int_equal(
				import_count(&im, "sys", name, round, i), 0);
		}
	assert_int_equal(import_count(&im, NULL, "event_3", true, 7), 0);
	assert_int_equal(import_report_close(&im), 0);

	/* 4096 names, the rest together */
	assert_int_equal(report.nr_events_types, 4097);
	assert_string_equal(report.event[3].name, "sys:event_3");
	assert_int_equal(report.event[3].nr_matched, 3);
	assert_int_equal(report.event[3].nr_failed, 3);
	assert_int_equal(report.nr_failed,
			 (uint64_t)NR_NAMES * (NR_NAMES - 1) / 2);
	assert_int_equal(report.nr_matched, report.nr_failed + 7);
	import_report_free(&report);
	assert_null(report.event);
}

static void long_name(void **state)
{
	struct import_report report = {0};
	struct import im = {.report = &report};
	char name[300];
	int i;

	(void)state;
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	for (i = 0; i < 10; i++)
		assert_int_equal(import_count(&im, "s", name, true, 1), 0);
	assert_int_equal(import_report_close(&im), 0);
	assert_int_equal(report.nr_events_types, 1);
	assert_int_equal(report.event[0].nr_matched, 10);
	import_report_free(&report);
}

static unsigned int count_lines(const struct buf *b)
{
	unsigned int i, nr = 0;

	for (i = 0; i < b->len; i++)
		nr += b->p[i] == '\n';
	return nr;
}

static void lines(void **state)
{
	struct import_report report = {0};
	struct import im = {.report = &report};
	int i;

	(void)state;
	assert_int_equal(import_note(&im, "a\033[2Jb\nc\xff"), 0);
	assert_false(report.damaged);
	for (i = 0; i < 2000; i++)
		assert_int_equal(import_damage(&im, "at offset %d", i), 0);
	assert_true(report.damaged);
	assert_int_equal(import_report_close(&im), 0);
	assert_string_equal((char *)report.notes.p, "a\\x1b[2Jb\\x0ac\\xff\n");
	assert_int_equal(count_lines(&report.damage), 1001);
	assert_non_null(strstr((char *)report.damage.p,
			       "at offset 999\nand 1000 more like these\n"));
	import_report_free(&report);
}

static void tracks(void **state)
{
	struct import_report report = {0};
	struct errbuf err = {0};
	struct import im = {.report = &report, .err = &err};
	int fd = import_nameless(&err);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(mmt_writer_create_fd(&im.writer, fd), 0);
	assert_int_equal(mmt_writer_start(im.writer), 0);
	assert_non_null(import_track(&im, 5));
	assert_ptr_equal(import_track(&im, 5), import_track(&im, 5));
	assert_ptr_not_equal(import_track(&im, 5), import_track(&im, 0));
	/* no kernel has so many */
	assert_null(import_track(&im, 8192));
	assert_null(import_track(&im, UINT32_MAX));
	assert_int_equal(mmt_writer_finish(im.writer, 0, &err), 0);
	free(im.tracks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(count_names),
		cmocka_unit_test(long_name),
		cmocka_unit_test(lines),
		cmocka_unit_test(tracks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
