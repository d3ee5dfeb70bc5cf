/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge-walk.c - one walk over merged events, for both directions */

/*
 * What follows what in the page cache is highly regular: a page that was
 * added goes to the LRU list a batch later, is read next, and leaves the
 * cache behind the page that entered the LRU list before it; its pfn is then
 * known, and is handed out again for the next page that is added.  Each of
 * these is a prediction, and what is stored is how the event differs from it:
 * mostly 0, which zstd makes vanish.
 *
 * The walk is written once, with the direction as a constant: a coder puts
 * code(...) into the column and gets it back, a decoder takes it out of the
 * column.  Everything else, all of the state included, is the same text for
 * both, so that the two cannot disagree.
 */

#include "config.h"

#include "formats/column.h"
#include "formats/merge-common.h"

/* ----------------------------------------------------- device, inode, index */

/* How the key differs from what was expected. */
enum {
	KEY_EXPECTED, /* not at all */
	KEY_NEXT,     /* the next index of the task's last file */
	KEY_SAME,     /* another index of it */
	KEY_NEW,      /* a file that occurs for the first time */
	KEY_OTHER,    /* another file */
	KEY_SKIPPED,  /* as expected, but so many pages further on the list */
	KEY_MAX = KEY_SKIPPED + 30
};

struct key {
	uint32_t file;
	uint32_t page; /* if it is the page expected, or one of its list */
	uint64_t index;
};

/* What the walk expects, and the page it is if there is one. */
struct guess {
	struct key key;
	uint32_t page;
	bool any, is_list;
};

WALK uint64_t *last_index(struct model *m, struct merged_type *t, uint32_t file)
{
	if (unlikely(file >= t->cap_index) && model_grow_index(t, file)) {
		m->no_room = true;
		return m->scrap;
	}
	return &t->last_index[file];
}

/* The page so many places behind this one on its LRU list. */
static inline uint32_t list_walk(const struct model *m, uint32_t page,
				 unsigned int nr)
{
	while (nr-- && page)
		page = m->page[page].next;
	return page;
}

/* Coder: how many places behind the expected page it is; 0: not near. */
static unsigned int list_search(const struct model *m, uint32_t page,
				const struct key *key)
{
	unsigned int i;

	for (i = 1; i <= KEY_MAX - KEY_SKIPPED && page; i++) {
		page = m->page[page].next;
		if (page && m->page[page].file == key->file &&
		    m->page[page].index == key->index)
			return i;
	}
	return 0;
}

/* Coder: how to say this key. */
WALK uint64_t choose_how(struct model *m, struct merged_type *t,
			 const struct guess *guess, const struct key *key,
			 uint32_t file)
{
	unsigned int nr;

	if (guess->any && guess->key.file == key->file &&
	    guess->key.index == key->index)
		return KEY_EXPECTED;
	if (guess->is_list && guess->page) {
		nr = list_search(m, guess->page, key);
		if (nr)
			return KEY_SKIPPED + nr;
	}
	if (key->file == file)
		return *last_index(m, t, file) + 1 == key->index ? KEY_NEXT
								 : KEY_SAME;
	return key->file == m->nr_seen_files ? KEY_NEW : KEY_OTHER;
}

/* The page that was said by its place in what the walk expects; 0: none. */
WALK uint32_t said_page(const struct model *m, uint64_t how,
			const struct guess *guess)
{
	if (how == KEY_EXPECTED)
		return guess->page;
	return how > KEY_SKIPPED ? list_walk(m, guess->page,
					     (unsigned int)(how - KEY_SKIPPED))
				 : 0;
}

/* Decoder: the key that was said without an index. */
WALK bool take_short(struct model *m, struct merged_type *t, uint64_t how,
		     const struct guess *guess, struct key *key)
{
	if (how == KEY_EXPECTED) {
		key->file = guess->key.file;
		key->index = guess->key.index;
		return true;
	}
	if (how == KEY_NEXT) {
		key->index = *last_index(m, t, key->file) + 1;
		return true;
	}
	if (how <= KEY_SKIPPED)
		return false;
	if (key->page) {
		key->file = m->page[key->page].file;
		key->index = m->page[key->page].index;
	} else {
		m->bad = true;
	}
	return true;
}

/* The file's number to its name; a number out of range is made 0. */
WALK void check_file(struct model *m, struct key *key)
{
	if (unlikely(key->file >= m->dict.nr_files)) {
		m->bad = true;
		key->file = 0;
	}
}

