/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt.c - compiles kernel format texts into decoders */

/*
 * libtraceevent parses the field lines of a format file.  We find the kind of
 * the event by its name, the role of each field by the names that kernels have
 * used for it, and lay the values out in the order of formats/event.h.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include <traceevent/event-parse.h>

#include "formats/tracefmt-map.h"
#include "formats/tracefmt-priv.h"

/* ------------------------------------------------------------- compiling */

int tracefmt_new(struct tracefmt **fp, bool big_endian, unsigned int long_size)
{
	struct tracefmt *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	tep_set_loglevel(TEP_LOG_NONE);
	f->tep = tep_alloc();
	if (!f->tep) {
		free(f);
		return -ENOMEM;
	}
	tep_set_long_size(f->tep, (int)long_size);
	tep_set_file_bigendian(f->tep,
			       big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	f->big_endian = big_endian;
	ids_init(&f->ids);
	f->resolve = ids_get;
	f->resolve_arg = &f->ids;
	*fp = f;
	return 0;
}

void tracefmt_free(struct tracefmt *f)
{
	unsigned int i;

	if (!f)
		return;
	for (i = 0; i < f->nr_ids; i++)
		free(f->by_id[i]);
	free(f->by_id);
	ids_destroy(&f->ids);
	tep_free(f->tep);
	free(f);
}

void tracefmt_resolver(struct tracefmt *f,
		       uint64_t (*resolve)(void *arg, uint64_t pointer),
		       void *arg)
{
	f->resolve = resolve;
	f->resolve_arg = arg;
}

/* Does the field lie where a record can have it? */
static bool field_fits(const struct tep_format_field *field)
{
	return field->offset >= 0 && field->size > 0 &&
	       field->offset <= 0xffff - field->size &&
	       field->offset + field->size >= 8;
}

static bool field_is_number(const struct tep_format_field *field)
{
	return !(field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC |
				 TEP_FIELD_IS_POINTER)) &&
	       (field->size == 1 || field->size == 2 || field->size == 4 ||
		field->size == 8);
}

static bool field_is_pointer(const struct tep_format_field *field)
{
	return (field->flags & TEP_FIELD_IS_POINTER) &&
	       !(field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)) &&
	       (field->size == 4 || field->size == 8);
}

static bool field_is_string(const struct tep_format_field *field)
{
	return (field->flags & TEP_FIELD_IS_STRING) ||
	       (strncmp(field->type, "char", 4) == 0 &&
		(field->flags & TEP_FIELD_IS_ARRAY));
}

static uint8_t string_op(const struct tep_format_field *field)
{
	if (!(field->flags & TEP_FIELD_IS_DYNAMIC))
		return OP_CHARS;
	return field->flags & TEP_FIELD_IS_RELATIVE ? OP_REL_LOC : OP_DATA_LOC;
}

bool tracefmt_compile_field(const struct tep_format_field *field, struct op *op,
			    struct mmt_field *out)
{
	if (!field_fits(field))
		return false;
	op->offset = (uint16_t)field->offset;
	op->size = (uint16_t)field->size;
	op->start = (uint16_t)(field->offset + field->size - 8);
	op->shift = (uint8_t)(64 - 8 * MIN(field->size, 8));
	if (field->flags & TEP_FIELD_IS_SIGNED)
		op->sign = 1ULL << (63 - op->shift);
	out->size = (uint8_t)MIN(field->size, 255);
	if (field_is_string(field)) {
		op->code = string_op(field);
		out->type = MMT_STRING;
		return op->code == OP_CHARS || field->size == 4;
	}
	if (field_is_pointer(field)) {
		op->code = OP_POINTER;
		out->type = MMT_ID;
		return true;
	}
	op->code = OP_NUMBER;
	out->type = op->sign ? MMT_SIGNED : MMT_UNSIGNED;
	return field_is_number(field);
}

void tracefmt_note(struct mmt_schema *schema, const char *what,
		   const char *name)
{
	size_t len = strlen(schema->note);

	snprintf(schema->note + len, sizeof(schema->note) - len, "%s%s %s",
		 len ? "; " : "", what, name);
}

static void field_name(struct mmt_field *out, const char *name)
{
	snprintf(out->name, sizeof(out->name), "%s", name);
}

static const struct tep_format_field *find_role(const struct tep_event *event,
						enum mmt_kind kind,
						uint8_t role)
{
	const struct tep_format_field *field;
	unsigned int i;
	const char *name;

	for (i = 0; (name = tracefmt_role_field(kind, role, i)); i++)
		for (field = event->format.fields; field; field = field->next)
			if (!strcmp(field->name, name))
				return field;
	return NULL;
}

