/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-book.h - the event formats of a foreign recording, and the counts */
#ifndef FORMATS_IMPORT_BOOK_H
#define FORMATS_IMPORT_BOOK_H

#include "formats/import.h"
#include "formats/tracefmt.h"

/* Kernel event ids have 16 bits. */
#define BOOK_IDS 65536

/* One event id that has a format, or that a record had. */
struct book_event {
	char system[48], name[80];
	bool has_format, usable, seen;
	uint64_t nr_failed;
};

struct import_book {
	struct import *im;
	struct tracefmt *fmt;
	const char *path; /* for messages: where the formats are */
	bool big_endian;
	struct book_event **by_id;
	unsigned int nr_formats;
	unsigned int page_shift;   /* as filemap formats print it; 0: unknown */
	unsigned int nr_strangers; /* ids without a format in by_id */
	uint64_t nr_more_strangers; /* records of ids beyond those */
	uint64_t nr_too_short;      /* records without the common fields */
	uint64_t nr_matched[MMT_MAX_SCHEMAS]; /* by type number of the log */
	uint16_t type_id[MMT_MAX_SCHEMAS];    /* the kernel id of each */
	unsigned int nr_types;
	struct buf addresses; /* names of probes that may have some */
};

int import_book_new(struct import_book **bookp, struct import *im,
		    const char *path, bool big_endian, unsigned int long_size);
void import_book_free(struct import_book *book);

/*
 * Takes one format text.  One that cannot be used is a note, or damage if its
 * numbers are impossible, and its records will count as failed: only -ENOMEM
 * is an error.
 */
int import_book_add(struct import_book *book, const char *system,
		    const char *text, size_t len);

/*
 * Gives the writer the schemas, all or those of ids that are marked seen; of
 * the system "ftrace" always the latter.
 */
int import_book_register(struct import_book *book, bool only_seen);

/* The id of a record, -1 if it is shorter than the common fields. */
int import_book_id(const struct import_book *book, const void *record,
		   size_t len);
/* Marks the id of a record as one to register. */
void import_book_see(struct import_book *book, const void *record, size_t len);
/*
 * Counts a record that did not decode.  *name is "system:name" of its event,
 * for a message.
 */
void import_book_fail(struct import_book *book, const void *record, size_t len,
		      char name[128]);
/* Hands the counts to the report; notes what had to be assumed. */
int import_book_report(struct import_book *book);

#endif
