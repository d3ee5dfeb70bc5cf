/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-flips-log.c - logs of every length, and with 10,000 kinds of damage */

/*
 * Both kinds of blocks, cut at every length and spoiled at random places.  A
 * checksum finds nearly all of that, so half of the time the sums are put
 * right: then the decoders meet numbers that no coder wrote.  At last come
 * logs that are made to take memory.
 */

#include "config.h"

#include <unistd.h>

#include "formats/column.h"
#include "formats/mmt-index.h"
#include "formats/repack.h"
#include "tests/flips.h"
#include "tests/log-gen.h"

static struct gen small; /* what the logs below have */
static struct flips by_cpu, merged, hostile;

static uint64_t nr_written(void)
{
	return (uint64_t)small.track[0].nr + small.track[1].nr;
}

static void write_log(const char *path)
{
	small.seed = 33;
	gen_small(&small, path, 7, 12, 6);
}

static void repack(const char *from, const char *to)
{
	struct errbuf err = {0};
	struct mmt_writer *w;
	struct mmt *log;
	int ret;

	assert_int_equal(mmt_open(&log, from, 0, &err), 0);
	assert_int_equal(mmt_writer_create(&w, to, MMT_OVERWRITE, &err), 0);
	ret = mmt_repack(log, w, NULL, &err);
	assert_int_equal(mmt_writer_finish(w, ret, &err), 0);
	mmt_close(log);
}

static int setup(void **state)
{
	char a[] = "/tmp/mmcap-t-flips.XXXXXX",
	     b[] = "/tmp/mmcap-t-flips.XXXXXX";
	uint8_t *p;
	size_t len;

	(void)state;
	close(mkstemp(a));
	close(mkstemp(b));
	write_log(a);
	repack(a, b);
	p = flips_load(a, &len);
	flips_new(&by_cpu, p, len);
	p = flips_load(b, &len);
	flips_new(&merged, p, len);
	flips_new(&hostile, calloc(1, 1), 1);
	unlink(a);
	unlink(b);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	flips_free(&by_cpu);
	flips_free(&merged);
	flips_free(&hostile);
	gen_free(&small);
	return 0;
}

/* ---------------------------------------------------------------- reading */

/* Every event must be one that was written, behind the one before it. */
static void see_written(void *arg, const struct mmt_event *ev)
{
	unsigned int *next = arg;
	const struct gen_track *t;

	assert_true(ev->cpu < 2);
	t = &small.track[ev->cpu];
	while (next[ev->cpu] < t->nr &&
	       !gen_same(&small, &t->ev[next[ev->cpu]], ev))
		next[ev->cpu]++;
	if (next[ev->cpu]++ >= t->nr)
		fail_msg("an event that was never written");
}

/* The log in the reader's file; with written, only such events may come. */
static void read_log(struct flips *f, unsigned int flags, bool written,
		     struct flips_result *r)
{
	unsigned int next[2] = {0, 0};
	struct mmt *log;

	memset(r, 0, sizeof(*r));
	flips_begin();
	r->ret = mmt_open(&log, f->path, flags, &r->err);
	if (!r->ret) {
		flips_read_log(log, r, written ? see_written : NULL, next);
		mmt_close(log);
	}
	if (r->ret)
		assert_true(*r->err.text);
	/* one that is no log, or of no version that we read, is not damaged */
	if (r->ret && r->ret != -EINVAL && r->ret != -EPROTO)
		flips_says_where(r->err.text);
	flips_end(f);
}

static void read_prefixes(struct flips *f)
{
	uint64_t before = 0;
	struct flips_result r;
	size_t len;

	for (len = 0; len < f->len; len++) {
		flips_put(f, f->bytes, len);
		read_log(f, 0, true, &r);
		assert_true(r.ret || !r.complete);
		/* a third is enough here: t-log-damage.c has them all */
		if (len % 3 && len != f->len - 1)
			continue;
		read_log(f, MMT_SALVAGE, true, &r);
		assert_true(r.ret || !r.complete);
		assert_true(r.nr_events >= before);
		before = r.nr_events;
	}
	assert_int_equal(before, nr_written());
	flips_put(f, f->bytes, f->len);
	read_log(f, 0, true, &r);
	assert_int_equal(r.ret, 0);
	assert_true(r.complete);
	assert_int_equal(r.nr_events, nr_written());
	assert_int_equal(r.nr_texts, GEN_SMALL_TEXTS);
}

