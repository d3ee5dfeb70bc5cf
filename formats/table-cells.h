/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-cells.h - the inside of a table, for what writes and reads it */
#ifndef FORMATS_TABLE_CELLS_H
#define FORMATS_TABLE_CELLS_H

#include <locale.h>

#include "formats/table.h"

/*
 * A cell keeps the text that every output shows: printable ASCII, already
 * escaped, numbers with their final digits.  NULL is an empty cell.
 */
struct table_cell {
	char *text;
	enum table_type type; /* a number may stand in a column of text */
};

struct table_head {
	char *name;
	enum table_type type;
	unsigned int decimals;
};

#define TABLE_MAX_COLUMNS 4096
#define TABLE_MAX_ROWS    (1U << 22)
#define TABLE_MAX_NOTES   4096

struct table {
	char *program;
	char *release; /* of the program that made it */
	char *name;
	unsigned int version;
	locale_t c_locale; /* numbers look the same whatever LANG is */

	char **note;
	unsigned int nr_notes, cap_notes;
	struct table_head *head;
	unsigned int nr_columns, cap_columns;
	struct table_cell *cell; /* row by row */
	unsigned int nr_rows, cap_rows;
};

/* What a text looks like: TABLE_U64, S64, REAL (and its decimals), or TEXT. */
enum table_type table_guess(const char *text, unsigned int *decimals);

/* A copy with control and non-ASCII bytes as \xNN; backslashes stay. */
char *table_clean(const char *text);

/* Takes text over, also on error. */
int table_put_cell(struct table *t, unsigned int col, enum table_type type,
		   char *text);
int table_put_note(struct table *t, char *text);
int table_put_column(struct table *t, char *name, enum table_type type,
		     unsigned int decimals);

static inline const struct table_cell *table_cell_at(const struct table *t,
						     unsigned int row,
						     unsigned int col)
{
	return &t->cell[(size_t)row * t->nr_columns + col];
}

#endif
