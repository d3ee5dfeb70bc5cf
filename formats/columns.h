/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.h - a payload's directory of columns, and their bytes */
#ifndef FORMATS_COLUMNS_H
#define FORMATS_COLUMNS_H

#include "formats/block.h"
#include "formats/dict.h"
#include "formats/payload.h"
#include "formats/varints.h"

/*
 * Both kinds of blocks of events end alike:
 *
 *   varint number of columns, then per column:
 *       varint id, varint form (PACK_*), varint raw bytes, varint bytes
 *   the columns' bytes, in the order of the directory
 */

/*
 * Readable bytes behind the last column: a decoder may find out after a run
 * that a column was too short for it.
 */
#define COLUMNS_PAD (RUN_EVENTS + VARINTS_PAD)

/* A column's bytes not yet decoded. */
struct span {
	const uint8_t *pos, *end;
};

/* The unpacked columns of one block at a time.  Zeroed, it is empty. */
struct columns {
	struct unpacker *unpacker;
	struct buf raw;
};

/* What a kind of block allows, and where its columns go. */
struct columns_of {
	unsigned int max_nr;
	/* Where the column goes, NULL if it is not wanted; its most bytes. */
	struct span *(*find)(void *arg, uint64_t id, size_t *max);
	void *arg;
};

/*
 * Unpacks the columns that are wanted; their spans are valid until the next
 * load, with COLUMNS_PAD readable bytes behind each.  0, -ENOMEM or -EBADMSG.
 */
int columns_load(struct columns *c, struct payload *from,
		 const struct columns_of *of);
void columns_free(struct columns *c);

/* The block's files and strings, by number.  Zeroed, it is empty. */
struct block_dict {
	struct file_key *file;
	uint32_t nr_files, cap_files;
	const char **string; /* in the unpacked columns */
	uint32_t nr_strings, cap_strings;
};

struct dict_columns {
	struct span dev, ino, strings;
	uint32_t nr_events; /* of the block: each entry occurs in one */
};

/* 0, -ENOMEM, or -EBADMSG. */
int block_dict_load(struct block_dict *dict, const struct dict_columns *from);
void block_dict_free(struct block_dict *dict);

/* ----------------------------------------------------------------- coder */

/* The payload of one block at a time, and what is to stand at its end. */
struct columns_out {
	struct packer *packer;
	struct buf payload;
	struct buf dir, packed;
	unsigned int nr;
};

int columns_out_new(struct columns_out *c, int level);
void columns_out_free(struct columns_out *c);

/* A payload that is empty; the caller then puts its head into it. */
void columns_out_begin(struct columns_out *c);
/* Packs a column and empties it; one without bytes is left out. */
int columns_out_add(struct columns_out *c, uint64_t id, struct buf *bytes);
/* Directory and columns go behind the head. */
int columns_out_end(struct columns_out *c);

/* The columns of a block's files and strings. */
int columns_out_dict(const struct files *files, const struct strings *strings,
		     struct buf *dev, struct buf *ino, struct buf *text);

#endif
