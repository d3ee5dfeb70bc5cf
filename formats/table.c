/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - typed tables: making them and asking them */

/*
 * A cell is converted to its final text when it is set.  So all outputs agree
 * to the digit, a table read back is the table that was written, and nothing
 * that is not printable ASCII ever gets into one.  Tables are results, not
 * data: some thousand cells, where a copy per cell costs nothing.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "formats/table-cells.h"
#include "formats/units.h"

/* Room for one more element in an array that doubles. */
static int grow(void **array, unsigned int nr, unsigned int *cap, size_t size)
{
	unsigned int want = *cap ? *cap * 2 : 16;
	void *p;

	if (nr < *cap)
		return 0;
	p = reallocarray(*array, want, size);
	if (!p)
		return -ENOMEM;
	*array = p;
	*cap = want;
	return 0;
}

int table_new(struct table **tp, const char *program, const char *name,
	      unsigned int version)
{
	struct table *t;

	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->version = version;
	t->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	t->program = table_clean(program);
	t->release = strdup(PACKAGE_VERSION);
	t->name = table_clean(name);
	if (!t->c_locale || !t->program || !t->release || !t->name) {
		table_free(t);
		return -ENOMEM;
	}
	*tp = t;
	return 0;
}

void table_free(struct table *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->nr_notes; i++)
		free(t->note[i]);
	for (i = 0; i < (size_t)t->nr_rows * t->nr_columns; i++)
		free(t->cell[i].text);
	for (i = 0; i < t->nr_columns; i++)
		free(t->head[i].name);
	free(t->note);
	free(t->cell);
	free(t->head);
	free(t->program);
	free(t->release);
	free(t->name);
	if (t->c_locale)
		freelocale(t->c_locale);
	free(t);
}

char *table_clean(const char *text)
{
	char *out, *o;

	out = malloc(4 * strlen(text) + 1);
	if (!out)
		return NULL;
	for (o = out; *text; text++) {
		if ((unsigned char)*text >= 32 && (unsigned char)*text < 127)
			*o++ = *text;
		else
			o += sprintf(o, "\\x%02x", (unsigned char)*text);
	}
	*o = '\0';
	return out;
}

static char *escaped(const char *text)
{
	size_t size = 4 * strlen(text) + 1;
	char *out = malloc(size);

	return out ? units_escape(out, size, text) : NULL;
}

int table_put_note(struct table *t, char *text)
{
	int ret = -ENOMEM;

	if (!text)
		return ret;
	ret = -E2BIG;
	if (t->nr_notes < TABLE_MAX_NOTES)
		ret = grow((void **)&t->note, t->nr_notes, &t->cap_notes,
			   sizeof(*t->note));
	if (ret) {
		free(text);
		return ret;
	}
	t->note[t->nr_notes++] = text;
	return 0;
}

int table_note(struct table *t, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int ret;

	va_start(ap, fmt);
	ret = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (ret < 0)
		return -ENOMEM;
	ret = table_put_note(t, table_clean(text));
	free(text);
	return ret;
}

int table_put_column(struct table *t, char *name, enum table_type type,
		     unsigned int decimals)
{
	struct table_head *head;
	int ret = -ENOMEM;

	if (!name)
		return ret;
	ret = -EINVAL;
	if (t->nr_rows)
		goto err_free;
	ret = -EEXIST;
	if (table_find_column(t, name) >= 0)
		goto err_free;
	ret = -E2BIG;
	if (t->nr_columns == TABLE_MAX_COLUMNS)
		goto err_free;
	ret = grow((void **)&t->head, t->nr_columns, &t->cap_columns,
		   sizeof(*t->head));
	if (ret)
		goto err_free;

	head = &t->head[t->nr_columns];
	head->name = name;
	head->type = type;
	head->decimals = decimals;
	return (int)t->nr_columns++;

err_free:
	free(name);
	return ret;
}

int table_column(struct table *t, const char *name, enum table_type type,
		 unsigned int decimals)
{
	return table_put_column(t, escaped(name), type, decimals);
}