/*
 * Sums the blocks anew, as far as their lengths lead.  Returns the most events
 * that there can be: theirs, and those of blocks that the index leads to.
 */
static uint64_t mend_sums(struct flips *f)
{
	uint8_t head[BLOCK_HEADER_LEN];
	size_t at = MMT_HEADER_LEN;
	struct block_header h;
	uint64_t nr = nr_written();

	while (f->len - at >= sizeof(head)) {
		if (block_header_get(&h, f->copy + at) ||
		    h.len > f->len - at - sizeof(head))
			break;
		block_header_put(head, &h, f->copy + at + sizeof(head));
		memcpy(f->copy + at, head, sizeof(head));
		at += sizeof(head) + h.len;
		nr += block_has_events(h.kind) ? h.nr_events : 0;
	}
	return nr;
}

/* Half of the time in what is not a text or a fact: the blocks of events. */
static void spoil_block(struct flips *f)
{
	size_t from[16], to[16], at = MMT_HEADER_LEN;
	struct block_header h;
	unsigned int nr = 0, i;

	while (nr < ARRAY_SIZE(from) && f->len - at >= BLOCK_HEADER_LEN &&
	       !block_header_get(&h, f->bytes + at)) {
		from[nr] = at;
		at += BLOCK_HEADER_LEN + h.len;
		to[nr] = at;
		nr += block_has_events(h.kind);
	}
	i = (unsigned int)(flips_random() % (2 * nr));
	if (i < nr)
		flips_spoil(f, from[i], to[i]);
	else
		flips_spoil(f, MMT_HEADER_LEN, f->len);
}

/* The checksums tell: all that is given out is what was written. */
static void read_spoiled(struct flips *f)
{
	struct flips_result r;

	flips_spoil(f, 0, f->len);
	flips_put(f, f->copy, f->len);
	read_log(f, 0, true, &r);
	if (!r.ret) {
		assert_int_equal(r.nr_events, nr_written());
		assert_int_equal(r.nr_texts, GEN_SMALL_TEXTS);
	}
	/* six bytes of the header mean nothing, all others do */
	if (!r.ret && r.complete) {
		assert_memory_equal(f->copy, f->bytes, 10);
		assert_memory_equal(f->copy + MMT_HEADER_LEN,
				    f->bytes + MMT_HEADER_LEN,
				    f->len - MMT_HEADER_LEN);
	}
	read_log(f, MMT_SALVAGE, true, &r);
	if (!r.ret && r.nr_events < nr_written())
		assert_true(r.damaged);
}

/* The decoders themselves have to notice, or to stand it. */
static bool read_mended(struct flips *f)
{
	struct flips_result r;
	uint64_t nr;

	spoil_block(f);
	nr = mend_sums(f);
	flips_put(f, f->copy, f->len);
	read_log(f, 0, false, &r);
	assert_true(r.nr_events <= nr);
	if (!r.ret)
		return true;
	read_log(f, MMT_SALVAGE, false, &r);
	assert_true(r.nr_events <= nr);
	return false;
}

static void read_flips(struct flips *f)
{
	unsigned int i, nr_unnoticed = 0;

	for (i = 0; i < NR_FLIPS / 2; i++) {
		read_spoiled(f);
		nr_unnoticed += read_mended(f);
	}
	/* some are values like any other, most are not */
	assert_true(nr_unnoticed > 0);
	assert_true(nr_unnoticed < NR_FLIPS / 2 * 3 / 4);
}

static void test_prefixes(void **state)
{
	(void)state;
	flips_seed("log, cut");
	read_prefixes(&by_cpu);
	flips_done();
}

static void test_prefixes_merged(void **state)
{
	(void)state;
	flips_seed("repacked log, cut");
	read_prefixes(&merged);
	flips_done();
}

