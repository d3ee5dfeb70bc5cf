/* SPDX-License-Identifier: GPL-2.0-or-later */
/* anon.h - stable pseudonyms for what a log says of people and machines */
#ifndef FORMATS_ANON_H
#define FORMATS_ANON_H

#include "formats/dict.h"
#include "formats/ids.h"
#include "formats/siphash.h"

/* What a name is of; equal names of two kinds have unlike pseudonyms. */
enum anon_kind {
	ANON_COMM,
	ANON_PATH,
	ANON_CGROUP,
	ANON_HOST,
	ANON_BOOT,
	ANON_COMMAND,
	ANON_FILTER,
	ANON_NR_KINDS
};

struct anon {
	uint8_t key[ANON_NR_KINDS][SIPHASH_KEY_LEN];
	struct strings seen[ANON_NR_KINDS]; /* pseudonyms given */
	struct strings kernel; /* comms of kernel threads, which are kept */
	struct ids addresses;  /* of the kernel, that were replaced */
	struct buf word;       /* scratch */
};

/* The key is not kept, but what follows from it. */
void anon_init(struct anon *a, const uint8_t key[SIPHASH_KEY_LEN]);
void anon_free(struct anon *a);

/* All append to out, with a NUL behind it.  0 or -ENOMEM. */

/*
 * A task's name, as the kernel has it, or escaped as in the text "tasks":
 * "comm-" and ten digits.  The kernel's own threads keep their names, without
 * the work that a kworker is at.
 */
int anon_comm(struct anon *a, struct buf *out, const char *comm, bool escaped);

/*
 * A path, component by component, so that what was below a directory still
 * is: "/name-0123456789/name-abcdef0123".  kind is ANON_PATH or ANON_CGROUP.
 */
int anon_path(struct anon *a, struct buf *out, enum anon_kind kind,
	      const char *path);

/* The whole text as one name. */
int anon_whole(struct anon *a, struct buf *out, enum anon_kind kind,
	       const char *text);

/* "/dev/zram0 4096 KiB, /home/swap 512 KiB": devices and sizes are kept. */
int anon_swap(struct anon *a, struct buf *out, const char *swap);

/*
 * Lines "tid tgid comm" of the text "tasks".  *nr_bad counts the lines that
 * are none, which are left out.
 */
int anon_tasks(struct anon *a, struct buf *out, const char *text,
	       uint64_t *nr_bad);

/*
 * A 64-bit value that lies in the kernel's half of the address space is an
 * address in some probe's argument: a number instead, the same for the same
 * address.  Others, also negative error numbers, are given back.
 */
uint64_t anon_address(struct anon *a, uint64_t value);

/* What becomes of a fact of the log's header. */
enum anon_rule {
	ANON_KEEP,
	ANON_DROP,
	ANON_GONE,        /* no longer true: left out */
	ANON_NOTE,        /* the user's words: kept if the user says so */
	ANON_SWAP,        /* anon_swap() */
	ANON_NUMERIC,     /* kept if it compares with numbers only */
	ANON_LINES,       /* only the number of lines is told */
	ANON_REPLACE,     /* anon_whole() */
	ANON_REPLACE_PATH /* anon_path() */
};

/* By its key; *kind is set for the last two.  ANON_DROP if it is unknown. */
enum anon_rule anon_fact(const char *key, enum anon_kind *kind);
/* Does a filter compare with nothing but numbers? */
bool anon_is_numeric(const char *filter);
/* What a text of this name has in it. */
enum anon_text {
	ANON_TEXT_UNKNOWN,
	ANON_TEXT_PLAIN, /* counters and nothing else */
	ANON_TEXT_TASKS,
	ANON_TEXT_CGROUPS, /* counters under paths of cgroups */
};
enum anon_text anon_text_kind(const char *name);
/* Appends such a text with pseudonyms for the paths. */
int anon_cgroups(struct anon *a, struct buf *out, const char *text);

#endif
