/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt-probe.c - compiles the events of probes whose definition is known */

/*
 * The format of a probe's event has the names that its author chose, all of
 * them numbers.  The definition says what they are: roles of a kind, addresses
 * that are replaced by ids, or nothing that we know.  A folio's address becomes
 * its frame as soon as records have told where the struct pages lie, so that
 * probes and tracepoints speak of the same thing.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include <traceevent/event-parse.h>

#include "formats/probe-map.h"
#include "formats/tracefmt-priv.h"

static const struct tep_format_field *find(const struct tep_event *event,
					   const char *name)
{
	const struct tep_format_field *field;

	for (field = event->format.fields; field; field = field->next)
		if (!strcmp(field->name, name))
			return field;
	return NULL;
}

/* A number of the record, to be treated as the map says. */
static void set_value(struct op *op, struct mmt_field *out, uint8_t value)
{
	static const uint8_t codes[] = {
		[PROBE_NUMBER] = OP_NUMBER,     [PROBE_POINTER] = OP_POINTER,
		[PROBE_FOLIO] = OP_POINTER,     [PROBE_TAGGED] = OP_TAGGED,
		[PROBE_UNTAGGED] = OP_UNTAGGED, [PROBE_SCRUBBED] = OP_SCRUBBED,
	};

	if (op->code != OP_NUMBER)
		return;
	op->code = codes[value];
	if (op->code == OP_NUMBER || op->code == OP_SCRUBBED)
		return;
	op->sign = 0;
	out->type = MMT_ID;
}

/* The kind's own values, first.  False if the event is not of that kind. */
static bool compile_roles(struct tracefmt_decoder *dec, struct probe_map *map,
			  const struct tep_event *event)
{
	struct mmt_schema *schema = &dec->schema;
	const uint8_t *roles;
	unsigned int i;

	mmt_kind_roles((enum mmt_kind)map->kind, &roles);
	for (i = 0; i < map->nr_roles; i++) {
		struct mmt_field *out = &schema->field[i];
		const struct probe_arg *arg = NULL;
		struct op *op = &dec->op[i];
		const struct tep_format_field *field = NULL;

		if (map->arg[i] >= 0) {
			arg = &dec->def->arg[map->arg[i]];
			field = find(event, arg->name);
		}
		if (field && tracefmt_compile_field(field, op, out) &&
		    op->code == OP_NUMBER) {
			snprintf(out->name, sizeof(out->name), "%s",
				 field->name);
			set_value(op, out, map->value[map->arg[i]]);
		} else {
			if (arg)
				probe_map_lacks(map, dec->def, i);
			if (map->kind == MMT_OTHER)
				return false;
			*op = (struct op){.code = OP_ABSENT};
			mmt_field_absent(out, roles[i]);
		}
		out->role = roles[i];
	}
	schema->nr_fields = map->nr_roles;
	return true;
}

/* Has a role this field's value already, or does another say the same? */
static bool is_taken(const struct tracefmt_decoder *dec, const char *name)
{
	bool frame = !strcmp(name, "folio") || !strcmp(name, "page");
	unsigned int i;

	for (i = 0; i < dec->schema.nr_fields; i++) {
		const struct mmt_field *field = &dec->schema.field[i];

		if (field->type == MMT_ABSENT)
			continue;
		if (!strcmp(field->name, name) ||
		    (frame && field->role == MMT_PFN &&
		     field->type == MMT_UNSIGNED))
			return true;
	}
	return false;
}

/* Fields are printed by their role: another one may be called so as well. */
static void rest_name(struct mmt_schema *schema, struct mmt_field *out,
		      const char *name)
{
	const char *prefix = "";
	unsigned int i;

	for (i = 0; i < schema->nr_fields; i++)
		if (!strcmp(mmt_role_name(schema->field[i].role), name))
			prefix = "field_";
	snprintf(out->name, sizeof(out->name), "%s%.40s", prefix, name);
}

static uint8_t rest_value(struct probe_map *map, const struct probe_def *def,
			  const char *name)
{
	unsigned int a;

	if (probe_own_field(name))
		return PROBE_POINTER;
	for (a = 0; a < def->nr_args; a++)
		if (!strcmp(def->arg[a].name, name))
			return map->value[a];
	/* the definition is of another event, or of another time */
	map->addresses = true;
	return PROBE_NUMBER;
}

static void compile_rest(struct tracefmt_decoder *dec, struct probe_map *map,
			 const struct tep_event *event)
{
	struct mmt_schema *schema = &dec->schema;
	const struct tep_format_field *field;

	for (field = event->format.fields; field; field = field->next) {
		struct mmt_field *out = &schema->field[schema->nr_fields];
		struct op *op = &dec->op[schema->nr_fields];

		if (is_taken(dec, field->name))
			continue;
		if (schema->nr_fields == MMT_MAX_FIELDS ||
		    !tracefmt_compile_field(field, op, out)) {
			tracefmt_note(schema, "left out", field->name);
			continue;
		}
		out->role = MMT_NO_ROLES;
		rest_name(schema, out, field->name);
		set_value(op, out, rest_value(map, dec->def, field->name));
		schema->nr_fields++;
	}
}

