/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-log-damage.c - logs that are cut, damaged, foreign or made to harm */

/*
 * A damaged log is refused with a word on where, or, with salvage, read as far
 * as it is whole: every event that is then given out is one that was written,
 * in its CPU's order.  A file in memory takes the damage.  Random damage is in
 * t-flips-log.c.
 */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/mmt-index.h"
#include "tests/log-gen.h"

static struct gen small; /* what the log below has */
static uint8_t *bytes;
static size_t nr_bytes;
static char mem_path[64]; /* a file in memory, to be filled */
static int mem_fd;

static void set_file(const void *p, size_t len)
{
	assert_int_equal(ftruncate(mem_fd, 0), 0);
	assert_int_equal(pwrite(mem_fd, p, len, 0), (ssize_t)len);
}

static void read_file(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	nr_bytes = (size_t)st.st_size;
	bytes = malloc(nr_bytes);
	assert_non_null(bytes);
	assert_int_equal(read(fd, bytes, nr_bytes), st.st_size);
	close(fd);
}

static int setup(void **state)
{
	char path[] = "/tmp/mmcap-t-damage.XXXXXX";

	(void)state;
	close(mkstemp(path));
	small.seed = 21;
	gen_small(&small, path, 12, 16, 10);
	read_file(path);
	unlink(path);
	mem_fd = memfd_create("log", MFD_CLOEXEC);
	if (mem_fd < 0)
		return -1;
	snprintf(mem_path, sizeof(mem_path), "/proc/self/fd/%d", mem_fd);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(bytes);
	gen_free(&small);
	return close(mem_fd);
}

/* ---------------------------------------------------------- reading it all */

struct outcome {
	int ret; /* of opening, or of the first thing that failed */
	struct errbuf err;
	uint64_t nr_events;
	unsigned int nr_texts;
	bool complete, damaged;
};

/* Every event must be one that was written, behind the one before it. */
static void check_event(const struct mmt_event *ev, unsigned int next[2])
{
	const struct gen_track *t;

	assert_true(ev->cpu < 2);
	t = &small.track[ev->cpu];
	while (next[ev->cpu] < t->nr &&
	       !gen_same(&small, &t->ev[next[ev->cpu]], ev))
		next[ev->cpu]++;
	if (next[ev->cpu]++ >= t->nr)
		fail_msg("an event that was never written");
}

static void read_events(struct mmt *log, struct outcome *o)
{
	unsigned int next[2] = {0, 0};
	const struct mmt_event *ev;
	struct mmt_stream *s;

	o->ret = mmt_stream_open(&s, log, NULL, &o->err);
	if (o->ret)
		return;
	while ((ev = mmt_stream_next(s))) {
		check_event(ev, next);
		o->nr_events++;
	}
	o->ret = mmt_stream_error(s, &o->err);
	mmt_stream_close(s);
}

static void read_texts(struct mmt *log, struct outcome *o)
{
	struct mmt_text text;
	unsigned int pos = 0;

	while (!o->ret) {
		o->ret = mmt_text_next(log, &pos, &text, &o->err);
		if (o->ret || !text.name)
			break;
		assert_string_equal(text.name, "vmstat");
		assert_string_equal(text.text, "a 1\n");
		o->nr_texts++;
	}
}

static void read_all(struct outcome *o, unsigned int flags)
{
	struct mmt *log;

	memset(o, 0, sizeof(*o));
	o->ret = mmt_open(&log, mem_path, flags, &o->err);
	if (o->ret)
		return;
	read_events(log, o);
	if (!o->ret)
		read_texts(log, o);
	if (!o->ret)
		o->ret = mmt_verify(log, &o->err);
	o->complete = mmt_counts(log)->complete;
	o->damaged = mmt_counts(log)->damaged;
	mmt_close(log);
}

static uint64_t nr_written(void)
{
	return (uint64_t)small.track[0].nr + small.track[1].nr;
}

static void test_sound(void **state)
{
	struct outcome o;

	(void)state;
	set_file(bytes, nr_bytes);
	read_all(&o, 0);
	assert_int_equal(o.ret, 0);
	assert_int_equal(o.nr_events, nr_written());
	assert_int_equal(o.nr_texts, 3);
	assert_true(o.complete);
}