WALK void walk_key(struct model *m, const struct mmt_event *ev,
		   const struct guess *guess, struct key *key, bool enc)
{
	struct merged_type *t = m->type[ev->type];
	uint32_t *file = &m->last_file[((uint32_t)ev->pid * 31U + ev->type) %
				       FILE_PLACES];
	uint64_t how = enc ? choose_how(m, t, guess, key, *file) : 0;

	how = code(m, &t->part[0], enc, how);
	if (!enc) {
		key->file = how == KEY_NEW ? m->nr_seen_files : *file;
		if (unlikely(how > KEY_MAX)) {
			m->bad = true;
			how = KEY_SAME;
		}
	}
	key->page = said_page(m, how, guess);
	if (how == KEY_OTHER)
		key->file = (uint32_t)code_near(m, &t->part[PART_FILE], enc,
						key->file, *file);
	if (!enc)
		check_file(m, key);
	if (enc ? how < KEY_SAME || how > KEY_SKIPPED
		: take_short(m, t, how, guess, key))
		goto coded;
	key->index = code_near(m, &t->part[PART_INDEX], enc, key->index,
			       *last_index(m, t, key->file) + 1);
coded:
	if (!enc)
		check_file(m, key);
	*last_index(m, t, key->file) = key->index;
	*file = key->file;
	m->nr_seen_files = MAX(m->nr_seen_files, key->file + 1);
}

/* ------------------------------------------------------ fields of a type */

/* Fields that no kind has a better idea for. */
WALK void walk_fields(struct model *m, const struct mmt_event *ev, uint64_t *v,
		      unsigned int from, bool enc)
{
	const struct mmt_schema *schema = m->types->schema[ev->type];
	struct merged_type *t = m->type[ev->type];
	unsigned int f;
	uint32_t nr = 0;

	for (f = from; f < schema->nr_fields; f++) {
		struct merged_column *c = &t->part[f];

		switch (column_coding(schema, f)) {
		case CODING_NONE:
			v[f] = 0;
			break;
		case CODING_STRING:
			if (enc &&
			    strings_get(&m->strings,
					(const char *)(uintptr_t)v[f], &nr))
				m->no_room = true;
			nr = (uint32_t)code(m, c, enc, nr);
			if (!enc)
				v[f] = nr < m->dict.nr_strings
					       ? (uintptr_t)m->dict.string[nr]
					       : (uintptr_t) "";
			if (!enc && nr >= m->dict.nr_strings)
				m->bad = true;
			break;
		case CODING_LAST_INDEX:
			v[f] = code_near(m, c, enc, v[f], v[2]);
			break;
		case CODING_DELTA:
			v[f] = code_delta(m, c, enc, v[f]);
			break;
		}
	}
}

/* 0: behind the last one added here; else place in the stack of freed + 1. */
#define PFN_MISS (FREED_LEN + 1)

WALK uint64_t *freed_at(struct merged_cpu *cpu, unsigned int depth)
{
	return &cpu->freed[(cpu->freed_top - 1 - depth) % FREED_LEN];
}

static uint64_t freed_search(struct merged_cpu *cpu, uint64_t pfn)
{
	unsigned int i;

	for (i = 0; i < cpu->nr_freed; i++)
		if (*freed_at(cpu, i) == pfn)
			return i + 1;
	return PFN_MISS;
}

static void freed_take(struct merged_cpu *cpu, unsigned int depth)
{
	for (; depth; depth--)
		*freed_at(cpu, depth) = *freed_at(cpu, depth - 1);
	cpu->freed_top--;
	cpu->nr_freed--;
}

static void freed_put(struct merged_cpu *cpu, uint64_t pfn)
{
	cpu->freed[cpu->freed_top++ % FREED_LEN] = pfn;
	cpu->nr_freed = MIN(cpu->nr_freed + 1, FREED_LEN);
}

/* The allocator hands out what was freed, or runs of free pages. */
WALK uint64_t walk_added_pfn(struct model *m, struct merged_type *t,
			     struct merged_cpu *cpu, uint64_t pfn, bool enc)
{
	uint64_t how = 0;

