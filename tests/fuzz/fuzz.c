/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz.c - what the fuzz targets share: files in memory, reading a log */

/*
 * Sanitizers find what is read past its end; what they cannot know is checked
 * here and aborts: an error without words, a result that is no result.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/import.h"
#include "formats/stream.h"
#include "tests/fuzz/fuzz.h"

volatile uint64_t fuzz_sum;

/* libtraceevent 1.7 loses a word or two of a format that it refuses. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so";
}

int fuzz_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n <= 0)
			abort();
		data += n;
		size -= (size_t)n;
	}
	if (lseek(fd, 0, SEEK_SET))
		abort();
	return fd;
}

char *fuzz_path(char out[FUZZ_PATH_MAX], int fd)
{
	snprintf(out, FUZZ_PATH_MAX, "/proc/self/fd/%d", fd);
	return out;
}

/* Touches all of an event. */
static uint64_t sum_event(const struct mmt *log, const struct mmt_event *ev)
{
	const struct mmt_schema *schema = mmt_schema(log, ev->type);
	uint64_t sum = ev->time_ns + (uint64_t)ev->pid;
	unsigned int i;

	if (!schema || schema->nr_fields != ev->nr || schema->kind != ev->kind)
		abort();
	for (i = 0; i < ev->nr; i++)
		sum += schema->field[i].type == MMT_STRING
			       ? strlen(mmt_event_string(ev, i))
			       : ev->v[i];
	return sum;
}

static void read_events(struct mmt *log, const struct mmt_select *select)
{
	const struct mmt_event *ev;
	struct mmt_stream *s;
	struct errbuf err = {0};

	if (mmt_stream_open(&s, log, select, &err))
		return;
	while ((ev = mmt_stream_next(s)))
		fuzz_sum += sum_event(log, ev);
	if (mmt_stream_error(s, &err) && !*err.text)
		abort();
	mmt_stream_close(s);
}

void fuzz_read_log(struct mmt *log)
{
	const struct mmt_select adds = {.kinds = 1U << MMT_ADD};
	struct mmt_text text;
	struct errbuf err;
	unsigned int i = 0;

	while (!mmt_text_next(log, &i, &text, &err) && text.name)
		if (text.text[text.len])
			abort();
	read_events(log, NULL);
	read_events(log, &adds);
	mmt_close(log);
}

void fuzz_import(const char *kind, const uint8_t *data, size_t size)
{
	const struct import_options options = {.from = kind};
	int fd = fuzz_file(data, size);
	struct import_report report;
	char path[FUZZ_PATH_MAX];
	const char *paths[1];
	struct errbuf err = {0};
	struct mmt *log;

	paths[0] = fuzz_path(path, fd);
	if (!import_run(&log, NULL, 0, &options, paths, 1, &report, &err)) {
		/* nothing read is an error, unless the input says so itself */
		if (!report.nr_events && !report.empty)
			abort();
		fuzz_read_log(log);
	} else if (!*err.text) {
		abort();
	}
	import_report_free(&report);
	close(fd);
}
