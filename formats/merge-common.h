/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge-common.h - the walk's columns, and what all events have */
#ifndef FORMATS_MERGE_COMMON_H
#define FORMATS_MERGE_COMMON_H

#include "formats/merge-model.h"

/*
 * The half of merge-walk.c that knows nothing of pages: how a number goes into
 * a column or comes out of it, type, CPU, time, task and flags.  Steps of time
 * are coded by the type of the event and of the one before, the high and the
 * low byte apart: what a step takes depends on what was done.
 */
#define WALK static inline __attribute__((always_inline))

/* ------------------------------------------------------------ the columns */

static __attribute__((noinline)) uint64_t get_slow(struct model *m,
						   struct merged_column *c)
{
	uint64_t v = 0;
	const uint8_t *p = varint_get(c->span.pos, c->span.end, &v);

	if (!p) {
		m->bad = true;
		return 0;
	}
	c->span.pos = p;
	return v;
}

/* A number, as a varint. */
WALK uint64_t code(struct model *m, struct merged_column *c, bool enc,
		   uint64_t v)
{
	if (enc) {
		if (unlikely(buf_reserve(&c->bytes, VARINT_MAX))) {
			m->no_room = true;
			return v;
		}
		c->bytes.len =
			(size_t)(varint_put(c->bytes.p + c->bytes.len, v) -
				 c->bytes.p);
		return v;
	}
	if (likely(c->span.pos < c->span.end && *c->span.pos < 128))
		return *c->span.pos++;
	return get_slow(m, c);
}

WALK uint8_t code_byte(struct model *m, struct merged_column *c, bool enc,
		       uint8_t v)
{
	if (enc) {
		if (unlikely(buf_reserve(&c->bytes, 1)))
			m->no_room = true;
		else
			c->bytes.p[c->bytes.len++] = v;
		return v;
	}
	if (likely(c->span.pos < c->span.end))
		return *c->span.pos++;
	m->bad = true;
	return 0;
}

/* A value as its difference from what was expected. */
WALK uint64_t code_near(struct model *m, struct merged_column *c, bool enc,
			uint64_t v, uint64_t expected)
{
	return expected +
	       unzigzag(code(m, c, enc, enc ? zigzag(v - expected) : 0));
}

/* A value as its difference from the one before. */
WALK uint64_t code_delta(struct model *m, struct merged_column *c, bool enc,
			 uint64_t v)
{
	return c->last = code_near(m, c, enc, v, c->last);
}

/* ------------------------------------------------- what all events have */

WALK bool walk_type(struct model *m, struct mmt_event *ev, bool enc)
{
	uint64_t type = code(m, &m->common[MERGED_TYPE], enc, ev->type);
	const struct mmt_schema *schema;
	struct merged_type *t;

	if (!enc) {
		if (type >= m->nr_types || !m->type[type] ||
		    m->type[type]->nr_seen >= m->type[type]->nr_events)
			return false;
		schema = m->types->schema[type];
		ev->type = (uint16_t)type;
		ev->kind = schema->kind;
		ev->nr = schema->nr_fields;
	}
	t = m->type[ev->type];
	t->nr_seen++;
	return true;
}

WALK void walk_cpu(struct model *m, struct mmt_event *ev, bool enc)
{
	uint64_t v = enc && ev->cpu != m->last_cpu ? ev->cpu + 1U : 0;

	v = code(m, &m->common[MERGED_CPU], enc, v);
	if (!enc) {
		if (v > UINT16_MAX + 1U)
			m->bad = true;
		ev->cpu = v ? (uint16_t)(v - 1) : m->last_cpu;
	}
	m->last_cpu = ev->cpu;
}

WALK void walk_time(struct model *m, struct mmt_event *ev, bool enc)
{
	struct merged_column *c =
		&m->type[ev->type]
			 ->part[PART_TIME +
				m->last_type % TIME_CONTEXTS * TIME_PARTS];
	uint64_t step = ev->time_ns - m->last_ns;
	uint8_t high = step < TIME_WIDE ? (uint8_t)(step >> 8) : TIME_ESCAPE;

	high = code_byte(m, &c[TIME_HIGH], enc, high);
	if (high == TIME_ESCAPE) {
		ev->time_ns = code_near(m, &m->common[MERGED_TIME_WIDE], enc,
					ev->time_ns, m->last_ns);
	} else {
		c += TIME_LOW + MIN(high, 2);
		step = (uint64_t)high << 8 |
		       code_byte(m, c, enc, (uint8_t)step);
		ev->time_ns = m->last_ns + step;
	}
	m->last_ns = ev->time_ns;
	m->last_type = ev->type;
}

/* 0: as the CPU's last; 1: as the one before that; else 2 + the difference. */
WALK void walk_pid(struct model *m, struct merged_cpu *cpu,
		   struct mmt_event *ev, bool enc)
{
	uint64_t v = 0;

	if (enc && ev->pid != cpu->pid)
		v = ev->pid == cpu->pid_before
			    ? 1
			    : 2 + zigzag((uint64_t)((int64_t)ev->pid -
						    cpu->pid));
	v = code(m, &m->common[MERGED_PID], enc, v);
	if (!v) {
		ev->pid = cpu->pid;
		return;
	}
	if (!enc)
		ev->pid = v == 1 ? cpu->pid_before
				 : (int32_t)((uint32_t)cpu->pid +
					     (uint32_t)unzigzag(v - 2));
	cpu->pid_before = cpu->pid;
	cpu->pid = ev->pid;
}

WALK void walk_flags(struct model *m, struct mmt_event *ev, bool enc)
{
	unsigned int place = (ev->cpu * 61U + ev->type) % FLAGS_PLACES;
	uint8_t *flags = &m->flags[place], *preempt = &m->preempt[place];

	*flags ^=
		code_byte(m, &m->common[MERGED_FLAGS], enc, ev->flags ^ *flags);
	*preempt ^= code_byte(m, &m->common[MERGED_PREEMPT], enc,
			      ev->preempt ^ *preempt);
	ev->flags = *flags;
	ev->preempt = *preempt;
}

#endif