	if (enc && pfn != cpu->added_pfn + 1)
		how = freed_search(cpu, pfn);
	how = code(m, &t->part[ADD_PFN], enc, how);
	if (!how) {
		pfn = cpu->added_pfn + 1;
	} else if (how <= cpu->nr_freed) {
		pfn = *freed_at(cpu, (unsigned int)how - 1);
		freed_take(cpu, (unsigned int)how - 1);
	} else {
		pfn = code_near(m, &t->part[PART_PFN], enc, pfn,
				cpu->added_pfn);
	}
	cpu->added_pfn = pfn;
	return pfn;
}

WALK void link_page(struct model *m, uint32_t page, uint64_t lru)
{
	uint32_t *last = &m->inserted[lru % LRU_PLACES];

	if (*last && *last != page)
		m->page[*last].next = page;
	m->page[page].next = 0;
	*last = page;
}

static void fifo_put(struct merged_cpu *cpu, uint32_t page)
{
	cpu->fifo[cpu->fifo_tail++ % FIFO_LEN] = page;
	if (cpu->fifo_tail - cpu->fifo_head > FIFO_LEN)
		cpu->fifo_head = cpu->fifo_tail - FIFO_LEN;
}

WALK void walk_add(struct model *m, struct merged_cpu *cpu,
		   const struct key *key, const uint64_t *v)
{
	uint32_t page = model_page_add(m, key->file, key->index);

	if (unlikely(!page)) {
		m->no_room = true;
		return;
	}
	m->page[page].pfn = v[ADD_PFN];
	m->page[page].order = (uint8_t)v[ADD_ORDER];
	fifo_put(cpu, page);
	if (!cpu->pending)
		cpu->pending = page;
	if (!m->has_inserts)
		link_page(m, page, 0);
}

/* A page that leaves has the pfn it came with. */
WALK void walk_remove(struct model *m, struct merged_cpu *cpu,
		      struct merged_type *t, const struct key *key, uint64_t *v,
		      bool enc)
{
	uint32_t page = key->page ? key->page
				  : model_page_find(m, key->file, key->index);
	struct merged_column *pfn = &t->part[ADD_PFN];
	struct merged_column *order = &t->part[ADD_ORDER];

	v[ADD_PFN] = code_near(m, pfn, enc, v[ADD_PFN],
			       page ? m->page[page].pfn : pfn->last);
	v[ADD_ORDER] = code_near(m, order, enc, v[ADD_ORDER],
				 page ? m->page[page].order : order->last);
	pfn->last = v[ADD_PFN];
	order->last = v[ADD_ORDER];
	cpu->removed = page;
	freed_put(cpu, v[ADD_PFN]);
}

/* ------------------------------------------------------------ LRU lists */

static uint64_t fifo_search(const struct model *m, const struct merged_cpu *cpu,
			    uint64_t pfn)
{
	uint32_t i, nr = cpu->fifo_tail - cpu->fifo_head;

	for (i = 0; i < nr; i++)
		if (m->page[cpu->fifo[(cpu->fifo_head + i) % FIFO_LEN]].pfn ==
		    pfn)
			return i;
	return FIFO_LEN;
}

/* Pages go to the LRU lists in the order in which they were added. */
WALK void walk_insert(struct model *m, struct merged_cpu *cpu,
		      const struct mmt_event *ev, uint64_t *v, bool enc)
{
	struct merged_type *t = m->type[ev->type];
	uint32_t page = 0;
	uint64_t skip = enc ? fifo_search(m, cpu, v[0]) : 0;

	skip = code(m, &t->part[0], enc, skip);
	if (skip < cpu->fifo_tail - cpu->fifo_head) {
		cpu->fifo_head += (uint32_t)skip;
		page = cpu->fifo[cpu->fifo_head++ % FIFO_LEN];
		v[0] = m->page[page].pfn;
	} else {
		v[0] = code_near(m, &t->part[PART_PFN], enc, v[0],
				 cpu->inserted_pfn);
		cpu->inserted_pfn = v[0];
	}
	walk_fields(m, ev, v, 1, enc);
	if (page)
		link_page(m, page, v[1]);
}

/* ------------------------------------------------------------ one event */

