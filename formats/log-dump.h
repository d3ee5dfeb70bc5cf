/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-dump.h - the parts of mm-log dump */
#ifndef FORMATS_LOG_DUMP_H
#define FORMATS_LOG_DUMP_H

#include "formats/log-cmd.h"

/* What a column shows: a fact of every event, or a field. */
enum dump_what {
	DUMP_TIME,
	DUMP_TIME_NS,
	DUMP_CPU,
	DUMP_PID,
	DUMP_KIND,
	DUMP_EVENT,
	DUMP_FIELD
};

struct dump_column {
	char *name; /* escaped */
	enum dump_what what;
	uint8_t *place; /* by type: number of the field; DUMP_NOWHERE */
};

#define DUMP_NOWHERE 255

struct dump {
	const struct log_options *o;
	struct mmt *log;
	FILE *out;
	bool wanted[MMT_MAX_SCHEMAS];
	char *event[MMT_MAX_SCHEMAS]; /* system:name, escaped */
	struct dump_column *column;   /* of -F and CSV; JSON without -F: all */
	unsigned int nr_columns;
	bool loss_is_row; /* a row tells what it is */
	char *text;       /* room for an escaped string */
};

/* A value as every form needs it. */
struct dump_value {
	enum { DUMP_NONE, DUMP_UNSIGNED, DUMP_SIGNED, DUMP_TEXT } is;
	bool hex; /* in text */
	uint64_t v;
	const char *text; /* printable ASCII, valid until the next value */
};

/* ---------------------------------------------------------- log-fields.c */

/* What a field is called: by its role, else by the kernel. */
void dump_label(char *out, size_t size, const struct mmt_field *field);

/* Columns of -F, or of all events that are wanted.  -ENOENT: no such field. */
int dump_columns(struct dump *d, struct errbuf *err);
void dump_columns_free(struct dump *d);

void dump_get(struct dump *d, const struct mmt_event *ev,
	      const struct dump_column *col, struct dump_value *value);
void dump_get_field(struct dump *d, const struct mmt_event *ev, unsigned int f,
		    struct dump_value *value);

/* ------------------------------------------------------------ log-rows.c */

/* The lines before the first event: file, kernel, loss, what is missing. */
int dump_head(const struct log_options *o, const struct mmt *log, FILE *out,
	      const char *table);
/* The names of the columns, where the form has such a line. */
void dump_names(struct dump *d);
int dump_event(struct dump *d, const struct mmt_event *ev);

/* A text cell of CSV: quoted where needed, no formula. */
void dump_csv_text(FILE *out, const char *text);

/* ----------------------------------------------------------- log-pages.c */

/* The page stream of the log. */
int dump_pages(const struct log_options *o, struct mmt *log,
	       const struct mmt_select *select, FILE *out, struct errbuf *err);

/* ----------------------------------------------------------- log-texts.c */

/* The texts that o->text names, of the part that is selected. */
int dump_texts(const struct log_options *o, struct mmt *log,
	       const struct mmt_select *select, FILE *out, struct errbuf *err);

#endif