static void test_flips(void **state)
{
	(void)state;
	flips_seed("log, spoiled");
	read_flips(&by_cpu);
	flips_done();
}

static void test_flips_merged(void **state)
{
	(void)state;
	flips_seed("repacked log, spoiled");
	read_flips(&merged);
	flips_done();
}

/* --------------------------------------------------- made to take memory */

static void append(struct buf *b, const void *p, size_t len)
{
	assert_int_equal(buf_append(b, p, len), 0);
}

static void append_numbers(struct buf *b, const uint64_t *v, unsigned int nr)
{
	uint8_t bytes[VARINT_MAX];

	for (; nr; nr--, v++)
		append(b, bytes, (size_t)(varint_put(bytes, *v) - bytes));
}

static void append_block(struct buf *b, unsigned int kind, uint32_t nr_events,
			 const struct buf *payload)
{
	struct block_header h = {.kind = (uint16_t)kind,
				 .len = (uint32_t)payload->len,
				 .nr_events = nr_events};
	uint8_t head[BLOCK_HEADER_LEN];

	block_header_put(head, &h, payload->p);
	append(b, head, sizeof(head));
	append(b, payload->p, payload->len);
}

static void append_packed(struct buf *b, unsigned int kind, const void *p,
			  size_t len)
{
	struct buf payload = {0};
	struct packer *packer;

	assert_int_equal(packer_new(&packer, 1), 0);
	assert_int_equal(mmt_pack_bytes(packer, &payload, p, len), 0);
	append_block(b, kind, 0, &payload);
	buf_free(&payload);
	packer_free(packer);
}

/* A log's begin: its header, loss, and so many types that have files. */
static void append_start(struct buf *b, unsigned int nr_types)
{
	uint8_t head[MMT_HEADER_LEN] = MMT_MAGIC;
	struct mmt_schema schema = {
		.system = "a",
		.name = "b",
		.nr_fields = 3,
		.field = {{"dev", MMT_UNSIGNED, MMT_DEV, 8},
			  {"ino", MMT_UNSIGNED, MMT_INO, 8},
			  {"index", MMT_UNSIGNED, MMT_INDEX, 8}},
	};
	struct buf raw = {0};
	unsigned int i;

	put_le16(head + 8, MMT_VERSION);
	append(b, head, sizeof(head));
	assert_int_equal(mmt_schema_put(&raw, &mmt_loss_schema), 0);
	for (i = 0; i < nr_types; i++)
		assert_int_equal(mmt_schema_put(&raw, &schema), 0);
	append_packed(b, BLOCK_SCHEMA, raw.p, raw.len);
	buf_free(&raw);
}

static void read_hostile(struct buf *b, struct flips_result *r)
{
	hostile.len = b->len;
	flips_put(&hostile, b->p, b->len);
	read_log(&hostile, 0, false, r);
	buf_free(b);
}

/* A hundred bytes that unpack to 16 MiB of facts, again and again. */
static void test_much_meta(void **state)
{
	size_t len = 16 << 20;
	uint8_t *zeros = calloc(1, len);
	struct flips_result r;
	struct buf b = {0};
	unsigned int i;

	(void)state;
	assert_non_null(zeros);
	flips_seed("log of facts");
	append_start(&b, 1);
	for (i = 0; i < 64; i++)
		append_packed(&b, BLOCK_META, zeros, len);
	free(zeros);
	read_hostile(&b, &r);
	assert_int_equal(r.ret, -EBADMSG);
	flips_done();
}

/* An index of more blocks than the file has room for: it is made anew. */
static void test_long_index(void **state)
{
	const uint64_t nr = 4 << 20;
	size_t len = nr * 8 + 16;
	uint8_t *raw = calloc(1, len), tail[MMT_TAIL_LEN];
	struct flips_result r;
	struct buf b = {0};

	(void)state;
	assert_non_null(raw);
	flips_seed("log of blocks");
	varint_put(raw, nr);
	append_start(&b, 1);
	put_le64(tail, b.len);
	memcpy(tail + 8, MMT_TAIL_MAGIC, 8);
	append_packed(&b, BLOCK_INDEX, raw, len);
	append(&b, tail, sizeof(tail));
	free(raw);
	read_hostile(&b, &r);
	assert_int_equal(r.ret, -EBADMSG);
	assert_non_null(strstr(r.err.text, "index"));
	flips_done();
}