int table_row(struct table *t)
{
	int ret;

	if (!t->nr_columns)
		return -EINVAL;
	if (t->nr_rows == TABLE_MAX_ROWS)
		return -E2BIG;
	ret = grow((void **)&t->cell, t->nr_rows, &t->cap_rows,
		   t->nr_columns * sizeof(*t->cell));
	if (ret)
		return ret;
	memset(&t->cell[(size_t)t->nr_rows * t->nr_columns], 0,
	       t->nr_columns * sizeof(*t->cell));
	t->nr_rows++;
	return 0;
}

int table_put_cell(struct table *t, unsigned int col, enum table_type type,
		   char *text)
{
	struct table_cell *cell;

	if (!text)
		return -ENOMEM;
	if (!t->nr_rows || col >= t->nr_columns) {
		free(text);
		return -EINVAL;
	}
	cell = &t->cell[(size_t)(t->nr_rows - 1) * t->nr_columns + col];
	free(cell->text);
	cell->text = text;
	cell->type = type;
	if (!*text) {
		free(text);
		cell->text = NULL;
	}
	return 0;
}

int table_set_text(struct table *t, unsigned int col, const char *text)
{
	if (col >= t->nr_columns || t->head[col].type != TABLE_TEXT)
		return -EINVAL;
	return table_put_cell(t, col, TABLE_TEXT, escaped(text));
}

int table_set_u64(struct table *t, unsigned int col, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	return table_put_cell(t, col, TABLE_U64, strdup(text));
}

int table_set_s64(struct table *t, unsigned int col, int64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, v);
	return table_put_cell(t, col, TABLE_S64, strdup(text));
}

int table_set_real(struct table *t, unsigned int col, double v)
{
	locale_t before;
	char *text;
	int ret;

	if (col >= t->nr_columns || t->head[col].type == TABLE_U64 ||
	    t->head[col].type == TABLE_S64)
		return -EINVAL;
	if (!isfinite(v))
		return table_put_cell(t, col, TABLE_REAL, strdup(""));
	before = uselocale(t->c_locale);
	ret = asprintf(&text, "%.*f", (int)t->head[col].decimals, v);
	uselocale(before);
	if (ret < 0)
		return -ENOMEM;
	/* What rounds to zero has no sign. */
	if (*text == '-' && strspn(text + 1, "0.") == strlen(text + 1))
		memmove(text, text + 1, strlen(text));
	return table_put_cell(t, col, TABLE_REAL, text);
}

const char *table_program(const struct table *t)
{
	return t->program;
}

const char *table_release(const struct table *t)
{
	return t->release;
}

const char *table_name(const struct table *t)
{
	return t->name;
}

unsigned int table_version(const struct table *t)
{
	return t->version;
}

unsigned int table_nr_notes(const struct table *t)
{
	return t->nr_notes;
}

const char *table_note_at(const struct table *t, unsigned int i)
{
	return t->note[i];
}

unsigned int table_nr_columns(const struct table *t)
{
	return t->nr_columns;
}

unsigned int table_nr_rows(const struct table *t)
{
	return t->nr_rows;
}

const char *table_column_name(const struct table *t, unsigned int col)
{
	return t->head[col].name;
}

static int find_name(const struct table *t, const char *name)
{
	unsigned int i;

	for (i = 0; i < t->nr_columns; i++)
		if (!strcmp(t->head[i].name, name))
			return (int)i;
	return -1;
}

int table_find_column(const struct table *t, const char *name)
{
	int col = find_name(t, name);
	char *stored;

	if (col >= 0)
		return col;
	/* A name with foreign bytes is kept in its escaped form. */
	stored = escaped(name);
	if (stored)
		col = find_name(t, stored);
	free(stored);
	return col;
}

bool table_empty(const struct table *t, unsigned int row, unsigned int col)
{
	return !table_cell_at(t, row, col)->text;
}

const char *table_text(const struct table *t, unsigned int row,
		       unsigned int col)
{
	const char *text = table_cell_at(t, row, col)->text;

	return text ? text : "";
}

double table_real(const struct table *t, unsigned int row, unsigned int col)
{
	const struct table_cell *cell = table_cell_at(t, row, col);

	if (!cell->text || cell->type == TABLE_TEXT)
		return NAN;
	return strtod_l(cell->text, NULL, t->c_locale);
}