void tracefmt_compile_probe(struct tracefmt_decoder *dec,
			    const struct tep_event *event)
{
	struct probe_map map;

	probe_map(&map, dec->def);
	if (!compile_roles(dec, &map, event)) {
		memset(dec->schema.field, 0, sizeof(dec->schema.field));
		memset(dec->op, 0, sizeof(dec->op));
		dec->schema.nr_fields = 0;
	}
	dec->schema.kind = map.kind;
	dec->guarded = map.guarded;
	snprintf(dec->schema.note, sizeof(dec->schema.note), "%s", map.note);
	compile_rest(dec, &map, event);
	dec->addresses = map.addresses;
}

/* ----------------------------------------------------------------- frames */

void tracefmt_compile_learn(struct tracefmt_decoder *dec,
			    const struct tep_event *event)
{
	const struct tep_format_field *pfn = find(event, "pfn"), *folio;
	struct mmt_field ignored;

	folio = find(event, "folio");
	if (!folio)
		folio = find(event, "page");
	if (!pfn || !folio || pfn->size < 4 || folio->size < 4)
		return;
	dec->learns =
		tracefmt_compile_field(folio, &dec->learn_folio, &ignored) &&
		tracefmt_compile_field(pfn, &dec->learn_pfn, &ignored);
}

void tracefmt_learn(struct tracefmt *f, const void *record, size_t len)
{
	const struct tracefmt_decoder *dec;
	const uint8_t *p = record;
	uint16_t id;

	if (!vmemmap_wants(&f->vmemmap) || len < f->common.min_len ||
	    !f->have_common)
		return;
	memcpy(&id, p + f->common.type, sizeof(id));
	id = f->big_endian ? be16toh(id) : le16toh(id);
	dec = id < f->nr_ids ? f->by_id[id] : NULL;
	if (!dec || !dec->learns ||
	    dec->learn_folio.offset + dec->learn_folio.size > len ||
	    dec->learn_pfn.offset + dec->learn_pfn.size > len)
		return;
	vmemmap_learn(&f->vmemmap,
		      op_number(f->big_endian, p, &dec->learn_folio),
		      op_number(f->big_endian, p, &dec->learn_pfn));
}

static bool is_folio(const struct tracefmt_decoder *dec, unsigned int i)
{
	uint8_t role = dec->schema.field[i].role;

	return dec->op[i].code == OP_POINTER &&
	       (role == MMT_PFN || role == MMT_NEW_PFN);
}

bool tracefmt_has_folios(const struct tracefmt *f)
{
	unsigned int id, i;

	for (id = 0; id < f->nr_ids; id++) {
		const struct tracefmt_decoder *dec = f->by_id[id];

		for (i = 0; dec && dec->def && i < dec->nr_fields; i++)
			if (is_folio(dec, i))
				return true;
	}
	return false;
}

void tracefmt_settle(struct tracefmt *f)
{
	unsigned int id, i;

	if (!vmemmap_known(&f->vmemmap))
		return;
	for (id = 0; id < f->nr_ids; id++) {
		struct tracefmt_decoder *dec = f->by_id[id];

		for (i = 0; dec && dec->def && i < dec->nr_fields; i++) {
			if (!is_folio(dec, i))
				continue;
			dec->op[i].code = OP_FOLIO;
			dec->numbers = NULL;
			dec->schema.field[i].type = MMT_UNSIGNED;
		}
	}
}

uint64_t tracefmt_probe_value(const struct tracefmt *f, const struct op *op,
			      uint64_t v)
{
	switch (op->code) {
	case OP_FOLIO:
		return vmemmap_pfn(&f->vmemmap, v);
	case OP_TAGGED:
		return f->resolve(f->resolve_arg, v & ~3ULL) << 2 | (v & 3);
	case OP_UNTAGGED:
		return f->resolve(f->resolve_arg, v & ~7ULL);
	default: /* OP_SCRUBBED */
		return probe_scrub(v);
	}
}

/* --------------------------------------------------------------- questions */

void tracefmt_probes(struct tracefmt *f, const struct probes *probes)
{
	f->probes = probes;
}

const struct probe_def *tracefmt_probe(const struct tracefmt *f, int id)
{
	if (id < 0 || (unsigned int)id >= f->nr_ids || !f->by_id[id])
		return NULL;
	return f->by_id[id]->def;
}

/*
 * Every probe of a kernel stores where it was, and what its author chose.
 * Without a definition nothing is known of that.
 */
bool tracefmt_has_addresses(const struct tracefmt *f, int id)
{
	const struct mmt_schema *schema = tracefmt_schema(f, id);
	unsigned int i;

	if (!schema)
		return false;
	if (f->by_id[id]->def)
		return f->by_id[id]->addresses;
	for (i = 0; i < schema->nr_fields; i++)
		if (probe_own_field(schema->field[i].name))
			return true;
	return false;
}