/* Kernels before 4.0 have a page pointer only; file and index still tell. */
static bool is_key_event(uint8_t kind, uint8_t role)
{
	return role == MMT_PFN && (kind == MMT_ADD || kind == MMT_REMOVE);
}

/* The kind's own values, first.  False if one it cannot do without lacks. */
static bool compile_roles(struct tracefmt_decoder *dec,
			  const struct tep_event *event)
{
	struct mmt_schema *schema = &dec->schema;
	const struct tep_format_field *field;
	const uint8_t *roles;
	unsigned int i, nr = mmt_kind_roles(schema->kind, &roles);

	for (i = 0; i < nr; i++) {
		struct mmt_field *out = &schema->field[i];
		struct op *op = &dec->op[i];

		out->role = roles[i];
		field = find_role(event, schema->kind, roles[i]);
		if (field && tracefmt_compile_field(field, op, out)) {
			field_name(out, field->name);
			continue;
		}
		if (tracefmt_role_needed(roles[i]) &&
		    !is_key_event(schema->kind, roles[i]))
			return false;
		field_name(out, tracefmt_role_field(schema->kind, roles[i], 0));
		out->type = roles[i] == MMT_COMM ? MMT_STRING : MMT_ABSENT;
		out->size = 0;
		op->code = OP_ABSENT;
		tracefmt_note(schema, "no field", out->name);
	}
	schema->nr_fields = (uint8_t)nr;
	return true;
}

static bool is_taken(const struct mmt_schema *schema, const char *name)
{
	unsigned int i;

	for (i = 0; i < schema->nr_fields; i++)
		if (!strcmp(schema->field[i].name, name))
			return true;
	return false;
}

/* A folio or page pointer says no more than the pfn beside it. */
static bool is_redundant(const struct mmt_schema *schema,
			 const struct tep_format_field *field)
{
	unsigned int i;

	if (!field_is_pointer(field) ||
	    (strcmp(field->name, "folio") && strcmp(field->name, "page")))
		return false;
	for (i = 0; i < schema->nr_fields; i++)
		if (schema->field[i].role == MMT_PFN)
			return true;
	return false;
}

/* The kernel's own tracers tell as plain numbers where they were called. */
static bool is_code(const struct mmt_schema *schema, const char *name)
{
	return !strcmp(schema->system, "ftrace") &&
	       (!strcmp(name, "ip") || !strcmp(name, "parent_ip") ||
		!strcmp(name, "func") || !strcmp(name, "caller"));
}

static void compile_rest(struct tracefmt_decoder *dec,
			 const struct tep_event *event)
{
	struct mmt_schema *schema = &dec->schema;
	const struct tep_format_field *field;
	struct mmt_field *out;

	for (field = event->format.fields; field; field = field->next) {
		if (is_taken(schema, field->name) ||
		    is_redundant(schema, field))
			continue;
		if (schema->nr_fields == MMT_MAX_FIELDS) {
			tracefmt_note(schema, "left out", field->name);
			continue;
		}
		out = &schema->field[schema->nr_fields];
		memset(out, 0, sizeof(*out));
		if (!tracefmt_compile_field(field, &dec->op[schema->nr_fields],
					    out)) {
			tracefmt_note(schema, "left out", field->name);
			continue;
		}
		if (is_code(schema, field->name) &&
		    dec->op[schema->nr_fields].code == OP_NUMBER) {
			dec->op[schema->nr_fields].code = OP_POINTER;
			out->type = MMT_ID;
		}
		field_name(out, field->name);
		schema->nr_fields++;
	}
}

static int compile_common(struct tracefmt *f, const struct tep_event *event)
{
	const struct tep_format_field *field = event->format.common_fields;
	struct common c = {0};
	unsigned int seen = 0;

	for (; field; field = field->next) {
		uint16_t end = (uint16_t)(field->offset + field->size);
		uint16_t *to = NULL;

		if (!strcmp(field->name, "common_type") && field->size == 2)
			to = &c.type;
		else if (!strcmp(field->name, "common_flags"))
			to = &c.flags;
		else if (!strcmp(field->name, "common_preempt_count"))
			to = &c.preempt;
		else if (!strcmp(field->name, "common_pid") && field->size == 4)
			to = &c.pid;
		if (!to || field->offset < 0 || field->offset > 256)
			continue;
		*to = (uint16_t)field->offset;
		c.min_len = MAX(c.min_len, end);
		seen++;
	}
	if (seen < 4 || c.min_len < 8)
		return -EINVAL;
	if (f->have_common && memcmp(&c, &f->common, sizeof(c)))
		return -EINVAL;
	f->common = c;
	f->have_common = true;
	return 0;
}

static void finish_decoder(const struct tracefmt *f,
			   struct tracefmt_decoder *dec)
{
	unsigned int i;

