/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmt-index.h - payloads of the blocks that are not events */
#ifndef FORMATS_MMT_INDEX_H
#define FORMATS_MMT_INDEX_H

#include "formats/block.h"

/* Behind the index block: its offset and this, so that it is found. */
#define MMT_TAIL_LEN   16
#define MMT_TAIL_MAGIC "mmt-end\n"

/* Where a block is, and what its header says. */
struct mmt_entry {
	uint64_t at;
	struct block_header header;
	bool damaged; /* mmt_verify() found it so */
};

struct mmt_index {
	struct mmt_entry *entry;
	unsigned int nr, cap;
	uint64_t *type_counts;
	unsigned int nr_types;
	uint64_t nr_lost, nr_gaps_uncounted;
	struct cpu_counts cpus; /* of merged blocks */
};

int mmt_index_init(struct mmt_index *index, unsigned int nr_types);
void mmt_index_free(struct mmt_index *index);
int mmt_index_add(struct mmt_index *index, const struct block_header *h,
		  uint64_t at);
int mmt_index_put(struct buf *out, const struct mmt_index *index);
/*
 * Into a zeroed index, of a file of this size.  The caller compares nr_types
 * with the schemas.
 */
int mmt_index_get(struct mmt_index *index, const struct buf *raw,
		  uint64_t file_size);

int mmt_schema_put(struct buf *out, const struct mmt_schema *schema);
/* Takes one schema off the front of *p.  0, -EBADMSG or -ENOMEM. */
int mmt_schema_get(struct mmt_schema *schema, const uint8_t **p,
		   const uint8_t *end);

/* form, varint raw bytes, bytes. */
int mmt_pack_bytes(struct packer *packer, struct buf *out, const void *p,
		   size_t len);
/* Replaces out (a NUL is put behind it).  0, -EBADMSG or -ENOMEM. */
int mmt_unpack_bytes(struct buf *out, const uint8_t *p, size_t len);

#endif