/* --------------------------------------------------------------------- cuts */

/* Is a log of this length one that a killed writer leaves? */
static bool at_block_end(size_t len)
{
	struct block_header h;
	size_t at = MMT_HEADER_LEN;
	unsigned int nr = 0;

	while (at < len && !block_header_get(&h, bytes + at)) {
		at += BLOCK_HEADER_LEN + h.len;
		nr++;
	}
	/* facts and types are what makes it a log */
	return at == len && nr >= 2;
}

static void test_prefixes(void **state)
{
	struct outcome o;
	size_t len;

	(void)state;
	for (len = 0; len < nr_bytes; len++) {
		set_file(bytes, len);
		read_all(&o, 0);
		if (at_block_end(len)) {
			assert_int_equal(o.ret, 0);
			assert_false(o.complete);
			assert_false(o.damaged);
		} else {
			assert_true(o.ret < 0);
			assert_non_null(strstr(o.err.text, mem_path));
			if (len && !strstr(o.err.text, "offset"))
				fail_msg("%zu: %s", len, o.err.text);
		}
		read_all(&o, MMT_SALVAGE);
		assert_true(o.ret || !o.complete);
		assert_int_equal(o.ret || o.damaged || at_block_end(len), 1);
	}
}

/* What salvage gives grows with the file, to all that was written. */
static void test_salvage_grows(void **state)
{
	uint64_t before = 0;
	struct outcome o;
	size_t len;

	(void)state;
	for (len = 0; len < nr_bytes; len++) {
		set_file(bytes, len);
		read_all(&o, MMT_SALVAGE);
		assert_true(o.nr_events >= before);
		before = o.nr_events;
	}
	assert_int_equal(before, nr_written());
}

static void test_zeros_behind(void **state)
{
	uint8_t *longer = calloc(1, nr_bytes + 8192);
	struct block_header h;
	size_t at = MMT_HEADER_LEN;
	struct outcome o;

	(void)state;
	assert_non_null(longer);
	/* the blocks of a recorder that died before its index */
	while (!block_header_get(&h, bytes + at) && h.kind != BLOCK_INDEX)
		at += BLOCK_HEADER_LEN + h.len;
	memcpy(longer, bytes, at);
	set_file(longer, at + 4000);
	read_all(&o, 0);
	assert_int_equal(o.ret, 0);
	assert_false(o.complete);
	assert_int_equal(o.nr_events, nr_written());
	/* more than padding can be is not from us */
	set_file(longer, at + 5000);
	read_all(&o, 0);
	assert_int_equal(o.ret, -EBADMSG);
	longer[at + 100] = 1;
	set_file(longer, at + 4000);
	read_all(&o, 0);
	assert_int_equal(o.ret, -EBADMSG);
	free(longer);
}

/* ---------------------------------------------------------------- one place */

/* One block is hit: all others are salvaged, and the list names it. */
static void test_one_block(void **state)
{
	uint8_t *copy = malloc(nr_bytes);
	struct errbuf err = {0};
	struct outcome o;
	struct mmt *log;
	size_t at = MMT_HEADER_LEN, pos = 0;
	struct block_header h;
	const char *text;
	char offset[32];

	(void)state;
	assert_non_null(copy);
	memcpy(copy, bytes, nr_bytes);
	while (!block_header_get(&h, bytes + at) &&
	       h.kind != BLOCK_EVENTS_OF_CPU)
		at += BLOCK_HEADER_LEN + h.len;
	copy[at + BLOCK_HEADER_LEN + h.len / 2] ^= 1;
	set_file(copy, nr_bytes);
	read_all(&o, MMT_SALVAGE);
	assert_int_equal(o.ret, 0);
	assert_true(o.damaged);
	assert_int_equal(o.nr_events, nr_written() - h.nr_events);
	assert_int_equal(mmt_open(&log, mem_path, MMT_SALVAGE, &err), 0);
	assert_int_equal(mmt_verify(log, &err), 0);
	text = mmt_damage_next(log, &pos);
	assert_non_null(text);
	snprintf(offset, sizeof(offset), "offset %zu", at);
	assert_non_null(strstr(text, offset));
	assert_null(mmt_damage_next(log, &pos));
	mmt_close(log);
	free(copy);
}

