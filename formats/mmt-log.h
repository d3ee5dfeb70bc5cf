/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmt-log.h - an open log, for the files that read it (not for engines) */
#ifndef FORMATS_MMT_LOG_H
#define FORMATS_MMT_LOG_H

#include "formats/mmt-index.h"
#include "formats/mmt.h"

struct mmt {
	char *path;
	int fd;
	uint64_t size;
	bool salvage;
	struct types types;
	struct buf meta; /* pairs, in order */
	struct mmt_index index;
	struct mmt_index gone; /* event blocks of which only headers are left */
	struct mmt_counts counts;
	struct buf damages; /* all that was found, each with its NUL */
	unsigned int nr_damages;
	struct buf text_name, text; /* last given by mmt_text_next() */
};

/*
 * Reads and checks one block.  -EBADMSG names the offset.  The payload
 * replaces what is in buf.
 */
int mmt_load(struct mmt *log, const struct mmt_entry *e, struct buf *payload,
	     struct errbuf *err);

/*
 * Says what is damaged.  With salvage it is noted in the counts, and 0 is
 * returned; else the error, with the hint about --salvage.
 */
int mmt_damage(struct mmt *log, struct errbuf *err, const char *fmt, ...)
	PRINTF(3, 4);

/* Reads the blocks of the index that describe the log: meta and schemas. */
int mmt_read_description(struct mmt *log, struct errbuf *err);

/* Makes index and description by reading the whole file: mmt-scan.c. */
int mmt_scan(struct mmt *log, struct errbuf *err);

/* pread() of exactly len bytes: 0, -errno, -ENODATA at the end of the file. */
int mmt_pread(const struct mmt *log, void *p, size_t len, uint64_t at);

#endif
