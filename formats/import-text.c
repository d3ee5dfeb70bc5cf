/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text.c - text traces: trace, trace_pipe, trace-cmd report, perf */

/*
 * The input is mapped (and, with --unwrap, first put together again), read
 * once to learn what is in it, and once more to write it.  What every line
 * is, is found by its structure: see import-text-head.c.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/import-frame.h"
#include "formats/import-text.h"
#include "formats/units.h"

#define DETECT_LINES 50

static bool text_detect(const uint8_t *head, size_t len, const char *path)
{
	const char *p = (const char *)head, *end = p + len, *eol;
	unsigned int i;

	(void)path;
	if (!len || memchr(head, '\0', MIN(len, (size_t)4096)))
		return false;
	for (i = 0; i < DETECT_LINES && p < end; i++, p = eol + 1) {
		struct text_head h;

		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol)
			eol = end;
		if ((eol - p >= 9 && !memcmp(p, "# tracer:", 9)) ||
		    text_head_parse(&h, p, eol) ||
		    (p < eol && text_head_begins(p, eol)))
			return true;
	}
	return false;
}

/* --------------------------------------------------------------- opening */

static int no_memory(struct import *im)
{
	return errbuf_set(im->err, -ENOMEM, "out of memory");
}

static int unwrap_file(struct text_reader *r, struct text_file *f)
{
	struct text_unwrap u = {.im = r->im, .path = f->path};
	int ret = text_unwrap(&u, f->p, f->end);

	f->joined = u.out;
	f->p = (const char *)u.out.p;
	f->end = f->p + u.out.len;
	if (ret)
		return ret;
	return import_note(
		r->im,
		"%s: %" PRIu64 " line breaks undone, %" PRIu64
		" of them within a word; lines of other text left out: %" PRIu64,
		f->path, u.nr_joins, u.nr_guesses, u.nr_prose);
}

static int open_file(struct text_reader *r, struct text_file *f,
		     const char *path)
{
	int ret = import_map(&f->map, path, r->im->err);

	if (ret)
		return ret;
	f->path = !strcmp(path, "-") ? "standard input" : path;
	f->p = f->map.len ? (const char *)f->map.p : "";
	f->end = f->p + f->map.len;
	if (f->map.len >= 3 && !memcmp(f->p, "\xef\xbb\xbf", 3))
		f->p += 3; /* the mark of an editor */
	if (!r->im->options->unwrap || !f->map.len)
		return 0;
	ret = unwrap_file(r, f);
	return ret ? no_memory(r->im) : 0;
}

/* Of offsets in bytes; a text never says it. */
static unsigned int page_shift(const struct import_options *o)
{
	return o->page_size ? (unsigned int)__builtin_ctzll(o->page_size) : 12;
}

static void reader_free(struct text_reader *r)
{
	unsigned int i;

	for (i = 0; r->files && i < r->im->nr_paths; i++) {
		import_unmap(&r->files[i].map);
		buf_free(&r->files[i].joined);
	}
	free(r->files);
	free(r->cpus);
	text_shapes_free(&r->shapes);
	text_tasks_free(&r->tasks);
	ids_destroy(&r->values.ids);
	free(r);
}

static int reader_new(struct text_reader **rp, struct import *im)
{
	struct text_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return no_memory(im);
	r->im = im;
	ids_init(&r->values.ids);
	r->shapes.probes = &im->probes;
	r->files = calloc(im->nr_paths, sizeof(*r->files));
	r->cpus = calloc(TEXT_MAX_CPU + 1, sizeof(*r->cpus));
	if (!r->files || !r->cpus) {
		reader_free(r);
		return no_memory(im);
	}
	*rp = r;
	return 0;
}

/* --------------------------------------------------------------- buffers */

static void list_buffers(const struct text_reader *r, char *out, size_t size)
{
	char name[64], escaped[4 * sizeof(name)];
	size_t len = 0;
	unsigned int i;

	*out = '\0';
	for (i = 0; i < r->nr_buffers && len < size; i++) {
		const struct text_buffer *b = &r->buffer[i];

		snprintf(name, sizeof(name), "%.*s",
			 (int)MIN(b->name.len, sizeof(name) - 1), b->name.p);
		units_escape(escaped, sizeof(escaped), name);
		len += (size_t)snprintf(out + len, size - len,
					"%s%s (%" PRIu64 ")", i ? ", " : "",
					b->name.len ? escaped : "top", b->nr);
	}
}

/* Pages of two machines, or one event of two buffers, never mix. */
static int check_buffers(struct text_reader *r)
{
	const char *want = r->im->options->buffer;
	char names[384];
	unsigned int i;

	list_buffers(r, names, sizeof(names));
	if (!want && r->nr_buffers > 1) {
		errbuf_set(r->im->err, -EINVAL,
			   "%s: events of several buffers: %s",
			   r->files[0].path, names);
		errbuf_hint(r->im->err, "choose one with --buffer NAME");
		return -EINVAL;
	}
	if (!want)
		return 0;
	for (i = 0; i < r->nr_buffers; i++)
		if (r->buffer[i].name.len ? span_is(r->buffer[i].name, want)
					  : !strcmp(want, "top"))
			return import_note(r->im, "buffers: %s", names);
	return errbuf_set(r->im->err, -ENOENT,
			  "%s: no buffer %s; there are: %s", r->files[0].path,
			  want, r->nr_buffers ? names : "none");
}

