/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge-gen.c - logs to repack, in memory */

/*
 * Random logs, which no prediction fits, and a page cache in small, which all
 * of them fit.
 */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/repack.h"
#include "tests/merge-gen.h"
#include "tests/kind-schema.h"

struct merge_file merge_from, merge_to, merge_again;

static int make_file(struct merge_file *f)
{
	f->fd = memfd_create("log", MFD_CLOEXEC);
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
	return f->fd < 0 ? -1 : 0;
}

int merge_setup(void **state)
{
	(void)state;
	return make_file(&merge_from) || make_file(&merge_to) ||
			       make_file(&merge_again)
		       ? -1
		       : 0;
}

/* A writer for one of the files above, emptied. */
static struct mmt_writer *writer_for(int fd)
{
	struct mmt_writer *w;

	assert_int_equal(ftruncate(fd, 0), 0);
	fd = dup(fd);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(mmt_writer_create_fd(&w, fd), 0);
	return w;
}

void merge_repack(const char *from, int to)
{
	struct mmt_writer *w = writer_for(to);
	struct mmt *log = expect_open(from);
	struct errbuf err = {0};
	int ret;

	mmt_writer_level(w, 1);
	ret = mmt_repack(log, w, NULL, &err);
	if (mmt_writer_finish(w, ret, &err))
		fail_msg("%s", err.text);
	mmt_close(log);
}

/* ------------------------------------------------------------ random logs */

static void write_random(struct gen *g, const char *path, unsigned int nr_types,
			 unsigned int nr)
{
	static const unsigned int cpus[] = {0, 1, 17, 300, 1324};
	unsigned int i, round;

	gen_open(g, path, MMT_OVERWRITE, nr_types);
	for (i = 0; i < ARRAY_SIZE(cpus); i++)
		gen_add_track(g, cpus[i]);
	for (round = 0; round < 10; round++)
		for (i = 0; i < ARRAY_SIZE(cpus); i++)
			gen_events(g, i, nr / 10);
	assert_int_equal(mmt_writer_text(g->w, "vmstat", 7, "a 1\n", 4), 0);
	assert_int_equal(mmt_writer_text(g->w, "tasks", 9, "", 0), 0);
	assert_int_equal(mmt_writer_meta(g->w, "stop.reason", "end"), 0);
	gen_close(g, 0);
}

/* gen_open() makes files by name: the one in memory takes its bytes. */
static void to_memory(const char *path, int fd)
{
	uint8_t chunk[4096];
	int in = open(path, O_RDONLY);
	ssize_t n;

	assert_true(in >= 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	while ((n = read(in, chunk, sizeof(chunk))) > 0)
		assert_int_equal(write(fd, chunk, (size_t)n), n);
	close(in);
}

void merge_make_random(uint64_t seed, unsigned int nr_types, unsigned int nr)
{
	char name[] = "/tmp/mmcap-t-merge.XXXXXX";
	struct gen g = {.seed = seed};

	close(mkstemp(name));
	write_random(&g, name, nr_types, nr);
	gen_free(&g);
	to_memory(name, merge_from.fd);
	unlink(name);
}

/* ------------------------------------------------- a page cache in small */

/*
 * Pages of a few files are added, put on the LRU list 15 at a time, read, and
 * removed from its other end, where one in eight is passed over; pfns of the
 * removed ones are used again.
 */
struct cache {
	struct gen random;
	struct mmt_track *track[2];
	uint64_t list[4096][3]; /* file, index, pfn */
	unsigned int head, tail, inserted;
	uint64_t next_index[8], free_pfn;
	uint64_t ns;
	int add, insert, read, remove;
};

static int add_kind(struct mmt_writer *w, enum mmt_kind kind)
{
	struct mmt_schema s = kind_schema("t", kind);

	return mmt_writer_schema(w, &s);
}

static void put(struct cache *c, int type, enum mmt_kind kind,
		const uint64_t *v, unsigned int nr)
{
	struct mmt_event ev = {.type = (uint16_t)type,
			       .kind = (uint8_t)kind,
			       .v = v,
			       .nr = (uint8_t)nr,
			       .pid = 42};

	c->ns += 200 + gen_random(&c->random) % 50;
	ev.time_ns = c->ns;
	assert_int_equal(mmt_track_append(c->track[kind == MMT_REMOVE], &ev),
			 0);
}

static void drain_batch(struct cache *c)
{
	for (; c->inserted < c->tail; c->inserted++) {
		uint64_t v[] = {c->list[c->inserted % 4096][2], 2, 0};

		put(c, c->insert, MMT_LRU_INSERT, v, 3);
	}
}

static void reclaim_page(struct cache *c)
{
	uint64_t *p = c->list[c->head++ % 4096];
	uint64_t v[] = {8388608, p[0], p[1], p[2], 0};

	if (gen_random(&c->random) % 8 == 0)
		return;
	put(c, c->remove, MMT_REMOVE, v, 5);
	c->free_pfn = p[2];
}

static void use_page(struct cache *c)
{
	unsigned int file = (unsigned int)(gen_random(&c->random) % 8);
	uint64_t index = c->next_index[file]++;
	uint64_t add[] = {8388608, file + 100, index, c->free_pfn, 0};
	uint64_t read[] = {8388608, file + 100, index, index};
	uint64_t *p = c->list[c->tail++ % 4096];

	put(c, c->add, MMT_ADD, add, 5);
	p[0] = file + 100;
	p[1] = index;
	p[2] = c->free_pfn++;
	if (c->tail - c->inserted == 15)
		drain_batch(c);
	put(c, c->read, MMT_READ, read, 4);
	if (c->tail - c->head == 4000)
		reclaim_page(c);
}

void merge_make_cache(unsigned int nr_pages)
{
	struct cache *c = calloc(1, sizeof(*c));
	struct mmt_writer *w = writer_for(merge_from.fd);
	struct errbuf err;

	assert_non_null(c);
	c->random.seed = 99;
	c->add = add_kind(w, MMT_ADD);
	c->insert = add_kind(w, MMT_LRU_INSERT);
	c->read = add_kind(w, MMT_READ);
	c->remove = add_kind(w, MMT_REMOVE);
	assert_int_equal(mmt_writer_start(w), 0);
	assert_int_equal(mmt_track_open(&c->track[0], w, 0), 0);
	assert_int_equal(mmt_track_open(&c->track[1], w, 1), 0);
	while (nr_pages--)
		use_page(c);
	assert_int_equal(mmt_writer_finish(w, 0, &err), 0);
	free(c);
}
