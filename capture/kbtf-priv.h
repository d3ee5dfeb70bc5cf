/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbtf-priv.h - shared by the parts of kbtf */
#ifndef CAPTURE_KBTF_PRIV_H
#define CAPTURE_KBTF_PRIV_H

#include <bpf/btf.h>

#include "capture/kbtf.h"

/* typedefs and qualifiers of one type, anonymous structs in each other */
#define KBTF_DEPTH_MAX 32

struct kbtf {
	struct btf *btf;
};

/* Some bytes of a text: not terminated.  Print with "%.*s". */
struct word {
	const char *p;
	int len;
};

#define WORD_ARG(w) (w).len, (w).p

static inline bool word_is(const struct word *w, const char *name)
{
	return name && !strncmp(name, w->p, (size_t)w->len) && !name[w->len];
}

/* Takes the next of the words that | separates; false behind the last. */
bool word_next(struct word *rest, struct word *w);

#define KIND(k) (1U << BTF_KIND_##k)

/*
 * The next type behind id (start with 0) of one of these kinds, with this
 * name; 0 if there is none.
 */
uint32_t kbtf_next(const struct kbtf *b, uint32_t id, unsigned int kinds,
		   const struct word *name);

/* Without typedefs and qualifiers; NULL if the types are damaged. */
const struct btf_type *kbtf_peel(const struct kbtf *b, uint32_t id);

/* The sets of answers of types with the same name must be one answer. */
int kbtf_say_differ(struct errbuf *err, const char *what);
int kbtf_say_damaged(struct errbuf *err, const char *what);

#endif
