/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text-probe.c - text of probes whose definition is known */

/*
 * As tracefmt-probe.c, with the names in the text for those of a format.  The
 * kernel prints the values of a probe with its arguments' names; where it was
 * and who called stand before them in words, which are not kept.
 */

#include "config.h"

#include <stdio.h>

#include "formats/import-text.h"

static void set_value(struct text_shape *s, unsigned int i, uint8_t value,
		      bool frames)
{
	static const uint8_t ops[] = {
		[PROBE_NUMBER] = TEXT_NUM,
		[PROBE_POINTER] = TEXT_ID,
		[PROBE_FOLIO] = TEXT_ID,
		[PROBE_TAGGED] = TEXT_TAGGED,
		[PROBE_UNTAGGED] = TEXT_UNTAGGED,
		[PROBE_SCRUBBED] = TEXT_SCRUBBED,
	};
	struct mmt_field *out = &s->schema.field[i];
	struct text_field *f = &s->field[i];

	f->op = ops[value];
	if (value == PROBE_FOLIO && frames)
		f->op = TEXT_FOLIO;
	out->size = 8;
	out->type = MMT_ID;
	if (f->op == TEXT_FOLIO)
		out->type = MMT_UNSIGNED;
	else if (f->op == TEXT_NUM || f->op == TEXT_SCRUBBED)
		out->type = s->class[f->pair] == TEXT_SIGNED ? MMT_SIGNED
							     : MMT_UNSIGNED;
}

/* The field of a role; false if the text has none, or it is no number. */
static bool compile_role(struct text_shape *s, unsigned int i,
			 const struct probe_map *map, bool frames)
{
	const struct probe_arg *arg = &s->event->def->arg[map->arg[i]];
	int pair = text_key_find(s, arg->name);

	if (pair < 0 || s->class[pair] == TEXT_STRING)
		return false;
	s->field[i].pair = (uint8_t)pair;
	snprintf(s->schema.field[i].name, sizeof(s->schema.field[i].name),
		 "%.47s", arg->name);
	set_value(s, i, map->value[map->arg[i]], frames);
	return true;
}

static bool compile_roles(struct text_shape *s, struct probe_map *map,
			  bool frames)
{
	const uint8_t *roles;
	unsigned int i;

	mmt_kind_roles((enum mmt_kind)map->kind, &roles);
	for (i = 0; i < map->nr_roles; i++) {
		struct mmt_field *out = &s->schema.field[i];

		if (map->arg[i] < 0 || !compile_role(s, i, map, frames)) {
			if (map->arg[i] >= 0)
				probe_map_lacks(map, s->event->def, i);
			if (map->kind == MMT_OTHER)
				return false;
			mmt_field_absent(out, roles[i]);
			s->field[i].op = TEXT_ABSENT;
		}
		out->role = roles[i];
	}
	s->schema.nr_fields = map->nr_roles;
	return true;
}

/* Is the pair a role's, or a folio whose frame is? */
static bool is_taken(const struct text_shape *s, unsigned int pair)
{
	bool folio =
		span_is(s->key[pair], "folio") || span_is(s->key[pair], "page");
	unsigned int i;

	for (i = 0; i < s->schema.nr_fields; i++) {
		const struct mmt_field *field = &s->schema.field[i];

		if (field->type == MMT_ABSENT)
			continue;
		if (s->field[i].pair == pair ||
		    span_is(s->key[pair], field->name) ||
		    (folio && field->role == MMT_PFN &&
		     s->field[i].op == TEXT_NUM))
			return true;
	}
	return false;
}

static uint8_t rest_value(const struct text_shape *s,
			  const struct probe_map *map, unsigned int pair)
{
	const struct probe_def *def = s->event->def;
	unsigned int a;

	for (a = 0; a < def->nr_args; a++)
		if (span_is(s->key[pair], def->arg[a].name) &&
		    map->value[a] != PROBE_NUMBER)
			return map->value[a];
	/* the text itself shows what looks like an address */
	return s->class[pair] == TEXT_POINTER ? PROBE_POINTER : PROBE_NUMBER;
}

/* Fields are printed by their role: another one may be called so as well. */
static void rest_name(const struct text_shape *s, struct mmt_field *out,
		      struct span key)
{
	const char *prefix = "";
	unsigned int i;

	for (i = 0; i < s->schema.nr_fields; i++)
		if (span_is(key, mmt_role_name(s->schema.field[i].role)))
			prefix = "field_";
	snprintf(out->name, sizeof(out->name), "%s%.*s", prefix,
		 (int)MIN(key.len, (size_t)40), key.p);
}

static void compile_rest(struct text_shape *s, const struct probe_map *map,
			 bool frames)
{
	struct mmt_schema *schema = &s->schema;
	unsigned int i;

	for (i = 0; i < s->nr_keys; i++) {
		struct mmt_field *out = &schema->field[schema->nr_fields];
		struct text_field *f = &s->field[schema->nr_fields];

		if (is_taken(s, i))
			continue;
		if (schema->nr_fields == MMT_MAX_FIELDS) {
			text_note(schema, "left out", "a field");
			continue;
		}
		memset(out, 0, sizeof(*out));
		rest_name(s, out, s->key[i]);
		f->pair = (uint8_t)i;
		if (s->class[i] == TEXT_STRING || s->class[i] == TEXT_NOTHING) {
			out->type = MMT_STRING;
			f->op = TEXT_TEXT;
		} else {
			set_value(s, schema->nr_fields, rest_value(s, map, i),
				  frames);
		}
		schema->nr_fields++;
	}
}

void text_compile_probe(struct text_shape *s, bool frames)
{
	struct probe_map map;

	probe_map(&map, s->event->def);
	if (!compile_roles(s, &map, frames)) {
		memset(s->schema.field, 0, sizeof(s->schema.field));
		s->schema.nr_fields = 0;
	}
	s->schema.kind = map.kind;
	s->guarded = map.guarded;
	snprintf(s->schema.note, sizeof(s->schema.note), "%s", map.note);
	compile_rest(s, &map, frames);
}
