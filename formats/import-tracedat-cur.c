/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tracedat-cur.c - trace.dat: bytes, numbers, packed bytes, bounded */

/*
 * Nothing else in the trace.dat reader touches the file's bytes by a number
 * out of the file.  What a packed part claims to unpack to is believed only up
 * to a ratio that no compressor of real pages reaches, so that time and memory
 * are bounded by the size of the file.
 */

#include "config.h"

#include <inttypes.h>

#include <zlib.h>
#include <zstd.h>

#include "formats/import-tracedat.h"

/* Ten pages that are nearly empty: measured 1 : 1400; with a margin. */
#define MAX_RATIO 4096
/* The largest part that is unpacked as one. */
#define MAX_UNPACKED (64U << 20)

struct dat_cur dat_cur_at(const struct dat *d, uint64_t at)
{
	struct dat_cur cur = {.base = at, .big_endian = d->big_endian};

	if (at <= d->map.len) {
		cur.p = d->map.p + at;
		cur.len = d->map.len - (size_t)at;
	}
	return cur;
}

size_t dat_left(const struct dat_cur *cur)
{
	return cur->len - cur->at;
}

bool dat_bytes(struct dat_cur *cur, uint64_t len, const uint8_t **p)
{
	if (len > dat_left(cur))
		return false;
	*p = cur->p + cur->at;
	cur->at += (size_t)len;
	return true;
}

bool dat_num(struct dat_cur *cur, unsigned int size, uint64_t *v)
{
	const uint8_t *p;
	unsigned int i;

	if (!dat_bytes(cur, size, &p))
		return false;
	*v = 0;
	for (i = 0; i < size; i++)
		*v |= (uint64_t)p[i]
		      << 8 * (cur->big_endian ? size - 1 - i : i);
	return true;
}

const char *dat_string(struct dat_cur *cur)
{
	const uint8_t *p = cur->p + cur->at;
	const uint8_t *nul = dat_left(cur) ? memchr(p, 0, dat_left(cur)) : NULL;

	if (!nul)
		return NULL;
	cur->at += (size_t)(nul - p) + 1;
	return (const char *)p;
}

int dat_cut(const struct dat *d, const struct dat_cur *cur, const char *what)
{
	if (cur->packed)
		return errbuf_set(d->im->err, -EBADMSG,
				  "%s: cut in %s at byte %zu of the section "
				  "at offset %" PRIu64,
				  d->path, what, cur->at, cur->base);
	return errbuf_set(d->im->err, -EBADMSG,
			  "%s: cut in %s at offset %" PRIu64, d->path, what,
			  cur->base + cur->at);
}

bool dat_unpack_ok(const struct dat *d, uint64_t len, uint64_t out_len)
{
	/* what the smallest chunk may hold: ten pages and a bit */
	uint64_t slack = 16 * MIN(MAX(d->page_size, 4096), 1U << 16);

	return out_len <= MAX_UNPACKED && len <= d->map.len &&
	       out_len <= len * MAX_RATIO + slack;
}

int dat_unpack(struct dat *d, const uint8_t *p, size_t len, uint8_t *out,
	       size_t *out_len)
{
	uLongf z_len = *out_len;
	size_t n;

	switch (d->codec) {
	case DAT_ZLIB:
		if (uncompress(out, &z_len, p, len) != Z_OK)
			return -EBADMSG;
		*out_len = z_len;
		return 0;
	case DAT_ZSTD:
		if (!d->zstd)
			d->zstd = ZSTD_createDCtx();
		if (!d->zstd)
			return -ENOMEM;
		n = ZSTD_decompressDCtx(d->zstd, out, *out_len, p, len);
		if (ZSTD_isError(n))
			return -EBADMSG;
		*out_len = n;
		return 0;
	default:
		return -EBADMSG;
	}
}
