/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-fields.c - which fields mm-log dump shows, and their values */

/*
 * A field is known by its role (dev, ino, index: the same in every kernel) or
 * by the kernel's own name.  A column finds its place in each type once; an
 * event then costs one look-up per column.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/log-dump.h"
#include "formats/units.h"

#define MAX_COLUMNS 4096
#define TEXT_SIZE   (4 * MMT_MAX_STRING + 1)

static const char *const common[] = {
	[DUMP_TIME] = "time", [DUMP_TIME_NS] = "time_ns",
	[DUMP_CPU] = "cpu",   [DUMP_PID] = "pid",
	[DUMP_KIND] = "kind", [DUMP_EVENT] = "event",
};

static unsigned int common_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < DUMP_FIELD; i++)
		if (!strcmp(common[i], name))
			break;
	return i;
}

void dump_label(char *out, size_t size, const struct mmt_field *field)
{
	const char *role = mmt_role_name(field->role);
	char safe[256];

	units_escape(safe, sizeof(safe), field->name);
	/* a probe's own "pid" is not that of the task at hand */
	snprintf(out, size, "%s%s",
		 !*role && common_named(safe) < DUMP_FIELD ? "field_" : "",
		 *role ? role : safe);
}

/* Where a type has the field of this name. */
static uint8_t place_in(const struct mmt_schema *schema, const char *name)
{
	char label[300], safe[256];
	unsigned int i;

	for (i = 0; i < schema->nr_fields; i++) {
		dump_label(label, sizeof(label), &schema->field[i]);
		if (!strcmp(label, name))
			return (uint8_t)i;
	}
	for (i = 0; i < schema->nr_fields; i++)
		if (!strcmp(units_escape(safe, sizeof(safe),
					 schema->field[i].name),
			    name))
			return (uint8_t)i;
	return DUMP_NOWHERE;
}

