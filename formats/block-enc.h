/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-enc.h - a block being coded, for the two files that do it */
#ifndef FORMATS_BLOCK_ENC_H
#define FORMATS_BLOCK_ENC_H

#include "formats/column.h"
#include "formats/columns.h"

struct column {
	struct buf bytes;
	uint64_t last;
};

/* Columns of one type; used if it has occurred in this block. */
struct enc_type {
	uint32_t nr_events; /* in the block */
	bool keyed;
	struct column field[TYPE_COLUMNS];
	uint64_t *last_index; /* per file of the block's dictionary */
	size_t cap_index;
	struct file_key last_key;
	uint32_t last_file;
};

/* What all events have, of the event before; the flags, by type. */
struct enc_last {
	uint64_t time_ns;
	int32_t pid;
	uint8_t flags[MMT_MAX_SCHEMAS], preempt[MMT_MAX_SCHEMAS];
};

struct block_enc {
	const struct types *types;
	struct columns_out out;
	struct enc_type **type;
	unsigned int nr_types, nr_keyed;
	struct column common[COLUMN_NR_COMMON];
	struct files files;
	struct strings strings;
	uint32_t nr_events, nr_runs;
	uint16_t run_events[BLOCK_RUNS];
	uint64_t first_ns, last_ns;
	struct enc_last last;
	/* of the run at hand: events' types; their values and steps, by type */
	uint16_t type_of[RUN_EVENTS];
	const uint64_t *vals[RUN_EVENTS];
	uint64_t step[RUN_EVENTS];
	uint32_t start[MMT_MAX_SCHEMAS + 1];
};

#endif
