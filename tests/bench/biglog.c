/* SPDX-License-Identifier: GPL-2.0-or-later */
/* biglog.c - bench tool: a log of a page cache under pressure, of any length */

/*
 * usage: biglog OUT.mmt EVENTS
 *
 * A cache of 256 Ki pages over 64 files of 1 Mi pages in all is read, half by
 * scans of the files one after the other, half at random places that are the
 * likelier the nearer they are to a file's begin.  A read of a page that is not
 * there adds it and puts it on the LRU list, and the page that came first is
 * removed by the other CPU's kswapd: about three events a read, with times,
 * pids and pfns as irregular as a machine's.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/mmt.h"
#include "tests/kind-schema.h"

#define NR_FILES   64U
#define FILE_PAGES 16384U
#define NR_PAGES   (NR_FILES * FILE_PAGES)
#define CACHE      262144U
#define KSWAPD     71

struct cache {
	struct mmt_track *track[2];
	int type[MMT_NR_KINDS];
	uint64_t nr, limit; /* events */
	uint64_t ns, random;
	uint32_t scan;          /* where the scan is */
	uint32_t list[CACHE];   /* pages, oldest at head */
	uint32_t pfn[NR_PAGES]; /* 0: not in the cache */
	uint32_t head, nr_cached;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "biglog: %s: %s\n", what, why);
	exit(1);
}

/* xorshift64* */
static uint64_t next_random(struct cache *c)
{
	c->random ^= c->random >> 12;
	c->random ^= c->random << 25;
	c->random ^= c->random >> 27;
	return c->random * 0x2545f4914f6cdd1dULL;
}

static void add_kind(struct cache *c, struct mmt_writer *w, enum mmt_kind kind)
{
	struct mmt_schema s = kind_schema("biglog", kind);

	c->type[kind] = mmt_writer_schema(w, &s);
	if (c->type[kind] < 0)
		die(s.name, strerror(-c->type[kind]));
}

static void put(struct cache *c, enum mmt_kind kind, const uint64_t *v,
		unsigned int nr)
{
	struct mmt_event ev = {.type = (uint16_t)c->type[kind],
			       .kind = (uint8_t)kind,
			       .v = v,
			       .nr = (uint8_t)nr,
			       .pid = 1000 + (int32_t)(c->scan >> 14)};
	int ret;

	if (kind == MMT_REMOVE)
		ev.pid = KSWAPD;
	c->ns += 150 + next_random(c) % 100;
	ev.time_ns = c->ns;
	ret = mmt_track_append(c->track[kind == MMT_REMOVE], &ev);
	if (ret)
		die("write", strerror(-ret));
	c->nr++;
}

static void remove_oldest(struct cache *c)
{
	uint32_t page = c->list[c->head];
	uint64_t v[] = {8 << DEV_MINOR_BITS | 1, 100 + page / FILE_PAGES,
			page % FILE_PAGES, c->pfn[page], 0};

	put(c, MMT_REMOVE, v, ARRAY_SIZE(v));
	c->pfn[page] = 0;
}

static void add_page(struct cache *c, uint32_t page)
{
	uint64_t v[] = {8 << DEV_MINOR_BITS | 1, 100 + page / FILE_PAGES,
			page % FILE_PAGES, 0, 0};
	uint32_t pfn = c->nr_cached + 4096;

	if (c->nr_cached == CACHE) {
		pfn = c->pfn[c->list[c->head]];
		remove_oldest(c);
		c->list[c->head] = page;
		c->head = (c->head + 1) % CACHE;
	} else {
		c->list[c->nr_cached++] = page;
	}
	v[ADD_PFN] = c->pfn[page] = pfn;
	put(c, MMT_ADD, v, ARRAY_SIZE(v));
	put(c, MMT_LRU_INSERT, (uint64_t[]){pfn, 2, 0}, 3);
}

static void read_page(struct cache *c)
{
	uint64_t r = next_random(c), v[4] = {8 << DEV_MINOR_BITS | 1};
	uint32_t page, in_file;

	if (r & 1) {
		page = c->scan;
		c->scan = (c->scan + 1) % NR_PAGES;
	} else {
		in_file = (uint32_t)(r >> 8) % FILE_PAGES;
		in_file = (uint32_t)((uint64_t)in_file * in_file / FILE_PAGES);
		page = (uint32_t)(r >> 48) % NR_FILES * FILE_PAGES + in_file;
	}
	if (!c->pfn[page])
		add_page(c, page);
	v[READ_INO] = 100 + page / FILE_PAGES;
	v[READ_INDEX] = v[READ_LAST_INDEX] = page % FILE_PAGES;
	put(c, MMT_READ, v, ARRAY_SIZE(v));
}

int main(int argc, char **argv)
{
	static const enum mmt_kind kinds[] = {MMT_ADD, MMT_REMOVE, MMT_READ,
					      MMT_LRU_INSERT};
	struct errbuf err = {0};
	struct cache *c;
	struct mmt_writer *w;
	unsigned int i;

	if (argc != 3)
		return 2;
	c = calloc(1, sizeof(*c));
	if (!c)
		die("start", strerror(ENOMEM));
	c->random = 88172645463325252ULL;
	c->limit = strtoull(argv[2], NULL, 10);
	if (mmt_writer_create(&w, argv[1], MMT_OVERWRITE, &err))
		die(argv[1], err.text);
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		add_kind(c, w, kinds[i]);
	if (mmt_writer_meta(w, "clock", "mono") ||
	    mmt_writer_meta(w, "page.size", "4096") || mmt_writer_start(w) ||
	    mmt_track_open(&c->track[0], w, 0) ||
	    mmt_track_open(&c->track[1], w, 1))
		die(argv[1], "cannot be started");
	while (c->nr < c->limit)
		read_page(c);
	if (mmt_writer_finish(w, 0, &err))
		die(argv[1], err.text);
	free(c);
	return 0;
}
