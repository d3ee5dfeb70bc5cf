/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-book.c - the event formats of a foreign recording, and the counts */

/*
 * Format texts come out of untrusted files.  Before libtraceevent sees one,
 * its fields are checked here: a field that no record can hold makes the
 * whole format unusable, and its records are counted as failed.  What formats
 * say about the page size (the shift that filemap events print offsets with)
 * is kept for a cross-check.
 */

#include "config.h"

#include <ctype.h>
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/import-book.h"

/* Of ids without a format only so many are told apart. */
#define MAX_STRANGERS 16

int import_book_new(struct import_book **bookp, struct import *im,
		    const char *path, bool big_endian, unsigned int long_size)
{
	struct import_book *book = calloc(1, sizeof(*book));
	int ret = -ENOMEM;

	if (!book)
		goto err;
	book->im = im;
	book->path = path;
	book->big_endian = big_endian;
	book->by_id = calloc(BOOK_IDS, sizeof(*book->by_id));
	if (!book->by_id)
		goto err;
	ret = tracefmt_new(&book->fmt, big_endian, long_size);
	if (ret)
		goto err;
	tracefmt_probes(book->fmt, &im->probes);
	*bookp = book;
	return 0;

err:
	import_book_free(book);
	return errbuf_set(im->err, ret, "%s: out of memory", path);
}

void import_book_free(struct import_book *book)
{
	unsigned int i;

	if (!book)
		return;
	for (i = 0; book->by_id && i < BOOK_IDS; i++)
		free(book->by_id[i]);
	free(book->by_id);
	buf_free(&book->addresses);
	tracefmt_free(book->fmt);
	free(book);
}

/* ------------------------------------------------------------ one format */

/* What we need to know of a text before anything else reads it. */
struct glance {
	char name[80];
	unsigned int id;
	bool has_id;
	char bad_field[80]; /* one that no record can hold */
	uint64_t bad_offset;
};

/* "\tfield:unsigned long pfn;\toffset:8;\tsize:8;\tsigned:0;" */
static void glance_field(struct glance *g, const char *line)
{
	const char *offset = strstr(line, "offset:");
	const char *size = strstr(line, "size:"), *end, *p;
	uint64_t at, n;

	if (!offset || !size)
		return;
	at = strtoull(offset + 7, NULL, 10);
	n = strtoull(size + 5, NULL, 10);
	if (at <= UINT16_MAX && n <= UINT16_MAX && at + n <= UINT16_MAX)
		return;
	end = strchr(line, ';');
	for (p = end ? end : line; p > line && p[-1] != ' '; p--)
		;
	snprintf(g->bad_field, sizeof(g->bad_field), "%.*s",
		 end ? (int)(end - p) : 0, p);
	g->bad_offset = at;
}

static void glance_line(struct glance *g, const char *line)
{
	if (sscanf(line, "name: %79s", g->name) == 1)
		return;
	if (sscanf(line, "ID: %u", &g->id) == 1)
		g->has_id = true;
	else if (strstr(line, "field:") && !*g->bad_field)
		glance_field(g, line);
}

static void glance_at(struct glance *g, const char *text, size_t len)
{
	char line[512];

	memset(g, 0, sizeof(*g));
	while (len) {
		const char *nl = memchr(text, '\n', len);
		size_t used = nl ? (size_t)(nl - text) + 1 : len;
		size_t n = MIN(used, sizeof(line) - 1);

		memcpy(line, text, n);
		line[n] = '\0';
		if (!strncmp(line, "print fmt:", 10))
			break;
		glance_line(g, line);
		text += used;
		len -= used;
	}
}

