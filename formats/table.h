/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.h - a typed table: made by an engine, written as CSV, JSON, text */
#ifndef FORMATS_TABLE_H
#define FORMATS_TABLE_H

#include <stdio.h>

#include "formats/base.h"

/*
 * Every result is a table.  As CSV:
 *
 *   # PROGRAM VERSION table NAME/1
 *   # LABEL: FILE kernel RELEASE sampling none events N lost N
 *   metric,unit,base,fg,delta_pct
 *   ...
 *
 * The unit is the last word of a column's name; an empty cell means "not
 * measured"; numbers are in the C locale; text cells that a spreadsheet would
 * run (= + - @ first) get a ' in front, control characters are escaped.
 */
enum table_type { TABLE_TEXT, TABLE_U64, TABLE_S64, TABLE_REAL };

struct table;

int table_new(struct table **tp, const char *program, const char *name,
	      unsigned int version);
void table_free(struct table *t);

/* A line of the head, without "# ". */
int table_note(struct table *t, const char *fmt, ...) PRINTF(2, 3);
/* Returns the column's number; decimals for TABLE_REAL only. */
int table_column(struct table *t, const char *name, enum table_type type,
		 unsigned int decimals);

/*
 * Starts a row of empty cells.  Setters act on the last row.  Whole numbers
 * may also stand in columns of text and of reals, as summaries need them.
 */
int table_row(struct table *t);
int table_set_text(struct table *t, unsigned int col, const char *text);
int table_set_u64(struct table *t, unsigned int col, uint64_t v);
int table_set_s64(struct table *t, unsigned int col, int64_t v);
/* Not a number is an empty cell. */
int table_set_real(struct table *t, unsigned int col, double v);

/* ------------------------------------------------------------- reading it */
const char *table_program(const struct table *t);
/* Of the program that made the table. */
const char *table_release(const struct table *t);
const char *table_name(const struct table *t);
unsigned int table_version(const struct table *t);
unsigned int table_nr_notes(const struct table *t);
const char *table_note_at(const struct table *t, unsigned int i);
unsigned int table_nr_columns(const struct table *t);
unsigned int table_nr_rows(const struct table *t);
const char *table_column_name(const struct table *t, unsigned int col);
/* -1 if there is none. */
int table_find_column(const struct table *t, const char *name);
bool table_empty(const struct table *t, unsigned int row, unsigned int col);
/* The cell as text, printable ASCII, unquoted; "" if empty. */
const char *table_text(const struct table *t, unsigned int row,
		       unsigned int col);
/* The cell as a number; NAN if empty or text. */
double table_real(const struct table *t, unsigned int row, unsigned int col);

/* ---------------------------------------------------------------- writing */
/* 0 or a negative errno; the caller flushes and checks the FILE. */
int table_write_csv(const struct table *t, FILE *out);
int table_write_json(const struct table *t, FILE *out);
/*
 * Columns aligned, at most 72 wide, "-" for an empty cell, so that a mail
 * archive that squeezes blanks leaves it readable.  Without the notes: a
 * report has its own head.
 */
int table_write_text(const struct table *t, FILE *out);

/* Reads a CSV table through libcsv, strictly.  -EINVAL names the line. */
int table_read_csv(struct table **tp, const char *path, struct errbuf *err);

#endif
