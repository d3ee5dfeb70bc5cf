/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text-shape.c - from the names in a text to the schemas of a log */

/*
 * An event whose lines have the same names in the same order is one shape and
 * gets one schema; where kernels of several generations are in one text, or a
 * field is printed only at times, there are several, and no value is made up.
 * A first pass over the text finds the shapes and what their values look
 * like; then the schemas are made: the roles of the event's kind first, under
 * the names of the kernel's own fields, then all the rest.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include <xxhash.h>

#include "formats/import-text.h"
#include "formats/tracefmt-map.h"

/* --------------------------------------------------------------- lookups */

/* A text has no system; these names belong to one alone. */
static const char *system_of(const char *name)
{
	static const char *const systems[] = {"filemap",   "pagemap", "vmscan",
					      "readahead", "migrate", "task",
					      "sched"};
	static const struct {
		const char *begin, *system;
	} begins[] = {
		{"mm_filemap_", "filemap"},
		{"filemap_", "filemap"},
		{"mm_lru_", "pagemap"},
		{"mm_vmscan_", "vmscan"},
		{"mm_shrink_", "vmscan"},
		{"mm_migrate_", "migrate"},
		{"page_cache_", "readahead"},
		{"sched_", "sched"},
		{"mm_compaction_", "compaction"},
		{"writeback_", "writeback"},
		{"mm_page_", "kmem"},
		{"kmem_", "kmem"},
		{"ext4_", "ext4"},
		{"block_", "block"},
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(systems); i++)
		if (tracefmt_kind(systems[i], name) != MMT_OTHER)
			return systems[i];
	for (i = 0; i < ARRAY_SIZE(begins); i++)
		if (!strncmp(name, begins[i].begin, strlen(begins[i].begin)))
			return begins[i].system;
	return "text";
}

static bool event_is(const struct text_event *e, const struct text_head *h)
{
	return h->name.len == e->name_len &&
	       !memcmp(h->name.p, e->name, e->name_len) &&
	       (!h->system.len || span_is(h->system, e->system));
}

/* A text without systems has the event of a probe by its name alone. */
static void find_probe(struct text_event *e, const struct probes *probes,
		       bool has_system)
{
	if (!probes || e->kind != MMT_OTHER)
		return;
	e->def = probes_find(probes, has_system ? e->system : NULL, e->name);
	if (e->def)
		snprintf(e->system, sizeof(e->system), "%s", e->def->group);
}

static struct text_event *event_new(const struct text_head *h,
				    const struct probes *probes)
{
	struct text_event *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	snprintf(e->name, sizeof(e->name), "%.*s", (int)h->name.len, h->name.p);
	if (h->system.len)
		snprintf(e->system, sizeof(e->system), "%.*s",
			 (int)h->system.len, h->system.p);
	else
		snprintf(e->system, sizeof(e->system), "%s",
			 system_of(e->name));
	e->name_len = h->name.len;
	e->kind = (uint8_t)tracefmt_kind(e->system, e->name);
	find_probe(e, probes, h->system.len);
	return e;
}

struct text_event *text_event_get(struct text_shapes *t,
				  const struct text_head *h, bool create)
{
	struct text_event **slot, *e = t->last;

	if (e && event_is(e, h))
		return e;
	slot = &t->slot[XXH64(h->name.p, h->name.len, 0) % TEXT_EVENT_SLOTS];
	for (e = *slot; e; e = e->next)
		if (event_is(e, h))
			break;
	if (!e && create && t->nr_events < TEXT_MAX_SHAPES) {
		e = event_new(h, t->probes);
		if (!e)
			return NULL;
		e->next = *slot;
		*slot = e;
		t->nr_events++;
	}
	if (e)
		t->last = e;
	return e;
}

static bool shape_is(const struct text_shape *s, const struct text_pairs *ps)
{
	unsigned int i;

	if (s->nr_keys != ps->nr)
		return false;
	for (i = 0; i < ps->nr; i++)
		if (!span_same(s->key[i], ps->pair[i].key))
			return false;
	return true;
}

struct text_shape *text_shape_find(struct text_event *e,
				   const struct text_pairs *ps)
{
	struct text_shape *s = e->last;

	if (s && shape_is(s, ps))
		return s;
	for (s = e->shapes; s; s = s->next)
		if (shape_is(s, ps))
			return e->last = s;
	return NULL;
}

void text_shapes_free(struct text_shapes *t)
{
	struct text_shape *s;
	struct text_event *e;
	unsigned int i;

	for (i = 0; i < TEXT_EVENT_SLOTS; i++) {
		while ((e = t->slot[i])) {
			t->slot[i] = e->next;
			while ((s = e->shapes)) {
				e->shapes = s->next;
				free(s);
			}
			free(e);
		}
	}
}

