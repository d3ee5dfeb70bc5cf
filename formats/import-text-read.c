/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text-read.c - the two passes over a text trace */

/*
 * The first pass learns which events there are, what their fields hold, which
 * tasks, buffers and losses; the second one writes.  Both take the text line
 * by line from memory and keep nothing of a line but what is counted.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/import-text.h"
#include "formats/units.h"

typedef int line_fn(struct text_reader *r, struct text_file *f,
		    const char *line, const char *end);

static int walk(struct text_reader *r, struct text_file *f, line_fn *fn)
{
	const char *p, *end, *next;
	int ret = 0;

	for (p = f->p; !ret && p < f->end; p = next) {
		next = memchr(p, '\n', (size_t)(f->end - p));
		f->whole = next != NULL;
		end = next ? next : f->end;
		next = end + f->whole;
		if (end > p && end[-1] == '\r')
			end--;
		ret = fn(r, f, p, end);
	}
	return ret;
}

/* --------------------------------------------------------------- learning */

/* "260/2487   #P:2" behind the words */
static void learn_entries(struct text_reader *r, struct text_file *f,
			  struct span s)
{
	char text[96];
	uint64_t in = 0, written = 0, cpus = 0;

	snprintf(text, sizeof(text), "%.*s", (int)MIN(s.len, (size_t)90), s.p);
	if (sscanf(text, " %19" SCNu64 "/%19" SCNu64 " #P:%9" SCNu64, &in,
		   &written, &cpus) < 2)
		return;
	f->has_header = true;
	f->nr_announced += in;
	f->nr_written += written;
	r->nr_cpus = MAX(r->nr_cpus, cpus);
}

/* Is word in the line?  Then rest is what follows it. */
static bool behind(const char *p, const char *end, const char *word,
		   struct span *rest)
{
	size_t len = strlen(word);
	const char *at = memmem(p, (size_t)(end - p), word, len);

	if (!at)
		return false;
	at = text_skip_blanks(at + len, end);
	*rest = (struct span){at, (size_t)(end - at)};
	return true;
}

static void learn_comment(struct text_reader *r, struct text_file *f,
			  const char *p, const char *end)
{
	struct span rest;
	uint64_t v;

	if (*p != '#' && behind(p, end, "cpus=", &rest)) {
		if (text_number(rest, &v) == TEXT_UNSIGNED)
			r->nr_cpus = MAX(r->nr_cpus, v);
	} else if (behind(p, end,
			  "entries-in-buffer/entries-written:", &rest)) {
		learn_entries(r, f, rest);
	} else if (behind(p, end, "# os release :", &rest)) {
		r->release = rest;
	}
}

static struct text_buffer *buffer_get(struct text_reader *r, struct span name)
{
	struct text_buffer *b = r->buffer;
	unsigned int i;

	for (i = 0; i < r->nr_buffers; i++, b++)
		if (span_same(b->name, name))
			return b;
	if (r->nr_buffers == TEXT_MAX_BUFFERS)
		return NULL;
	b->name = name;
	r->nr_buffers++;
	return b;
}

/* A buffer without a name before its lines is called as trace-cmd does. */
static bool buffer_wanted(const struct text_reader *r, struct span name)
{
	const char *want = r->im->options->buffer;

	if (!want)
		return true;
	return name.len ? span_is(name, want) : !strcmp(want, "top");
}

static int learn_event(struct text_reader *r, struct text_file *f,
		       const struct text_head *h, const char *end)
{
	struct text_buffer *b = buffer_get(r, h->buffer);
	struct text_pairs ps;
	struct text_shape *s;
	struct text_event *e;
	int ret;

	if (b)
		b->nr++;
	if (!b || h->cpu > TEXT_MAX_CPU || !buffer_wanted(r, h->buffer))
		return 0;
	ret = text_tasks_add(&r->tasks, h);
	if (ret)
		return ret;
	if (!r->nr_events++)
		r->first_ns = h->time_ns;
	e = text_event_get(&r->shapes, h, true);
	if (!e)
		return 0;
	text_pairs_parse(&ps, h, end);
	s = text_shape_find(e, &ps);
	/* a line that may be cut does not show what the event looks like */
	if (!s && (f->whole || !e->shapes))
		s = text_shape_new(&r->shapes, e, &ps);
	if (s) {
		text_shape_learn(s, &ps);
		text_values_learn(&r->values, s, &ps);
	}
	return 0;
}

