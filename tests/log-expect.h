/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-expect.h - opens logs and knows what their streams must give */
#ifndef TESTS_LOG_EXPECT_H
#define TESTS_LOG_EXPECT_H

#include "tests/log-gen.h"

/* A folder of the test's own, made and removed by its setup and teardown. */
int expect_dir_make(void);
int expect_dir_remove(void);
/* The path of a name in it; two of them can be in use at once. */
const char *expect_path(const char *name);

/* The three fail the test on any error. */
struct mmt *expect_open(const char *path);
struct mmt_stream *expect_stream(struct mmt *log,
				 const struct mmt_select *select);
/* Closes it. */
void expect_end(struct mmt_stream *s);

/* Places in the generated tracks, and the key each has reached. */
struct expect_merge {
	unsigned int next[GEN_MAX_CPUS];
	uint64_t key[GEN_MAX_CPUS];
};

/* The event that comes next in the merged stream; NULL at its end. */
const struct mmt_event *expect_next(struct expect_merge *m,
				    const struct gen *g);
/* All of the log, merged, is what was generated. */
void expect_all(const struct gen *g, struct mmt *log);

#endif
