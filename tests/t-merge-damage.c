/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-merge-damage.c - repacked logs that are cut, flipped or made to harm */

/*
 * No prefix and no flipped bit passes for a whole log, and salvage gives the
 * more the longer a prefix is.  Then payloads are spoiled behind a right
 * checksum, so that the decoder meets numbers that no coder wrote.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/mmt-index.h"
#include "tests/merge-gen.h"

#define NR_FLIPS 3000

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
	merge_make_random(7, 12, 20);
	merge_repack(merge_from.path, merge_to.fd);
	bytes = read_file(merge_to.fd, &len);
	for (i = 0; i < len; i++) {
		set_file(merge_again.fd, bytes, i);
		assert_int_not_equal(read_all(merge_again.path, 0, &nr), 0);
		read_all(merge_again.path, MMT_SALVAGE, &nr);
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
	merge_make_random(7, 12, 20);
	merge_repack(merge_from.path, merge_to.fd);
	bytes = read_file(merge_to.fd, &len);
	for (i = 0; i < NR_FLIPS; i++) {
		at = gen_random(&random) % len;
		bit = (uint8_t)(1U << gen_random(&random) % 8);
		bytes[at] ^= bit;
		set_file(merge_again.fd, bytes, len);
		/* six bytes of the header mean nothing */
		if (!read_all(merge_again.path, 0, &nr) &&
		    (at < 10 || at >= 16))
			fail_msg("flip at %zu was not noticed", at);
		read_all(merge_again.path, MMT_SALVAGE, &nr);
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
				merge_make_cache(300);
			else
				merge_make_random(8, 12, 20);
			merge_repack(merge_from.path, merge_to.fd);
			free(bytes);
			bytes = read_file(merge_to.fd, &len);
			at = find_merged(bytes, &h);
			assert_true(at > 0);
		}
		copy = malloc(len);
		assert_non_null(copy);
		memcpy(copy, bytes, len);
		spoil(copy, at, &h, &random);
		set_file(merge_again.fd, copy, len);
		nr_bad += read_all(merge_again.path, i % 2 ? MMT_SALVAGE : 0,
				   &nr) != 0;
		free(copy);
	}
	assert_true(nr_bad > NR_FLIPS / 4);
	free(bytes);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_flips),
		cmocka_unit_test(test_spoiled),
	};

	return cmocka_run_group_tests_name("merge, damage", tests, merge_setup,
					   NULL);
}