/* A piece of something else between two blocks, and the index behind it. */
static void test_garbage_between(void **state)
{
	uint8_t *copy = malloc(nr_bytes + 3000);
	struct block_header h;
	size_t at = MMT_HEADER_LEN, i;
	struct outcome o;

	(void)state;
	assert_non_null(copy);
	while (!block_header_get(&h, bytes + at) &&
	       h.kind != BLOCK_EVENTS_OF_CPU)
		at += BLOCK_HEADER_LEN + h.len;
	memcpy(copy, bytes, at);
	for (i = 0; i < 3000; i++)
		copy[at + i] = (uint8_t)gen_random(&small);
	/* what looks like a block on the way is no end of the search */
	memcpy(copy + at + 1000, bytes + at, BLOCK_HEADER_LEN);
	memcpy(copy + at + 3000, bytes + at, nr_bytes - at);
	set_file(copy, nr_bytes + 3000);
	read_all(&o, 0);
	assert_int_equal(o.ret, -EBADMSG);
	read_all(&o, MMT_SALVAGE);
	assert_int_equal(o.ret, 0);
	assert_true(o.damaged);
	assert_int_equal(o.nr_events, nr_written());
	free(copy);
}

/* ------------------------------------------------------------------ foreign */

static int open_bytes(const void *p, size_t len, struct errbuf *err)
{
	struct mmt *log;
	int ret;

	memset(err, 0, sizeof(*err));
	set_file(p, len);
	ret = mmt_open(&log, mem_path, MMT_SALVAGE, err);
	if (!ret)
		mmt_close(log);
	return ret;
}

static void test_foreign(void **state)
{
	static const char trace_dat[] =
		"\x17\x08\x44tracing7\0and so on and on";
	struct errbuf err;
	struct mmt *log;
	uint8_t head[16];

	(void)state;
	assert_int_equal(open_bytes("", 0, &err), -EINVAL);
	assert_non_null(strstr(err.text, "empty"));
	assert_int_equal(open_bytes("hello, world\n", 13, &err), -EINVAL);
	assert_int_equal(open_bytes(trace_dat, sizeof(trace_dat), &err),
			 -EINVAL);
	assert_non_null(strstr(err.hint, "trace.dat"));
	memcpy(head, bytes, 16);
	head[8] = MMT_VERSION_MERGED + 1;
	assert_int_equal(open_bytes(head, 16, &err), -EPROTO);
	assert_non_null(strstr(err.hint, "newer"));
	/* what a transfer as text does to it */
	memcpy(head, bytes, 16);
	head[4] = '\n';
	assert_int_equal(open_bytes(head, 16, &err), -EINVAL);
	assert_int_equal(mmt_open(&log, "/tmp", 0, &err), -EISDIR);
	assert_int_equal(mmt_open(&log, "/nonexistent", 0, &err), -ENOENT);
	assert_int_equal(mmt_open(&log, "/dev/zero", 0, &err), -EINVAL);
}

/* Standard input that is a pipe; a child writes into it. */
static void test_pipe(void **state)
{
	int fds[2], saved = dup(STDIN_FILENO), status;
	struct errbuf err = {0};
	struct mmt *log;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(write(fds[1], bytes, nr_bytes) != (ssize_t)nr_bytes);
	close(fds[1]);
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	assert_int_equal(mmt_open(&log, "-", 0, &err), 0);
	dup2(saved, STDIN_FILENO);
	close(saved);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(mmt_counts(log)->nr_events, small.nr_events);
	assert_true(mmt_counts(log)->complete);
	assert_string_equal(mmt_path(log), "standard input");
	mmt_close(log);
}

/* ------------------------------------------------------------- made to harm */

/* Headers upon headers, each of which claims the rest of the file. */
static void test_false_headers(void **state)
{
	size_t len = 4 << 20, at;
	uint8_t *p = malloc(len);
	struct block_header h = {.kind = BLOCK_EVENTS_OF_CPU};
	struct errbuf err;

	(void)state;
	assert_non_null(p);
	memcpy(p, bytes, MMT_HEADER_LEN);
	for (at = MMT_HEADER_LEN; at + BLOCK_HEADER_LEN <= len;
	     at += BLOCK_HEADER_LEN) {
		/* the checksum of nothing: wrong, and cheap to make */
		block_header_put(p + at, &h, p);
		put_le32(p + at + 8, (uint32_t)(len - at - BLOCK_HEADER_LEN));
	}
	alarm(20);
	assert_true(open_bytes(p, len, &err) < 0);
	alarm(0);
	free(p);
}