/* The 12 of "REC->index << 12": base pages are 1 << 12 bytes. */
static unsigned int printed_shift(const char *text, size_t len)
{
	const char *end = text + len, *p = text;
	unsigned int shift = 0;

	while ((p = memmem(p, (size_t)(end - p), "index", 5))) {
		p += 5;
		while (p < end && (*p == ')' || *p == ' '))
			p++;
		if (end - p < 4 || p[0] != '<' || p[1] != '<')
			continue;
		for (p += 2; p < end && *p == ' '; p++)
			;
		for (shift = 0;
		     p < end && isdigit((unsigned char)*p) && shift < 100; p++)
			shift = shift * 10 + (unsigned int)(*p - '0');
		return shift;
	}
	return 0;
}

static void take_shift(struct import_book *book, const char *text, size_t len)
{
	const char *print = memmem(text, len, "\nprint fmt:", 11);
	unsigned int shift;

	if (!print || book->page_shift)
		return;
	shift = printed_shift(print, len - (size_t)(print - text));
	if (shift >= 12 && shift <= 20)
		book->page_shift = shift;
}

static struct book_event *event_new(struct import_book *book, unsigned int id,
				    const char *system, const char *name)
{
	struct book_event *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	snprintf(e->system, sizeof(e->system), "%s", system);
	snprintf(e->name, sizeof(e->name), "%s", name);
	book->by_id[id] = e;
	return e;
}

int import_book_add(struct import_book *book, const char *system,
		    const char *text, size_t len)
{
	struct errbuf err = {{0}, {0}};
	struct book_event *e;
	struct glance g;
	int ret;

	glance_at(&g, text, len);
	if (!*g.name || !g.has_id || g.id >= BOOK_IDS)
		return import_damage(book->im,
				     "%s: a format of system %s has no name "
				     "or no possible id",
				     book->path, system);
	if (book->by_id[g.id])
		return import_note(book->im,
				   "event id %u has two formats; "
				   "%s:%s is not used",
				   g.id, system, g.name);
	e = event_new(book, g.id, system, g.name);
	if (!e)
		return -ENOMEM;
	e->has_format = true;
	book->nr_formats++;
	if (*g.bad_field)
		return import_damage(book->im,
				     "%s: format of %s:%s: field %s at "
				     "offset %" PRIu64 " is impossible",
				     book->path, system, g.name, g.bad_field,
				     g.bad_offset);
	ret = tracefmt_add(book->fmt, system, text, len, &err);
	if (ret == -ENOMEM)
		return ret;
	if (ret < 0)
		return import_note(book->im, "format of %s:%s: %s", system,
				   g.name, err.text);
	e->usable = (unsigned int)ret == g.id;
	if (!strcmp(system, "filemap"))
		take_shift(book, text, len);
	return 0;
}

/* ----------------------------------------------------------- the schemas */

/* What is to be said of an event type besides its schema. */
static int tell_one(struct import_book *book, unsigned int id,
		    const struct mmt_schema *schema)
{
	const struct probe_def *def = tracefmt_probe(book->fmt, (int)id);
	int ret = 0;

	if (*schema->note)
		ret = import_note(book->im, "%s:%s: %s", schema->system,
				  schema->name, schema->note);
	if (!ret && def)
		ret = import_put_probe(book->im, schema, def);
	if (!ret && tracefmt_has_addresses(book->fmt, (int)id))
		ret = buf_printf(&book->addresses, "%s%s:%s",
				 book->addresses.len ? ", " : "",
				 schema->system, schema->name);
	return ret;
}

static int register_one(struct import_book *book, unsigned int id)
{
	const struct mmt_schema *schema = tracefmt_schema(book->fmt, (int)id);
	int type = mmt_writer_schema(book->im->writer, schema);
	int ret;

	if (type == -ENOSPC) {
		book->by_id[id]->usable = false;
		return import_note(book->im,
				   "%s:%s is left out: a log has at most %d "
				   "types of events",
				   schema->system, schema->name,
				   MMT_MAX_SCHEMAS);
	}
	if (type < 0)
		return type;
	book->type_id[type] = (uint16_t)id;
	book->nr_types = MAX(book->nr_types, (unsigned int)type + 1);
	ret = tell_one(book, id, schema);
	return ret ? ret
		   : tracefmt_set_type(book->fmt, (int)id, (uint16_t)type);
}

