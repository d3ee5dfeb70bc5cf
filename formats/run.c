/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.c - up to 4 Ki typed events of one CPU in memory, and their types */

#include "config.h"

#include <stdlib.h>

#include "formats/run.h"

/* Eight values an event are more than the mean of any real recording. */
#define VALS_START (RUN_EVENTS * 8)

int types_add(struct types *types, const struct mmt_schema *schema)
{
	struct mmt_schema **grown, *copy;

	if (types->nr == MMT_MAX_SCHEMAS)
		return -ENOSPC;
	copy = malloc(sizeof(*copy));
	grown = realloc(types->schema, (types->nr + 1) * sizeof(*grown));
	if (grown)
		types->schema = grown;
	if (!copy || !grown) {
		free(copy);
		return -ENOMEM;
	}
	*copy = *schema;
	types->schema[types->nr] = copy;
	return (int)types->nr++;
}

void types_free(struct types *types)
{
	unsigned int i;

	for (i = 0; i < types->nr; i++)
		free(types->schema[i]);
	free(types->schema);
	memset(types, 0, sizeof(*types));
}

int run_new(struct run **rp)
{
	struct run *r = malloc(sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->vals = NULL;
	r->cap_vals = 0;
	r->chars = NULL;
	run_clear(r);
	if (run_reserve_vals(r, VALS_START)) {
		free(r);
		return -ENOMEM;
	}
	*rp = r;
	return 0;
}

void run_free(struct run *r)
{
	if (!r)
		return;
	free(r->vals);
	free(r->chars);
	free(r);
}

void run_clear(struct run *r)
{
	r->nr = 0;
	r->nr_vals = 0;
	r->nr_chars = 0;
}

int run_reserve_vals(struct run *r, size_t nr)
{
	uint64_t *vals;

	if (nr <= r->cap_vals)
		return 0;
	vals = malloc(nr * sizeof(*vals));
	if (!vals)
		return -ENOMEM;
	free(r->vals);
	r->vals = vals;
	r->cap_vals = nr;
	return 0;
}

int run_keep_strings(struct run *r, const struct mmt_schema *schema,
		     uint64_t *vals)
{
	unsigned int i;

	for (i = 0; i < schema->nr_fields; i++) {
		const char *text;
		size_t len;

		if (schema->field[i].type != MMT_STRING)
			continue;
		if (!r->chars)
			r->chars = malloc(RUN_CHARS);
		if (!r->chars)
			return -ENOMEM;
		text = (const char *)(uintptr_t)vals[i];
		len = strnlen(text, MMT_MAX_STRING - 1);
		memcpy(r->chars + r->nr_chars, text, len);
		r->chars[r->nr_chars + len] = '\0';
		vals[i] = (uintptr_t)(r->chars + r->nr_chars);
		r->nr_chars += len + 1;
	}
	return 0;
}