/* A number in the place of a string would be read as an address. */
static void test_string_with_role(void **state)
{
	static const uint8_t roles[] = {MMT_DEV, MMT_INO, MMT_INDEX};
	char path[] = "/tmp/mmcap-t-damage.XXXXXX";
	struct mmt_schema s = {.system = "a", .name = "b", .nr_fields = 3};
	struct errbuf err = {0};
	struct mmt_writer *w;
	struct mmt *log;
	unsigned int i;

	(void)state;
	close(mkstemp(path));
	for (i = 0; i < 3; i++) {
		s.field[i].role = roles[i];
		s.field[i].type = i ? MMT_UNSIGNED : MMT_STRING;
	}
	assert_int_equal(mmt_writer_create(&w, path, MMT_OVERWRITE, &err), 0);
	assert_int_equal(mmt_writer_schema(w, &s), 1);
	assert_int_equal(mmt_writer_start(w), 0);
	assert_int_equal(mmt_writer_finish(w, 0, &err), 0);
	assert_int_equal(mmt_open(&log, path, 0, &err), -EBADMSG);
	unlink(path);
}

/* Kinds and roles of a later version are data, not damage. */
static void test_later_kinds(void **state)
{
	char path[] = "/tmp/mmcap-t-damage.XXXXXX";
	struct mmt_schema s = {.system = "a", .name = "b", .nr_fields = 1};
	struct errbuf err = {0};
	struct mmt_writer *w;
	struct mmt *log;

	(void)state;
	close(mkstemp(path));
	s.kind = MMT_NR_KINDS + 3;
	s.field[0].role = MMT_NR_ROLES + 3;
	s.field[0].type = MMT_UNSIGNED;
	assert_int_equal(mmt_writer_create(&w, path, MMT_OVERWRITE, &err), 0);
	assert_int_equal(mmt_writer_schema(w, &s), 1);
	assert_int_equal(mmt_writer_start(w), 0);
	assert_int_equal(mmt_writer_finish(w, 0, &err), 0);
	assert_int_equal(mmt_open(&log, path, 0, &err), 0);
	assert_int_equal(mmt_schema(log, 1)->kind, MMT_OTHER);
	assert_int_equal(mmt_schema(log, 1)->field[0].role, MMT_NO_ROLES);
	mmt_close(log);
	unlink(path);
}

/* Blocks of a kind nobody knows, with a right checksum, are passed over. */
static void test_unknown_block(void **state)
{
	struct block_header h = {.kind = 77, .len = 5};
	size_t extra = BLOCK_HEADER_LEN + 5, at = MMT_HEADER_LEN;
	uint8_t *copy = malloc(nr_bytes + extra);
	struct block_header first;
	struct outcome o;

	(void)state;
	assert_non_null(copy);
	assert_int_equal(block_header_get(&first, bytes + at), 0);
	at += BLOCK_HEADER_LEN + first.len;
	memcpy(copy, bytes, at);
	block_header_put(copy + at, &h, "hello");
	memcpy(copy + at + BLOCK_HEADER_LEN, "hello", 5);
	memcpy(copy + at + extra, bytes + at, nr_bytes - at);
	/* without the index, which has other offsets, and the tail */
	set_file(copy, nr_bytes + extra);
	read_all(&o, MMT_SALVAGE);
	assert_int_equal(o.ret, 0);
	assert_int_equal(o.nr_events, nr_written());
	assert_int_equal(o.nr_texts, 3);
	free(copy);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_salvage_grows),
		cmocka_unit_test(test_zeros_behind),
		cmocka_unit_test(test_one_block),
		cmocka_unit_test(test_garbage_between),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_false_headers),
		cmocka_unit_test(test_string_with_role),
		cmocka_unit_test(test_later_kinds),
		cmocka_unit_test(test_unknown_block),
	};

	return cmocka_run_group_tests_name("log damage", tests, setup,
					   teardown);
}
