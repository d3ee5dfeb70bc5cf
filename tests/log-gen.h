/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-gen.h - random logs, and what reading them back must give */
#ifndef TESTS_LOG_GEN_H
#define TESTS_LOG_GEN_H

#include "formats/stream.h"

#define GEN_MAX_CPUS  8
#define GEN_MAX_TYPES 40

/* Events of one CPU, kept in the order in which they were written. */
struct gen_track {
	unsigned int cpu;
	struct mmt_event *ev; /* v points into vals; strings are constants */
	unsigned int nr, cap;
	uint64_t **vals;
	uint64_t last_ns;
};

struct gen {
	uint64_t seed;
	struct mmt_writer *w;
	struct mmt_schema schema[GEN_MAX_TYPES];
	unsigned int nr_types;
	struct gen_track track[GEN_MAX_CPUS];
	struct mmt_track *out[GEN_MAX_CPUS];
	unsigned int nr_tracks;
	uint64_t nr_events, nr_lost, nr_gaps;
};

/* A repeatable random number (xorshift64*). */
uint64_t gen_random(struct gen *g);
/* One of varied magnitude. */
uint64_t gen_number(struct gen *g);

/* Creates path with nr random types and the given CPUs; asserts on failure. */
void gen_open(struct gen *g, const char *path, unsigned int flags,
	      unsigned int nr_types);
void gen_add_track(struct gen *g, unsigned int cpu);
/* nr random events on a track, some of them loss, the clock stepping back. */
void gen_events(struct gen *g, unsigned int track, unsigned int nr);
/*
 * Four CPUs in order (the tie rule), one of them without events, one with more
 * than a block.
 */
void gen_fill(struct gen *g);
/*
 * A whole log of CPU 0 and 1: three blocks a CPU of so many events, a text
 * after each, a fact at the end; all coding rules in few bytes.
 */
void gen_small(struct gen *g, const char *path, unsigned int nr_types,
	       unsigned int nr_0, unsigned int nr_1);
#define GEN_SMALL_TEXTS 3
/* Ends the log (ret as for mmt_writer_finish()). */
void gen_close(struct gen *g, int ret);
void gen_free(struct gen *g);

/* Are the events equal, strings by their text? */
bool gen_same(const struct gen *g, const struct mmt_event *a,
	      const struct mmt_event *b);

#endif
