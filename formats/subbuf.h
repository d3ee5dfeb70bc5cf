/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subbuf.h - the records of one raw sub-buffer of the kernel's ring buffer */
#ifndef FORMATS_SUBBUF_H
#define FORMATS_SUBBUF_H

#include "formats/base.h"

/* Where header_page says the parts of a sub-buffer are. */
struct subbuf_layout {
	unsigned int commit_offset;
	unsigned int commit_size; /* 4 or 8 */
	unsigned int data_offset;
	bool big_endian;
};

/* Parses the text of events/header_page.  0 or -EINVAL. */
int subbuf_layout_parse(struct subbuf_layout *layout, const char *text,
			size_t len, struct errbuf *err);

struct subbuf {
	const uint8_t *pos, *end;
	uint64_t time_ns; /* of the record last returned */
	uint64_t nr_lost; /* before the first record; MMT_LOST_UNKNOWN */
	bool missed;      /* records were lost before this sub-buffer */
	bool big_endian;
};

/*
 * Begins a sub-buffer of size bytes (as read from trace_pipe_raw).
 * -EBADMSG if its commit does not fit.
 */
int subbuf_begin(struct subbuf *sb, const struct subbuf_layout *layout,
		 const void *page, size_t size);
/* The next record: its length, 0 at the end, -EBADMSG if it is damaged. */
int subbuf_next(struct subbuf *sb, const uint8_t **record);

#endif
