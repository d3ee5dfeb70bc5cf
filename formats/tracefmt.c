/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt.c - compiles kernel format texts, decodes records */

/*
 * libtraceevent parses the field lines of a format file.  We find the kind of
 * the event by its name, the role of each field by the names that kernels have
 * used for it, and lay the values out in the order of formats/event.h.
 *
 * A number of size bytes at offset is read with one load and one shift: the
 * eight bytes that end where the field ends are loaded (common fields make
 * sure that there are that many before it), and the field is their upper part
 * on a little-endian machine's record, their lower part on a big-endian one.
 * (x ^ sign) - sign extends the sign without a branch.
 */

#include "config.h"

#include <endian.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <traceevent/event-parse.h>

#include "formats/tracefmt-map.h"
#include "formats/tracefmt.h"

enum op_code { OP_NUMBER, OP_POINTER, OP_ABSENT, OP_CHARS, OP_DATA_LOC };

struct op {
	uint64_t sign;   /* the field's sign bit, 0 if it has none */
	uint16_t start;  /* offset + size - 8: what is loaded */
	uint8_t shift;   /* 64 - 8 * size */
	uint8_t code;
	bool relative;   /* data_loc counts from the field's own end */
	uint16_t offset; /* of the field */
	uint16_t size;
};

struct tracefmt_decoder {
	struct mmt_schema schema;
	uint16_t type;
	uint16_t min_len;
	bool numbers_only;
	struct op op[MMT_MAX_FIELDS];
};

/* Where the fields common to all events are. */
struct common {
	uint16_t type, flags, preempt, pid;
	uint16_t min_len;
};

/* Kernel pointers seen, each with its number: open hashing, 0 is free. */
struct ids {
	pthread_mutex_t lock;
	uint64_t *key;
	uint64_t *id;
	size_t size, nr;
};

struct tracefmt {
	struct tep_handle *tep;
	bool big_endian;
	bool have_common;
	struct common common;
	struct tracefmt_decoder **by_id;
	unsigned int nr_ids;
	uint64_t (*resolve)(void *arg, uint64_t pointer);
	void *resolve_arg;
	struct ids ids;
};

/* ----------------------------------------------------------- dense ids */

static int ids_grow(struct ids *ids)
{
	size_t size = ids->size ? ids->size * 2 : 256;
	uint64_t *key = calloc(size, sizeof(*key));
	uint64_t *id = calloc(size, sizeof(*id));
	size_t i, at;

	if (!key || !id) {
		free(key);
		free(id);
		return -ENOMEM;
	}
	for (i = 0; i < ids->size; i++) {
		if (!ids->key[i])
			continue;
		for (at = hash_u64(ids->key[i]) & (size - 1); key[at];)
			at = (at + 1) & (size - 1);
		key[at] = ids->key[i];
		id[at] = ids->id[i];
	}
	free(ids->key);
	free(ids->id);
	ids->key = key;
	ids->id = id;
	ids->size = size;
	return 0;
}

/* 0 stays 0; a full memory gives UINT64_MAX, never the address. */
static uint64_t ids_get(void *arg, uint64_t pointer)
{
	struct ids *ids = arg;
	uint64_t id = UINT64_MAX;
	size_t at;

	if (!pointer)
		return 0;
	pthread_mutex_lock(&ids->lock);
	if (ids->nr * 2 >= ids->size && ids_grow(ids))
		goto out;
	at = hash_u64(pointer) & (ids->size - 1);
	while (ids->key[at] && ids->key[at] != pointer)
		at = (at + 1) & (ids->size - 1);
	if (!ids->key[at]) {
		ids->key[at] = pointer;
		ids->id[at] = ++ids->nr;
	}
	id = ids->id[at];
out:
	pthread_mutex_unlock(&ids->lock);
	return id;
}

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
	pthread_mutex_init(&f->ids.lock, NULL);
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
	free(f->ids.key);
	free(f->ids.id);
	pthread_mutex_destroy(&f->ids.lock);
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

