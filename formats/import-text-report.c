/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text-report.c - what became of every line of a text trace */

#include "config.h"

#include <inttypes.h>

#include "formats/import-text.h"
#include "formats/units.h"

static int report_file(struct text_reader *r, const struct text_file *f,
		       uint64_t nr_owed)
{
	uint64_t there = f->nr_heads + f->nr_failed;
	int ret = 0;

	if (nr_owed)
		ret = import_note(
			r->im,
			"%s: events overwritten before the first, says the header, but not on which CPUs: %" PRIu64,
			f->path, nr_owed);
	if (!ret && f->has_header && there < f->nr_announced)
		ret = import_damage(r->im,
				    "%s: the header announces %" PRIu64
				    " events, %" PRIu64 " are in the file",
				    f->path, f->nr_announced, there);
	if (!ret && !f->cut && f->end > f->p && f->end[-1] != '\n')
		ret = import_note(
			r->im,
			"%s: the last line has no newline, it may be cut",
			f->path);
	return ret;
}

static int report_event(struct text_reader *r, const struct text_event *e)
{
	const struct text_shape *s;
	uint64_t no_order = 0;
	int ret;

	ret = import_count(r->im, e->system, e->name, true, e->nr_matched);
	if (!ret && e->nr_failed)
		ret = import_count(r->im, e->system, e->name, false,
				   e->nr_failed);
	/* where a probe was stands before its fields */
	if (!ret && e->nr_words && !e->def)
		ret = import_note(
			r->im,
			"%s:%s: events with words before the first NAME=, left out: %" PRIu64,
			e->system, e->name, e->nr_words);
	if (!ret && e->nr_too_many)
		ret = import_note(
			r->im,
			"%s:%s: events with more than %d fields, the rest left out: %" PRIu64,
			e->system, e->name, MMT_MAX_FIELDS, e->nr_too_many);
	for (s = e->shapes; s; s = s->next)
		no_order += s->no_order ? s->nr_matched : 0;
	if (!ret && no_order)
		ret = import_note(
			r->im,
			"%s:%s: events without order, each counts as one page: %" PRIu64,
			e->system, e->name, no_order);
	return ret;
}

static int report_count(struct text_reader *r, uint64_t nr, const char *what)
{
	return nr ? import_note(r->im, "%s: %" PRIu64, what, nr) : 0;
}

static int report_offsets(struct text_reader *r)
{
	const struct text_values *tv = &r->values;
	char unaligned[4 * sizeof(tv->first_unaligned)];
	char wrapped[4 * sizeof(tv->first_wrapped)];
	uint64_t unit;
	int ret = 0;

	units_escape(unaligned, sizeof(unaligned), tv->first_unaligned);
	units_escape(wrapped, sizeof(wrapped), tv->first_wrapped);
	if (tv->nr_unaligned)
		ret = import_note(
			r->im,
			"offsets that are no multiple of the page size: %" PRIu64
			", the first is %s",
			tv->nr_unaligned, unaligned);
	if (!ret && tv->nr_wrapped)
		ret = import_note(
			r->im,
			"negative offsets, so that upper bits of the index are lost: %" PRIu64
			", the first is %s",
			tv->nr_wrapped, wrapped);
	if (ret || !tv->all_ofs || r->im->options->page_size)
		return ret;
	unit = tv->all_ofs & -tv->all_ofs;
	if (unit >> tv->page_shift <= 1 || r->nr_events < 100)
		return import_note(
			r->im,
			"a text does not say the page size: taken as 4096");
	return import_note(
		r->im,
		"a text does not say the page size: taken as 4096, though every offset is a multiple of %" PRIu64,
		unit);
}

static int report_odd(struct text_reader *r)
{
	const struct {
		uint64_t nr;
		const char *what;
	} counts[] = {
		{r->nr_chain, "lines of call chains left out"},
		{r->nr_back,
		 "events earlier than the one before on their CPU, kept in this order"},
		{r->nr_whole_time,
		 "times without a fraction, of a clock of unknown unit, kept as they are"},
		{r->nr_no_cpu,
		 "events that do not say their CPU, taken as CPU 0"},
		{r->nr_far_cpus, "events of a CPU above 8191, not used"},
		{r->nr_no_room,
		 "events not used since a log cannot hold so many forms of them"},
		{r->nr_other_buffer, "events of other buffers, not used"},
		{r->values.nr_cut, "texts cut to 4095 bytes"},
		{r->nr_broken,
		 "lines that look wrapped or quoted by a mail (--unwrap joins them)"},
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(counts); i++)
		ret = report_count(r, counts[i].nr, counts[i].what);
	return ret;
}

int text_report(struct text_reader *r)
{
	const struct text_event *e;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < TEXT_EVENT_SLOTS; i++)
		for (e = r->shapes.slot[i]; !ret && e; e = e->next)
			ret = report_event(r, e);
	if (!ret && r->nr_failed_lines)
		ret = import_count(r->im, "text", "line", false,
				   r->nr_failed_lines);
	for (i = 0; !ret && i < r->im->nr_paths; i++) {
		const struct text_file *f = &r->files[i];
		uint64_t lost = f->nr_written > f->nr_announced
					? f->nr_written - f->nr_announced
					: 0;

		ret = report_file(
			r, f, lost > f->nr_marked ? lost - f->nr_marked : 0);
	}
	if (!ret)
		ret = report_offsets(r);
	return ret ? ret : report_odd(r);
}
