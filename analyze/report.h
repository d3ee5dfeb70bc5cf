/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - what every report and every table begins with */
#ifndef ANALYZE_REPORT_H
#define ANALYZE_REPORT_H

#include "analyze/analysis.h"

/* Takes a line of foreign and own words: where to depends on the function. */
typedef int (*report_fn)(void *to, const char *line);
/* ... to a FILE, wrapped; to the head of a table.  0 or -ENOMEM. */
int report_put(void *out, const char *line);
int report_note(void *table, const char *line);

/*
 * Begins a text report: title, one line per run (file, kernel, events), what
 * was lost, what is damaged or was not closed, which part was selected.
 */
int report_head(FILE *out, const struct runset *set, const char *title);

/*
 * A new table (version 1) with the same facts as "#" lines.  The caller adds
 * its definition and columns, and frees.
 */
int report_table(struct table **tp, const struct runset *set,
		 const char *program, const char *name);

/* The cells of one run in a summary. */
struct summary_value {
	enum { SUMMARY_NONE, SUMMARY_U64, SUMMARY_REAL } is;
	uint64_t u64;
	double real;
};

struct summary_row {
	const char *metric;
	const char *unit;
};

struct summary {
	const struct summary_row *row;
	unsigned int nr;
	/* Fills the nr values of a run, in the order of the rows; they are
	 * all SUMMARY_NONE (not measured) before. */
	void (*fill)(const struct run *run, struct summary_value *value);
};

static inline void summary_u64(struct summary_value *v, uint64_t n)
{
	v->is = SUMMARY_U64;
	v->u64 = n;
}

static inline void summary_real(struct summary_value *v, double x)
{
	v->is = SUMMARY_REAL;
	v->real = x;
}

/*
 * Adds metric,unit,LABEL...,delta_pct and the rows to a table of
 * report_table().  The delta is that of the second label against the first,
 * means over repeated runs; with more labels or with one it is empty.
 */
int summary_fill(struct table *t, const struct runset *set,
		 const struct summary *s);

/* The same as text, without delta_pct where there is no second label. */
int summary_print(FILE *out, const struct runset *set, const struct summary *s);

#endif
