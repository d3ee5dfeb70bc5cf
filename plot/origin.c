/* SPDX-License-Identifier: GPL-2.0-or-later */
/* origin.c - where the numbers of a chart come from */

/*
 * The head of a table has one line per run,
 *
 *   LABEL: FILE kernel RELEASE sampling RATE events N lost N
 *
 * FILE and RELEASE are foreign and may hold blanks and our own key words, so a
 * line is taken apart from its end.  What all runs have in common is said
 * once.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats/units.h"
#include "plot/origin.h"

#define MAX_RUNS 32

enum { KERNEL, SAMPLING, EVENTS, LOST, NR_KEYS };

static const char *const keys[NR_KEYS] = {" kernel ", " sampling ", " events ",
					  " lost "};

struct origin_run {
	char *label;
	char *value[NR_KEYS]; /* inside of label's memory */
};

static char *last_of(char *text, const char *word)
{
	char *at = NULL, *next = text;

	while ((next = strstr(next, word))) {
		at = next;
		next++;
	}
	return at;
}

/* 1 if the note describes a run, 0 if not, or a negative errno. */
static int run_parse(struct origin_run *run, const char *note)
{
	char *text = strdup(note), *at;
	int i;

	if (!text)
		return -ENOMEM;
	for (i = NR_KEYS - 1; i >= 0; i--) {
		at = last_of(text, keys[i]);
		if (!at)
			break;
		*at = '\0';
		run->value[i] = at + strlen(keys[i]);
	}
	at = strstr(text, ": ");
	if (i >= 0 || !at) {
		free(text);
		return 0;
	}
	*at = '\0';
	run->label = text;
	return 1;
}

static bool all_same(const struct origin_run *run, unsigned int nr, int key)
{
	unsigned int i;

	for (i = 1; i < nr; i++)
		if (strcmp(run[i].value[key], run[0].value[key]))
			return false;
	return true;
}

static int remark_key(struct chart *c, const struct origin_run *run,
		      unsigned int nr, int key)
{
	static const char *const names[NR_KEYS] = {"kernel", "sampling",
						   "events", "lost"};
	struct buf b = {0};
	unsigned int i;
	int ret = 0;

	if (key == SAMPLING && all_same(run, nr, key) &&
	    !strcmp(run->value[key], "none"))
		return chart_remark(c, "not sampled");
	if (all_same(run, nr, key))
		return chart_remark(c, "%s %s", names[key], run->value[key]);
	for (i = 0; !ret && i < nr; i++)
		ret = buf_printf(&b, "%s %.32s %.48s", i ? "," : ":",
				 run[i].label, run[i].value[key]);
	if (!ret)
		ret = chart_remark(c, "%s%s", names[key], (char *)b.p);
	buf_free(&b);
	return ret;
}

int origin_remarks(struct chart *c, const struct table *t)
{
	struct origin_run run[MAX_RUNS];
	unsigned int i, nr = 0;
	int ret;

	ret = chart_remark(c, "%s %s, mm-plot %s", table_program(t),
			   table_release(t), PACKAGE_VERSION);
	for (i = 0; ret >= 0 && i < table_nr_notes(t) && nr < MAX_RUNS; i++) {
		ret = run_parse(&run[nr], table_note_at(t, i));
		nr += ret > 0;
	}
	if (ret >= 0 && !nr)
		ret = chart_remark(c, "kernel, sampling and loss not known");
	/* Loss first: long kernel names shall not push it out. */
	if (ret >= 0 && nr)
		ret = remark_key(c, run, nr, LOST);
	if (ret >= 0 && nr)
		ret = remark_key(c, run, nr, SAMPLING);
	if (ret >= 0 && nr)
		ret = remark_key(c, run, nr, KERNEL);
	for (i = 0; ret >= 0 && i < table_nr_notes(t); i++)
		if (!strncmp(table_note_at(t, i), "incomplete: ", 12))
			ret = chart_remark(c, "%s", table_note_at(t, i));
	while (nr)
		free(run[--nr].label);
	return MIN(ret, 0);
}

/* ----------------------------------------------------------------- limits */

static int add_limit(struct chart *c, const char *label, uint64_t bytes)
{
	struct chart_limit *limit = &c->limit[c->nr_limits];
	char size[UNITS_MAX];
	int ret;

	if (c->nr_limits == CHART_MAX_LIMITS || bytes < 1 || bytes >> 62)
		return 0;
	ret = asprintf(&limit->text, "%.20s%smemory limit %s", label,
		       *label ? " " : "", units_size(size, bytes));
	if (ret < 0)
		return -ENOMEM;
	limit->bytes = bytes;
	c->nr_limits++;
	return 0;
}

struct pair {
	char *label;
	uint64_t bytes;
};

/* Takes " LABEL=N LABEL=N" apart; labels may hold blanks. */
static unsigned int split_pairs(char *text, struct pair *pair)
{
	unsigned int nr = 0;
	char *end, *value;

	while (nr < CHART_MAX_LIMITS && *text) {
		text += strspn(text, " ");
		for (value = text; (value = strchr(value, '=')); value++) {
			end = value + 1 + strspn(value + 1, "0123456789");
			if (end > value + 1 && (!*end || *end == ' '))
				break;
		}
		if (!value)
			break;
		*value++ = '\0';
		pair[nr].label = text;
		text = end;
		if (*end)
			*text++ = '\0';
		nr += !units_parse_u64(value, &pair[nr].bytes);
	}
	return nr;
}

/* One line for all runs if they had the same limit. */
static int add_limits(struct chart *c, const char *note)
{
	struct pair pair[CHART_MAX_LIMITS];
	char *text = strdup(note);
	unsigned int i, nr;
	bool same = true;
	int ret = 0;

	if (!text)
		return -ENOMEM;
	nr = split_pairs(text, pair);
	for (i = 1; i < nr; i++)
		same &= pair[i].bytes == pair[0].bytes;
	for (i = 0; !ret && i < (same ? MIN(nr, 1U) : nr); i++)
		ret = add_limit(c, same ? "" : pair[i].label, pair[i].bytes);
	free(text);
	return ret;
}

int origin_limits(struct chart *c, const struct table *t)
{
	static const char key[] = "memory_max_bytes:";
	struct buf b = {0};
	const char *note;
	unsigned int i;
	int ret = 0;

	/* One line with all runs, or a line each. */
	for (i = 0; !ret && i < table_nr_notes(t); i++) {
		note = table_note_at(t, i);
		if (!strncmp(note, key, sizeof(key) - 1))
			ret = buf_printf(&b, " %s", note + sizeof(key) - 1);
	}
	if (!ret && b.len)
		ret = add_limits(c, (char *)b.p);
	buf_free(&b);
	return ret;
}
