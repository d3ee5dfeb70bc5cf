/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-csv.c - tables as CSV: written, and read through libcsv */

/*
 * Reading goes line by line, so that the parser's state is known at every line
 * end: if a row is still open there, a quote is open too, and we know in which
 * line.  libcsv has no way to stop from a callback and no limits; both are
 * ours.  CSV_STRICT_FINI is what makes it report a quote that never closes.
 */
#include "config.h"

#include <csv.h>
#include <stdlib.h>

#include "formats/table-cells.h"

#define MAX_FIELD 65536
#define MAX_ROW   (1U << 20)

/* ---------------------------------------------------------------- writing */

/* A spreadsheet takes such a text for a formula; ' keeps it a text. */
static bool needs_guard(const struct table_cell *cell, const char *text)
{
	unsigned int decimals;

	if (!*text || !strchr("=+-@'", *text))
		return false;
	return !cell || table_guess(text, &decimals) == TABLE_TEXT;
}

static bool needs_quotes(const char *text)
{
	return strpbrk(text, ",\"") || *text == ' ' || *text == '#' ||
	       (*text && text[strlen(text) - 1] == ' ');
}

static void put_field(const struct table_cell *cell, const char *text,
		      FILE *out)
{
	bool quotes = needs_quotes(text);

	if (quotes)
		fputc('"', out);
	if (needs_guard(cell, text))
		fputc('\'', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	if (quotes)
		fputc('"', out);
}

static void put_row(const struct table *t, unsigned int row, FILE *out)
{
	unsigned int col;

	/* A line without anything is not a row for any reader. */
	if (t->nr_columns == 1 && table_empty(t, row, 0))
		fputs("\"\"", out);
	for (col = 0; col < t->nr_columns; col++) {
		if (col)
			fputc(',', out);
		put_field(table_cell_at(t, row, col), table_text(t, row, col),
			  out);
	}
	fputc('\n', out);
}

int table_write_csv(const struct table *t, FILE *out)
{
	unsigned int i;

	if (*t->program)
		fprintf(out, "# %s %s table %s/%u\n", t->program, t->release,
			t->name, t->version);
	for (i = 0; i < t->nr_notes; i++)
		fprintf(out, "# %s\n", t->note[i]);
	for (i = 0; i < t->nr_columns; i++) {
		if (i)
			fputc(',', out);
		put_field(NULL, t->head[i].name, out);
	}
	fputc('\n', out);
	for (i = 0; i < t->nr_rows; i++)
		put_row(t, i, out);
	return ferror(out) ? -EIO : 0;
}

/* ---------------------------------------------------------------- reading */

struct reader {
	const char *path;
	FILE *in;
	struct errbuf *err;
	struct table *t;
	struct csv_parser csv;
	char *line;
	unsigned int line_nr;
	unsigned int quote_line; /* where the open quote was opened */
	size_t row_bytes;
	unsigned int col;     /* next column of the current row */
	unsigned int nr_ends; /* fields ended in the current line */
	bool have_head;
	int ret;
};

static int fail(struct reader *r, unsigned int line, const char *what)
{
	if (!r->ret)
		r->ret = errbuf_set(r->err, -EINVAL, "%s: line %u: %s", r->path,
				    line, what);
	return r->ret;
}

static void fail_errno(struct reader *r, int ret)
{
	if (!r->ret)
		r->ret = errbuf_set(r->err, ret, "%s: line %u: %s", r->path,
				    r->line_nr, strerror(-ret));
}

static void head_field(struct reader *r, char *name)
{
	int ret;

	if (name && !*name) {
		free(name);
		fail(r, r->line_nr, "a column has no name");
		return;
	}
	ret = table_put_column(r->t, name, TABLE_U64, 0);
	if (ret == -EEXIST)
		fail(r, r->line_nr, "two columns have the same name");
	else if (ret == -E2BIG)
		fail(r, r->line_nr, "too many columns");
	else if (ret < 0)
		fail_errno(r, ret);
}

/* The type of a column is what all of its cells have in common. */
static enum table_type join(enum table_type a, enum table_type b)
{
	return a == TABLE_TEXT || b == TABLE_TEXT ? TABLE_TEXT : MAX(a, b);
}

static void body_field(struct reader *r, char *text, bool guarded)
{
	unsigned int decimals = 0;
	struct table_head *head;
	enum table_type type;
	int ret = 0;

	if (r->col == 0)
		ret = table_row(r->t);
	if (ret || !text || r->col >= r->t->nr_columns) {
		free(text);
		if (ret == -E2BIG)
			fail(r, r->line_nr, "too many rows");
		else if (ret || !text)
			fail_errno(r, ret ? ret : -ENOMEM);
		return; /* too many cells: said at the row's end */
	}
	type = guarded ? TABLE_TEXT : table_guess(text, &decimals);
	if (*text) {
		head = &r->t->head[r->col];
		head->type = join(head->type, type);
		head->decimals = MAX(head->decimals, decimals);
	}
	ret = table_put_cell(r->t, r->col, type, text);
	if (ret)
		fail_errno(r, ret);
}

static void on_field(void *p, size_t len, void *arg)
{
	struct reader *r = arg;
	const char *text = p ? p : "";
	bool guarded;

	r->nr_ends++;
	if (r->ret)
		return;
	if (len > MAX_FIELD) {
		fail(r, r->line_nr, "a cell is longer than 64 KiB");
		return;
	}
	guarded = *text == '\'' && text[1] && strchr("=+-@'", text[1]);
	if (r->have_head)
		body_field(r, table_clean(text + guarded), guarded);
	else
		head_field(r, table_clean(text + guarded));
	r->col++;
}

static void on_row(int c, void *arg)
{
	struct reader *r = arg;
	unsigned int nr = r->col;

	(void)c;
	r->col = 0;
	r->row_bytes = 0;
	r->quote_line = 0;
	if (r->ret)
		return;
	if (!r->have_head) {
		r->have_head = true;
	} else if (nr != r->t->nr_columns) {
		r->ret = errbuf_set(
			r->err, -EINVAL,
			"%s: line %u: %u cells where the head line has %u",
			r->path, r->line_nr, nr, r->t->nr_columns);
	}
}

/* 1 with a line (its end kept, bytes in *len), 0 at the end, or an error. */
static int next_line(struct reader *r, size_t *len)
{
	size_t n = 0;
	int c;

	r->line_nr++;
	while ((c = getc_unlocked(r->in)) != EOF) {
		if (c == '\0')
			return fail(r, r->line_nr, "contains a NUL byte");
		if (n > 0 && r->line[n - 1] == '\r' && c != '\n')
			return fail(r, r->line_nr,
				    "carriage return without a line feed");
		if (n == MAX_ROW)
			return fail(r, r->line_nr, "longer than 1 MiB");
		r->line[n++] = (char)c;
		if (c == '\n')
			break;
	}
	if (ferror(r->in)) {
		r->ret = errbuf_set(r->err, -errno, "%s: %s", r->path,
				    strerror(errno));
		return r->ret;
	}
	if (n > 1 && r->line[n - 1] == '\n' && r->line[n - 2] == '\r')
		r->line[--n - 1] = '\n';
	r->line[n] = '\0';
	*len = n;
	return n > 0;
}

/* "PROGRAM RELEASE table NAME/VERSION" */
static int parse_title(struct reader *r, const char *text, bool *is_title)
{
	char program[64], release[64], name[64];
	struct table *t = r->t;
	unsigned int version;
	int end = 0;

	*is_title = sscanf(text, "%63s %63s table %63[^/]/%u%n", program,
			   release, name, &version, &end) == 4 &&
		    !text[end];
	if (!*is_title)
		return 0;
	free(t->program);
	free(t->release);
	free(t->name);
	t->program = table_clean(program);
	t->release = table_clean(release);
	t->name = table_clean(name);
	t->version = version;
	return t->program && t->release && t->name ? 0 : -ENOMEM;
}

static void head_note(struct reader *r)
{
	char *text = r->line + 1;
	bool is_title = false;
	int ret = 0;

	text[strcspn(text, "\n")] = '\0';
	if (*text == ' ')
		text++;
	if (r->line_nr == 1)
		ret = parse_title(r, text, &is_title);
	if (!ret && !is_title)
		ret = table_put_note(r->t, table_clean(text));
	if (ret == -E2BIG)
		fail(r, r->line_nr, "too many # lines");
	else if (ret)
		fail_errno(r, ret);
}

/* Feeds one line and keeps track of where an open quote was opened. */
static void feed(struct reader *r, size_t len)
{
	size_t done;

	r->nr_ends = 0;
	r->row_bytes += len;
	if (r->row_bytes > MAX_ROW) {
		fail(r, r->quote_line,
		     "a row longer than 1 MiB begins, or a quote is not closed");
		return;
	}
	done = csv_parse(&r->csv, r->line, len, on_field, on_row, r);
	if (r->ret)
		return;
	if (done < len && csv_error(&r->csv) != CSV_EPARSE)
		fail_errno(r, -ENOMEM);
	else if (done < len && r->quote_line && !r->nr_ends)
		fail(r, r->quote_line,
		     "a quote is opened here and not closed properly");
	else if (done < len)
		fail(r, r->line_nr, "a quote in the wrong place");
	else if (r->row_bytes && (!r->quote_line || r->nr_ends))
		r->quote_line = r->line_nr;
}

static void read_lines(struct reader *r)
{
	bool notes = true;
	size_t len = 0;

	while (!r->ret && next_line(r, &len) > 0) {
		if (r->line_nr == 1 && !strncmp(r->line, "\xef\xbb\xbf", 3)) {
			len -= 3;
			memmove(r->line, r->line + 3, len + 1);
		}
		notes = notes && *r->line == '#';
		if (notes)
			head_note(r);
		else if (r->row_bytes || strcmp(r->line, "\n"))
			feed(r, len);
	}
	if (r->ret)
		return;
	if (csv_fini(&r->csv, on_field, on_row, r) && !r->ret)
		fail(r, r->quote_line,
		     "a quote is opened here and never closed");
	if (!r->ret && !r->have_head)
		r->ret =
			errbuf_set(r->err, -EINVAL,
				   "%s: no head line, so not a table", r->path);
}

/* A column of text has only text in it; one without any cell is text, too. */
static void settle_types(struct table *t)
{
	unsigned int row, col, nr;
	struct table_cell *cell;

	for (col = 0; col < t->nr_columns; col++) {
		nr = 0;
		for (row = 0; row < t->nr_rows; row++) {
			cell = &t->cell[(size_t)row * t->nr_columns + col];
			nr += cell->text != NULL;
			if (t->head[col].type == TABLE_TEXT)
				cell->type = TABLE_TEXT;
		}
		if (!nr)
			t->head[col].type = TABLE_TEXT;
	}
}

static int open_input(struct reader *r, const char *path)
{
	r->path = path;
	if (!strcmp(path, "-"))
		r->in = stdin;
	else
		r->in = fopen(path, "re");
	if (!r->in)
		return errbuf_set(r->err, -errno, "%s: %s", path,
				  strerror(errno));
	return 0;
}

int table_read_csv(struct table **tp, const char *path, struct errbuf *err)
{
	struct reader r = {.err = err};

	r.ret = open_input(&r, path);
	if (r.ret)
		return r.ret;
	r.line = malloc(MAX_ROW + 1);
	r.ret = r.line ? table_new(&r.t, "", "", 0) : -ENOMEM;
	if (!r.ret &&
	    csv_init(&r.csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL))
		r.ret = -ENOMEM;
	if (r.ret) {
		errbuf_set(err, r.ret, "%s: %s", path, strerror(-r.ret));
		goto out;
	}
	read_lines(&r);
	csv_free(&r.csv);
	if (!r.ret)
		settle_types(r.t);
out:
	if (r.in != stdin)
		fclose(r.in);
	free(r.line);
	if (r.ret)
		table_free(r.t);
	else
		*tp = r.t;
	return r.ret;
}
