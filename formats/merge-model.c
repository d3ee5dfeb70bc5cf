/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge-model.c - what coder and decoder of a merged block both remember */

/*
 * Pages live in one growing array, found by (file, index) through an open
 * table.  A slot has half of the hash, so that a page that is not the one
 * looked for is hardly ever touched.  Nothing here depends on the direction:
 * both sides make the same calls in the same order, and so have the same
 * numbers.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/column.h"
#include "formats/merge-model.h"

int model_new(struct model **mp, const struct types *types)
{
	struct model *m = calloc(1, sizeof(*m));
	unsigned int i;

	if (!m)
		return -ENOMEM;
	m->types = types;
	m->nr_types = types->nr;
	m->type = calloc(MAX(types->nr, 1U), sizeof(*m->type));
	m->slot = calloc(PAGE_SLOTS, sizeof(*m->slot));
	if (!m->type || !m->slot) {
		model_free(m);
		return -ENOMEM;
	}
	for (i = 0; i < types->nr; i++) {
		m->has_inserts |= types->schema[i]->kind == MMT_LRU_INSERT;
		m->nr_keyed += column_is_keyed(types->schema[i]);
	}
	m->nr_pages = 1;
	*mp = m;
	return 0;
}

static void type_free(struct merged_type *t)
{
	unsigned int i;

	if (!t)
		return;
	for (i = 0; i < NR_PARTS; i++)
		buf_free(&t->part[i].bytes);
	free(t->last_index);
	free(t);
}

void model_free(struct model *m)
{
	unsigned int i;

	if (!m)
		return;
	for (i = 0; m->type && i < m->nr_types; i++)
		type_free(m->type[i]);
	for (i = 0; i < MERGED_NR_COMMON; i++)
		buf_free(&m->common[i].bytes);
	for (i = 0; i < CPU_PLACES; i++)
		free(m->cpu[i]);
	files_free(&m->files);
	strings_free(&m->strings);
	free(m->type);
	block_dict_free(&m->dict);
	free(m->page);
	free(m->slot);
	free(m);
}

static void reset_type(struct merged_type *t)
{
	unsigned int i;

	if (!t || !t->nr_seen)
		return;
	t->nr_seen = 0;
	if (t->last_index)
		memset(t->last_index, 0xff,
		       t->cap_index * sizeof(*t->last_index));
	for (i = 0; i < NR_PARTS; i++)
		t->part[i].last = 0;
}

void model_reset(struct model *m)
{
	unsigned int i;

	for (i = 0; i < m->nr_types; i++)
		reset_type(m->type[i]);
	for (i = 0; i < CPU_PLACES; i++)
		if (m->cpu[i])
			memset(m->cpu[i], 0, sizeof(*m->cpu[i]));
	for (i = 0; i < MERGED_NR_COMMON; i++)
		m->common[i].last = 0;
	memset(m->last_file, 0, sizeof(m->last_file));
	memset(m->flags, 0, sizeof(m->flags));
	memset(m->preempt, 0, sizeof(m->preempt));
	memset(m->inserted, 0, sizeof(m->inserted));
	if (m->nr_pages > 1)
		memset(m->slot, 0, PAGE_SLOTS * sizeof(*m->slot));
	m->nr_pages = 1;
	m->last_cpu = 0;
	m->last_type = 0;
	m->last_ns = 0;
	m->nr_seen_files = 0;
	m->bad = false;
}

struct merged_type *model_type(struct model *m, unsigned int type)
{
	struct merged_type *t = m->type[type];

	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->kind = m->types->schema[type]->kind;
	t->keyed = column_is_keyed(m->types->schema[type]);
	t->wanted = true;
	m->type[type] = t;
	return t;
}

struct merged_cpu *model_cpu(struct model *m, unsigned int cpu)
{
	struct merged_cpu **place = &m->cpu[cpu % CPU_PLACES];

	if (!*place)
		*place = calloc(1, sizeof(**place));
	return *place;
}

/* Where to look for a page, and what its slot begins with. */
struct place {
	uint32_t slot, tag;
};

/* Eight neighbours of a file share a cache line: they come and go together. */
static struct place page_place(uint32_t file, uint64_t index)
{
	uint64_t hash = hash_u64(index >> 3 ^ (uint64_t)file << 40);
	uint32_t low = index & 7;

	return (struct place){
		.slot = ((uint32_t)hash << 3 | low) % PAGE_SLOTS,
		.tag = (uint32_t)(hash >> 32) + low,
	};
}

uint32_t model_page_find(const struct model *m, uint32_t file, uint64_t index)
{
	struct place place = page_place(file, index);
	unsigned int i;

	for (i = 0; i < PAGE_WALK; i++) {
		uint64_t slot = m->slot[(place.slot + i) % PAGE_SLOTS];
		const struct merged_page *p;

		if (!slot)
			break;
		p = &m->page[(uint32_t)slot];
		if (slot >> 32 == place.tag && p->index == index &&
		    p->file == file)
			return (uint32_t)slot;
	}
	return 0;
}

/* A page whose slots are all taken is not found again. */
static void page_enter(struct model *m, uint32_t nr)
{
	struct place place = page_place(m->page[nr].file, m->page[nr].index);
	unsigned int i;

	for (i = 0; i < PAGE_WALK; i++) {
		uint64_t *slot = &m->slot[(place.slot + i) % PAGE_SLOTS];

		if (*slot)
			continue;
		*slot = (uint64_t)place.tag << 32 | nr;
		break;
	}
}

uint32_t model_page_add(struct model *m, uint32_t file, uint64_t index)
{
	uint32_t nr = model_page_find(m, file, index);

	if (nr)
		return nr;
	if (m->nr_pages >= m->cap_pages) {
		uint32_t cap = m->cap_pages * 2 + 1024;
		void *grown = realloc(m->page, cap * sizeof(*m->page));

		if (!grown)
			return 0;
		m->page = grown;
		m->cap_pages = cap;
	}
	nr = m->nr_pages++;
	m->page[nr] = (struct merged_page){.index = index, .file = file};
	page_enter(m, nr);
	return nr;
}

int model_grow_index(struct merged_type *t, uint32_t file)
{
	uint32_t cap = MAX(file + 1, 2 * t->cap_index + 64);
	uint64_t *grown = realloc(t->last_index, cap * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	memset(grown + t->cap_index, 0xff,
	       (cap - t->cap_index) * sizeof(*grown));
	t->last_index = grown;
	t->cap_index = cap;
	return 0;
}
