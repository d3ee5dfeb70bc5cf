/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols-priv.h - shared by the parts of symbols */
#ifndef CAPTURE_SYMBOLS_PRIV_H
#define CAPTURE_SYMBOLS_PRIV_H

#include <sys/types.h>

#include "capture/symbols.h"

struct copy {
	char *name;
	char *module;
	uint64_t addr;
	bool exact;
};

struct entry {
	struct symbol sym;
	struct copy *copies;
	unsigned int nr_kept;
	unsigned int nr_copies; /* those not kept included */
	unsigned int nr_exact;
	bool traceable;
};

struct symbols {
	struct entry *entries; /* sorted by name */
	unsigned int nr;
	char note[256];
};

/* By the name that was asked for; NULL if it was not. */
struct entry *symbols_find(const struct symbols *s, const char *name);

/* Cuts the end of a line that getline() gave.  Returns its length. */
size_t symbols_chomp(char *text, ssize_t len);

void symbol_reason_set(struct symbol *sym, const char *fmt, ...) PRINTF(2, 3);
/* Adds to the reason, if there is room for all of the text. */
bool symbol_reason_add(struct symbol *sym, const char *text);

/* Takes the usable ones out that the kernel allows no probe on. */
void symbols_read_limits(struct symbols *s, const struct host *h);

#endif