/* Many types with files, and more files than events, in a few bytes. */
static void test_many_files(void **state)
{
	const uint64_t nr_files = (uint64_t)BLOCK_EVENTS * VARINT_MAX;
	const uint64_t fill[][4] = {
		{COLUMN_FILE_DEV, PACK_FILL, nr_files, 1},
		{COLUMN_FILE_INO, PACK_FILL, nr_files, 1},
	};
	struct buf b = {0}, payload = {0};
	struct flips_result r;
	uint64_t i, nr = 250;

	(void)state;
	flips_seed("log of files");
	append_start(&b, (unsigned int)nr);
	append_numbers(&payload, &nr, 1);
	for (i = 1; i <= nr; i++) {
		uint64_t v[] = {i, i == 1 ? BLOCK_EVENTS : 0};

		append_numbers(&payload, v, 2);
	}
	nr = BLOCK_EVENTS / RUN_EVENTS;
	append_numbers(&payload, &nr, 1);
	for (i = 0, nr = RUN_EVENTS; i < BLOCK_EVENTS / RUN_EVENTS; i++)
		append_numbers(&payload, &nr, 1);
	nr = ARRAY_SIZE(fill);
	append_numbers(&payload, &nr, 1);
	append_numbers(&payload, fill[0], 8);
	append(&payload, "\0\0", 2);
	append_block(&b, BLOCK_EVENTS_OF_CPU, BLOCK_EVENTS, &payload);
	buf_free(&payload);
	read_hostile(&b, &r);
	assert_int_equal(r.ret, -EBADMSG);
	flips_done();
}

/* What a head says of types and runs; one type that has files. */
static int read_head(const uint64_t *v, unsigned int nr, uint32_t nr_events)
{
	struct buf b = {0}, payload = {0};
	struct flips_result r;

	append_start(&b, 1);
	append_numbers(&payload, v, nr);
	append_block(&b, BLOCK_EVENTS_OF_CPU, nr_events, &payload);
	buf_free(&payload);
	read_hostile(&b, &r);
	assert_int_equal(r.nr_events, 0);
	return r.ret;
}

static void test_heads(void **state)
{
	/* types, runs, columns */
	const uint64_t empty_run[] = {0, 1, 0, 0};
	const uint64_t no_columns[] = {1, 1, 2, 1, 2, 0};
	const uint64_t listed_twice[] = {2, 1, 1, 1, 1, 1, 2, 0};
	const uint64_t unknown_type[] = {1, 2, 1, 1, 1, 0};
	const uint64_t other_sum[] = {1, 1, 2, 1, 1, 0};

	(void)state;
	flips_seed("heads of blocks");
	assert_int_equal(read_head(empty_run, ARRAY_SIZE(empty_run), 0), 0);
	assert_int_equal(read_head(no_columns, ARRAY_SIZE(no_columns), 2),
			 -EBADMSG);
	assert_int_equal(read_head(listed_twice, ARRAY_SIZE(listed_twice), 2),
			 -EBADMSG);
	assert_int_equal(read_head(unknown_type, ARRAY_SIZE(unknown_type), 1),
			 -EBADMSG);
	assert_int_equal(read_head(other_sum, ARRAY_SIZE(other_sum), 2),
			 -EBADMSG);
	flips_done();
}

#define TEST(test) cmocka_unit_test_teardown(test, flips_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_prefixes),   TEST(test_prefixes_merged),
		TEST(test_flips),      TEST(test_flips_merged),
		TEST(test_much_meta),  TEST(test_long_index),
		TEST(test_many_files), TEST(test_heads),
	};

	return cmocka_run_group_tests_name("spoiled logs", tests, setup,
					   teardown);
}
