/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-csv.c - access traces as CSV: columns by name, one access a row */

/*
 * The head line says what a row is: "page" (any text, numbered in order of
 * appearance) or "dev,ino,index"; then, if they are there, time_ns, cpu, pid,
 * nr_pages and op (access, add, remove).  Lines go to libcsv one by one, so
 * that an error has its line; libcsv cannot stop from a callback and knows no
 * limits, so both are here.  Nothing of a bad row is used: the import fails.
 */
#include "config.h"

#include <csv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/dict.h"
#include "formats/import-frame.h"

#define MAX_FIELD (64U << 10)
#define MAX_ROW   (1U << 20)
#define MAX_PAGES (1U << 24) /* 64 GiB in one access */
#define MAX_ORDER 16         /* of an add or a remove */
#define MAX_CPU   8191

enum column {
	COL_PAGE,
	COL_DEV,
	COL_INO,
	COL_INDEX,
	COL_TIME,
	COL_CPU,
	COL_PID,
	COL_NR,
	COL_OP,
	NR_COLUMNS,
	COL_OTHER = NR_COLUMNS,
};

static const char *const column_names[NR_COLUMNS] = {"page",  "dev",      "ino",
						     "index", "time_ns",  "cpu",
						     "pid",   "nr_pages", "op"};

enum { OP_ACCESS, OP_ADD, OP_REMOVE, NR_OPS };
static const char *const op_names[NR_OPS] = {"access", "add", "remove"};

struct csv_import {
	struct import *im;
	const char *path;
	struct csv_parser csv;
	uint8_t *columns; /* enum column of each column of this file */
	unsigned int nr_columns;
	uint32_t seen; /* bit per enum column */
	bool have_head, started;
	struct strings pages;
	int type[NR_OPS];
	uint64_t nr[NR_OPS], nr_rows;
	/* the current row */
	unsigned int col, op;
	uint64_t v[NR_COLUMNS];
	uint64_t line, row_line, row_bytes;
	bool open; /* a row goes on in the next line */
	int ret;
};

static int fail(struct csv_import *c, const char *what, const char *text)
{
	const char *column = "";

	if (c->ret)
		return c->ret;
	if (c->have_head && c->col < c->nr_columns &&
	    c->columns[c->col] < NR_COLUMNS)
		column = column_names[c->columns[c->col]];
	c->ret = errbuf_set(c->im->err, -EINVAL,
			    "%s: line %" PRIu64 ", column %u%s%s: %s%s%.80s",
			    c->path, c->line, c->col + 1, *column ? " " : "",
			    column, what, *text ? ": " : "", text);
	return c->ret;
}

static int fail_row(struct csv_import *c, uint64_t line, const char *what)
{
	if (!c->ret)
		c->ret = errbuf_set(c->im->err, -EINVAL,
				    "%s: line %" PRIu64 ": %s", c->path, line,
				    what);
	return c->ret;
}

static void fail_memory(struct csv_import *c)
{
	if (!c->ret)
		c->ret = errbuf_set(c->im->err, -ENOMEM, "%s: out of memory",
				    c->path);
}

/* ------------------------------------------------------------------ head */

static void head_field(struct csv_import *c, const char *name)
{
	uint8_t *columns, column = 0;

	while (column < NR_COLUMNS && strcmp(name, column_names[column]))
		column++;
	columns = realloc(c->columns, c->nr_columns + 1);
	if (!columns) {
		fail_memory(c);
		return;
	}
	c->columns = columns;
	c->columns[c->nr_columns++] = column;
	if (column == COL_OTHER) {
		if (import_note(c->im, "%s: column %s is ignored", c->path,
				name))
			fail_memory(c);
		return;
	}
	if (c->seen & 1U << column)
		fail(c, "a second column has this name", name);
	c->seen |= 1U << column;
}

static void schema_field(struct mmt_schema *s, const char *name, uint8_t role,
			 bool absent)
{
	struct mmt_field *f = &s->field[s->nr_fields++];

	snprintf(f->name, sizeof(f->name), "%s", name);
	f->role = role;
	f->type = absent ? MMT_ABSENT : MMT_UNSIGNED;
	f->size = absent ? 0 : 8;
}