/* ------------------------------------------------------------ the schema */

/* What a text calls the field of a role, and how it writes it. */
static const struct {
	uint8_t role, op;
	const char *key;
} printed[] = {
	{MMT_DEV, TEXT_DEV, "dev"},
	{MMT_INO, TEXT_HEX, "ino"},
	{MMT_INDEX, TEXT_OFS, "ofs"},
	{MMT_INDEX, TEXT_NUM, "index"},
	{MMT_LAST_INDEX, TEXT_OFS_LAST, "ofs"},
	{MMT_LAST_INDEX, TEXT_NUM, "last_index"},
	{MMT_PFN, TEXT_NUM, "pfn"},
	{MMT_ORDER, TEXT_NUM, "order"},
	{MMT_LRU, TEXT_LRU, "lru"},
	{MMT_LRU_FLAGS, TEXT_LRU_FLAGS, "flags"},
	{MMT_GFP, TEXT_NUM, "gfp_flags"},
	{MMT_NID, TEXT_NUM, "nid"},
	{MMT_NR, TEXT_NUM, "req_count"},
	{MMT_NR, TEXT_NUM, "nr_to_read"},
	{MMT_NR_SCANNED, TEXT_NUM, "nr_scanned"},
	{MMT_NR_TAKEN, TEXT_NUM, "nr_taken"},
	{MMT_NR_RECLAIMED, TEXT_NUM, "nr_reclaimed"},
	{MMT_NR_SUCCEEDED, TEXT_NUM, "nr_succeeded"},
	{MMT_NR_FAILED, TEXT_NUM, "nr_failed"},
	{MMT_REASON, TEXT_REASON, "reason"},
	{MMT_TID, TEXT_NUM, "pid"},
	{MMT_COMM, TEXT_TEXT, "newcomm"},
	{MMT_COMM, TEXT_TEXT, "comm"},
};

int text_key_find(const struct text_shape *s, const char *key)
{
	unsigned int i;

	for (i = 0; i < s->nr_keys; i++)
		if (span_is(s->key[i], key))
			return (int)i;
	return -1;
}

void text_note(struct mmt_schema *schema, const char *what, const char *name)
{
	size_t len = strlen(schema->note);

	snprintf(schema->note + len, sizeof(schema->note) - len, "%s%s %s",
		 len ? "; " : "", what, name);
}

/* Flags in words have no number that holds for every kernel. */
static bool op_fits(const struct text_shape *s, uint8_t role, int pair)
{
	return role != MMT_GFP || s->class[pair] < TEXT_STRING;
}

/* Finds the pair of a role; false if the text has none. */
static bool compile_role(struct text_shape *s, uint8_t role,
			 struct text_field *f, bool *used)
{
	unsigned int i;
	int pair;

	for (i = 0; i < ARRAY_SIZE(printed); i++) {
		if (printed[i].role != role)
			continue;
		pair = text_key_find(s, printed[i].key);
		if (pair < 0 || !op_fits(s, role, pair))
			continue;
		f->op = printed[i].op;
		f->pair = (uint8_t)pair;
		used[pair] = true;
		return true;
	}
	return false;
}

/* The kind's own values, first. */
static void compile_roles(struct text_shape *s, bool *used)
{
	struct mmt_schema *schema = &s->schema;
	const uint8_t *roles;
	unsigned int i, nr = mmt_kind_roles(schema->kind, &roles);

	for (i = 0; i < nr; i++) {
		struct mmt_field *out = &schema->field[i];
		struct text_field *f = &s->field[i];

		out->role = roles[i];
		snprintf(out->name, sizeof(out->name), "%s",
			 tracefmt_role_field(schema->kind, roles[i], 0));
		out->type = roles[i] == MMT_COMM ? MMT_STRING : MMT_UNSIGNED;
		out->size = 8;
		if (compile_role(s, roles[i], f, used)) {
			if (f->op == TEXT_NUM &&
			    s->class[f->pair] == TEXT_SIGNED)
				out->type = MMT_SIGNED;
			continue;
		}
		s->bad |=
			tracefmt_role_needed(roles[i]) || roles[i] == MMT_COMM;
		s->no_order |= roles[i] == MMT_ORDER;
		f->op = TEXT_ABSENT;
		out->type = MMT_ABSENT;
		out->size = 0;
		/* the words stand for it, under the kernel's name */
		if (text_key_find(s, out->name) >= 0)
			snprintf(out->name, sizeof(out->name), "%s",
				 mmt_role_name(roles[i]));
		text_note(schema, "no field", out->name);
	}
	schema->nr_fields = (uint8_t)nr;
}

