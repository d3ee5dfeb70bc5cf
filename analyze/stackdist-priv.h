/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-priv.h - the table, the line and the kernels of stackdist */
#ifndef ANALYZE_STACKDIST_PRIV_H
#define ANALYZE_STACKDIST_PRIV_H

#include "analyze/area.h"
#include "analyze/stackdist.h"

/*
 * Accesses go through both stages in runs of this many: long enough that what
 * a run asks memory for has arrived when it is used, short enough that all of
 * it still lies in the nearest cache then.
 */
#define RUN_MAX 64

/* What the table is asked. */
struct probe {
	const uint64_t *key;
	unsigned int nr;
	uint32_t home[RUN_MAX]; /* bucket of key[i] */
};

/* What it answers, for the line; and what the line makes of it. */
struct hist;

struct run {
	unsigned int nr;       /* accesses */
	unsigned int nr_again; /* of them, not the first to their key */
	uint32_t first;        /* slot of the first access; they lie in a row */
	uint32_t slot[RUN_MAX];     /* of the i-th of nr_again: last slot, */
	uint32_t distance[RUN_MAX]; /* distance, */
	uint8_t at[RUN_MAX];        /* and which of the nr accesses it is */
	uint64_t *out;              /* nr distances go here, */
	struct hist *hist;          /* or those of nr_again here */
};

/* -------------------------------------------------------------- the table */

#define BUCKET_KEYS 5

/* One cache line.  The first nr keys are in use. */
struct bucket {
	uint64_t key[BUCKET_KEYS];
	uint32_t slot[BUCKET_KEYS];
	uint32_t nr;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct bucket) == 64, "a bucket is a cache line");

struct keymap {
	struct bucket *bucket;
	uint64_t nr_homes; /* buckets that hashes lead to */
	uint64_t nr_buckets;
	uint64_t nr_keys;
	uint64_t max_keys; /* more make it grow */
	uint64_t salt[3];
	struct area area;
};

int keymap_new(struct keymap *t);
void keymap_free(struct keymap *t);
/* Room for one more run.  0 or -ENOMEM; *grown tells that buckets moved. */
int keymap_reserve(struct keymap *t, bool *grown);

/*
 * The keys of strangers must not meet in one bucket on purpose, so all that
 * they are multiplied with is secret.  Two multiplications: after one, keys in
 * arithmetic progression (the pages of a file) would still be one.
 */
static inline uint64_t keymap_hash(const struct keymap *t, uint64_t key)
{
	uint64_t v = (key ^ t->salt[0]) * t->salt[1];

	v ^= v >> 32;
	return v * t->salt[2];
}

/* In the order of the hash, so that a grown table has the order of the old. */
static inline uint32_t keymap_home(const struct keymap *t, uint64_t key)
{
	return (uint32_t)((keymap_hash(t, key) >> 32) * t->nr_homes >> 32);
}

/* --------------------------------------------------------------- the line */

#define LEAF_WORDS  2U
#define LEAF_SLOTS  (LEAF_WORDS * 64)
#define NODE_LEAVES 32U
#define NODE_SLOTS  (LEAF_SLOTS * NODE_LEAVES)
#define FANOUT      16U /* of the levels above nodes */
#define LEVELS_MAX  6
#define SLOTS_MAX   (1ULL << 32)

/*
 * before[] and level[][] count the bits in front of a leaf, a node, a node of
 * nodes ..., within their parent.
 */
struct line {
	uint64_t *bits;
	uint16_t *before;            /* of each leaf, NODE_LEAVES to a node */
	uint32_t *level[LEVELS_MAX]; /* FANOUT to a node */
	unsigned int nr_levels;
	uint64_t nr_slots;
	uint64_t next;    /* slot of the next access */
	uint64_t nr_live; /* bits set */
	struct area area;
};

/* A line of at least that many slots.  0 or -ENOMEM. */
int line_new(struct line *l, uint64_t nr_slots);
void line_free(struct line *l);
/* Sets the bits of the next nr slots. */
void line_append(struct line *l, uint64_t nr);

/* ------------------------------------------------------------ the kernels */

struct kernels {
	/* Fills in the homes of the keys. */
	void (*locate)(const struct keymap *t, struct probe *p);
	/*
	 * Gives the keys the slots from run->first on and puts the old ones
	 * into the run; asks memory for the homes of the next keys.
	 */
	void (*find)(struct keymap *t, const struct probe *p,
		     const struct probe *next, struct run *run);
	/*
	 * Takes the old slots of a run out of the line, appends the new ones,
	 * fills in run->distance; asks memory for the leaves of the next run.
	 */
	void (*measure)(struct line *l, struct run *run,
			const struct run *next);
	/* Gives every key the slot that is the rank of its bit. */
	void (*renumber)(struct keymap *t, const struct line *l);
};

extern const struct kernels stackdist_plain;
#ifdef __x86_64__
extern const struct kernels stackdist_avx2;
extern const struct kernels stackdist_avx512;
#endif

/* --------------------------------------------------------- the whole of it */

struct pipe;

struct stackdist {
	struct keymap table;
	struct line line;
	const struct kernels *kernels;
	uint64_t next;     /* slot of the access that the table sees next */
	struct pipe *pipe; /* NULL: one thread does it all */
	struct probe probe[2];
	struct run run[2]; /* without a pipe: one is filled in, one is full */
	unsigned int turn; /* the one that is filled in */
};

/* The line's stage for a run whose distances then are where they belong. */
void stackdist_measure(struct stackdist *s, struct run *run,
		       const struct run *next);

/* A thread that does so with all runs it is handed.  0 or a negative errno. */
int pipe_new(struct pipe **pp, struct stackdist *s);
/* Ends the thread once it has done all runs. */
void pipe_free(struct pipe *p);
/* The run to fill in next; waits for one. */
struct run *pipe_reserve(struct pipe *p);
/* It is filled in; the thread will be told sometime. */
void pipe_push(struct pipe *p);
/* The thread is told of all runs now. */
void pipe_flush(struct pipe *p);
/* Waits until all runs are done. */
void pipe_sync(struct pipe *p);
/* Memory in use. */
size_t pipe_bytes(void);

/* For tests: the line goes on at that slot, of SLOTS_MAX.  0 or -ENOMEM. */
int stackdist_skip(struct stackdist *s, uint64_t slot);

#endif
