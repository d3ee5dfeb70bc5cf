/* SPDX-License-Identifier: GPL-2.0-or-later */
/* payload.h - takes numbers off a payload that nobody vouches for */
#ifndef FORMATS_PAYLOAD_H
#define FORMATS_PAYLOAD_H

#include "formats/base.h"

/* A cursor over the payload that stays at its end once it overran. */
struct payload {
	const uint8_t *pos, *end;
	bool bad;
};

static inline uint64_t payload_varint(struct payload *c)
{
	uint64_t v = 0;

	if (!c->bad)
		c->pos = varint_get(c->pos, c->end, &v);
	if (!c->pos)
		c->bad = true;
	return c->bad ? 0 : v;
}

/* A number above max is bad, and 0. */
static inline uint64_t payload_limited(struct payload *c, uint64_t max)
{
	uint64_t v = payload_varint(c);

	if (v > max)
		c->bad = true;
	return c->bad ? 0 : v;
}

#endif
