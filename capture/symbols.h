/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.h - which functions of this kernel a probe can be put on */
#ifndef CAPTURE_SYMBOLS_H
#define CAPTURE_SYMBOLS_H

#include "capture/host.h"

enum symbol_state {
	SYMBOL_FOUND,       /* exactly this name, once */
	SYMBOL_COPY,        /* one copy with a suffix: see name */
	SYMBOL_MISSING,     /* inlined, or not in this kernel */
	SYMBOL_DUPLICATE,   /* several: the kernel would refuse, or we guess */
	SYMBOL_BLACKLISTED, /* found, and kprobes may not go there */
	SYMBOL_NOTRACE,     /* found, and probes of tracefs may not go there */
};

#define SYMBOL_REASON_MAX 160

struct symbol {
	const char *want; /* as asked for */
	enum symbol_state state;
	char *name;    /* what to probe, "lru_add.isra.0"; NULL if not usable */
	char *module;  /* NULL: built in */
	uint64_t addr; /* 0: hidden by kptr_restrict, or not usable */
	/*
	 * The compiler made this copy for some callers: its arguments may be
	 * fewer than, and in other registers than, those of the source.
	 */
	bool shifted;
	/* there is a copy beside it, and what calls that is not seen */
	bool partial;
	char reason[SYMBOL_REASON_MAX + 1]; /* always a text */
};

struct symbols;

/*
 * Looks all names up in one pass over /proc/kallsyms and, if they can be read,
 * the blacklist of kprobes and (after host_find_tracing()) tracefs' list of
 * functions that are not notrace.  The strings of want must live as long as the
 * result.  0, -ENOMEM, or what is wrong with kallsyms; a name that is not
 * usable is no error, see symbols_get().
 */
int symbols_load(struct symbols **out, const struct host *h,
		 const char *const *want, unsigned int nr, struct errbuf *err);

/* One of the names that were asked for; NULL if it was not. */
const struct symbol *symbols_get(const struct symbols *s, const char *want);

static inline bool symbol_usable(const struct symbol *sym)
{
	return sym->state == SYMBOL_FOUND || sym->state == SYMBOL_COPY;
}

/* Which of these lists could not be read, and why; "" if none. */
const char *symbols_note(const struct symbols *s);

void symbols_free(struct symbols *s);

#endif