/* --------------------------------------------------------------- starting */

/* Of a probe: its definition, and what was made of it. */
static int put_probe(struct text_reader *r, const struct text_event *e)
{
	const struct mmt_schema *schema = &e->shapes->schema;
	int ret = 0;

	if (*schema->note)
		ret = import_note(r->im, "%s:%s: %s", e->system, e->name,
				  schema->note);
	return ret ? ret : import_put_probe(r->im, schema, e->def);
}

static int put_schemas(struct text_reader *r)
{
	bool frames = vmemmap_known(&r->values.vmemmap);
	struct text_shape *s;
	struct text_event *e;
	unsigned int i;
	int ret;

	for (i = 0; i < TEXT_EVENT_SLOTS; i++) {
		for (e = r->shapes.slot[i]; e; e = e->next) {
			e->last = e->shapes;
			for (s = e->shapes; s; s = s->next) {
				text_shape_compile(s, frames);
				if (s->bad)
					continue;
				s->type = mmt_writer_schema(r->im->writer,
							    &s->schema);
				if (s->type < 0)
					return s->type;
			}
			ret = e->def && e->shapes ? put_probe(r, e) : 0;
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int put_number(struct text_reader *r, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	return mmt_writer_meta(r->im->writer, key, text);
}

static int put_meta(struct text_reader *r)
{
	const char *clock = r->im->options->clock;
	char release[128];
	int ret;

	ret = put_number(r, "page.size", 1ULL << r->values.page_shift);
	if (!ret && r->nr_cpus)
		ret = put_number(r, "cpus", r->nr_cpus);
	if (!ret && clock)
		ret = mmt_writer_meta(r->im->writer, "clock", clock);
	if (!ret && r->release.len) {
		snprintf(release, sizeof(release), "%.*s",
			 (int)MIN(r->release.len, sizeof(release) - 1),
			 r->release.p);
		ret = mmt_writer_meta(r->im->writer, "kernel.release", release);
	}
	return ret;
}

static int start_log(struct text_reader *r)
{
	struct buf tasks = {0};
	int ret = put_meta(r);

	if (!ret)
		ret = put_schemas(r);
	if (!ret)
		ret = mmt_writer_start(r->im->writer);
	if (!ret)
		ret = text_tasks_put(&r->tasks, &tasks);
	if (!ret && tasks.len)
		ret = mmt_writer_text(r->im->writer, "tasks", r->first_ns,
				      tasks.p, tasks.len);
	buf_free(&tasks);
	return ret;
}

/* ---------------------------------------------------------------- running */

static int nothing_read(struct text_reader *r, uint64_t nr_bytes)
{
	const struct import_report *report = r->im->report;
	const char *path = r->files[0].path;

	if (!nr_bytes)
		return errbuf_set(r->im->err, -ENODATA, "%s: is empty", path);
	if (*report->first_failed)
		errbuf_set(r->im->err, -ENODATA,
			   "%s: no event could be read from %" PRIu64
			   " lines; the first that failed: %s",
			   path, r->nr_lines, report->first_failed);
	else
		errbuf_set(r->im->err, -ENODATA,
			   "%s: no event in %" PRIu64 " lines", path,
			   r->nr_lines);
	if (r->nr_broken && !r->im->options->unwrap)
		errbuf_hint(
			r->im->err,
			"the text looks wrapped or quoted by a mail: try --unwrap");
	return -ENODATA;
}

static int learn_all(struct text_reader *r)
{
	unsigned int i;
	int ret = 0;

	r->values.page_shift = page_shift(r->im->options);
	for (i = 0; !ret && i < r->im->nr_paths; i++) {
		ret = open_file(r, &r->files[i], r->im->paths[i]);
		if (!ret && text_learn(r, &r->files[i]))
			ret = no_memory(r->im);
	}
	return ret ? ret : check_buffers(r);
}

static int emit_all(struct text_reader *r)
{
	uint64_t nr_matched = 0, nr_bytes = 0;
	struct text_event *e;
	unsigned int i;
	int ret = start_log(r);

	for (i = 0; !ret && i < r->im->nr_paths; i++) {
		nr_bytes += r->files[i].map.len;
		ret = text_emit(r, &r->files[i]);
	}
	if (!ret)
		ret = text_emit_rest(r);
	if (!ret)
		ret = text_report(r);
	if (ret)
		return errbuf_set(r->im->err, ret, "%s: %s", r->files[0].path,
				  strerror(-ret));
	for (i = 0; i < TEXT_EVENT_SLOTS; i++)
		for (e = r->shapes.slot[i]; e; e = e->next)
			nr_matched += e->nr_matched;
	return nr_matched ? 0 : nothing_read(r, nr_bytes);
}

static int text_run(struct import *im)
{
	struct text_reader *r = NULL;
	int ret = reader_new(&r, im);

	if (ret)
		return ret;
	ret = learn_all(r);
	if (!ret)
		ret = emit_all(r);
	reader_free(r);
	return ret;
}

const struct importer import_text = {
	.name = "text",
	.what = "text of trace, trace_pipe, trace-cmd report, perf script",
	.detect = text_detect,
	.run = text_run,
};
