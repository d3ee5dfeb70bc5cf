/* SPDX-License-Identifier: GPL-2.0-or-later */
/* varints.c - many variable-length numbers at once */

/*
 * A column's numbers are short, but how short changes from one to the next,
 * and a branch on it is guessed wrong as often as not.  So eight bytes are
 * looked at together: eight numbers of one byte, or four of one or two bytes,
 * are taken without asking about each; what is longer is taken by itself, up
 * to eight bytes without a loop.
 *
 *   w     01 85 02 03 90 01 7f 22     high bit: the number goes on
 *   w>=80 -- 80 -- -- 80 -- -- --     no two neighbours: none has 3 bytes
 */

#include "config.h"

#include "formats/varints.h"

#define MORE 0x8080808080808080ULL

/* The seven bits of each byte, joined. */
static inline uint64_t join(uint64_t w)
{
	w = (w & 0x007f007f007f007fULL) | (w & 0x7f007f007f007f00ULL) >> 1;
	w = (w & 0x00003fff00003fffULL) | (w & 0x3fff00003fff0000ULL) >> 2;
	return (w & 0x0fffffffULL) | (w & 0x0fffffff00000000ULL) >> 4;
}

/* The bytes up to the one that holds this high bit. */
static inline unsigned int bytes_to(uint64_t high_bit)
{
	return ((unsigned int)__builtin_ctzll(high_bit) >> 3) + 1;
}

/* The first number, and the second if it ends in the word; their bytes. */
static inline unsigned int take_long(uint64_t w, uint64_t **v)
{
	uint64_t last = ~w & MORE; /* high bits of bytes that end one */
	uint64_t second = last & (last - 1);
	unsigned int len = bytes_to(last);

	*(*v)++ = join(w & (last ^ (last - 1)));
	if (unlikely(!second))
		return len;
	*(*v)++ = join((w & (second ^ (second - 1))) >> 8 * len);
	return bytes_to(second);
}

/* Four numbers of one or two bytes each; returns their bytes. */
static inline unsigned int take_four(uint64_t w, uint64_t *v)
{
	unsigned int i, len = 0;

#pragma GCC unroll 4
	for (i = 0; i < 4; i++) {
		uint64_t more = w >> 7 & 1;

		v[i] = (w & 127) | (w >> 1 & 0x3f80 & -more);
		w >>= 8 + 8 * more;
		len += 1 + (unsigned int)more;
	}
	return len;
}

static inline void take_eight(const uint8_t *p, uint64_t *v)
{
	unsigned int i;

#pragma GCC unroll 8
	for (i = 0; i < 8; i++)
		v[i] = p[i];
}

const uint8_t *varints_get(const uint8_t *p, const uint8_t *end, uint64_t *v,
			   unsigned int nr)
{
	const uint64_t *stop = v + nr;

	while (stop - v >= 8 && end - p >= 8) {
		uint64_t w = get_le64(p), more = w & MORE;

		if (!more) {
			take_eight(p, v);
			p += 8;
			v += 8;
		} else if (!(more & more << 8)) {
			p += take_four(w, v);
			v += 4;
		} else if (more != MORE) {
			p += take_long(w, &v);
		} else {
			p = varint_get(p, end, v++);
			if (!p)
				return NULL;
		}
	}
	for (; p && v < stop; v++)
		p = varint_get(p, end, v);
	return p;
}
