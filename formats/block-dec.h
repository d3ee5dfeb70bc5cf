/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-dec.h - a block being decoded, for the two files that do it */
#ifndef FORMATS_BLOCK_DEC_H
#define FORMATS_BLOCK_DEC_H

#include "formats/column.h"
#include "formats/columns.h"

struct column {
	struct span span;
	uint64_t last;
};

struct dec_type {
	uint32_t nr_events; /* of the block, by its head */
	uint32_t nr_seen;
	bool wanted, keyed;
	struct column field[TYPE_COLUMNS];
	uint64_t *last_index; /* one per file, a part of block_dec's */
	uint32_t last_file;
	uint64_t *vals; /* of the run at hand, nr_fields per event */
};

/*
 * What the events of a type have in common, and where the next one's parts
 * are: 64 bytes, a cache line.
 */
struct dec_place {
	struct mmt_event like;
	const uint8_t *high, *low; /* of its step of time */
	uint64_t *next;            /* its values */
	uint8_t flags, preempt;    /* of the one before */
	uint8_t stride;            /* values; 0 if the type is not wanted */
	uint8_t wanted;            /* 0 or 1 */
};

struct block_dec {
	const struct types *types;
	struct dec_type **type; /* by number; NULL until first needed */
	struct dec_place *place;
	unsigned int nr_types;
	uint16_t cpu;
	uint32_t nr_events, nr_runs, next_run; /* of the block */
	uint16_t run_events[BLOCK_RUNS];
	struct column common[COLUMN_NR_COMMON];
	bool wide_ended;    /* too early: no wide step was left */
	uint64_t last_ns;   /* of the event before */
	uint64_t latest_ns; /* of all blocks so far */
	struct block_dict dict;
	uint64_t *last_index; /* of all keyed types that occur */
	size_t cap_last_index;
	struct columns columns;
	/* of the run at hand */
	uint16_t type_of[RUN_EVENTS];
	uint32_t count[MMT_MAX_SCHEMAS];
};

#endif
