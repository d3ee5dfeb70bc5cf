/* SPDX-License-Identifier: GPL-2.0-or-later */
/* base.h - byte order, variable-length numbers, growable bytes, errors */
#ifndef FORMATS_BASE_H
#define FORMATS_BASE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b)     ((a) < (b) ? (a) : (b))
#define MAX(a, b)     ((a) > (b) ? (a) : (b))
#define PRINTF(f, a)  __attribute__((format(printf, f, a)))
#define likely(x)     __builtin_expect(!!(x), 1)
#define unlikely(x)   __builtin_expect(!!(x), 0)

/* The kernel's own device number: 12 bits of major above 20 of minor. */
#define DEV_MINOR_BITS 20
#define DEV_MAJOR(dev) ((unsigned int)((dev) >> DEV_MINOR_BITS))
#define DEV_MINOR(dev) ((unsigned int)((dev) & ((1U << DEV_MINOR_BITS) - 1)))

/*
 * What went wrong, in words for the user: the fact (file, offset, cause), and
 * optionally what to type next.  Libraries fill one in, mains print it.
 */
struct errbuf {
	char text[512];
	char hint[256];
};

/* Sets text (hint is cleared) and returns ret, for "return errbuf_set(...)". */
int errbuf_set(struct errbuf *err, int ret, const char *fmt, ...) PRINTF(3, 4);
/* Adds the hint; returns nothing, the error stands. */
void errbuf_hint(struct errbuf *err, const char *fmt, ...) PRINTF(2, 3);

/* Growable bytes.  A zeroed struct buf is an empty one. */
struct buf {
	uint8_t *p;
	size_t len;
	size_t cap;
};

/* Room for extra more bytes behind len.  0 or -ENOMEM. */
int buf_reserve(struct buf *b, size_t extra);
int buf_append(struct buf *b, const void *p, size_t len);
int buf_printf(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
void buf_free(struct buf *b);

static inline uint16_t get_le16(const void *p)
{
	const uint8_t *b = p;

	return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t get_le32(const void *p)
{
	const uint8_t *b = p;

	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
	       (uint32_t)b[3] << 24;
}

static inline uint64_t get_le64(const void *p)
{
	const uint8_t *b = p;

	return get_le32(b) | (uint64_t)get_le32(b + 4) << 32;
}

static inline void put_le16(void *p, uint16_t v)
{
	uint8_t *b = p;

	b[0] = (uint8_t)v;
	b[1] = (uint8_t)(v >> 8);
}

static inline void put_le32(void *p, uint32_t v)
{
	put_le16(p, (uint16_t)v);
	put_le16((uint8_t *)p + 2, (uint16_t)(v >> 16));
}

static inline void put_le64(void *p, uint64_t v)
{
	put_le32(p, (uint32_t)v);
	put_le32((uint8_t *)p + 4, (uint32_t)(v >> 32));
}

/* Zigzag: small numbers of either sign become small unsigned ones. */
static inline uint64_t zigzag(uint64_t delta)
{
	return delta << 1 ^ (uint64_t)((int64_t)delta >> 63);
}

static inline uint64_t unzigzag(uint64_t v)
{
	return v >> 1 ^ -(v & 1);
}

#define VARINT_MAX 10

/* LEB128: seven bits a byte, lowest first.  Returns the byte behind it. */
static inline uint8_t *varint_put(uint8_t *p, uint64_t v)
{
	if (likely(v < 128)) {
		*p = (uint8_t)v;
		return p + 1;
	}
	if (likely(v < 1 << 14)) {
		put_le16(p, (uint16_t)((v & 127) | 128 | v >> 7 << 8));
		return p + 2;
	}
	while (v >= 128) {
		*p++ = (uint8_t)(v | 128);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

/* Appends a number as varint_put() writes it.  0 or -ENOMEM. */
int buf_put_varint(struct buf *b, uint64_t v);

/* Returns the byte behind the number, NULL if it does not end before end. */
static inline const uint8_t *varint_get(const uint8_t *p, const uint8_t *end,
					uint64_t *v)
{
	unsigned int shift;
	uint64_t sum = 0;

	for (shift = 0; shift < 64 && p < end; shift += 7) {
		sum |= (uint64_t)(*p & 127) << shift;
		if (!(*p++ & 128)) {
			*v = sum;
			return p;
		}
	}
	return NULL;
}

/* A mixer with full avalanche (the finalizer of MurmurHash3's 64-bit form). */
static inline uint64_t hash_u64(uint64_t v)
{
	v ^= v >> 33;
	v *= 0xff51afd7ed558ccdULL;
	v ^= v >> 33;
	v *= 0xc4ceb9fe1a85ec53ULL;
	v ^= v >> 33;
	return v;
}

/* Names a value close to what was typed, for hints; NULL if none is near. */
const char *nearest_name(const char *typed, const char *const *names,
			 unsigned int nr);

#endif
