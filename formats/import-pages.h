/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-pages.h - raw sub-buffers of foreign recordings become events */
#ifndef FORMATS_IMPORT_PAGES_H
#define FORMATS_IMPORT_PAGES_H

#include "formats/import-book.h"
#include "formats/subbuf.h"

/* Sub-buffers that are neither are not believed. */
#define SUBBUF_MIN 512U
#define SUBBUF_MAX (1U << 20)

/* Where bytes came from, for messages. */
struct import_place {
	const char *path;
	const uint8_t *start; /* of the bytes whose offset is at */
	uint64_t at;
	bool packed; /* at counts in the unpacked chunk at offset chunk */
	uint64_t chunk;
};

/* The pages of one recording; the lower half is about the CPU at hand. */
struct import_pages {
	struct import *im;
	struct import_book *book;
	struct subbuf_layout layout;
	size_t size; /* of a sub-buffer */
	/* time = (stamp * mult >> shift) + add_ns; mult 0: stamp + add_ns */
	uint32_t mult, shift;
	int64_t add_ns;
	uint64_t latest_ns; /* of all CPUs */
	uint64_t nr_events;

	unsigned int cpu;
	struct mmt_track *track;
	uint64_t last_ns;
	uint64_t nr_lost;          /* counted by the kernel in the pages */
	uint64_t nr_back, back_ns; /* clock steps backward, the largest */
	uint64_t nr_damaged;
};

/* The size of a sub-buffer by the text of header_page, 0 if it is not there. */
uint64_t import_header_size(const char *text, size_t len);
bool import_subbuf_size_ok(const struct subbuf_layout *layout, uint64_t size);

void import_pages_begin(struct import_pages *ip, unsigned int cpu);
/*
 * Takes sub-buffers that lie one behind the other; the last may be cut.
 * Damage is reported and stepped over: an error is a full disk or memory.
 */
int import_pages_take(struct import_pages *ip, const uint8_t *p, size_t len,
		      const struct import_place *place);
/* Reports what was odd on this CPU. */
int import_pages_end(struct import_pages *ip);

/* Records known to be lost on a CPU, but not where. */
int import_pages_loss(struct import_pages *ip, unsigned int cpu,
		      uint64_t nr_lost);

/* Have these sub-buffers a record?  If see, marks the ids of all. */
bool import_pages_look(struct import_pages *ip, const uint8_t *p, size_t len,
		       bool see);

#endif
