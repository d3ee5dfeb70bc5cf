/* SPDX-License-Identifier: GPL-2.0-or-later */
/* siphash.c - a keyed hash that tells nothing of its key or its input */

/*
 * SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
 * 2012).  Pseudonyms need a pseudorandom function: who knows some of the names
 * behind them must not learn others by guessing and hashing.  XXH3 with a
 * secret does not promise that, and no library that we depend on has a
 * function that does.
 */

#include "config.h"

#include "formats/siphash.h"

struct state {
	uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t v, unsigned int bits)
{
	return v << bits | v >> (64 - bits);
}

static void rounds(struct state *s, unsigned int nr)
{
	while (nr--) {
		s->v0 += s->v1;
		s->v2 += s->v3;
		s->v1 = rotate(s->v1, 13) ^ s->v0;
		s->v3 = rotate(s->v3, 16) ^ s->v2;
		s->v0 = rotate(s->v0, 32);
		s->v2 += s->v1;
		s->v0 += s->v3;
		s->v1 = rotate(s->v1, 17) ^ s->v2;
		s->v3 = rotate(s->v3, 21) ^ s->v0;
		s->v2 = rotate(s->v2, 32);
	}
}

static void take_word(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	rounds(s, 2);
	s->v0 ^= word;
}

uint64_t siphash(const uint8_t key[SIPHASH_KEY_LEN], const void *p, size_t len)
{
	const uint64_t k0 = get_le64(key), k1 = get_le64(key + 8);
	struct state s = {
		k0 ^ 0x736f6d6570736575ULL,
		k1 ^ 0x646f72616e646f6dULL,
		k0 ^ 0x6c7967656e657261ULL,
		k1 ^ 0x7465646279746573ULL,
	};
	uint64_t last = (uint64_t)len << 56;
	const uint8_t *b = p;
	size_t i;

	for (i = 0; i + 8 <= len; i += 8)
		take_word(&s, get_le64(b + i));
	for (b += i, i = 0; i < len % 8; i++)
		last |= (uint64_t)b[i] << 8 * i;
	take_word(&s, last);
	s.v2 ^= 0xff;
	rounds(&s, 4);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
