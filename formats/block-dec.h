/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-dec.h - a block being decoded, for the two files that do it */
#ifndef FORMATS_BLOCK_DEC_H
#define FORMATS_BLOCK_DEC_H

#include "formats/block.h"
#include "formats/column.h"
#include "formats/dict.h"

struct column {
	const uint8_t *pos, *end;
	uint64_t last;
};

struct dec_type {
	uint32_t nr_events; /* of the block, by its head */
	uint32_t nr_seen;
	bool wanted, keyed;
	struct column field[MMT_MAX_FIELDS];
	uint64_t *last_index; /* nr_files of them */
	uint32_t last_file;
};

struct block_dec {
	const struct types *types;
	struct dec_type **type; /* by number; NULL until first needed */
	unsigned int nr_types;
	uint16_t cpu;
	uint32_t nr_runs, next_run;
	uint16_t run_events[BLOCK_RUNS];
	struct column common[COLUMN_NR_COMMON];
	uint8_t flags, preempt;
	uint64_t latest_ns; /* of all blocks so far */
	struct file_key *file;
	uint32_t nr_files, cap_files;
	size_t cap_last_index;
	const char **string;
	uint32_t nr_strings, cap_strings;
	struct buf raw; /* the unpacked columns */
	/* of the run at hand */
	uint16_t type_of[RUN_EVENTS];
	uint16_t order[RUN_EVENTS];
	uint32_t start[MMT_MAX_SCHEMAS + 1];
};

#endif
