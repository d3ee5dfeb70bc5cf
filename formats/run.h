/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - up to 4 Ki typed events of one CPU in memory, and their types */
#ifndef FORMATS_RUN_H
#define FORMATS_RUN_H

#include "formats/event.h"

#define RUN_EVENTS 4096

/* The schemas of a log, by type number. */
struct types {
	unsigned int nr;
	struct mmt_schema **schema;
};

/* Copies the schema; returns its number, -ENOMEM, or -ENOSPC. */
int types_add(struct types *types, const struct mmt_schema *schema);
void types_free(struct types *types);

/*
 * The unit that is encoded and decoded.  Event i has its values at
 * vals[first[i]]; strings are pointers into chars or into the block.
 */
struct run {
	unsigned int nr;
	size_t nr_vals, cap_vals;
	uint64_t *vals;
	char *chars;
	size_t nr_chars;
	/*
	 * A decoder's: no event is before an earlier one, wanted or not; else
	 * the CPU's latest time up to event i, the unwanted ones included.
	 */
	bool in_order;
	uint64_t latest_ns[RUN_EVENTS];
	struct mmt_event ev[RUN_EVENTS];
};

int run_new(struct run **rp);
void run_free(struct run *r);
void run_clear(struct run *r);

/* Room for nr values in all.  Moves vals: only for an empty run. */
int run_reserve_vals(struct run *r, size_t nr);

/* Only task events have strings: room for all of a run's is made once. */
#define RUN_CHARS      (512U << 10)
#define RUN_CHARS_ROOM ((size_t)MMT_MAX_FIELDS * MMT_MAX_STRING)

/* Is there room for one more event, whatever it is? */
static inline bool run_has_room(const struct run *r)
{
	return r->nr < RUN_EVENTS &&
	       r->nr_vals + MMT_MAX_FIELDS <= r->cap_vals &&
	       r->nr_chars + RUN_CHARS_ROOM <= RUN_CHARS;
}

/* Copies the strings of the last event into the run. */
int run_keep_strings(struct run *r, const struct mmt_schema *schema,
		     uint64_t *vals);

#endif
