/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge-model.h - what coder and decoder of a merged block both remember */
#ifndef FORMATS_MERGE_MODEL_H
#define FORMATS_MERGE_MODEL_H

#include "formats/column.h"
#include "formats/columns.h"
#include "formats/dict.h"

/*
 * Payload of a merged block:
 *
 *   varint number of types, then per type: varint type, varint events
 *   varint number of CPUs, then per CPU: varint CPU, varint events
 *   the columns, as columns.h says
 *
 * A column's id is one of these, or MERGED_COLUMN(type, part).  What is in
 * them follows from the walk over the events in merge-walk.c.
 */
enum {
	MERGED_TYPE,      /* varint type */
	MERGED_CPU,       /* varint: 0 as the event before, else CPU + 1 */
	MERGED_PID,       /* varint: 0, 1: see walk_pid(); else 2 + zigzag */
	MERGED_FLAGS,     /* byte, xor the last of this CPU and type */
	MERGED_PREEMPT,   /* the same */
	MERGED_TIME_WIDE, /* zigzag varint: steps that fit no two bytes */
	MERGED_FILE_DEV,  /* dictionary of the block's files, as in */
	MERGED_FILE_INO,  /* a block of one CPU */
	MERGED_STRINGS,   /* the block's strings, each with its NUL */
	MERGED_NR_COMMON
};

#define MERGED_COLUMN(type, part) (16U + (type)*256U + (part))

/*
 * Parts of a type's columns: its fields, 0 to 47; then what only a wrong
 * prediction needs; then time steps, by the type of the event before.
 */
enum {
	PART_FILE =
		MMT_MAX_FIELDS, /* zigzag varint, minus the file predicted */
	PART_INDEX,             /* zigzag varint, minus the index predicted */
	PART_PFN,               /* zigzag varint, minus the pfn predicted */
	PART_TIME = 128
};

#define TIME_CONTEXTS 32 /* of the type before, modulo this */
enum { TIME_HIGH, TIME_LOW, TIME_LOW_1, TIME_LOW_2, TIME_PARTS };
#define NR_PARTS (PART_TIME + TIME_CONTEXTS * TIME_PARTS)

/* A coder appends to bytes, a decoder moves the span's start to its end. */
struct merged_column {
	struct span span;
	struct buf bytes;
	uint64_t last;
};

struct merged_type {
	uint8_t kind;
	bool keyed, wanted;
	uint32_t nr_events; /* decoder: by the block's head */
	uint32_t nr_seen;
	uint64_t *last_index; /* per file */
	uint32_t cap_index;
	struct merged_column part[NR_PARTS];
};

/* A page that was added: 0 in a link is none. */
struct merged_page {
	uint64_t index, pfn;
	uint32_t file;
	uint32_t next; /* put on the LRU list behind this one */
	uint8_t order;
};

#define PAGE_SLOTS (1U << 20)
#define PAGE_WALK  32 /* slots looked at, so that no input is slow */
#define FIFO_LEN   128
#define FREED_LEN  128

/* Of one CPU; CPUs that share a place only predict worse. */
struct merged_cpu {
	int32_t pid, pid_before;
	uint32_t pending;        /* first page added since the last read */
	uint32_t removed;        /* page that was removed last */
	uint32_t fifo[FIFO_LEN]; /* pages added and not yet on an LRU list */
	uint32_t fifo_head, fifo_tail;
	uint64_t freed[FREED_LEN]; /* pfns removed, the last one first */
	uint32_t freed_top, nr_freed;
	uint64_t added_pfn, inserted_pfn;
	uint32_t hint_file; /* page of the last event with a key */
	uint64_t hint_index;
	uint16_t hint_type;
	bool hinted;
};

#define CPU_PLACES   1024
#define FILE_PLACES  4096
#define FLAGS_PLACES 65536
#define LRU_PLACES   8

struct model {
	const struct types *types;
	struct merged_type **type; /* NULL until first needed */
	unsigned int nr_types;
	struct merged_column common[MERGED_NR_COMMON];
	bool bad;     /* decoder: an impossible number; sticky */
	bool no_room; /* out of memory; sticky */
	bool has_inserts;
	unsigned int nr_keyed; /* types of the log that have files */
	/* coder's dictionaries */
	struct files files;
	struct strings strings;
	/* decoder's */
	struct block_dict dict;
	/* state */
	uint16_t last_cpu, last_type;
	uint64_t last_ns;
	uint64_t latest_ns; /* decoder's, of all blocks so far */
	uint32_t nr_seen_files;
	struct merged_cpu *cpu[CPU_PLACES];
	uint32_t last_file[FILE_PLACES]; /* by type and task */
	uint8_t flags[FLAGS_PLACES], preempt[FLAGS_PLACES];
	uint32_t inserted[LRU_PLACES]; /* page put last on this LRU list */
	struct merged_page *page;      /* 0 is never used */
	uint32_t nr_pages, cap_pages;
	uint64_t *slot; /* high half of the page's hash, then its number */
	uint64_t scrap[MMT_MAX_FIELDS]; /* values of unwanted events */
};

int model_new(struct model **mp, const struct types *types);
void model_free(struct model *m);
/* Back to nothing, as every block begins; columns are the caller's. */
void model_reset(struct model *m);
/* The type's state, made when first needed; NULL without memory. */
struct merged_type *model_type(struct model *m, unsigned int type);
struct merged_cpu *model_cpu(struct model *m, unsigned int cpu);

/* The page's number, 0 if it is not known. */
uint32_t model_page_find(const struct model *m, uint32_t file, uint64_t index);
/* The page's number; a new page has no pfn yet.  0 without memory. */
uint32_t model_page_add(struct model *m, uint32_t file, uint64_t index);
/* Room for the last index of this file.  0 or -ENOMEM. */
int model_grow_index(struct merged_type *t, uint32_t file);

/* Codes a run into the columns.  0 or -ENOMEM. */
int model_encode(struct model *m, const struct run *r);
/* Decodes up to nr events of the columns into an empty run.  0 or -errno. */
int model_decode(struct model *m, struct run *r, unsigned int nr);

/* --------------------------------------------------- coder and decoder */

struct merge_enc;

int merge_enc_new(struct merge_enc **ep, const struct types *types, int level);
void merge_enc_free(struct merge_enc *e);
/* Codes a run of events of any CPUs, in the order of the stream. */
int merge_enc_run(struct merge_enc *e, const struct run *r);
unsigned int merge_enc_events(const struct merge_enc *e);
/* Is there room for one more run in this block? */
bool merge_enc_has_room(const struct merge_enc *e);
/* As block_enc_finish(). */
int merge_enc_finish(struct merge_enc *e, struct block_header *h,
		     const struct buf **payload);

struct merge_dec;

int merge_dec_new(struct merge_dec **dp, const struct types *types);
void merge_dec_free(struct merge_dec *d);
/* As block_dec_load() and block_dec_run(). */
int merge_dec_load(struct merge_dec *d, const struct block_header *h,
		   const void *payload, const uint8_t *wanted);
int merge_dec_run(struct merge_dec *d, struct run *r);
/* Adds the block's events per CPU; reads only the head of the payload. */
int merge_cpu_counts(const void *payload, size_t len, unsigned int nr_types,
		     struct cpu_counts *counts);

#endif
