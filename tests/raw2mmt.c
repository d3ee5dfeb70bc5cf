/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raw2mmt.c - test tool: raw ring-buffer pages and format texts to a log */

/*
 * usage: raw2mmt OUT.mmt LEVEL FORMATS PAGES...
 *
 * FORMATS is a text with one format file after the other, each behind a line
 * "=== system/event"; "header_page" may be among them.  PAGES has the 4 KiB
 * sub-buffers of one CPU as read from trace_pipe_raw, CPU 0 first.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "formats/mmt.h"
#include "formats/subbuf.h"
#include "formats/tracefmt.h"
#include "tests/raw-input.h"

#define SUBBUF 4096

static void die(const char *what, const struct errbuf *err)
{
	fprintf(stderr, "raw2mmt: %s: %s\n", what, err->text);
	exit(1);
}

static void take_section(struct tracefmt *f, struct subbuf_layout *layout,
			 const struct raw_section *s, struct mmt_writer *w)
{
	struct errbuf err;
	int id, type;

	if (!strcmp(s->system, "header_page")) {
		if (subbuf_layout_parse(layout, s->text, s->len, &err))
			die("header_page", &err);
		return;
	}
	if (!s->is_event)
		return;
	id = tracefmt_add(f, s->system, s->text, s->len, &err);
	if (id < 0)
		die(s->system, &err);
	type = mmt_writer_schema(w, tracefmt_schema(f, id));
	if (type < 0 || tracefmt_set_type(f, id, (uint16_t)type))
		exit(1);
}

static void take_formats(struct tracefmt *f, struct subbuf_layout *layout,
			 const char *path, struct mmt_writer *w)
{
	size_t len;
	char *text = raw_load(path, &len);
	const char *at = text;
	struct raw_section s;

	if (!text) {
		perror(path);
		exit(1);
	}
	while (raw_section_next(&at, &s))
		take_section(f, layout, &s, w);
	free(text);
}

/* Events and damaged records of one CPU's pages. */
static uint64_t take_pages(const struct tracefmt *f,
			   const struct subbuf_layout *layout,
			   struct mmt_track *t, const char *pages, size_t len)
{
	const uint8_t *record;
	uint64_t nr_bad = 0, *vals;
	struct subbuf sb;
	size_t at;
	int n;

	for (at = 0; at + SUBBUF <= len; at += SUBBUF) {
		if (subbuf_begin(&sb, layout, pages + at, SUBBUF)) {
			nr_bad++;
			continue;
		}
		if (sb.missed)
			mmt_track_loss(t, sb.time_ns, sb.nr_lost);
		while ((n = subbuf_next(&sb, &record)) > 0) {
			struct mmt_event *ev = mmt_track_slot(t, &vals);

			if (!ev)
				return nr_bad + 1;
			if (tracefmt_decode(f, record, (size_t)n, ev, vals)) {
				nr_bad++;
				continue;
			}
			ev->time_ns = sb.time_ns;
			mmt_track_commit(t);
		}
		nr_bad += n < 0;
	}
	return nr_bad;
}

int main(int argc, char **argv)
{
	struct subbuf_layout layout = {8, 8, 16, false};
	struct mmt_writer *w;
	struct tracefmt *f;
	struct errbuf err;
	uint64_t nr_bad = 0;
	struct timespec a, b;
	double cpu_s = 0;
	int i;

	if (argc < 5)
		return 2;
	if (tracefmt_new(&f, false, 8) ||
	    mmt_writer_create(&w, argv[1], MMT_OVERWRITE, &err))
		die(argv[1], &err);
	mmt_writer_level(w, atoi(argv[2]));
	take_formats(f, &layout, argv[3], w);
	mmt_writer_meta(w, "clock", "local");
	mmt_writer_meta(w, "page.size", "4096");
	if (mmt_writer_start(w))
		return 1;
	for (i = 4; i < argc; i++) {
		struct mmt_track *t;
		size_t len;
		char *pages = raw_load(argv[i], &len);

		if (!pages || mmt_track_open(&t, w, (unsigned int)i - 4))
			return 1;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
		nr_bad += take_pages(f, &layout, t, pages, len);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
		cpu_s += (double)(b.tv_sec - a.tv_sec) +
			 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
		free(pages);
	}
	if (mmt_writer_finish(w, 0, &err))
		die(argv[1], &err);
	tracefmt_free(f);
	printf("damaged %" PRIu64 " encode_cpu_s %.3f\n", nr_bad, cpu_s);
	return nr_bad != 0;
}