/* What the page of this event should be. */
WALK struct guess make_guess(const struct model *m,
			     const struct merged_cpu *cpu,
			     const struct mmt_event *ev)
{
	struct guess g = {.any = false};

	if (ev->kind == MMT_REMOVE)
		g.page = cpu->removed ? m->page[cpu->removed].next : 0;
	else if (ev->kind == MMT_READ)
		g.page = cpu->pending;
	g.is_list = ev->kind == MMT_REMOVE;
	if (g.page) {
		g.any = true;
		g.key.file = m->page[g.page].file;
		g.key.index = m->page[g.page].index;
	} else if (ev->kind != MMT_REMOVE) {
		g.any = cpu->hinted && cpu->hint_type != ev->type;
		g.key.file = cpu->hint_file;
		g.key.index = cpu->hint_index;
	}
	return g;
}

WALK void walk_keyed(struct model *m, struct merged_cpu *cpu,
		     struct mmt_event *ev, uint64_t *v, bool enc)
{
	struct merged_type *t = m->type[ev->type];
	struct guess guess = make_guess(m, cpu, ev);
	struct key key = {0, 0, enc ? v[2] : 0};
	struct file_key name = {v[0], v[1]};
	unsigned int from = 3;

	if (enc && files_get(&m->files, &name, &key.file))
		m->no_room = true;
	walk_key(m, ev, &guess, &key, enc);
	if (!enc && !m->bad) {
		v[0] = m->dict.file[key.file].dev;
		v[1] = m->dict.file[key.file].ino;
		v[2] = key.index;
	}
	if (ev->kind == MMT_ADD) {
		v[ADD_PFN] = walk_added_pfn(m, t, cpu, v[ADD_PFN], enc);
		v[ADD_ORDER] =
			code_delta(m, &t->part[ADD_ORDER], enc, v[ADD_ORDER]);
		walk_add(m, cpu, &key, v);
		from = ADD_ORDER + 1;
	} else if (ev->kind == MMT_REMOVE) {
		walk_remove(m, cpu, t, &key, v, enc);
		from = ADD_ORDER + 1;
	} else if (ev->kind == MMT_READ) {
		cpu->pending = 0;
	}
	if (ev->kind != MMT_REMOVE) {
		cpu->hint_file = key.file;
		cpu->hint_index = key.index;
		cpu->hint_type = ev->type;
		cpu->hinted = true;
	}
	walk_fields(m, ev, v, from, enc);
}

/*
 * A decoder puts the values at room if they are wanted.  False if the event
 * cannot be: nothing more is decoded then.
 */
WALK bool walk_event(struct model *m, struct mmt_event *ev, uint64_t *room,
		     bool enc)
{
	struct merged_cpu *cpu;
	struct merged_type *t;
	uint64_t *v = room;

	if (!walk_type(m, ev, enc))
		return false;
	t = m->type[ev->type];
	if (!enc) {
		v = t->wanted ? room : m->scrap;
		ev->v = v;
	}
	walk_cpu(m, ev, enc);
	cpu = model_cpu(m, ev->cpu);
	if (unlikely(!cpu)) {
		m->no_room = true;
		return false;
	}
	walk_time(m, ev, enc);
	walk_pid(m, cpu, ev, enc);
	walk_flags(m, ev, enc);
	if (t->keyed)
		walk_keyed(m, cpu, ev, v, enc);
	else if (ev->kind == MMT_LRU_INSERT)
		walk_insert(m, cpu, ev, v, enc);
	else if (t->wanted)
		walk_fields(m, ev, v, 0, enc);
	return !m->bad && !m->no_room;
}

int model_encode(struct model *m, const struct run *r)
{
	uint64_t vals[MMT_MAX_FIELDS];
	unsigned int i;

	for (i = 0; i < r->nr; i++) {
		struct mmt_event ev = r->ev[i];

		if (!model_type(m, ev.type))
			return -ENOMEM;
		memcpy(vals, ev.v, ev.nr * sizeof(*vals));
		if (!walk_event(m, &ev, vals, true))
			return -ENOMEM;
	}
	return 0;
}

int model_decode(struct model *m, struct run *r, unsigned int nr)
{
	while (nr--) {
		struct mmt_event *ev = &r->ev[r->nr];

		if (!walk_event(m, ev, r->vals + r->nr_vals, false))
			return m->no_room ? -ENOMEM : -EBADMSG;
		r->in_order &= m->last_ns >= m->latest_ns;
		m->latest_ns = MAX(m->latest_ns, m->last_ns);
		if (m->type[ev->type]->wanted) {
			r->nr_vals += ev->nr;
			r->nr++;
		}
	}
	return 0;
}