/* Adds a column; *found tells whether any type that is wanted has it. */
static int add_column(struct dump *d, const char *name, bool *found)
{
	unsigned int i, nr_types = mmt_nr_types(d->log);
	struct dump_column *c, *grown;

	grown = realloc(d->column, (d->nr_columns + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	d->column = grown;
	c = &grown[d->nr_columns];
	c->what = (enum dump_what)common_named(name);
	c->name = strdup(name);
	c->place = malloc(nr_types + 1);
	d->nr_columns++;
	if (!c->name || !c->place)
		return -ENOMEM;
	*found = c->what != DUMP_FIELD;
	for (i = 0; i < nr_types; i++) {
		c->place[i] = d->wanted[i] && c->what == DUMP_FIELD
				      ? place_in(mmt_schema(d->log, i), name)
				      : DUMP_NOWHERE;
		*found |= c->place[i] != DUMP_NOWHERE;
	}
	return 0;
}

static bool has_column(const struct dump *d, const char *name)
{
	unsigned int i;

	for (i = 0; i < d->nr_columns; i++)
		if (!strcmp(d->column[i].name, name))
			return true;
	return false;
}

static int too_many(struct errbuf *err)
{
	errbuf_set(err, -E2BIG, "dump: more than %u columns", MAX_COLUMNS);
	errbuf_hint(err, "-F FIELD,... chooses columns, -e EVENT events");
	return -E2BIG;
}

/* The common columns, then the fields of all events that the log has. */
static int all_columns(struct dump *d, struct errbuf *err)
{
	static const uint8_t first[] = {DUMP_TIME_NS, DUMP_CPU, DUMP_PID,
					DUMP_KIND, DUMP_EVENT};
	const uint64_t *counts = mmt_type_counts(d->log);
	unsigned int i, f;
	char label[300];
	bool found;
	int ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(first); i++)
		ret = add_column(d, common[first[i]], &found);
	for (i = 0; !ret && i < mmt_nr_types(d->log); i++) {
		const struct mmt_schema *s = mmt_schema(d->log, i);

		for (f = 0;
		     !ret && d->wanted[i] && counts[i] && f < s->nr_fields;
		     f++) {
			dump_label(label, sizeof(label), &s->field[f]);
			if (has_column(d, label))
				continue;
			ret = d->nr_columns < MAX_COLUMNS
				      ? add_column(d, label, &found)
				      : too_many(err);
		}
	}
	return ret;
}

/* The label of this type nearest to what was typed, or NULL. */
static const char *nearest_in(const struct mmt_schema *s, const char *typed,
			      char *out, size_t size)
{
	const char *names[MMT_MAX_FIELDS + DUMP_FIELD], *near;
	char label[MMT_MAX_FIELDS][300];
	unsigned int f;

	memcpy(names, common, sizeof(common));
	for (f = 0; f < s->nr_fields; f++) {
		dump_label(label[f], sizeof(label[f]), &s->field[f]);
		names[DUMP_FIELD + f] = label[f];
	}
	near = nearest_name(typed, names, DUMP_FIELD + s->nr_fields);
	if (near)
		snprintf(out, size, "%s", near);
	return near ? out : NULL;
}

/* The same of all types that are shown; "" if none is near. */
static void nearest_label(const struct dump *d, const char *typed, char *out,
			  size_t size)
{
	char found[300];
	const char *names[2] = {out, found}, *near;
	unsigned int i;

	*out = '\0';
	for (i = 0; i < mmt_nr_types(d->log); i++) {
		if (!d->wanted[i] || !nearest_in(mmt_schema(d->log, i), typed,
						 found, sizeof(found)))
			continue;
		near = nearest_name(typed, names, 2);
		if (near == found)
			snprintf(out, size, "%s", found);
	}
}

static int no_field(const struct dump *d, const char *name, struct errbuf *err)
{
	char near[300], safe[128], path[256];

	nearest_label(d, name, near, sizeof(near));
	errbuf_set(err, -ENOENT, "%s: no event that is shown has a field %s",
		   units_escape(path, sizeof(path), mmt_path(d->log)),
		   units_escape(safe, sizeof(safe), name));
	if (*near)
		errbuf_hint(err, "did you mean -F %.200s?", near);
	else
		errbuf_hint(err, LOG_PROGRAM " dump without -F shows all");
	return -ENOENT;
}

static int chosen_columns(struct dump *d, struct errbuf *err)
{
	char *list = strdup(d->o->fields), *name, *rest;
	bool found;
	int ret = list ? 0 : -ENOMEM;

	for (name = list ? strtok_r(list, ",", &rest) : NULL; !ret && name;
	     name = strtok_r(NULL, ",", &rest)) {
		if (d->nr_columns == MAX_COLUMNS)
			ret = too_many(err);
		else
			ret = add_column(d, name, &found);
		if (!ret && !found)
			ret = no_field(d, name, err);
	}
	free(list);
	return ret;
}

int dump_columns(struct dump *d, struct errbuf *err)
{
	unsigned int i;
	int ret = 0;

	d->text = malloc(TEXT_SIZE);
	if (!d->text)
		return errbuf_set(err, -ENOMEM, "out of memory");
	if (d->o->fields)
		ret = chosen_columns(d, err);
	else if (d->o->form == LOG_CSV)
		ret = all_columns(d, err);
	if (ret == -ENOMEM)
		errbuf_set(err, ret, "out of memory");
	d->loss_is_row = !d->nr_columns;
	for (i = 0; i < d->nr_columns; i++)
		if (d->column[i].what == DUMP_KIND ||
		    d->column[i].what == DUMP_EVENT)
			d->loss_is_row = true;
	return ret;
}

void dump_columns_free(struct dump *d)
{
	unsigned int i;

	for (i = 0; i < d->nr_columns; i++) {
		free(d->column[i].name);
		free(d->column[i].place);
	}
	free(d->column);
	free(d->text);
}

/* ---------------------------------------------------------------- values */

/* Escapes, blanks too in text: they end a word there. */
static const char *escape(struct dump *d, const char *from)
{
	char *to;

	if (d->o->form != LOG_TEXT || !strchr(from, ' '))
		return units_escape(d->text, TEXT_SIZE, from);
	for (to = d->text; *from && to < d->text + TEXT_SIZE - 5; from++) {
		char piece[2] = {*from};

		if (*from == ' ')
			memcpy(to, "\\x20", 5);
		else
			units_escape(to, 5, piece);
		to += strlen(to);
	}
	*to = '\0';
	return d->text;
}

static void put_time(struct dump *d, uint64_t ns, struct dump_value *value)
{
	snprintf(d->text, TEXT_SIZE, "%llu.%09u",
		 (unsigned long long)(ns / 1000000000),
		 (unsigned int)(ns % 1000000000));
	value->is = DUMP_TEXT;
	value->text = d->text;
}

static bool is_hex(uint8_t role)
{
	switch (role) {
	case MMT_PFN:
	case MMT_NEW_PFN:
	case MMT_GFP:
	case MMT_LRU_FLAGS:
	case MMT_PAGE_FLAGS:
	case MMT_NEW_FLAGS:
	case MMT_SHADOW:
	case MMT_SWAP:
	case MMT_FAULT_FLAGS:
	case MMT_FGP:
		return true;
	}
	return false;
}

void dump_get_field(struct dump *d, const struct mmt_event *ev, unsigned int f,
		    struct dump_value *value)
{
	const struct mmt_field *field = &mmt_schema(d->log, ev->type)->field[f];

	value->v = ev->v[f];
	value->is = DUMP_UNSIGNED;
	value->hex = field->type != MMT_ID && is_hex(field->role);
	if (field->type == MMT_ABSENT) {
		value->is = DUMP_NONE;
	} else if (field->type == MMT_STRING) {
		value->is = DUMP_TEXT;
		value->text = escape(d, mmt_event_string(ev, f));
	} else if (field->role == MMT_DEV) {
		value->is = DUMP_TEXT;
		snprintf(d->text, TEXT_SIZE, "%u:%u", DEV_MAJOR(value->v),
			 DEV_MINOR(value->v));
		value->text = d->text;
	} else if (field->role == MMT_NR_LOST && value->v == MMT_LOST_UNKNOWN) {
		value->is = d->o->form == LOG_TEXT ? DUMP_TEXT : DUMP_NONE;
		value->text = "unknown";
	} else if (field->type == MMT_SIGNED) {
		value->is = DUMP_SIGNED;
	}
}

void dump_get(struct dump *d, const struct mmt_event *ev,
	      const struct dump_column *col, struct dump_value *value)
{
	value->hex = false;
	value->is = DUMP_UNSIGNED;
	switch (col->what) {
	case DUMP_TIME:
		put_time(d, ev->time_ns, value);
		break;
	case DUMP_TIME_NS:
		value->v = ev->time_ns;
		break;
	case DUMP_CPU:
		value->v = ev->cpu;
		break;
	case DUMP_PID:
		value->is = DUMP_SIGNED;
		value->v = (uint64_t)(int64_t)ev->pid;
		break;
	case DUMP_KIND:
		value->is = DUMP_TEXT;
		value->text = mmt_kind_name((enum mmt_kind)ev->kind);
		break;
	case DUMP_EVENT:
		value->is = DUMP_TEXT;
		value->text = d->event[ev->type];
		break;
	case DUMP_FIELD:
		if (col->place[ev->type] == DUMP_NOWHERE)
			value->is = DUMP_NONE;
		else
			dump_get_field(d, ev, col->place[ev->type], value);
		break;
	}
}