static void schema_make(struct mmt_schema *s, unsigned int op)
{
	memset(s, 0, sizeof(*s));
	snprintf(s->system, sizeof(s->system), "csv");
	snprintf(s->name, sizeof(s->name), "%s", op_names[op]);
	schema_field(s, "dev", MMT_DEV, false);
	schema_field(s, "ino", MMT_INO, false);
	schema_field(s, "index", MMT_INDEX, false);
	if (op == OP_ACCESS) {
		s->kind = MMT_ACCESS;
		schema_field(s, "nr_pages", MMT_NR, false);
		return;
	}
	s->kind = op == OP_ADD ? MMT_ADD : MMT_REMOVE;
	snprintf(s->note, sizeof(s->note), "no field pfn");
	schema_field(s, "pfn", MMT_PFN, true);
	schema_field(s, "order", MMT_ORDER, false);
}

/* Schemas and clock by the columns of the first file. */
static int start_log(struct csv_import *c)
{
	const char *clock = c->im->options->clock;
	unsigned int op, nr = c->seen & 1U << COL_OP ? NR_OPS : 1;
	struct mmt_schema schema;
	int ret = 0;

	for (op = 0; op < nr; op++) {
		schema_make(&schema, op);
		c->type[op] = mmt_writer_schema(c->im->writer, &schema);
		if (c->type[op] < 0)
			return c->type[op];
	}
	if (!(c->seen & 1U << COL_TIME))
		ret = import_put_order(c->im);
	else if (clock)
		ret = mmt_writer_meta(c->im->writer, "clock", clock);
	if (!ret)
		ret = import_put_page_size(c->im, 0);
	if (!ret)
		ret = mmt_writer_start(c->im->writer);
	c->started = true;
	return ret;
}

static void head_end(struct csv_import *c)
{
	const uint32_t key = 1U << COL_DEV | 1U << COL_INO | 1U << COL_INDEX;
	bool page = c->seen & 1U << COL_PAGE;
	int ret = 0;

	if (page && c->seen & key)
		fail_row(c, c->line, "has both page and dev, ino, index");
	else if (!page && (c->seen & key) != key)
		fail_row(c, c->line,
			 "the head line has neither page nor dev, ino, index");
	else if (page && c->seen & 1U << COL_NR)
		fail_row(c, c->line, "nr_pages needs dev, ino, index");
	else if (c->started && c->seen & 1U << COL_OP && !c->type[OP_ADD])
		fail_row(c, c->line, "op is no column of the first file");
	else if (!c->started)
		ret = start_log(c);
	if (ret && !c->ret)
		c->ret = errbuf_set(c->im->err, ret, "%s: %s", c->path,
				    strerror(-ret));
	c->have_head = true;
}

/* ------------------------------------------------------------------ rows */

/* A whole number, decimal or 0x; nothing around it. */
static bool take_number(const char *text, uint64_t *v)
{
	int base = text[0] == '0' && text[1] == 'x' ? 16 : 10;
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	*v = strtoull(text, &end, base);
	return !errno && !*end && (base == 10 || text[2]);
}

static bool take_dev(const char *text, uint64_t *v)
{
	const char *colon = strchr(text, ':');
	uint64_t major, minor;
	char first[24];

	if (!colon)
		return take_number(text, v);
	if (colon - text >= (int)sizeof(first))
		return false;
	snprintf(first, sizeof(first), "%.*s", (int)(colon - text), text);
	if (!take_number(first, &major) || !take_number(colon + 1, &minor) ||
	    major >= 1 << 12 || minor >= 1 << DEV_MINOR_BITS)
		return false;
	*v = major << DEV_MINOR_BITS | minor;
	return true;
}

static void take_page(struct csv_import *c, const char *text)
{
	uint32_t nr;

	if (c->pages.bytes.len > UINT32_MAX - MAX_FIELD - 1 ||
	    c->pages.nr >= UINT32_MAX / 4) {
		fail(c, "more different pages than fit in 32 bits", "");
		return;
	}
	if (strings_get(&c->pages, text, &nr))
		fail_memory(c);
	c->v[COL_INDEX] = nr;
}

static void take_op(struct csv_import *c, const char *text)
{
	for (c->op = 0; c->op < NR_OPS; c->op++)
		if (!strcmp(text, op_names[c->op]))
			return;
	c->op = OP_ACCESS;
	fail(c, "not access, add or remove", text);
}

