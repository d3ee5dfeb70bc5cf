/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-json.c - a table as one JSON object, by json-c */

/*
 * {"program", "release", "table", "version", "notes": [...],
 *  "columns": [...], "rows": [{"COLUMN": value, ...}, ...]}
 *
 * Rows are objects, so that jq '.rows[].base_misses' works.  They are printed
 * one by one: memory is one row, whatever the table's length.  An empty cell
 * is null.
 */
#include "config.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "formats/table-cells.h"

static struct json_object *cell_value(const struct table *t,
				      const struct table_cell *cell)
{
	switch (cell->type) {
	case TABLE_U64:
		return json_object_new_uint64(strtoull(cell->text, NULL, 10));
	case TABLE_S64:
		return json_object_new_int64(strtoll(cell->text, NULL, 10));
	case TABLE_REAL:
		/* The digits of the CSV, not those of the nearest double. */
		return json_object_new_double_s(
			strtod_l(cell->text, NULL, t->c_locale), cell->text);
	case TABLE_TEXT:
		break;
	}
	return json_object_new_string(cell->text);
}

/* Prints and frees. */
static int put(struct json_object *o, FILE *out)
{
	const char *text;
	int ret = 0;

	text = o ? json_object_to_json_string_ext(
			   o, JSON_C_TO_STRING_PLAIN |
				      JSON_C_TO_STRING_NOSLASHESCAPE)
		 : NULL;
	if (!text)
		ret = -ENOMEM;
	else
		fputs(text, out);
	json_object_put(o);
	return ret;
}

static int put_string(const char *before, const char *text, FILE *out)
{
	fputs(before, out);
	return put(json_object_new_string(text), out);
}

static int put_notes(const struct table *t, FILE *out)
{
	unsigned int i;
	int ret = 0;

	fputs(",\n\"notes\":[", out);
	for (i = 0; !ret && i < t->nr_notes; i++)
		ret = put_string(i ? ",\n" : "\n", t->note[i], out);
	fputs("],\n\"columns\":[", out);
	for (i = 0; !ret && i < t->nr_columns; i++)
		ret = put_string(i ? "," : "", t->head[i].name, out);
	fputs("]", out);
	return ret;
}

static int put_row(const struct table *t, unsigned int row, FILE *out)
{
	const struct table_cell *cell;
	struct json_object *o, *v;
	unsigned int col;

	o = json_object_new_object();
	for (col = 0; o && col < t->nr_columns; col++) {
		cell = table_cell_at(t, row, col);
		v = cell->text ? cell_value(t, cell) : NULL;
		if ((cell->text && !v) ||
		    json_object_object_add(o, t->head[col].name, v)) {
			json_object_put(v);
			json_object_put(o);
			return -ENOMEM;
		}
	}
	return put(o, out);
}

int table_write_json(const struct table *t, FILE *out)
{
	unsigned int i;
	int ret;

	ret = put_string("{\"program\":", t->program, out);
	if (!ret)
		ret = put_string(",\"release\":", t->release, out);
	if (!ret)
		ret = put_string(",\"table\":", t->name, out);
	fprintf(out, ",\"version\":%u", t->version);
	if (!ret)
		ret = put_notes(t, out);
	fputs(",\n\"rows\":[", out);
	for (i = 0; !ret && i < t->nr_rows; i++) {
		fputs(i ? ",\n" : "\n", out);
		ret = put_row(t, i, out);
	}
	fputs("]}\n", out);
	if (ret)
		return ret;
	return ferror(out) ? -EIO : 0;
}
