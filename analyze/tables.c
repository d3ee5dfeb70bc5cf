/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - what the tables of all analyzers are made of */

/*
 * The head is the same everywhere: which logs, what was lost, what the numbers
 * mean; columns of a run are named after it.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/report.h"
#include "analyze/tables.h"
#include "formats/units.h"

int tables_make(struct table **tp, const struct analysis *a,
		const struct analysis_table *what, const struct runset *set)
{
	int ret;

	ret = report_table(tp, set, a->program, what->name);
	if (ret)
		return ret;
	ret = a->note(*tp, set);
	if (!ret)
		ret = what->fill(*tp, set);
	if (ret)
		table_free(*tp);
	return ret;
}

int tables_run_column(struct table *t, const struct run *run, const char *what,
		      enum table_type type)
{
	char *name;
	int ret;

	if (asprintf(&name, "%s_%s", run->column, what) < 0)
		return -ENOMEM;
	ret = table_column(t, name, type, 6);
	free(name);
	return ret < 0 ? ret : 0;
}

int tables_curve_columns(struct table *t, const struct runset *set,
			 const char *pages, const char *size)
{
	unsigned int i;
	int ret;

	ret = table_column(t, pages, TABLE_U64, 0);
	if (ret >= 0)
		ret = table_column(t, size, TABLE_TEXT, 0);
	for (i = 0; ret >= 0 && i < set->nr; i++)
		ret = table_column(t, set->run[i].column, TABLE_REAL, 4);
	return ret < 0 ? ret : 0;
}

int tables_set_size(struct table *t, unsigned int col, uint64_t bytes)
{
	char text[UNITS_MAX];
	char *blank;

	blank = strchr(units_size(text, bytes), ' ');
	if (blank)
		memmove(blank, blank + 1, strlen(blank));
	return table_set_text(t, col, text);
}
