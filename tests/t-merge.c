/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-merge.c - a repacked log gives every reader what the log gave */

/*
 * Random logs, which no prediction fits, and a page cache in small, which all
 * of them fit, are repacked and read beside the original, whole and in parts.
 * Then payloads are spoiled behind a right checksum, so that the decoder meets
 * numbers that no coder wrote.
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

#include "formats/mmt-index.h"
#include "formats/repack.h"
#include "tests/log-gen.h"

#define NR_FLIPS 3000

static char from_path[64], to_path[64], again_path[64];
static int from_fd, to_fd, again_fd;

static int make_file(char path[64])
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

/* They go when the program ends. */
static int setup(void **state)
{
	(void)state;
	from_fd = make_file(from_path);
	to_fd = make_file(to_path);
	again_fd = make_file(again_path);
	return from_fd < 0 || to_fd < 0 || again_fd < 0 ? -1 : 0;
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

static struct mmt *open_log(const char *path)
{
	struct errbuf err;
	struct mmt *log;

	if (mmt_open(&log, path, 0, &err))
		fail_msg("%s", err.text);
	return log;
}

static void repack(const char *from, int to)
{
	struct mmt_writer *w = writer_for(to);
	struct mmt *log = open_log(from);
	struct errbuf err = {0};
	int ret;

	mmt_writer_level(w, 1);
	ret = mmt_repack(log, w, NULL, &err);
	if (mmt_writer_finish(w, ret, &err))
		fail_msg("%s", err.text);
	mmt_close(log);
}

/* ----------------------------------------------------------- side by side */

static bool same_event(const struct mmt *log, const struct mmt_event *a,
		       const struct mmt_event *b)
{
	struct gen g = {.nr_types = 1};
	struct mmt_event x = *a, y = *b;

	/* gen_same() wants a table of types: one is enough */
	if (a->type != b->type)
		return false;
	g.schema[0] = *mmt_schema(log, a->type);
	x.type = 0;
	y.type = 0;
	return gen_same(&g, &x, &y);
}

static uint64_t same_events(struct mmt *a, struct mmt *b,
			    const struct mmt_select *select)
{
	const struct mmt_event *x, *y;
	struct mmt_stream *s, *t;
	struct errbuf err;
	uint64_t nr = 0;

	assert_int_equal(mmt_stream_open(&s, a, select, &err), 0);
	assert_int_equal(mmt_stream_open(&t, b, select, &err), 0);
	do {
		x = mmt_stream_next(s);
		y = mmt_stream_next(t);
		if (!x != !y || (x && !same_event(a, x, y)))
			fail_msg("event %ju differs", (uintmax_t)nr);
		nr += x != NULL;
	} while (x);
	assert_int_equal(mmt_stream_error(s, NULL), 0);
	assert_int_equal(mmt_stream_error(t, NULL), 0);
	assert_int_equal(mmt_stream_clock_back(s), mmt_stream_clock_back(t));
	mmt_stream_close(s);
	mmt_stream_close(t);
	return nr;
}

static void same_pairs(const struct mmt *a, const struct mmt *b)
{
	const char *k, *l, *v, *w;
	unsigned int i = 0, j = 0;

	while (mmt_meta_next(a, &i, &k, &v)) {
		assert_true(mmt_meta_next(b, &j, &l, &w));
		assert_string_equal(k, l);
		assert_string_equal(v, w);
	}
	assert_false(mmt_meta_next(b, &j, &l, &w));
}

static void same_texts(struct mmt *a, struct mmt *b)
{
	struct mmt_text x, y;
	unsigned int i = 0, j = 0;
	struct errbuf err;

	do {
		assert_int_equal(mmt_text_next(a, &i, &x, &err), 0);
		assert_int_equal(mmt_text_next(b, &j, &y, &err), 0);
		assert_int_equal(!x.name, !y.name);
		if (!x.name)
			break;
		assert_string_equal(x.name, y.name);
		assert_int_equal(x.time_ns, y.time_ns);
		assert_int_equal(x.len, y.len);
		assert_memory_equal(x.text, y.text, x.len);
	} while (x.name);
}

static void same_types(const struct mmt *a, const struct mmt *b)
{
	unsigned int i, nr = mmt_nr_types(a);

	assert_int_equal(nr, mmt_nr_types(b));
	assert_memory_equal(mmt_type_counts(a), mmt_type_counts(b),
			    nr * sizeof(uint64_t));
	for (i = 0; i < nr; i++)
		assert_memory_equal(mmt_schema(a, i), mmt_schema(b, i),
				    sizeof(struct mmt_schema));
}

static void same_counts(const struct mmt *a, const struct mmt *b)
{
	const struct mmt_counts *x = mmt_counts(a), *y = mmt_counts(b);

	assert_int_equal(x->nr_events, y->nr_events);
	assert_int_equal(x->nr_lost, y->nr_lost);
	assert_int_equal(x->nr_gaps_uncounted, y->nr_gaps_uncounted);
	assert_int_equal(x->nr_cpus, y->nr_cpus);
	assert_true(y->complete);
	assert_false(y->damaged);
}

/* Is all equal, and whatever part one asks for? */
static void same_logs(const char *from, const char *to)
{
	static const uint16_t cpus[] = {1, 300};
	struct mmt *a = open_log(from), *b = open_log(to);
	struct mmt_select select = {0};
	struct errbuf err;
	unsigned int kind;

	same_pairs(a, b);
	same_types(a, b);
	same_counts(a, b);
	same_texts(a, b);
	assert_int_equal(mmt_verify(b, &err), 0);
	same_events(a, b, NULL);
	for (kind = 0; kind < MMT_NR_KINDS; kind++) {
		select.kinds = MMT_KIND_BIT(kind);
		same_events(a, b, &select);
	}
	select.kinds = 0;
	select.cpus = cpus;
	select.nr_cpus = ARRAY_SIZE(cpus);
	same_events(a, b, &select);
	mmt_close(a);
	mmt_close(b);
}

/* ------------------------------------------------------------ random logs */

static void make_random(struct gen *g, unsigned int nr_types, unsigned int nr)
{
	static const unsigned int cpus[] = {0, 1, 17, 300, 1324};
	unsigned int i, round;

	gen_open(g, from_path, MMT_OVERWRITE, nr_types);
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

static void make_log(uint64_t seed, unsigned int nr_types, unsigned int nr)
{
	char name[] = "/tmp/mmcap-t-merge.XXXXXX", memory[64];
	struct gen g = {.seed = seed};

	memcpy(memory, from_path, sizeof(memory));
	close(mkstemp(name));
	strcpy(from_path, name);
	make_random(&g, nr_types, nr);
	gen_free(&g);
	memcpy(from_path, memory, sizeof(memory));
	to_memory(name, from_fd);
	unlink(name);
}

static void test_random(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 4; seed++) {
		make_log(seed, (unsigned int)(2 + seed * 9), 3000);
		repack(from_path, to_fd);
		same_logs(from_path, to_path);
	}
}

static void test_again(void **state)
{
	(void)state;
	make_log(5, 30, 2000);
	repack(from_path, to_fd);
	repack(to_path, again_fd);
	same_logs(from_path, again_path);
	same_logs(to_path, again_path);
}

static void test_empty(void **state)
{
	(void)state;
	make_log(6, 5, 0);
	repack(from_path, to_fd);
	same_logs(from_path, to_path);
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
	struct mmt_schema s = {.system = "t", .kind = (uint8_t)kind};
	const uint8_t *roles;
	unsigned int i;

	snprintf(s.name, sizeof(s.name), "%s", mmt_kind_name(kind));
	s.nr_fields = (uint8_t)mmt_kind_roles(kind, &roles);
	for (i = 0; i < s.nr_fields; i++) {
		s.field[i].role = roles[i];
		s.field[i].type = MMT_UNSIGNED;
		s.field[i].size = 8;
	}
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

static void make_cache(unsigned int nr_pages)
{
	struct cache *c = calloc(1, sizeof(*c));
	struct mmt_writer *w = writer_for(from_fd);
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

/* More than a block; a prediction that fails shows in the size. */
static void test_cache(void **state)
{
	const struct mmt_counts *counts;
	struct mmt *log;

	(void)state;
	make_cache(300000);
	repack(from_path, to_fd);
	same_logs(from_path, to_path);
	log = open_log(to_path);
	counts = mmt_counts(log);
	assert_true(counts->nr_events > MERGED_EVENTS);
	/* a step's noise is log2(50) bits, which kind comes next 1 or 2 */
	if (counts->nr_bytes * 10 > counts->nr_events * 14)
		fail_msg("%ju bytes", (uintmax_t)counts->nr_bytes);
	mmt_close(log);
}

/* A part by time: where the clock never steps back, it is the same part. */
static void test_time(void **state)
{
	struct mmt_select select = {0};
	struct mmt *a, *b;

	(void)state;
	make_cache(5000);
	repack(from_path, to_fd);
	a = open_log(from_path);
	b = open_log(to_path);
	select.from_ns = mmt_counts(a)->first_ns + 1000000;
	select.to_ns = mmt_counts(a)->first_ns + 2000000;
	assert_true(same_events(a, b, &select) > 1000);
	mmt_close(a);
	mmt_close(b);
}

/* ------------------------------------------------------------------ damage */

/* Reads all there is; the result does not matter, but that it comes. */
static int read_all(const char *path, unsigned int flags, uint64_t *nr)
{
	const struct mmt_event *ev;
	struct mmt_stream *s;
	struct errbuf err;
	struct mmt *log;
	int ret = mmt_open(&log, path, flags, &err);

	*nr = 0;
	if (ret)
		return ret;
	ret = mmt_stream_open(&s, log, NULL, &err);
	if (!ret) {
		while ((ev = mmt_stream_next(s)))
			*nr += ev->nr < 255;
		ret = mmt_stream_error(s, &err);
		mmt_stream_close(s);
	}
	if (!ret)
		ret = mmt_verify(log, &err);
	if (!ret && (mmt_counts(log)->damaged || !mmt_counts(log)->complete))
		ret = -EUCLEAN;
	mmt_close(log);
	return ret;
}

static uint8_t *read_file(int fd, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	uint8_t *bytes = malloc((size_t)size + 1);

	assert_non_null(bytes);
	assert_int_equal(pread(fd, bytes, (size_t)size, 0), size);
	*len = (size_t)size;
	return bytes;
}

static void set_file(int fd, const uint8_t *bytes, size_t len)
{
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, bytes, len, 0), (ssize_t)len);
}

/* Offset of the first merged block; 0 if there is none. */
static size_t find_merged(const uint8_t *bytes, struct block_header *h)
{
	size_t at = MMT_HEADER_LEN;

	while (!block_header_get(h, bytes + at)) {
		if (h->kind == BLOCK_MERGED)
			return at;
		at += BLOCK_HEADER_LEN + h->len;
	}
	return 0;
}

static void test_prefixes(void **state)
{
	uint64_t nr, before = 0;
	uint8_t *bytes;
	size_t len, i;

	(void)state;
	make_log(7, 12, 20);
	repack(from_path, to_fd);
	bytes = read_file(to_fd, &len);
	for (i = 0; i < len; i++) {
		set_file(again_fd, bytes, i);
		assert_int_not_equal(read_all(again_path, 0, &nr), 0);
		read_all(again_path, MMT_SALVAGE, &nr);
		assert_true(nr >= before);
		before = nr;
	}
	assert_true(before > 0);
	free(bytes);
}

static void test_flips(void **state)
{
	struct gen random = {.seed = 3};
	uint8_t *bytes, bit;
	unsigned int i;
	uint64_t nr;
	size_t len, at;

	(void)state;
	make_log(7, 12, 20);
	repack(from_path, to_fd);
	bytes = read_file(to_fd, &len);
	for (i = 0; i < NR_FLIPS; i++) {
		at = gen_random(&random) % len;
		bit = (uint8_t)(1U << gen_random(&random) % 8);
		bytes[at] ^= bit;
		set_file(again_fd, bytes, len);
		/* six bytes of the header mean nothing */
		if (!read_all(again_path, 0, &nr) && (at < 10 || at >= 16))
			fail_msg("flip at %zu was not noticed", at);
		read_all(again_path, MMT_SALVAGE, &nr);
		bytes[at] ^= bit;
	}
	free(bytes);
}

/* Behind a right checksum: the decoder itself has to notice, or to stand it. */
static void spoil(uint8_t *bytes, size_t at, struct block_header *h,
		  struct gen *random)
{
	uint8_t *payload = bytes + at + BLOCK_HEADER_LEN;
	unsigned int nr = 1 + (unsigned int)(gen_random(random) % 4);

	while (nr--)
		payload[gen_random(random) % h->len] =
			(uint8_t)(gen_random(random) % 4
					  ? gen_random(random)
					  : 255 * (gen_random(random) % 2));
	block_header_put(bytes + at, h, payload);
}

static void test_spoiled(void **state)
{
	struct gen random = {.seed = 4};
	unsigned int i, nr_bad = 0;
	struct block_header h;
	uint8_t *bytes = NULL, *copy;
	size_t len = 0, at = 0;
	uint64_t nr;

	(void)state;
	for (i = 0; i < NR_FLIPS; i++) {
		if (i % (NR_FLIPS / 2) == 0) {
			/* first raw columns of many kinds, then of pages */
			if (i)
				make_cache(300);
			else
				make_log(8, 12, 20);
			repack(from_path, to_fd);
			free(bytes);
			bytes = read_file(to_fd, &len);
			at = find_merged(bytes, &h);
			assert_true(at > 0);
		}
		copy = malloc(len);
		assert_non_null(copy);
		memcpy(copy, bytes, len);
		spoil(copy, at, &h, &random);
		set_file(again_fd, copy, len);
		nr_bad +=
			read_all(again_path, i % 2 ? MMT_SALVAGE : 0, &nr) != 0;
		free(copy);
	}
	assert_true(nr_bad > NR_FLIPS / 4);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random), cmocka_unit_test(test_again),
		cmocka_unit_test(test_empty),  cmocka_unit_test(test_cache),
		cmocka_unit_test(test_time),   cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_flips),  cmocka_unit_test(test_spoiled),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