static bool name_taken(const struct mmt_schema *schema, struct span key)
{
	unsigned int i;

	for (i = 0; i < schema->nr_fields; i++)
		if (schema->field[i].type != MMT_ABSENT &&
		    span_is(key, schema->field[i].name))
			return true;
	return false;
}

/* A folio or page address says no more than the pfn beside it. */
static bool is_redundant(const struct text_shape *s, struct span key)
{
	return (span_is(key, "page") || span_is(key, "folio")) &&
	       text_key_find(s, "pfn") >= 0;
}

static void compile_rest(struct text_shape *s, const bool *used)
{
	static const uint8_t types[] = {
		[TEXT_NOTHING] = MMT_STRING, [TEXT_UNSIGNED] = MMT_UNSIGNED,
		[TEXT_SIGNED] = MMT_SIGNED,  [TEXT_POINTER] = MMT_ID,
		[TEXT_STRING] = MMT_STRING,
	};
	struct mmt_schema *schema = &s->schema;
	unsigned int i;

	for (i = 0; i < s->nr_keys; i++) {
		struct mmt_field *out = &schema->field[schema->nr_fields];
		struct text_field *f = &s->field[schema->nr_fields];

		if (used[i] || is_redundant(s, s->key[i]))
			continue;
		if (schema->nr_fields == MMT_MAX_FIELDS ||
		    name_taken(schema, s->key[i])) {
			text_note(schema, "left out", "a field");
			continue;
		}
		snprintf(out->name, sizeof(out->name), "%.*s",
			 (int)s->key[i].len, s->key[i].p);
		out->type = types[s->class[i]];
		out->role = MMT_NO_ROLES;
		out->size = out->type == MMT_STRING ? 0 : 8;
		f->pair = (uint8_t)i;
		f->op = TEXT_NUM;
		if (out->type == MMT_ID)
			f->op = TEXT_ID;
		else if (out->type == MMT_STRING)
			f->op = TEXT_TEXT;
		schema->nr_fields++;
	}
}

void text_shape_compile(struct text_shape *s, bool frames)
{
	bool used[MMT_MAX_FIELDS] = {false};
	struct mmt_schema *schema = &s->schema;

	memset(schema, 0, sizeof(*schema));
	memcpy(schema->system, s->event->system, sizeof(schema->system));
	memcpy(schema->name, s->event->name, sizeof(schema->name));
	schema->kind = s->event->kind;
	s->bad = s->no_order = false;
	if (s->event->def) {
		text_compile_probe(s, frames);
		return;
	}
	compile_roles(s, used);
	compile_rest(s, used);
}

/* ---------------------------------------------------------------- learning */

/* Is the field written in one way, whatever its values look like? */
static bool is_fixed(enum mmt_kind kind, struct span key)
{
	const uint8_t *roles;
	unsigned int i, j, nr = mmt_kind_roles(kind, &roles);

	for (i = 0; i < nr; i++)
		for (j = 0; j < ARRAY_SIZE(printed); j++)
			if (printed[j].role == roles[i] &&
			    (printed[j].op != TEXT_NUM ||
			     roles[i] == MMT_PFN) &&
			    span_is(key, printed[j].key))
				return true;
	return false;
}

struct text_shape *text_shape_new(struct text_shapes *t, struct text_event *e,
				  const struct text_pairs *ps)
{
	struct text_shape *s;
	unsigned int i;

	if (t->nr_shapes == TEXT_MAX_SHAPES)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->event = e;
	s->nr_keys = ps->nr;
	for (i = 0; i < ps->nr; i++) {
		s->key[i] = ps->pair[i].key;
		s->class[i] = is_fixed(e->kind, s->key[i]) ? TEXT_STRING
							   : TEXT_NOTHING;
	}
	s->learn[0] = text_key_find(s, "folio");
	if (s->learn[0] < 0)
		s->learn[0] = text_key_find(s, "page");
	s->learn[1] = text_key_find(s, "pfn");
	s->next = e->shapes;
	e->shapes = e->last = s;
	t->nr_shapes++;
	return s;
}

/* Page flags have the node and the generation in their upper bits. */
static bool is_flags(struct span key)
{
	return key.len >= 5 && !memcmp(key.p + key.len - 5, "flags", 5);
}

void text_shape_learn(struct text_shape *s, const struct text_pairs *ps)
{
	unsigned int i;
	uint64_t v;

	for (i = 0; i < s->nr_keys; i++) {
		enum text_class class;

		if (s->class[i] == TEXT_STRING)
			continue;
		class = text_number(ps->pair[i].val, &v);
		if (class == TEXT_POINTER && is_flags(s->key[i]))
			class = TEXT_UNSIGNED;
		s->class[i] = (uint8_t)MAX(s->class[i], class);
	}
}
