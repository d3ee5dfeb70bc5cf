/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block.c - the frame of a block: header and checksum */

#include "config.h"

#include <stdlib.h>

#include <xxhash.h>

#include "formats/block.h"

static uint64_t block_sum(const uint8_t *header, const void *payload,
			  size_t len)
{
	return XXH64(payload, len, XXH64(header, BLOCK_HEADER_LEN - 8, 0));
}

void block_header_put(uint8_t out[BLOCK_HEADER_LEN],
		      const struct block_header *h, const void *payload)
{
	memset(out, 0, BLOCK_HEADER_LEN);
	put_le32(out, BLOCK_MAGIC);
	put_le16(out + 4, h->kind);
	put_le16(out + 6, h->cpu);
	put_le32(out + 8, h->len);
	put_le32(out + 12, h->nr_events);
	put_le64(out + 16, h->first_ns);
	put_le64(out + 24, h->last_ns);
	put_le64(out + 32, h->seq);
	put_le64(out + 56, block_sum(out, payload, h->len));
}

int block_header_get(struct block_header *h, const uint8_t in[BLOCK_HEADER_LEN])
{
	if (get_le32(in) != BLOCK_MAGIC)
		return -EBADMSG;
	h->kind = get_le16(in + 4);
	h->cpu = get_le16(in + 6);
	h->len = get_le32(in + 8);
	h->nr_events = get_le32(in + 12);
	h->first_ns = get_le64(in + 16);
	h->last_ns = get_le64(in + 24);
	h->seq = get_le64(in + 32);
	h->sum = get_le64(in + 56);
	if (h->len > BLOCK_MAX_PAYLOAD ||
	    h->nr_events > block_max_events(h->kind))
		return -EBADMSG;
	return 0;
}

int block_check(const uint8_t header[BLOCK_HEADER_LEN], const void *payload,
		size_t len)
{
	return block_sum(header, payload, len) == get_le64(header + 56)
		       ? 0
		       : -EBADMSG;
}

int cpu_counts_add(struct cpu_counts *counts, uint16_t cpu, uint64_t nr)
{
	if (!counts->nr)
		counts->nr = calloc(UINT16_MAX + 1, sizeof(*counts->nr));
	if (!counts->nr)
		return -ENOMEM;
	counts->nr[cpu] += nr;
	counts->end = MAX(counts->end, cpu + 1U);
	return 0;
}
