/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flips.h - spoils inputs at random, and what must hold of their readers */
#ifndef TESTS_FLIPS_H
#define TESTS_FLIPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/import.h"

#define NR_FLIPS 10000

/* LeakSanitizer calls it by name. */
const char *__lsan_default_suppressions(void);

/* Bytes of an input, and a file in memory that is given to the reader. */
struct flips {
	uint8_t *bytes; /* as they were written */
	size_t len;
	uint8_t *copy; /* to be spoiled */
	int fd;
	char path[64];
};

/* Takes the bytes over.  Every test begins with it, or takes it from setup. */
void flips_new(struct flips *f, uint8_t *bytes, size_t len);
void flips_free(struct flips *f);
/* All bytes of a file, to be freed by the caller. */
uint8_t *flips_load(const char *path, size_t *len);

/*
 * The random numbers begin anew, with a seed that FLIPS_SEED replaces: at the
 * start of every test.  What the test calls its input is for messages.
 */
void flips_seed(const char *name);
uint64_t flips_random(void);
/* A fresh copy, of which one to four bytes between the two are spoiled. */
void flips_spoil(struct flips *f, size_t from, size_t to);
/* The reader's file is the first len bytes of p. */
void flips_put(struct flips *f, const uint8_t *p, size_t len);
/* The last thing that a test does. */
void flips_done(void);
/* Says which input a test failed on, if it did; every test's teardown. */
int flips_teardown(void **state);

/* What came of reading one input. */
struct flips_result {
	int ret;
	struct errbuf err;
	uint64_t nr_events;
	unsigned int nr_texts;
	bool complete, damaged;
};

/*
 * A reader is at work: it has 20 seconds, and memory for a constant and a few
 * times the input.
 */
void flips_begin(void);
void flips_end(const struct flips *f);

/* Reads all of a log as programs do.  see() is given each event in turn. */
typedef void (*flips_see)(void *arg, const struct mmt_event *ev);
void flips_read_log(struct mmt *log, struct flips_result *r, flips_see see,
		    void *arg);
/*
 * Imports the file: events, or an error that says where.  The options are of
 * the test; nr_max is how many events there can be at most.
 */
void flips_import(struct flips *f, const struct import_options *options,
		  uint64_t nr_max, struct flips_result *r);
/* Fails unless the words name an offset, a line or a byte. */
void flips_says_where(const char *text);

#endif