static void body_field(struct csv_import *c, const char *text)
{
	static const uint64_t limits[NR_COLUMNS] = {
		[COL_DEV] = UINT32_MAX,   [COL_INO] = UINT64_MAX,
		[COL_INDEX] = UINT64_MAX, [COL_TIME] = UINT64_MAX,
		[COL_CPU] = MAX_CPU,      [COL_PID] = INT32_MAX,
		[COL_NR] = MAX_PAGES,
	};
	unsigned int column;

	if (c->col >= c->nr_columns)
		return; /* said at the row's end */
	column = c->columns[c->col];
	if (column == COL_PAGE)
		take_page(c, text);
	else if (column == COL_OP)
		take_op(c, text);
	else if (column < NR_COLUMNS &&
		 !(column == COL_DEV ? take_dev(text, &c->v[column])
				     : take_number(text, &c->v[column])))
		fail(c, "not a number", text);
	else if (column < NR_COLUMNS && c->v[column] > limits[column])
		fail(c, "too large", text);
	else if (column == COL_NR && !c->v[COL_NR])
		fail(c, "no page at all", text);
}

static void row_clear(struct csv_import *c)
{
	memset(c->v, 0, sizeof(c->v));
	c->v[COL_NR] = 1;
	c->op = OP_ACCESS;
	c->col = 0;
	c->row_bytes = 0;
	c->open = false;
}

/* The last value of a row: pages of an access, order of an add. */
static int extent(struct csv_import *c, uint64_t *v)
{
	uint64_t nr = c->v[COL_NR];

	if (c->v[COL_INDEX] > UINT64_MAX - nr)
		return fail_row(c, c->row_line, "index and nr_pages wrap");
	*v = nr;
	if (c->op == OP_ACCESS)
		return 0;
	if (nr & (nr - 1) || nr > 1U << MAX_ORDER)
		return fail_row(
			c, c->row_line,
			"nr_pages of a folio is no power of two up to 65536");
	*v = (uint64_t)__builtin_ctzll(nr);
	return 0;
}

static int row_put(struct csv_import *c)
{
	struct mmt_track *t = import_track(c->im, (unsigned int)c->v[COL_CPU]);
	struct mmt_event *ev;
	uint64_t *vals, last = 1;

	if (!t)
		return -ENOMEM;
	if (extent(c, &last))
		return c->ret;
	ev = mmt_track_slot(t, &vals);
	if (!ev)
		return mmt_track_error(t);
	ev->time_ns = c->seen & 1U << COL_TIME ? c->v[COL_TIME] : c->nr_rows;
	ev->pid = (int32_t)c->v[COL_PID];
	ev->type = (uint16_t)c->type[c->op];
	ev->flags = ev->preempt = 0;
	vals[0] = c->v[COL_DEV];
	vals[1] = c->v[COL_INO];
	vals[2] = c->v[COL_INDEX];
	vals[3] = last;
	ev->kind = MMT_ACCESS;
	ev->nr = 4;
	if (c->op != OP_ACCESS) {
		ev->kind = c->op == OP_ADD ? MMT_ADD : MMT_REMOVE;
		vals[3] = 0;
		vals[4] = last;
		ev->nr = 5;
	}
	mmt_track_commit(t);
	c->nr_rows++;
	c->nr[c->op]++;
	return 0;
}

static void on_field(void *p, size_t len, void *arg)
{
	struct csv_import *c = arg;
	const char *text = p ? p : "";

	if (c->ret)
		return;
	if (len > MAX_FIELD)
		fail(c, "longer than 64 KiB", "");
	else if (c->have_head)
		body_field(c, text);
	else
		head_field(c, text);
	c->col++;
}

static void on_row(int last, void *arg)
{
	struct csv_import *c = arg;
	int ret;

	(void)last;
	if (c->ret)
		return;
	if (!c->have_head) {
		head_end(c);
	} else if (c->col != c->nr_columns) {
		c->ret = errbuf_set(c->im->err, -EINVAL,
				    "%s: line %" PRIu64
				    ": %u cells where the head line has %u",
				    c->path, c->line, c->col, c->nr_columns);
	} else {
		ret = row_put(c);
		if (ret && !c->ret)
			c->ret = errbuf_set(c->im->err, ret, "%s: %s", c->path,
					    strerror(-ret));
	}
	row_clear(c);
}

/* --------------------------------------------------------------- reading */

static int check_line(struct csv_import *c, const uint8_t *p, size_t len)
{
	const uint8_t *cr = memchr(p, '\r', len);

	if (memchr(p, '\0', len))
		return fail_row(c, c->line, "contains a NUL byte");
	if (cr && (cr + 2 != p + len || cr[1] != '\n') && cr + 1 != p + len)
		return fail_row(c, c->line,
				"carriage return without a line feed");
	c->row_bytes += len;
	if (c->row_bytes > MAX_ROW)
		return fail_row(
			c, c->open ? c->row_line : c->line,
			"a row longer than 1 MiB begins, or a quote is not closed");
	return 0;
}

