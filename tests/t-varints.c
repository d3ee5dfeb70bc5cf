/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-varints.c - many numbers at once are those taken one by one */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/varints.h"

#define NR 1000

struct sample {
	uint8_t bytes[NR * VARINT_MAX + VARINTS_PAD];
	uint64_t v[NR];
	const uint8_t *end;
};

/* Numbers of one byte up to bits, chosen anew for each. */
static void fill(struct sample *s, unsigned int least, unsigned int most)
{
	uint8_t *p = s->bytes;
	unsigned int i;

	for (i = 0; i < NR; i++) {
		unsigned int bits =
			least + (unsigned int)random() % (most - least + 1);
		uint64_t v = hash_u64((uint64_t)random());

		s->v[i] = bits ? v >> (64 - bits) : 0;
		p = varint_put(p, s->v[i]);
	}
	s->end = p;
	/* what is behind must not matter */
	memset(p, 0x80 | random(), VARINTS_PAD);
}

static void check_all(const struct sample *s)
{
	uint64_t got[NR];
	unsigned int nr, i;
	const uint8_t *p;

	for (nr = 0; nr <= NR; nr += nr < 40 ? 1 : 97) {
		memset(got, 0xee, sizeof(got));
		p = varints_get(s->bytes, s->end, got, nr);
		assert_non_null(p);
		for (i = 0; i < nr; i++)
			assert_int_equal(got[i], s->v[i]);
		/* and what follows is where it should be */
		if (nr < NR)
			assert_non_null(varints_get(p, s->end, got, 1));
		if (nr < NR)
			assert_int_equal(got[0], s->v[nr]);
	}
}

static void test_lengths(void **state)
{
	static struct sample s;
	unsigned int least, most;

	(void)state;
	srandom(1);
	for (least = 0; least <= 64; least += 4) {
		for (most = least; most <= 64; most += 3) {
			fill(&s, least, most);
			check_all(&s);
		}
	}
}

/* One byte at a time from all, so that each length stops inside a word. */
static void test_ends_early(void **state)
{
	static struct sample s;
	uint64_t got[NR + 1];
	const uint8_t *end;

	(void)state;
	fill(&s, 0, 64);
	assert_null(varints_get(s.bytes, s.end, got, NR + 1));
	assert_ptr_equal(varints_get(s.bytes, s.end, got, NR), s.end);
	for (end = s.end - 1; end > s.end - 64; end--)
		assert_null(varints_get(s.bytes, end, got, NR));
	assert_null(varints_get(s.bytes, s.bytes, got, 1));
	assert_ptr_equal(varints_get(s.bytes, s.bytes, got, 0), s.bytes);
}

/* Any bytes at all: the same numbers, or the same refusal. */
static void test_random_bytes(void **state)
{
	uint8_t bytes[96 + VARINTS_PAD];
	unsigned int round, i;

	(void)state;
	srandom(2);
	for (round = 0; round < 20000; round++) {
		const uint8_t *end = bytes + 96, *p = bytes, *q;
		uint64_t got[40], want[40];
		unsigned int more = 1 + (unsigned int)random() % 16;

		for (i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)((random() & 127) |
					     (random() % more ? 0x80 : 0));
		q = varints_get(bytes, end, got, 40);
		for (i = 0; p && i < 40; i++)
			p = varint_get(p, end, &want[i]);
		assert_ptr_equal(q, p);
		if (p)
			assert_memory_equal(got, want, sizeof(want));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_ends_early),
		cmocka_unit_test(test_random_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