static int learn_line(struct text_reader *r, struct text_file *f,
		      const char *line, const char *end)
{
	struct text_loss loss;
	struct text_head h;

	if (text_head_parse(&h, line, end))
		return learn_event(r, f, &h, end);
	switch (text_line_kind(line, end, &loss)) {
	case TEXT_COMMENT:
		learn_comment(r, f, line, end);
		break;
	case TEXT_LOSS:
		if (loss.nr != MMT_LOST_UNKNOWN &&
		    buffer_wanted(r, loss.buffer))
			f->nr_marked += loss.nr;
		break;
	default:
		break;
	}
	return 0;
}

int text_learn(struct text_reader *r, struct text_file *f)
{
	uint64_t lost;
	int ret = walk(r, f, learn_line);

	/* overwritten before it was read: no mark says so */
	lost = f->nr_written > f->nr_announced ? f->nr_written - f->nr_announced
					       : 0;
	if (lost > f->nr_marked)
		f->nr_owed = lost - f->nr_marked;
	return ret;
}

/* ---------------------------------------------------------------- writing */

static void take_loss(struct text_reader *r, const struct text_loss *loss)
{
	struct text_cpu *cpu = &r->cpus[loss->cpu];

	if (!buffer_wanted(r, loss->buffer))
		return;
	if (!cpu->nr_lost && !cpu->lost_unknown)
		r->nr_pending++;
	if (loss->nr == MMT_LOST_UNKNOWN)
		cpu->lost_unknown = true;
	else if (__builtin_add_overflow(cpu->nr_lost, loss->nr, &cpu->nr_lost))
		cpu->nr_lost = MMT_LOST_UNKNOWN - 1;
}

static int put_losses(struct text_reader *r, struct mmt_track *t, uint32_t nr,
		      uint64_t time_ns)
{
	struct text_cpu *cpu = &r->cpus[nr];
	int ret = 0;

	if (!cpu->nr_lost && !cpu->lost_unknown)
		return 0;
	if (cpu->nr_lost)
		ret = mmt_track_loss(t, time_ns, cpu->nr_lost);
	if (!ret && cpu->lost_unknown)
		ret = mmt_track_loss(t, time_ns, MMT_LOST_UNKNOWN);
	cpu->nr_lost = 0;
	cpu->lost_unknown = false;
	r->nr_pending--;
	return ret;
}

int text_emit_rest(struct text_reader *r)
{
	struct mmt_track *t;
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && r->nr_pending && i <= TEXT_MAX_CPU; i++) {
		struct text_cpu *cpu = &r->cpus[i];

		if (!cpu->nr_lost && !cpu->lost_unknown)
			continue;
		t = import_track(r->im, i);
		if (!t)
			return -ENOMEM;
		ret = put_losses(r, t, i,
				 cpu->last_ns ? cpu->last_ns : r->last_ns);
	}
	return ret;
}

static void keep_first_failed(struct text_reader *r, const char *line,
			      const char *end)
{
	struct import_report *report = r->im->report;
	char text[sizeof(report->first_failed)];
	size_t len = MIN((size_t)(end - line), sizeof(text) - 1), at;

	if (report->first_failed[0] || line == end)
		return;
	memcpy(text, line, len);
	text[len] = '\0';
	while ((at = strlen(text)) < len)
		text[at] = ' ';
	units_escape(report->first_failed, sizeof(report->first_failed), text);
}

/* A line that says nothing: the last one may have been cut. */
static int fail_line(struct text_reader *r, struct text_file *f,
		     struct text_event *e, struct span line)
{
	f->nr_failed++;
	f->cut = !f->whole;
	if (f->cut)
		return import_damage(
			r->im,
			"%s: offset %zu: the last line is cut, 1 line dropped",
			f->path, (size_t)(line.p - f->p));
	keep_first_failed(r, line.p, line.p + line.len);
	if (e)
		e->nr_failed++;
	else
		r->nr_failed_lines++;
	return 0;
}

