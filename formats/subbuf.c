/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subbuf.c - walks the records of one raw sub-buffer */

/*
 * A sub-buffer is: u64 time stamp; commit word (bytes of data in its low 20
 * bits, bit 31 "records were lost before this one", bit 30 "and their number
 * stands behind the data"); data.  A record begins with a 32-bit word, 5 bits
 * of type or length and 27 bits of time since the record before it (bit order
 * follows the machine's byte order):
 *
 *   0        the length in bytes follows in a word (which counts itself)
 *   1..28    that many 4-byte words follow
 *   29       padding: delta 0 ends the data, else skip the length that follows
 *   30       time extend: the word that follows is delta >> 27
 *   31       absolute time: the same, but not added
 *
 * (kernel/trace/ring_buffer.c, include/linux/ring_buffer.h)
 */

#include "config.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/event.h"
#include "formats/subbuf.h"

#define COMMIT_MASK   0xfffffU
#define COMMIT_STORED (1U << 30)
#define COMMIT_MISSED (1U << 31)

/* Absolute stamps have 59 bits; the rest comes from the stamp before. */
#define STAMP_HIGH (~((1ULL << 59) - 1))

enum { TYPE_DATA_MAX = 28, TYPE_PADDING, TYPE_EXTEND, TYPE_STAMP };

static int layout_line(struct subbuf_layout *layout, const char *line)
{
	unsigned int offset, size;
	char name[32];

	if (sscanf(line, " field: %*[^;]; offset:%u; size:%u;", &offset,
		   &size) != 2)
		return 0;
	/* the name is the last word of the declaration */
	if (sscanf(line, " field: %*s %31[^;];", name) != 1)
		return 0;
	if (offset > 4096)
		return -EINVAL;
	if (!strcmp(name, "commit")) {
		layout->commit_offset = offset;
		layout->commit_size = size;
	} else if (!strcmp(name, "data")) {
		layout->data_offset = offset;
	}
	return 0;
}

int subbuf_layout_parse(struct subbuf_layout *layout, const char *text,
			size_t len, struct errbuf *err)
{
	char line[256];
	size_t n;

	memset(layout, 0, sizeof(*layout));
	while (len) {
		const char *nl = memchr(text, '\n', len);
		size_t used = nl ? (size_t)(nl - text) + 1 : len;

		n = MIN(used, sizeof(line) - 1);
		memcpy(line, text, n);
		line[n] = '\0';
		if (layout_line(layout, line))
			break;
		text += used;
		len -= used;
	}
	if (len || layout->commit_offset < 8 ||
	    (layout->commit_size != 4 && layout->commit_size != 8) ||
	    layout->data_offset < layout->commit_offset + layout->commit_size)
		return errbuf_set(err, -EINVAL,
				  "header_page: not a sub-buffer layout");
	return 0;
}

static uint32_t load32(const struct subbuf *sb, const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return sb->big_endian ? be32toh(v) : le32toh(v);
}

static uint64_t load64(const struct subbuf *sb, const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return sb->big_endian ? be64toh(v) : le64toh(v);
}

static uint64_t load_size(const struct subbuf *sb, unsigned int size,
			  const uint8_t *p)
{
	return size == 8 ? load64(sb, p) : load32(sb, p);
}

int subbuf_begin(struct subbuf *sb, const struct subbuf_layout *layout,
		 const void *page, size_t size)
{
	const uint8_t *p = page;
	uint64_t commit;
	size_t len;

	memset(sb, 0, sizeof(*sb));
	sb->big_endian = layout->big_endian;
	if (size < layout->data_offset)
		return -EBADMSG;
	sb->time_ns = load64(sb, p);
	commit = load_size(sb, layout->commit_size, p + layout->commit_offset);
	len = commit & COMMIT_MASK;
	if (len > size - layout->data_offset)
		return -EBADMSG;
	sb->pos = p + layout->data_offset;
	sb->end = sb->pos + len;
	if (!(commit & COMMIT_MISSED))
		return 0;
	sb->missed = true;
	sb->nr_lost = MMT_LOST_UNKNOWN;
	if ((commit & COMMIT_STORED) &&
	    size - layout->data_offset - len >= layout->commit_size)
		sb->nr_lost = load_size(sb, layout->commit_size, sb->end);
	return 0;
}

/* The bytes of a record whose length stands in the word at pos. */
static int long_record(struct subbuf *sb, const uint8_t **record)
{
	uint32_t len;

	if (sb->end - sb->pos < 4)
		return -EBADMSG;
	len = load32(sb, sb->pos);
	if (len < 4 || len > (size_t)(sb->end - sb->pos))
		return -EBADMSG;
	*record = sb->pos + 4;
	/* lengths are rounded up to words in the buffer */
	sb->pos += MIN((len + 3U) & ~3U, (size_t)(sb->end - sb->pos));
	return (int)len - 4;
}

int subbuf_next(struct subbuf *sb, const uint8_t **record)
{
	uint32_t word, type, delta;

	while (sb->end - sb->pos >= 4) {
		word = load32(sb, sb->pos);
		type = sb->big_endian ? word >> 27 : word & 31;
		delta = sb->big_endian ? word & 0x7ffffff : word >> 5;
		sb->pos += 4;

		if (likely(type && type <= TYPE_DATA_MAX)) {
			if (type * 4 > (size_t)(sb->end - sb->pos))
				return -EBADMSG;
			sb->time_ns += delta;
			*record = sb->pos;
			sb->pos += type * 4;
			return (int)type * 4;
		}
		if (!type) {
			int len;

			sb->time_ns += delta;
			len = long_record(sb, record);
			/* an empty record would read as the end */
			return len ? len : -EBADMSG;
		}
		if (type == TYPE_PADDING && !delta)
			break;
		if (sb->end - sb->pos < 4)
			return -EBADMSG;
		if (type == TYPE_PADDING) {
			const uint8_t *skipped;

			sb->time_ns += delta;
			if (long_record(sb, &skipped) < 0)
				return -EBADMSG;
			continue;
		}
		delta &= 0x7ffffff;
		if (type == TYPE_EXTEND)
			sb->time_ns +=
				((uint64_t)load32(sb, sb->pos) << 27) + delta;
		else
			sb->time_ns =
				(sb->time_ns & STAMP_HIGH) |
				(((uint64_t)load32(sb, sb->pos) << 27) + delta);
		sb->pos += 4;
	}
	sb->pos = sb->end;
	return 0;
}
