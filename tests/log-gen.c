/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-gen.c - random logs, and what reading them back must give */

/*
 * Schemas of every kind with random fields behind those of the roles; values
 * of every magnitude, since a coding fails at its edges; strings from empty to
 * the longest; times that mostly grow and now and then step back.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/log-gen.h"

static char longest[MMT_MAX_STRING];
static const char *const strings[] = {
	"", "a", "kswapd0", "fio job", "=1+1", "\x01\x1f\xff\\", longest,
};

uint64_t gen_random(struct gen *g)
{
	g->seed ^= g->seed >> 12;
	g->seed ^= g->seed << 25;
	g->seed ^= g->seed >> 27;
	return g->seed * 0x2545f4914f6cdd1dULL;
}

uint64_t gen_number(struct gen *g)
{
	return gen_random(g) >> (gen_random(g) % 64);
}

/* ---------------------------------------------------------------- schemas */

static uint8_t random_type(struct gen *g, uint8_t role)
{
	static const uint8_t types[] = {MMT_ABSENT, MMT_UNSIGNED, MMT_SIGNED,
					MMT_ID};

	if (role == MMT_COMM)
		return MMT_STRING;
	if (role == MMT_NO_ROLES && gen_random(g) % 8 == 0)
		return MMT_STRING;
	if (role == MMT_DEV || role == MMT_INO || role == MMT_INDEX)
		return MMT_UNSIGNED;
	return types[gen_random(g) % ARRAY_SIZE(types)];
}

static void random_schema(struct gen *g, unsigned int i)
{
	struct mmt_schema *s = &g->schema[i];
	const uint8_t *roles;
	unsigned int f, nr;

	memset(s, 0, sizeof(*s));
	s->kind = (uint8_t)(i % MMT_NR_KINDS);
	if (s->kind == MMT_LOSS)
		s->kind = MMT_OTHER;
	nr = mmt_kind_roles((enum mmt_kind)s->kind, &roles);
	s->nr_fields = (uint8_t)(nr + gen_random(g) % 6);
	/* the widest event there can be, and the narrowest */
	if (i == 1)
		s->nr_fields = MMT_MAX_FIELDS;
	snprintf(s->system, sizeof(s->system), "sys%u", i % 5);
	snprintf(s->name, sizeof(s->name), "event%u", i);
	snprintf(s->note, sizeof(s->note), i % 3 ? "" : "no field order");
	for (f = 0; f < s->nr_fields; f++) {
		struct mmt_field *field = &s->field[f];

		field->role = f < nr ? roles[f] : MMT_NO_ROLES;
		field->type = random_type(g, field->role);
		field->size = field->type == MMT_ABSENT ? 0 : 8;
		snprintf(field->name, sizeof(field->name), "field%u", f);
	}
}

void gen_open(struct gen *g, const char *path, unsigned int flags,
	      unsigned int nr_types)
{
	uint64_t seed = g->seed ? g->seed : 88172645463325252ULL;
	struct errbuf err = {0};
	unsigned int i;

	memset(longest, 'x', sizeof(longest) - 1);
	memset(g, 0, sizeof(*g));
	g->seed = seed;
	if (mmt_writer_create(&g->w, path, flags, &err))
		fail_msg("%s", err.text);
	g->schema[0] = mmt_loss_schema;
	for (i = 1; i < nr_types; i++) {
		random_schema(g, i);
		assert_int_equal(mmt_writer_schema(g->w, &g->schema[i]), i);
	}
	g->nr_types = nr_types;
	assert_int_equal(mmt_writer_meta(g->w, "kernel.release", "6.18-t"), 0);
	assert_int_equal(mmt_writer_start(g->w), 0);
}

void gen_add_track(struct gen *g, unsigned int cpu)
{
	unsigned int i = g->nr_tracks++;

	assert_true(i < GEN_MAX_CPUS);
	g->track[i].cpu = cpu;
	assert_int_equal(mmt_track_open(&g->out[i], g->w, cpu), 0);
}

/* ----------------------------------------------------------------- events */

/* Room to remember one more event. */
static struct mmt_event *remember(struct gen_track *t, unsigned int nr_vals)
{
	if (t->nr == t->cap) {
		t->cap = t->cap * 2 + 64;
		t->ev = realloc(t->ev, t->cap * sizeof(*t->ev));
		t->vals = realloc(t->vals, t->cap * sizeof(*t->vals));
		assert_non_null(t->ev);
		assert_non_null(t->vals);
	}
	t->vals[t->nr] = calloc(nr_vals + 1, sizeof(uint64_t));
	assert_non_null(t->vals[t->nr]);
	memset(&t->ev[t->nr], 0, sizeof(*t->ev));
	t->ev[t->nr].v = t->vals[t->nr];
	return &t->ev[t->nr];
}

static uint64_t random_time(struct gen *g, struct gen_track *t)
{
	uint64_t step = gen_random(g) % 5000;

	if (gen_random(g) % 500 == 0 && t->last_ns > 2 * step)
		return t->last_ns - step;
	if (gen_random(g) % 1000 == 0)
		step = gen_number(g) >> 24;
	return t->last_ns + step;
}

