/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block.h - blocks of the log: their frame, and the events in them */
#ifndef FORMATS_BLOCK_H
#define FORMATS_BLOCK_H

#include "formats/run.h"

/*
 * A log is a file header and blocks, one behind the other; mmt(5) has every
 * byte.  All numbers are little-endian.
 *
 *   file header, 16 bytes
 *     0  89 4d 4d 54 0d 0a 1a 0a   (spoiled by any text-mode transfer)
 *     8  u16 version: a reader refuses any other; 3, or 4 if the events are
 *        in merged blocks, which a reader of 3 would skip: an empty result
 *    10  u16 0, u32 0
 *
 *   block header, 64 bytes, then the payload
 *     0  u32 BLOCK_MAGIC        4  u16 kind       6  u16 CPU (events)
 *     8  u32 payload bytes     12  u32 events
 *    16  u64 least time        24  u64 greatest time of its events
 *    32  u64 number of the block within its CPU, from 0
 *    40  u64 0                 48  u64 0
 *    56  u64 XXH64 of the payload, seeded with XXH64 of bytes 0..55
 */
#define MMT_MAGIC "\x89MMT\r\n\x1a\n"
/* 1 and 2 were the same two before the first release, coded differently. */
#define MMT_VERSION        3
#define MMT_VERSION_MERGED 4
#define MMT_HEADER_LEN     16

#define BLOCK_MAGIC       0x62746d6dU /* "mmtb" */
#define BLOCK_HEADER_LEN  64
#define BLOCK_MAX_PAYLOAD (64U << 20)
#define BLOCK_EVENTS      65536U /* most events of a block */
#define BLOCK_RUNS        (BLOCK_EVENTS / RUN_EVENTS * 2)
#define MERGED_EVENTS     (1U << 20) /* the same of a merged block */

enum block_kind {
	BLOCK_META = 1,   /* pairs of text: at the start, more at the end */
	BLOCK_SCHEMA = 2, /* event types, before the first events */
	BLOCK_EVENTS_OF_CPU = 3,
	BLOCK_TEXT = 4, /* a snapshot or dictionary */
	BLOCK_INDEX = 5,
	BLOCK_MERGED = 6, /* events of all CPUs, in the order of the stream */
};

static inline bool block_has_events(unsigned int kind)
{
	return kind == BLOCK_EVENTS_OF_CPU || kind == BLOCK_MERGED;
}

/* Most events that a block of this kind may have. */
static inline uint32_t block_max_events(unsigned int kind)
{
	return kind == BLOCK_MERGED ? MERGED_EVENTS : BLOCK_EVENTS;
}

/* Of a merged block, the times are its least and greatest. */
struct block_header {
	uint16_t kind, cpu;
	uint32_t len, nr_events;
	uint64_t first_ns, last_ns; /* least and greatest time */
	uint64_t seq;
	uint64_t sum; /* as stored; block_check() */
};

void block_header_put(uint8_t out[BLOCK_HEADER_LEN],
		      const struct block_header *h, const void *payload);
/* -EBADMSG: no block header, or a length past any limit. */
int block_header_get(struct block_header *h,
		     const uint8_t in[BLOCK_HEADER_LEN]);
/* 0, or -EBADMSG if the checksum is wrong. */
int block_check(const uint8_t header[BLOCK_HEADER_LEN], const void *payload,
		size_t len);

/* ------------------------------------------------------- packed byte runs */

enum { PACK_RAW, PACK_ZSTD, PACK_FILL };

/*
 * Appends len bytes in the smallest of three forms: as they are, zstd, or one
 * byte that all of them equal.  Returns the form or -errno.
 */
struct packer;
int packer_new(struct packer **pp, int level);
void packer_free(struct packer *p);
int pack(struct packer *p, struct buf *out, const void *data, size_t len);

struct packed {
	int form;
	const void *data;
	size_t len;
};

struct unpacker;
int unpacker_new(struct unpacker **up);
void unpacker_free(struct unpacker *u);
/* Unpacks exactly raw_len bytes to out; u may be NULL.  0 or -EBADMSG. */
int unpack(struct unpacker *u, const struct packed *in, void *out,
	   size_t raw_len);

/* ------------------------------------------------------- blocks of events */

struct block_enc;

int block_enc_new(struct block_enc **ep, const struct types *types, int level);
void block_enc_free(struct block_enc *e);
/* Codes a run into the columns of the block.  0 or -ENOMEM. */
int block_enc_run(struct block_enc *e, const struct run *r);
unsigned int block_enc_events(const struct block_enc *e);
/*
 * Makes the payload and its header (kind, events, times), and starts the next
 * block.  The payload is valid until the encoder's next use.
 */
int block_enc_finish(struct block_enc *e, struct block_header *h,
		     const struct buf **payload);

struct block_dec;

int block_dec_new(struct block_dec **dp, const struct types *types);
void block_dec_free(struct block_dec *d);
/*
 * Takes a checked payload.  Events of types whose bit in wanted is 0 are
 * left out (NULL: all).  0, -ENOMEM, or -EBADMSG for an impossible number.
 */
int block_dec_load(struct block_dec *d, const struct block_header *h,
		   const void *payload, const uint8_t *wanted);
/* The next run: its events, 0 at the end, or -EBADMSG. */
int block_dec_run(struct block_dec *d, struct run *r);

/* Events per CPU, of blocks that have events of many; zeroed, it is empty. */
struct cpu_counts {
	uint64_t *nr;     /* by CPU; NULL if there are none */
	unsigned int end; /* the highest CPU that has some, + 1 */
};

int cpu_counts_add(struct cpu_counts *counts, uint16_t cpu, uint64_t nr);

/* Adds the block's events per type; reads only the head of the payload. */
int block_type_counts(const void *payload, size_t len, uint64_t *counts,
		      unsigned int nr_types);

#endif