/* Fills the op and the type of the value; false if we cannot keep it. */
static bool compile_field(const struct tep_format_field *field, struct op *op,
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
	op->relative = field->flags & TEP_FIELD_IS_RELATIVE;
	out->size = (uint8_t)MIN(field->size, 255);
	if (field_is_string(field)) {
		op->code = field->flags & TEP_FIELD_IS_DYNAMIC ? OP_DATA_LOC
							       : OP_CHARS;
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

static void note_add(struct mmt_schema *schema, const char *what,
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

static const struct tep_format_field *
find_role(const struct tep_event *event, enum mmt_kind kind, uint8_t role)
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
		if (field && compile_field(field, op, out)) {
			field_name(out, field->name);
			continue;
		}
		if (tracefmt_role_needed(roles[i]))
			return false;
		field_name(out, tracefmt_role_field(schema->kind, roles[i], 0));
		out->type = roles[i] == MMT_COMM ? MMT_STRING : MMT_ABSENT;
		out->size = 0;
		op->code = OP_ABSENT;
		note_add(schema, "no field", out->name);
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

	if (!field_is_pointer(field) || (strcmp(field->name, "folio") &&
					 strcmp(field->name, "page")))
		return false;
	for (i = 0; i < schema->nr_fields; i++)
		if (schema->field[i].role == MMT_PFN)
			return true;
	return false;
}

static void compile_rest(struct tracefmt_decoder *dec,
			 const struct tep_event *event)
{
	struct mmt_schema *schema = &dec->schema;
	const struct tep_format_field *field;
	struct mmt_field *out;

	for (field = event->format.fields; field; field = field->next) {
		if (is_taken(schema, field->name) || is_redundant(schema, field))
			continue;
		if (schema->nr_fields == MMT_MAX_FIELDS) {
			note_add(schema, "left out", field->name);
			continue;
		}
		out = &schema->field[schema->nr_fields];
		memset(out, 0, sizeof(*out));
		if (!compile_field(field, &dec->op[schema->nr_fields], out)) {
			note_add(schema, "left out", field->name);
			continue;
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

	dec->numbers_only = !f->big_endian;
	dec->min_len = f->common.min_len;
	for (i = 0; i < dec->schema.nr_fields; i++) {
		const struct op *op = &dec->op[i];

		if (op->code != OP_NUMBER)
			dec->numbers_only = false;
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
		memset(by_id + f->nr_ids, 0,
		       (nr - f->nr_ids) * sizeof(*by_id));
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
	if (!compile_roles(dec, event)) {
		/* not what its name promises: kept as a custom event */
		memset(dec->schema.field, 0, sizeof(dec->schema.field));
		memset(dec->op, 0, sizeof(dec->op));
		dec->schema.nr_fields = 0;
		dec->schema.kind = MMT_OTHER;
		note_add(&dec->schema, "fields missing, kept as", "other");
	}
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
	if (tep_parse_format(f->tep, &event, copy, strlen(copy), system) ||
	    !event || !event->name || !event->system)
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

/* -------------------------------------------------------------- decoding */

static inline uint64_t load_number(bool big_endian, const uint8_t *record,
				   const struct op *op)
{
	uint64_t v;

	memcpy(&v, record + op->start, sizeof(v));
	v = big_endian ? be64toh(v) << op->shift : le64toh(v);
	v >>= op->shift;
	return (v ^ op->sign) - op->sign;
}

static const char *bounded(const uint8_t *p, size_t len)
{
	/* a kernel string always has its NUL; one that has not is not shown */
	return memchr(p, 0, MIN(len, MMT_MAX_STRING)) ? (const char *)p : "";
}

static const char *load_string(const struct tracefmt *f, const uint8_t *record,
			       size_t len, const struct op *op)
{
	uint32_t loc, at;

	if (op->code == OP_CHARS)
		return bounded(record + op->offset, op->size);
	loc = (uint32_t)load_number(f->big_endian, record, op);
	at = (loc & 0xffff) + (op->relative ? op->offset + op->size : 0U);
	if (at > len || (loc >> 16) > len - at)
		return "";
	return bounded(record + at, loc >> 16);
}

static void decode_mixed(const struct tracefmt *f,
			 const struct tracefmt_decoder *dec,
			 const uint8_t *record, size_t len, uint64_t *vals)
{
	unsigned int i;

	for (i = 0; i < dec->schema.nr_fields; i++) {
		const struct op *op = &dec->op[i];

		switch (op->code) {
		case OP_NUMBER:
			vals[i] = load_number(f->big_endian, record, op);
			break;
		case OP_POINTER:
			vals[i] = f->resolve(f->resolve_arg,
					     load_number(f->big_endian, record,
							 op));
			break;
		case OP_ABSENT:
			vals[i] = dec->schema.field[i].type == MMT_STRING
					  ? (uintptr_t) ""
					  : 0;
			break;
		default:
			vals[i] = (uintptr_t)load_string(f, record, len, op);
		}
	}
}

static inline void decode_numbers(const struct tracefmt_decoder *dec,
				  const uint8_t *record, uint64_t *vals)
{
	const struct op *op = dec->op, *end = op + dec->schema.nr_fields;

	for (; op < end; op++)
		*vals++ = load_number(false, record, op);
}

static inline uint32_t load_u16(const struct tracefmt *f, const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return f->big_endian ? be16toh(v) : le16toh(v);
}

static inline uint32_t load_u32(const struct tracefmt *f, const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return f->big_endian ? be32toh(v) : le32toh(v);
}

int tracefmt_decode(const struct tracefmt *f, const void *data, size_t len,
		    struct mmt_event *ev, uint64_t *vals)
{
	const struct tracefmt_decoder *dec;
	const uint8_t *record = data;
	uint32_t id;

	if (unlikely(len < f->common.min_len || !f->have_common))
		return -EBADMSG;
	id = load_u16(f, record + f->common.type);
	dec = id < f->nr_ids ? f->by_id[id] : NULL;
	if (unlikely(!dec))
		return -ENOENT;
	if (unlikely(len < dec->min_len))
		return -EBADMSG;

	ev->type = dec->type;
	ev->kind = dec->schema.kind;
	ev->nr = dec->schema.nr_fields;
	ev->flags = record[f->common.flags];
	ev->preempt = record[f->common.preempt];
	ev->pid = (int32_t)load_u32(f, record + f->common.pid);
	ev->v = vals;
	if (likely(dec->numbers_only))
		decode_numbers(dec, record, vals);
	else
		decode_mixed(f, dec, record, len, vals);
	return 0;
}
