/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dict.h - files and strings of a block, numbered in order of appearance */
#ifndef FORMATS_DICT_H
#define FORMATS_DICT_H

#include "formats/base.h"

struct file_key {
	uint64_t dev, ino;
};

/* Zeroed, it is empty. */
struct files {
	struct file_key *key; /* by number */
	uint32_t nr, cap;
	uint32_t *slot; /* open hashing: number + 1, 0 is free */
	uint32_t nr_slots;
};

/* The file's number; a new file gets the next one.  0 or -ENOMEM. */
int files_get(struct files *files, const struct file_key *key, uint32_t *nr);
void files_clear(struct files *files);
void files_free(struct files *files);

struct strings {
	struct buf bytes; /* all strings, each with its NUL */
	uint32_t *start;  /* of each in bytes */
	uint32_t nr, cap;
	uint32_t *slot;
	uint32_t nr_slots;
};

int strings_get(struct strings *strings, const char *text, uint32_t *nr);
void strings_clear(struct strings *strings);
void strings_free(struct strings *strings);

#endif