	dec->kind = dec->schema.kind;
	dec->nr_fields = dec->schema.nr_fields;
	dec->numbers = tracefmt_numbers_of(dec->nr_fields);
	dec->min_len = f->common.min_len;
	for (i = 0; i < dec->schema.nr_fields; i++) {
		const struct op *op = &dec->op[i];

		if (op->code == OP_POINTER &&
		    dec->nr_pointers < TRACEFMT_POINTERS)
			dec->pointer[dec->nr_pointers++] = (uint8_t)i;
		else if (op->code != OP_NUMBER)
			dec->numbers = NULL;
		if (op->code != OP_ABSENT)
			dec->min_len = MAX(dec->min_len,
					   (uint16_t)(op->offset + op->size));
	}
}

static int book_put(struct tracefmt *f, int id, struct tracefmt_decoder *dec)
{
	struct tracefmt_decoder **by_id;
	unsigned int nr = (unsigned int)id + 1;

	if (nr > f->nr_ids) {
		by_id = realloc(f->by_id, nr * sizeof(*by_id));
		if (!by_id)
			return -ENOMEM;
		memset(by_id + f->nr_ids, 0, (nr - f->nr_ids) * sizeof(*by_id));
		f->by_id = by_id;
		f->nr_ids = nr;
	}
	free(f->by_id[id]);
	f->by_id[id] = dec;
	return 0;
}

/* The print format is no concern of ours, and hostile ones exist. */
static char *without_print_fmt(const char *text, size_t len)
{
	static const char empty[] = "\nprint fmt: \"\"\n";
	const char *at = memmem(text, len, "\nprint fmt:", 11);
	size_t keep = at ? (size_t)(at - text) : len;
	char *copy = malloc(keep + sizeof(empty));

	if (!copy)
		return NULL;
	memcpy(copy, text, keep);
	memcpy(copy + keep, empty, sizeof(empty));
	return copy;
}

static int compile_event(struct tracefmt *f, const struct tep_event *event,
			 struct errbuf *err)
{
	struct tracefmt_decoder *dec;
	int ret;

	if (event->id < 0 || event->id > 0xffff)
		return errbuf_set(err, -EINVAL, "%s: event id %d", event->name,
				  event->id);
	if (compile_common(f, event))
		return errbuf_set(err, -EINVAL,
				  "%s: common fields are not as expected",
				  event->name);
	dec = calloc(1, sizeof(*dec));
	if (!dec)
		return errbuf_set(err, -ENOMEM, "out of memory");
	snprintf(dec->schema.system, sizeof(dec->schema.system), "%s",
		 event->system);
	snprintf(dec->schema.name, sizeof(dec->schema.name), "%s", event->name);
	dec->schema.kind = tracefmt_kind(event->system, event->name);
	if (f->probes && dec->schema.kind == MMT_OTHER)
		dec->def = probes_find(f->probes, event->system, event->name);
	tracefmt_compile_learn(dec, event);
	if (dec->def) {
		tracefmt_compile_probe(dec, event);
	} else if (!compile_roles(dec, event)) {
		/* not what its name promises: kept as a custom event */
		memset(dec->schema.field, 0, sizeof(dec->schema.field));
		memset(dec->op, 0, sizeof(dec->op));
		dec->schema.nr_fields = 0;
		dec->schema.kind = MMT_OTHER;
		tracefmt_note(&dec->schema, "fields missing, kept as", "other");
	}
	if (!dec->def)
		compile_rest(dec, event);
	finish_decoder(f, dec);
	ret = book_put(f, event->id, dec);
	if (ret) {
		free(dec);
		return errbuf_set(err, ret, "out of memory");
	}
	return event->id;
}

int tracefmt_add(struct tracefmt *f, const char *system, const char *text,
		 size_t len, struct errbuf *err)
{
	struct tep_event *event = NULL;
	char *copy = without_print_fmt(text, len);
	int ret;

	if (!copy)
		return errbuf_set(err, -ENOMEM, "out of memory");
	if (!tracefmt_is_format(copy) ||
	    tep_parse_format(f->tep, &event, copy, strlen(copy), system) ||
	    !event || !event->name || !event->system ||
	    event->flags & TEP_EVENT_FL_FAILED)
		ret = errbuf_set(err, -EINVAL, "%s: not an event format",
				 system);
	else
		ret = compile_event(f, event, err);
	free(copy);
	return ret;
}

const struct mmt_schema *tracefmt_schema(const struct tracefmt *f, int id)
{
	if (id < 0 || (unsigned int)id >= f->nr_ids || !f->by_id[id])
		return NULL;
	return &f->by_id[id]->schema;
}

int tracefmt_set_type(struct tracefmt *f, int id, uint16_t type)
{
	if (!tracefmt_schema(f, id))
		return -ENOENT;
	f->by_id[id]->type = type;
	return 0;
}