static void count_event(struct text_reader *r, const struct text_head *h)
{
	struct text_cpu *cpu = &r->cpus[h->cpu];

	r->nr_back += h->time_ns < cpu->last_ns;
	cpu->last_ns = h->time_ns;
	r->last_ns = MAX(r->last_ns, h->time_ns);
	r->nr_whole_time += h->whole_time;
	r->nr_no_cpu += h->no_cpu;
}

/* Converts and appends.  1: a value is not what its place needs. */
static int put_event(struct text_reader *r, struct text_file *f,
		     const struct text_head *h, const struct text_pairs *ps,
		     struct text_shape *s)
{
	uint64_t odd = r->values.nr_unaligned, *vals;
	struct mmt_track *t = import_track(r->im, h->cpu);
	struct mmt_event *ev;
	int ret = 0;

	if (!t)
		return -ENOMEM;
	if (f->nr_owed)
		ret = mmt_track_loss(t, h->time_ns, f->nr_owed);
	f->nr_owed = 0;
	if (!ret && r->nr_pending)
		ret = put_losses(r, t, h->cpu, h->time_ns);
	if (ret)
		return ret;
	ev = mmt_track_slot(t, &vals);
	if (!ev)
		return mmt_track_error(t);
	if (s->bad || text_shape_values(s, ps, &r->values, vals))
		return 1;
	if (!f->whole && odd != r->values.nr_unaligned) {
		r->values.nr_unaligned = odd; /* cut within the number */
		return 1;
	}
	ev->time_ns = h->time_ns;
	ev->pid = h->pid;
	ev->type = (uint16_t)s->type;
	ev->kind = s->schema.kind;
	ev->flags = h->flags;
	ev->preempt = h->preempt;
	ev->nr = s->schema.nr_fields;
	mmt_track_commit(t);
	count_event(r, h);
	return 0;
}

static int emit_event(struct text_reader *r, struct text_file *f,
		      const struct text_head *h, struct span line)
{
	const char *end = line.p + line.len;
	struct text_shape *s = NULL;
	struct text_event *e;
	struct text_pairs ps;
	int ret = 1;

	f->nr_heads++;
	if (!buffer_wanted(r, h->buffer)) {
		r->nr_other_buffer++;
		return 0;
	}
	e = text_event_get(&r->shapes, h, false);
	if (e && h->cpu <= TEXT_MAX_CPU) {
		text_pairs_parse(&ps, h, end);
		s = text_shape_find(e, &ps);
	}
	r->nr_far_cpus += h->cpu > TEXT_MAX_CPU;
	r->nr_no_room += h->cpu <= TEXT_MAX_CPU && !s && f->whole;
	if (s)
		ret = put_event(r, f, h, &ps, s);
	if (ret < 0)
		return ret;
	if (ret)
		return fail_line(r, f, e, line);
	s->nr_matched++;
	e->nr_matched++;
	e->nr_words += ps.words;
	e->nr_too_many += ps.too_many;
	return 0;
}

static int emit_line(struct text_reader *r, struct text_file *f,
		     const char *line, const char *end)
{
	struct span all = {line, (size_t)(end - line)};
	struct text_loss loss;
	struct text_head h;

	f->nr_lines++;
	r->nr_lines++;
	if (text_head_parse(&h, line, end))
		return emit_event(r, f, &h, all);
	switch (text_line_kind(line, end, &loss)) {
	case TEXT_LOSS:
		take_loss(r, &loss);
		break;
	case TEXT_CHAIN:
		r->nr_chain++;
		break;
	case TEXT_OTHER:
		r->nr_broken += *line == '>' || text_head_begins(line, end);
		return fail_line(r, f, NULL, all);
	default:
		break;
	}
	return 0;
}

int text_emit(struct text_reader *r, struct text_file *f)
{
	return walk(r, f, emit_line);
}
