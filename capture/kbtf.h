/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbtf.h - where this kernel keeps its members and arguments, from its BTF */
#ifndef CAPTURE_KBTF_H
#define CAPTURE_KBTF_H

#include "capture/host.h"

/*
 * All functions return a negative errno with the reason in err:
 * -ENOENT     this kernel has no such type, member, value or argument
 * -ENOTUNIQ   it has several, and they differ
 * -EINVAL     what was asked for makes no sense (a bit-field has no offset)
 * -EBADMSG    the type information is damaged
 */
struct kbtf;

/*
 * Reads /sys/kernel/btf/vmlinux (some 5 MB stay in memory until the close).
 * -ENOENT if this kernel has none.
 */
int kbtf_open(struct kbtf **out, const struct host *h, struct errbuf *err);
void kbtf_close(struct kbtf *b);

struct kbtf_member {
	uint64_t offset; /* in bytes from the start of the first type */
	uint64_t size;   /* in bytes, of the whole array if it is one */
	uint64_t nr;     /* elements of all its dimensions; 1 if no array */
};

/*
 * "TYPE.MEMBER.MEMBER[INDEX]": TYPE is a struct, a union or a typedef of one,
 * or several names with | between them, of which the first that exists is
 * taken: "lru_gen_folio|lru_gen_struct.timestamps".  Members of anonymous
 * structs and unions count as the outer one's, as in C; pointers are not
 * followed.  Without a member, it tells the size of the type.
 */
int kbtf_member(const struct kbtf *b, const char *path, struct kbtf_member *m,
		struct errbuf *err);

/* The value of an enum's constant: "pageflags", "PG_active". */
int kbtf_enum(const struct kbtf *b, const char *type, const char *name,
	      int64_t *value, struct errbuf *err);

enum kbtf_return {
	KBTF_VOID,
	KBTF_BOOL,
	KBTF_INT, /* and enum */
	KBTF_POINTER,
	KBTF_OTHER, /* a struct, a float */
};

struct kbtf_func {
	unsigned int nr_args;
	enum kbtf_return ret;
	unsigned int ret_size; /* in bytes; 0 of void */
	bool ret_signed;
};

/*
 * name is the source's, without a compiler's suffix: BTF has no other.  Copies
 * with .isra or .constprop often are not in BTF at all.
 */
int kbtf_func(const struct kbtf *b, const char *name, struct kbtf_func *f,
	      struct errbuf *err);

/*
 * The position, from 1, of the one argument that is "*STRUCT", a pointer to
 * that struct, or that is called "NAME"; | as above.
 */
int kbtf_arg(const struct kbtf *b, const char *func, const char *what,
	     struct errbuf *err);

/*
 * Expands a probe's definition.  Two things are replaced:
 *
 *   {TYPE.PATH}      the offset of a member:  +{lruvec.lrugen.max_seq}($arg1)
 *   $arg(WHAT)       $argN of kbtf_arg():     +0($arg(*folio)):x64
 *   $arg(WHAT:N)     the same, and $argN where BTF does not know the function
 *
 * func is the probed function's name in the source, NULL if it is none.  b may
 * be NULL, as on a kernel without BTF: then only $arg(WHAT:N) can be expanded.
 * Appends to out and returns the number of :N that had to be believed.
 */
int kbtf_expand(const struct kbtf *b, struct buf *out, const char *spec,
		const char *func, struct errbuf *err);

#endif
