/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-text.c - a table as aligned text of at most 72 columns */

/*
 * Every cell is one word ("-" if empty, a blank inside is \x20), so that the
 * table can still be read when a mail archive has squeezed the blanks.  What
 * is wider than 72 columns is cut into panels, each of which begins with the
 * first column again.  A word that is too long for its column ends in "~".
 */
#include "config.h"

#include <stdlib.h>

#include "formats/table-cells.h"

#define MAX_LINE  72
#define GAP       2
#define MAX_FIRST 30
#define MAX_OTHER (MAX_LINE - MAX_FIRST - GAP)

#define HEAD_ROW UINT32_MAX

/* Writes the cell as one word into out (its size is width + 1), cut if long. */
static unsigned int word(const struct table *t, unsigned int row,
			 unsigned int col, char *out, unsigned int width)
{
	const char *text =
		row == HEAD_ROW ? t->head[col].name : table_text(t, row, col);
	unsigned int len = 0, step;

	if (!*text)
		text = "-";
	for (; *text; text++, len += step) {
		step = *text == ' ' ? 4 : 1;
		if (len + step > width) {
			len = MIN(len, width - 1);
			out[len++] = '~';
			break;
		}
		memcpy(out + len, *text == ' ' ? "\\x20" : text, step);
	}
	out[len] = '\0';
	return len;
}

struct layout {
	const struct table *t;
	FILE *out;
	unsigned int *width; /* of each column */
	unsigned int owed;   /* blanks due before the next word */
};

static void measure(struct layout *l)
{
	const struct table *t = l->t;
	unsigned int row, col, max;
	char buf[MAX_LINE + 1];

	for (col = 0; col < t->nr_columns; col++) {
		max = MAX_OTHER;
		if (col == 0)
			max = t->nr_columns == 1 ? MAX_LINE : MAX_FIRST;
		l->width[col] = word(t, HEAD_ROW, col, buf, max);
		for (row = 0; row < t->nr_rows; row++)
			l->width[col] =
				MAX(l->width[col], word(t, row, col, buf, max));
	}
}

/* Text to the left, numbers to the right, nothing behind the last word. */
static void put_word(struct layout *l, unsigned int row, unsigned int col)
{
	bool is_text = l->t->head[col].type == TABLE_TEXT;
	char buf[MAX_LINE + 1];
	unsigned int pad;

	pad = l->width[col] - word(l->t, row, col, buf, l->width[col]);
	fprintf(l->out, "%*s%s", (int)(l->owed + (is_text ? 0 : pad)), "", buf);
	l->owed = GAP + (is_text ? pad : 0);
}

static void put_line(struct layout *l, unsigned int row, unsigned int from,
		     unsigned int to)
{
	unsigned int col;

	l->owed = 0;
	put_word(l, row, 0);
	for (col = from; col < to; col++)
		put_word(l, row, col);
	fputc('\n', l->out);
}

/* As many columns from this one on as fit beside the first. */
static unsigned int panel_end(const struct layout *l, unsigned int from)
{
	unsigned int to, len = l->width[0];

	for (to = from; to < l->t->nr_columns; to++) {
		len += GAP + l->width[to];
		if (len > MAX_LINE)
			break;
	}
	return to;
}

int table_write_text(const struct table *t, FILE *out)
{
	struct layout l = {.t = t, .out = out};
	unsigned int from, to, row;

	if (!t->nr_columns)
		return 0;
	l.width = calloc(t->nr_columns, sizeof(*l.width));
	if (!l.width)
		return -ENOMEM;
	measure(&l);
	for (from = 1;; from = to) {
		to = panel_end(&l, from);
		put_line(&l, HEAD_ROW, from, to);
		for (row = 0; row < t->nr_rows; row++)
			put_line(&l, row, from, to);
		if (to >= t->nr_columns)
			break;
		fputc('\n', out);
	}
	free(l.width);
	return ferror(out) ? -EIO : 0;
}
