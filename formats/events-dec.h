/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events-dec.h - decodes blocks of events of either kind */
#ifndef FORMATS_EVENTS_DEC_H
#define FORMATS_EVENTS_DEC_H

#include "formats/merge-model.h"

/*
 * Of a log that has one kind of blocks, only that kind's decoder is made.
 * Zeroed but for types, it is empty.
 */
struct events_dec {
	const struct types *types;
	struct block_dec *cpu;
	struct merge_dec *merged;
	bool is_merged; /* the block at hand */
};

static inline void events_dec_free(struct events_dec *d)
{
	block_dec_free(d->cpu);
	merge_dec_free(d->merged);
	d->cpu = NULL;
	d->merged = NULL;
}

/* As block_dec_load(), for the kind that the header says. */
static inline int events_dec_load(struct events_dec *d,
				  const struct block_header *h,
				  const void *payload, const uint8_t *wanted)
{
	int ret = 0;

	d->is_merged = h->kind == BLOCK_MERGED;
	if (d->is_merged && !d->merged)
		ret = merge_dec_new(&d->merged, d->types);
	else if (!d->is_merged && !d->cpu)
		ret = block_dec_new(&d->cpu, d->types);
	if (ret)
		return ret;
	return d->is_merged ? merge_dec_load(d->merged, h, payload, wanted)
			    : block_dec_load(d->cpu, h, payload, wanted);
}

/* As block_dec_run(); 0 before the first block. */
static inline int events_dec_run(struct events_dec *d, struct run *r)
{
	if (d->is_merged)
		return merge_dec_run(d->merged, r);
	run_clear(r);
	return d->cpu ? block_dec_run(d->cpu, r) : 0;
}

#endif