/* One line; a row that is still open at its end has an open quote. */
static int feed(struct csv_import *c, const uint8_t *p, size_t len)
{
	size_t done;

	if (check_line(c, p, len))
		return c->ret;
	if (!c->open)
		c->row_line = c->line;
	c->open = true;
	done = csv_parse(&c->csv, p, len, on_field, on_row, c);
	if (c->ret || done == len)
		return c->ret;
	if (csv_error(&c->csv) != CSV_EPARSE)
		fail_memory(c);
	return fail_row(c, c->row_line, "a quote in the wrong place");
}

/* The last line has no newline: it may be all there, or cut anywhere. */
static int last_line(struct csv_import *c)
{
	if (!c->ret)
		return import_note(
			c->im,
			"%s: the last line has no newline, it may be cut",
			c->path);
	if (c->ret != -EINVAL || !c->nr_rows || c->row_line != c->line)
		return c->ret;
	c->ret = import_damage(c->im,
			       "%s: line %" PRIu64
			       ": the last line is cut, 1 line dropped",
			       c->path, c->line);
	return c->ret;
}

static int feed_lines(struct csv_import *c, const uint8_t *p,
		      const uint8_t *end)
{
	const uint8_t *next;
	bool whole = true;

	if (end - p >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
		p += 3;
	for (; !c->ret && p < end; p = next) {
		next = memchr(p, '\n', (size_t)(end - p));
		whole = next != NULL;
		next = whole ? next + 1 : end;
		c->line++;
		feed(c, p, (size_t)(next - p));
	}
	if (!c->ret && csv_fini(&c->csv, on_field, on_row, c) && !c->ret)
		return fail_row(c, c->row_line,
				"a quote is opened here and never closed");
	return whole ? c->ret : last_line(c);
}

static int import_file(struct csv_import *c, const char *path)
{
	char name[IMPORT_NAME_MAX];
	struct import_map map;
	int ret = import_map(&map, path, c->im->err);

	if (ret)
		return ret;
	c->path = import_name(name, path);
	c->line = c->nr_columns = c->seen = 0;
	c->have_head = false;
	row_clear(c);
	if (csv_init(&c->csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL)) {
		fail_memory(c);
	} else {
		feed_lines(c, map.p, map.p + map.len);
		csv_free(&c->csv);
	}
	import_unmap(&map);
	if (!c->ret && !c->have_head)
		c->ret = errbuf_set(c->im->err, -ENODATA, "%s: is empty",
				    c->path);
	return c->ret;
}

static int csv_run(struct import *im)
{
	struct csv_import c = {.im = im};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < im->nr_paths; i++)
		ret = import_file(&c, im->paths[i]);
	for (i = 0; !ret && i < NR_OPS; i++)
		if (c.nr[i])
			ret = import_count(im, "csv", op_names[i], true,
					   c.nr[i]);
	/* a trace of no accesses is a trace; a cut one is not that */
	if (!ret && !c.nr_rows) {
		im->report->empty = !im->report->damaged;
		ret = import_note(im, "a head line and no row");
	}
	strings_free(&c.pages);
	free(c.columns);
	return ret;
}

/* ------------------------------------------------------------- detection */

static bool head_has(const char *p, const char *end, const char *name)
{
	const char *cell, *next;
	size_t len;

	for (cell = p; cell < end; cell = next + 1) {
		next = memchr(cell, ',', (size_t)(end - cell));
		if (!next)
			next = end;
		len = (size_t)(next - cell);
		if (len >= 2 && *cell == '"' && cell[len - 1] == '"') {
			cell++;
			len -= 2;
		}
		if (len == strlen(name) && !memcmp(cell, name, len))
			return true;
	}
	return false;
}

static bool csv_detect(const uint8_t *head, size_t len, const char *path)
{
	const char *p = (const char *)head, *end = p + len, *eol;

	(void)path;
	if (len >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
		p += 3;
	eol = memchr(p, '\n', (size_t)(end - p));
	if (!eol)
		return false;
	if (eol > p && eol[-1] == '\r')
		eol--;
	return head_has(p, eol, "page") ||
	       (head_has(p, eol, "dev") && head_has(p, eol, "ino") &&
		head_has(p, eol, "index"));
}

const struct importer import_csv = {
	.name = "csv",
	.what = "access trace with a head line: page, or dev,ino,index",
	.detect = csv_detect,
	.run = csv_run,
};