static void put_loss(struct gen *g, unsigned int i, uint64_t time_ns)
{
	struct gen_track *t = &g->track[i];
	uint64_t nr =
		gen_random(g) % 4 ? gen_random(g) % 1000 : MMT_LOST_UNKNOWN;
	struct mmt_event *ev = remember(t, 2);

	ev->time_ns = time_ns;
	ev->cpu = (uint16_t)t->cpu;
	ev->kind = MMT_LOSS;
	ev->nr = 2;
	t->vals[t->nr][LOSS_NR_LOST] = nr;
	t->vals[t->nr][LOSS_SINCE_NS] = t->last_ns;
	assert_int_equal(mmt_track_loss(g->out[i], time_ns, nr), 0);
	if (nr == MMT_LOST_UNKNOWN)
		g->nr_gaps++;
	else
		g->nr_lost += nr;
	t->nr++;
}

static uint64_t random_value(struct gen *g, const struct mmt_field *field)
{
	switch (field->type) {
	case MMT_ABSENT:
		return 0;
	case MMT_STRING:
		/* most texts are short ones */
		return (uintptr_t)
			strings[gen_random(g) % 50 ? gen_random(g) % 6
						   : ARRAY_SIZE(strings) - 1];
	case MMT_SIGNED:
		return gen_random(g) % 2 ? -gen_number(g) : gen_number(g);
	}
	/* few devices, inodes and neighbours, as in life, and any number */
	if (gen_random(g) % 4)
		return gen_random(g) % 9;
	return gen_number(g);
}

static void put_event(struct gen *g, unsigned int i, uint64_t time_ns)
{
	unsigned int type =
		1 + (unsigned int)(gen_random(g) % (g->nr_types - 1));
	const struct mmt_schema *s = &g->schema[type];
	struct gen_track *t = &g->track[i];
	struct mmt_event *ev = remember(t, s->nr_fields), *slot;
	uint64_t *vals;
	unsigned int f;

	for (f = 0; f < s->nr_fields; f++)
		t->vals[t->nr][f] = random_value(g, &s->field[f]);
	ev->time_ns = time_ns;
	ev->pid = (int32_t)gen_number(g);
	ev->type = (uint16_t)type;
	ev->cpu = (uint16_t)t->cpu;
	ev->kind = s->kind;
	ev->flags = (uint8_t)gen_random(g);
	ev->preempt = (uint8_t)gen_random(g);
	ev->nr = s->nr_fields;

	slot = mmt_track_slot(g->out[i], &vals);
	assert_non_null(slot);
	memcpy(vals, ev->v, ev->nr * sizeof(*vals));
	*slot = *ev;
	slot->v = vals;
	mmt_track_commit(g->out[i]);
	g->nr_events++;
	t->nr++;
}

void gen_events(struct gen *g, unsigned int track, unsigned int nr)
{
	struct gen_track *t = &g->track[track];
	uint64_t time_ns;

	while (nr--) {
		time_ns = random_time(g, t);
		if (gen_random(g) % 2000 == 0)
			put_loss(g, track, time_ns);
		else
			put_event(g, track, time_ns);
		t->last_ns = time_ns;
	}
}

void gen_fill(struct gen *g)
{
	gen_add_track(g, 0);
	gen_add_track(g, 3);
	gen_add_track(g, 4);
	gen_add_track(g, 65535);
	gen_events(g, 0, 70000);
	gen_events(g, 1, 1);
	gen_events(g, 3, 12000);
}

void gen_close(struct gen *g, int ret)
{
	struct errbuf err = {0};

	assert_int_equal(mmt_writer_finish(g->w, ret, &err), ret);
	g->w = NULL;
}

void gen_small(struct gen *g, const char *path, unsigned int nr_types,
	       unsigned int nr_0, unsigned int nr_1)
{
	unsigned int i;

	gen_open(g, path, MMT_OVERWRITE, nr_types);
	gen_add_track(g, 0);
	gen_add_track(g, 1);
	for (i = 0; i < GEN_SMALL_TEXTS; i++) {
		gen_events(g, 0, nr_0);
		gen_events(g, 1, nr_1);
		assert_int_equal(mmt_track_flush(g->out[0]), 0);
		assert_int_equal(mmt_track_flush(g->out[1]), 0);
		assert_int_equal(mmt_writer_text(g->w, "vmstat", i, "a 1\n", 4),
				 0);
	}
	assert_int_equal(mmt_writer_meta(g->w, "stop.reason", "end"), 0);
	gen_close(g, 0);
}

void gen_free(struct gen *g)
{
	unsigned int i, k;

	for (i = 0; i < g->nr_tracks; i++) {
		for (k = 0; k < g->track[i].nr; k++)
			free(g->track[i].vals[k]);
		free(g->track[i].vals);
		free(g->track[i].ev);
	}
}

bool gen_same(const struct gen *g, const struct mmt_event *a,
	      const struct mmt_event *b)
{
	const struct mmt_schema *s;
	unsigned int f;

	if (a->time_ns != b->time_ns || a->pid != b->pid ||
	    a->type != b->type || a->cpu != b->cpu || a->kind != b->kind ||
	    a->flags != b->flags || a->preempt != b->preempt ||
	    a->nr != b->nr || a->type >= g->nr_types)
		return false;
	s = &g->schema[a->type];
	for (f = 0; f < a->nr; f++) {
		if (s->field[f].type == MMT_STRING) {
			if (strcmp(mmt_event_string(a, f),
				   mmt_event_string(b, f)))
				return false;
		} else if (a->v[f] != b->v[f]) {
			return false;
		}
	}
	return true;
}
