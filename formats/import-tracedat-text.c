/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tracedat-text.c - trace.dat: the kernel's texts in it */

/*
 * header_page gives the layout of a sub-buffer; the event formats go to the
 * book; saved_cmdlines is kept for the log's list of tasks.  Each part is the
 * same in version 6 (one behind the other) and in version 7 (a section each).
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/import-frame.h"
#include "formats/import-tracedat.h"

static int take_header_page(struct dat *d, const char *text, size_t len)
{
	struct subbuf_layout layout;
	struct errbuf err;

	if (subbuf_layout_parse(&layout, text, len, &err))
		return import_damage(d->im, "%s: %s", d->path, err.text);
	layout.big_endian = d->big_endian;
	d->pages.layout = layout;
	d->have_layout = true;
	d->header_size = import_header_size(text, len);
	return 0;
}

/* A word of 64 bits, and so many bytes. */
static bool sized(struct dat_cur *cur, const uint8_t **p, uint64_t *len)
{
	return dat_num(cur, 8, len) && dat_bytes(cur, *len, p);
}

static int named(struct dat *d, struct dat_cur *cur, const char *name)
{
	const uint8_t *p;
	size_t at = cur->at;

	if (!dat_bytes(cur, strlen(name) + 1, &p))
		return dat_cut(d, cur, name);
	if (memcmp(p, name, strlen(name) + 1))
		return errbuf_set(d->im->err, -EBADMSG,
				  "%s: no %s at offset %" PRIu64, d->path, name,
				  cur->base + (cur->packed ? 0 : at));
	return 0;
}

int dat_take_headers(struct dat *d, struct dat_cur *cur)
{
	const uint8_t *p;
	uint64_t len;
	int ret = named(d, cur, "header_page");

	if (ret)
		return ret;
	if (!sized(cur, &p, &len))
		return dat_cut(d, cur, "the header_page text");
	ret = take_header_page(d, (const char *)p, (size_t)len);
	if (ret)
		return ret;
	ret = named(d, cur, "header_event");
	if (ret)
		return ret;
	if (!sized(cur, &p, &len))
		return dat_cut(d, cur, "the header_event text");
	return 0;
}

static int take_texts(struct dat *d, struct dat_cur *cur, const char *system,
		      uint64_t nr)
{
	const uint8_t *p;
	uint64_t len;
	int ret = 0;

	for (; !ret && nr; nr--) {
		if (!sized(cur, &p, &len))
			return dat_cut(d, cur, "the event formats");
		ret = import_book_add(d->book, system, (const char *)p,
				      (size_t)len);
	}
	return ret;
}

int dat_take_ftrace(struct dat *d, struct dat_cur *cur)
{
	uint64_t nr;

	if (!dat_num(cur, 4, &nr))
		return dat_cut(d, cur, "the ftrace formats");
	return take_texts(d, cur, "ftrace", nr);
}

int dat_take_formats(struct dat *d, struct dat_cur *cur)
{
	uint64_t nr_systems, nr;
	int ret = 0;

	if (!dat_num(cur, 4, &nr_systems))
		return dat_cut(d, cur, "the event formats");
	for (; !ret && nr_systems; nr_systems--) {
		const char *system = dat_string(cur);

		if (!system || !dat_num(cur, 4, &nr))
			return dat_cut(d, cur, "the event formats");
		ret = take_texts(d, cur, system, nr);
	}
	return ret;
}

int dat_take_cmdlines(struct dat *d, struct dat_cur *cur)
{
	const uint8_t *p;
	uint64_t len;

	if (!sized(cur, &p, &len))
		return dat_cut(d, cur, "the saved command lines");
	d->tasks.len = 0;
	return buf_append(&d->tasks, p, (size_t)len);
}

/* "PID COMM" becomes "TID TGID COMM"; a tgid is not known.  1, 0, -ENOMEM. */
static int task_line(struct buf *out, const char *line, size_t len)
{
	const char *sp = memchr(line, ' ', len);
	size_t digits = sp ? (size_t)(sp - line) : 0;
	char number[16];
	int64_t tid;

	if (!digits || digits > 10 || strspn(line, "0123456789") != digits)
		return 0;
	memcpy(number, line, digits);
	number[digits] = '\0';
	tid = strtoll(number, NULL, 10);
	return import_task_line(out, tid, -1, sp + 1, len - digits - 1) ?: 1;
}

static int task_lines(struct dat *d, struct buf *out)
{
	const char *p = (const char *)d->tasks.p, *end = p + d->tasks.len, *nl;
	uint64_t nr_odd = 0;
	int ret = 1;

	for (; ret >= 0 && p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		ret = task_line(out, p, (size_t)(nl - p));
		/* the text may end in a NUL */
		nr_odd += !ret && nl > p && *p;
	}
	if (ret < 0 || !nr_odd)
		return MIN(ret, 0);
	return import_note(d->im,
			   "saved command lines that name no task: %" PRIu64,
			   nr_odd);
}

int dat_write_tasks(struct dat *d)
{
	struct buf out = {0};
	int ret;

	/* a NUL behind it for strspn() */
	ret = buf_append(&d->tasks, "", 1);
	if (ret || d->tasks.len == 1)
		return ret;
	d->tasks.len--;
	ret = task_lines(d, &out);
	if (!ret && out.len)
		ret = mmt_writer_text(d->im->writer, "tasks", 0, out.p,
				      out.len);
	buf_free(&out);
	return ret;
}
