/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-report.c - what an import counts, assumes and misses */

/*
 * Importers count every event by its name, a million a second, and the names
 * come from the input: they are found by a hash table, and those beyond the
 * first 4096 are counted together.  Notes and damage are lines of plain ASCII;
 * what goes beyond a thousand of them is counted.
 */

#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/import-frame.h"

#define MAX_NAMES 4096
#define MAX_LINES 1000

/* FNV-1a, mixed: names differ in their last letters. */
static uint64_t name_hash(const char *name)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 0x100000001b3ULL;
	return hash_u64(h);
}

static bool name_is(const struct import_event *e, const char *system,
		    const char *name)
{
	size_t len = strlen(system);

	if (!len)
		return !strcmp(e->name, name);
	return !strncmp(e->name, system, len) && e->name[len] == ':' &&
	       !strcmp(e->name + len + 1, name);
}

static int grow(struct import *im)
{
	struct import_report *r = im->report;
	uint32_t cap = im->nr_slots ? im->nr_slots : 64, i;
	struct import_event *event;
	uint32_t *slot;

	event = realloc(r->event, cap * sizeof(*event));
	if (!event)
		return -ENOMEM;
	r->event = event;
	slot = calloc(cap * 2, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	free(im->slot);
	im->slot = slot;
	im->nr_slots = cap * 2;
	for (i = 0; i < r->nr_events_types; i++) {
		uint64_t h = name_hash(event[i].name);

		while (slot[h & (im->nr_slots - 1)])
			h++;
		slot[h & (im->nr_slots - 1)] = i + 1;
	}
	return 0;
}

/* The slot of a name: its own, or the free one where it belongs. */
static uint32_t *find_slot(const struct import *im, const char *full)
{
	uint64_t h = name_hash(full);
	uint32_t *slot;

	do {
		slot = &im->slot[h++ & (im->nr_slots - 1)];
	} while (*slot && strcmp(im->report->event[*slot - 1].name, full));
	return slot;
}

static void add_event(struct import *im, uint32_t *slot, const char *full)
{
	struct import_report *r = im->report;
	struct import_event *e = &r->event[r->nr_events_types++];

	*slot = r->nr_events_types;
	*e = (struct import_event){0};
	snprintf(e->name, sizeof(e->name), "%s", full);
}

/* Makes im->last the entry of this name, a new one if need be.  -ENOMEM. */
static int find_event(struct import *im, const char *system, const char *name)
{
	static const char rest[] = "(names beyond the first 4096)";
	struct import_report *r = im->report;
	char full[sizeof(r->event->name)];
	uint32_t *slot;

	_Static_assert(MAX_NAMES == 4096, "the text says so");
	if (r->nr_events_types && name_is(&r->event[im->last], system, name))
		return 0;
	snprintf(full, sizeof(full), "%s%s%s", system, *system ? ":" : "",
		 name);
	if (r->nr_events_types * 2 >= im->nr_slots && grow(im))
		return -ENOMEM;
	slot = find_slot(im, full);
	if (!*slot && r->nr_events_types >= MAX_NAMES) {
		snprintf(full, sizeof(full), "%s", rest);
		slot = find_slot(im, full);
	}
	if (!*slot)
		add_event(im, slot, full);
	im->last = *slot - 1;
	return 0;
}

int import_count(struct import *im, const char *system, const char *name,
		 bool matched, uint64_t nr)
{
	struct import_report *r = im->report;
	int ret = find_event(im, system ? system : "", name);

	if (ret)
		return ret;
	if (matched) {
		r->event[im->last].nr_matched += nr;
		r->nr_matched += nr;
	} else {
		r->event[im->last].nr_failed += nr;
		r->nr_failed += nr;
	}
	return 0;
}

/* ------------------------------------------------------------------ lines */

/* Foreign bytes have no place in a line that goes to a terminal. */
static int add_plain(struct buf *b, const char *text)
{
	int ret = 0;

	for (; !ret && *text; text++) {
		if (*text >= ' ' && *text <= '~')
			ret = buf_append(b, text, 1);
		else
			ret = buf_printf(b, "\\x%02x", (uint8_t)*text);
	}
	return ret ? ret : buf_append(b, "\n", 1);
}

/* Who has one input only knows its name, and a log need not keep it. */
static const char *without_path(const struct import *im, const char *text)
{
	char name[IMPORT_NAME_MAX];
	size_t len;

	if (im->nr_paths != 1)
		return text;
	len = strlen(im->paths[0]);
	if (!strncmp(text, im->paths[0], len) && !strncmp(text + len, ": ", 2))
		return text + len + 2;
	len = strlen(import_name(name, im->paths[0]));
	if (!strncmp(text, import_name(name, im->paths[0]), len) &&
	    !strncmp(text + len, ": ", 2))
		return text + len + 2;
	return text;
}

static int add_line(const struct import *im, struct buf *b, unsigned int *nr,
		    const char *fmt, va_list ap)
{
	char text[1024];

	if ((*nr)++ >= MAX_LINES)
		return 0;
	vsnprintf(text, sizeof(text), fmt, ap);
	return add_plain(b, without_path(im, text));
}

int import_note(struct import *im, const char *fmt, ...)
{
	struct import_report *r = im->report;
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = add_line(im, &r->notes, &r->nr_notes, fmt, ap);
	va_end(ap);
	return ret;
}

int import_damage(struct import *im, const char *fmt, ...)
{
	struct import_report *r = im->report;
	va_list ap;
	int ret;

	r->damaged = true;
	va_start(ap, fmt);
	ret = add_line(im, &r->damage, &r->nr_damages, fmt, ap);
	va_end(ap);
	return ret;
}

/* Says how many lines are left out, and ends the text for printing. */
static int close_lines(struct buf *b, unsigned int nr)
{
	int ret = 0;

	if (nr > MAX_LINES)
		ret = buf_printf(b, "and %u more like these\n", nr - MAX_LINES);
	if (!ret)
		ret = buf_reserve(b, 1);
	if (!ret)
		b->p[b->len] = '\0';
	return ret;
}

int import_report_close(struct import *im)
{
	struct import_report *r = im->report;
	int ret = close_lines(&r->notes, r->nr_notes);

	free(im->slot);
	im->slot = NULL;
	im->nr_slots = 0;
	return ret ? ret : close_lines(&r->damage, r->nr_damages);
}

void import_report_free(struct import_report *report)
{
	free(report->event);
	buf_free(&report->notes);
	buf_free(&report->damage);
	*report = (struct import_report){0};
}
