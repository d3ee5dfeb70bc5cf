/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz-log.c - a log of any bytes: opened, verified, read; also salvaged */

/*
 * Checksums would keep every mutation out of the decoders.  So the sums of a
 * copy are put right first, unless the last byte says otherwise.
 */

#include "config.h"

#include <stdlib.h>

#include "formats/block.h"
#include "tests/fuzz/fuzz.h"

/* Walks the blocks and sums them anew, as far as their lengths lead. */
static void mend_sums(uint8_t *p, size_t size)
{
	size_t at = MMT_HEADER_LEN;

	while (at < size && size - at >= BLOCK_HEADER_LEN) {
		struct block_header h;
		uint8_t head[BLOCK_HEADER_LEN];

		if (block_header_get(&h, p + at) ||
		    h.len > size - at - BLOCK_HEADER_LEN)
			break;
		block_header_put(head, &h, p + at + BLOCK_HEADER_LEN);
		memcpy(p + at, head, sizeof(head));
		at += BLOCK_HEADER_LEN + h.len;
	}
}

static void read_as(const uint8_t *data, size_t size, unsigned int flags)
{
	struct errbuf err = {0};
	struct mmt *log;
	int ret;

	ret = mmt_open_fd(&log, fuzz_file(data, size), "fuzz", flags, &err);
	if (ret) {
		if (!*err.text)
			abort();
		return;
	}
	/* damage is no error of a salvaged log */
	ret = mmt_verify(log, &err);
	if (ret == -EBADMSG && (flags & MMT_SALVAGE))
		abort();
	fuzz_read_log(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	if (!copy || !size)
		goto out;
	memcpy(copy, data, size);
	if (!(copy[size - 1] & 0x80))
		mend_sums(copy, size);
	read_as(copy, size, 0);
	read_as(copy, size, MMT_SALVAGE);
out:
	free(copy);
	return 0;
}
