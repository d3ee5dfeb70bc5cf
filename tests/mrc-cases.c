/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mrc-cases.c - small access traces with known distances and misses */

/*
 * The text has a section per trace: page names, the distance of each access
 * ("-" if cold), the counts, and the misses of some sizes of an LRU cache.
 * Names become keys by their order of appearance within the section.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/mrc-cases.h"

static void die(const char *what, const char *line)
{
	fprintf(stderr, "mrc-expected.txt: %s: %s\n", what, line);
	exit(99);
}

static void read_trace(struct mrc_case *c, char *words)
{
	char *names[MRC_MAX_ACCESSES], *word, *rest;
	unsigned int i, nr_names = 0;

	for (word = strtok_r(words, " \n", &rest); word;
	     word = strtok_r(NULL, " \n", &rest)) {
		for (i = 0; i < nr_names && strcmp(names[i], word); i++)
			;
		if (c->nr == MRC_MAX_ACCESSES)
			die("too long", c->name);
		if (i == nr_names)
			names[nr_names++] = word;
		c->key[c->nr++] = i;
	}
}

static void read_distances(struct mrc_case *c, char *words)
{
	char *word, *rest;

	for (word = strtok_r(words, " \n", &rest); word;
	     word = strtok_r(NULL, " \n", &rest)) {
		if (c->nr_distances == MRC_MAX_ACCESSES)
			die("too long", c->name);
		c->distance[c->nr_distances++] =
			strcmp(word, "-") ? strtoull(word, NULL, 10)
					  : UINT64_MAX;
	}
}

static void read_size(struct mrc_case *c, const char *line)
{
	struct mrc_size *s = &c->size[c->nr_sizes++];

	if (c->nr_sizes > MRC_MAX_SIZES ||
	    sscanf(line,
		   "C=%" SCNu64 " misses=%" SCNu64
		   " ratio=%15s ratio_without_cold=%15s",
		   &s->cache_pages, &s->misses, s->ratio,
		   s->ratio_without_cold) != 4)
		die("no size", line);
}

static void read_line(struct mrc_case *c, char *line)
{
	if (!strncmp(line, "trace =", 7))
		read_trace(c, line + 7);
	else if (!strncmp(line, "dist  =", 7))
		read_distances(c, line + 7);
	else if (!strncmp(line, "C=", 2))
		read_size(c, line);
	else if (sscanf(line,
			"accesses=%" SCNu64 " cold=%" SCNu64
			" distinct=%" SCNu64 "",
			&c->nr_accesses, &c->nr_cold, &c->nr_distinct) != 3)
		die("not understood", line);
}

unsigned int mrc_cases_read(struct mrc_case *cases)
{
	const char *top = getenv("top_srcdir");
	char path[4096], line[4096];
	unsigned int nr = 0;
	FILE *in;

	snprintf(path, sizeof(path), "%s/tests/data/mrc-expected.txt",
		 top ? top : ".");
	in = fopen(path, "r");
	if (!in)
		die("cannot be opened", path);
	while (fgets(line, sizeof(line), in)) {
		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (line[0] == '[') {
			if (nr == MRC_MAX_CASES)
				die("too many", line);
			memset(&cases[nr], 0, sizeof(*cases));
			if (sscanf(line, "[%63[^]]]", cases[nr++].name) != 1)
				die("no name", line);
		} else if (nr) {
			read_line(&cases[nr - 1], line);
		}
	}
	fclose(in);
	return nr;
}

void mrc_ratio_text(char out[16], double ratio)
{
	if (isnan(ratio))
		snprintf(out, 16, "undefined");
	else
		snprintf(out, 16, "%.6f", ratio);
}
