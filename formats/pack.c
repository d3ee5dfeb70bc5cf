/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pack.c - bytes in the smallest of three forms: raw, zstd, one byte */

#include "config.h"

#include <stdlib.h>

#include <zstd.h>

#include "formats/block.h"

struct packer {
	ZSTD_CCtx *zstd;
};

int packer_new(struct packer **pp, int level)
{
	struct packer *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->zstd = ZSTD_createCCtx();
	if (!p->zstd) {
		free(p);
		return -ENOMEM;
	}
	ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, level);
	/* the size is in our directory, the checksum in our header */
	ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_contentSizeFlag, 0);
	ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 0);
	*pp = p;
	return 0;
}

void packer_free(struct packer *p)
{
	if (!p)
		return;
	ZSTD_freeCCtx(p->zstd);
	free(p);
}

/* Are all bytes the same?  The second half equals the first, shifted. */
static bool is_fill(const uint8_t *data, size_t len)
{
	return len && !memcmp(data, data + 1, len - 1);
}

int pack(struct packer *p, struct buf *out, const void *data, size_t len)
{
	size_t bound = ZSTD_compressBound(len), n;

	if (is_fill(data, len))
		return buf_append(out, data, 1) ? -ENOMEM : PACK_FILL;
	if (buf_reserve(out, bound))
		return -ENOMEM;
	n = ZSTD_compress2(p->zstd, out->p + out->len, bound, data, len);
	if (ZSTD_isError(n) || n >= len)
		return buf_append(out, data, len) ? -ENOMEM : PACK_RAW;
	out->len += n;
	return PACK_ZSTD;
}

/*
 * A context costs more to make than most columns to unpack: it is kept.
 */
struct unpacker {
	ZSTD_DCtx *zstd;
};

int unpacker_new(struct unpacker **up)
{
	struct unpacker *u = calloc(1, sizeof(*u));

	if (!u)
		return -ENOMEM;
	u->zstd = ZSTD_createDCtx();
	if (!u->zstd) {
		free(u);
		return -ENOMEM;
	}
	*up = u;
	return 0;
}

void unpacker_free(struct unpacker *u)
{
	if (!u)
		return;
	ZSTD_freeDCtx(u->zstd);
	free(u);
}

static size_t unpack_zstd(struct unpacker *u, const struct packed *in,
			  void *out, size_t raw_len)
{
	return u ? ZSTD_decompressDCtx(u->zstd, out, raw_len, in->data, in->len)
		 : ZSTD_decompress(out, raw_len, in->data, in->len);
}

int unpack(struct unpacker *u, const struct packed *in, void *out,
	   size_t raw_len)
{
	switch (in->form) {
	case PACK_RAW:
		if (in->len != raw_len)
			return -EBADMSG;
		if (raw_len)
			memcpy(out, in->data, raw_len);
		return 0;
	case PACK_FILL:
		if (in->len != 1)
			return -EBADMSG;
		memset(out, *(const uint8_t *)in->data, raw_len);
		return 0;
	case PACK_ZSTD:
		return unpack_zstd(u, in, out, raw_len) == raw_len ? 0
								   : -EBADMSG;
	}
	return -EBADMSG;
}