int import_book_register(struct import_book *book, bool only_seen)
{
	unsigned int id;
	int ret = 0;

	tracefmt_settle(book->fmt);
	for (id = 0; !ret && id < BOOK_IDS; id++) {
		const struct book_event *e = book->by_id[id];

		if (!e || !e->usable)
			continue;
		/* tracers' own events are in every file, used or not */
		if (e->seen || (!only_seen && strcmp(e->system, "ftrace")))
			ret = register_one(book, id);
	}
	if (ret || !book->addresses.len)
		return ret;
	ret = mmt_writer_meta(book->im->writer, "kernel.addresses", "yes");
	return ret ? ret
		   : import_note(book->im,
				 "probe events keep the kernel addresses that "
				 "their fields hold: %s",
				 (char *)book->addresses.p);
}

/* ------------------------------------------------------------ the counts */

int import_book_id(const struct import_book *book, const void *record,
		   size_t len)
{
	uint16_t id;

	/* common_type is first in every kernel's common fields */
	if (len < sizeof(id))
		return -1;
	memcpy(&id, record, sizeof(id));
	return book->big_endian ? be16toh(id) : le16toh(id);
}

void import_book_see(struct import_book *book, const void *record, size_t len)
{
	int id = import_book_id(book, record, len);

	if (id >= 0 && book->by_id[id])
		book->by_id[id]->seen = true;
	tracefmt_learn(book->fmt, record, len);
}

/* An id without a format; NULL if there are too many of them. */
static struct book_event *stranger(struct import_book *book, unsigned int id)
{
	char name[32];

	if (book->nr_strangers == MAX_STRANGERS)
		return NULL;
	book->nr_strangers++;
	snprintf(name, sizeof(name), "id-%u", id);
	return event_new(book, id, "unknown", name);
}

void import_book_fail(struct import_book *book, const void *record, size_t len,
		      char name[128])
{
	int id = import_book_id(book, record, len);
	struct book_event *e;

	if (id < 0) {
		book->nr_too_short++;
		strcpy(name, "unknown:short");
		return;
	}
	e = book->by_id[id];
	if (!e)
		e = stranger(book, (unsigned int)id);
	if (!e) {
		book->nr_more_strangers++;
		strcpy(name, "unknown:other");
		return;
	}
	e->nr_failed++;
	snprintf(name, 128, "%.47s:%.79s", e->system, e->name);
}

static int report_failed(struct import_book *book, unsigned int id)
{
	const struct book_event *e = book->by_id[id];
	int ret;

	if (!e || !e->nr_failed)
		return 0;
	ret = import_count(book->im, e->system, e->name, false, e->nr_failed);
	if (!ret && !e->has_format)
		ret = import_note(book->im,
				  "%" PRIu64 " record%s of event id %u, which "
				  "has no format",
				  e->nr_failed, e->nr_failed == 1 ? "" : "s",
				  id);
	else if (!ret && !e->usable)
		ret = import_damage(book->im,
				    "%s: %" PRIu64 " record%s of %s:%s, whose "
				    "format cannot be used",
				    book->path, e->nr_failed,
				    e->nr_failed == 1 ? "" : "s", e->system,
				    e->name);
	return ret;
}

int import_book_report(struct import_book *book)
{
	unsigned int i, id;
	int ret = 0;

	for (i = 0; !ret && i < book->nr_types; i++) {
		const struct book_event *e = book->by_id[book->type_id[i]];

		if (e && e->usable)
			ret = import_count(book->im, e->system, e->name, true,
					   book->nr_matched[i]);
	}
	for (id = 0; !ret && id < BOOK_IDS; id++)
		ret = report_failed(book, id);
	if (!ret && book->nr_more_strangers)
		ret = import_count(book->im, "unknown", "other", false,
				   book->nr_more_strangers);
	if (!ret && book->nr_too_short)
		ret = import_count(book->im, "unknown", "short", false,
				   book->nr_too_short);
	return ret;
}
