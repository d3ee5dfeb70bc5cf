/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbtf-func.c - a function's arguments, and the probes that fetch them */

/*
 * Arguments move from version to version (evict_folios got one in front of its
 * lruvec), their types hardly ever do: an argument is found by its type, or by
 * its name where two have the same type.
 */

#include "config.h"

#include <stdlib.h>

#include "capture/kbtf-priv.h"

/* Of a FUNC; NULL if the types are damaged. */
static const struct btf_type *func_proto(const struct kbtf *b, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(b->btf, id);

	t = t ? btf__type_by_id(b->btf, t->type) : NULL;
	return t && btf_is_func_proto(t) ? t : NULL;
}

/* A function of variable arguments ends with one of no type. */
static unsigned int proto_nr_args(const struct btf_type *proto)
{
	unsigned int nr = btf_vlen(proto);

	return nr && !btf_params(proto)[nr - 1].type ? nr - 1 : nr;
}

/* -------------------------------------------------------------- functions */

static bool describe_int(const struct kbtf *b, const struct btf_type *t,
			 struct kbtf_func *f)
{
	const char *name = btf__name_by_offset(b->btf, t->name_off);
	bool is_bool = btf_int_encoding(t) & BTF_INT_BOOL ||
		       (name && !strcmp(name, "_Bool"));

	f->ret = is_bool ? KBTF_BOOL : KBTF_INT;
	f->ret_size = t->size;
	f->ret_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
	return true;
}

/* False if the types are damaged. */
static bool describe(const struct kbtf *b, const struct btf_type *proto,
		     struct kbtf_func *f)
{
	const struct btf_type *t = kbtf_peel(b, proto->type);

	memset(f, 0, sizeof(*f));
	f->nr_args = proto_nr_args(proto);
	f->ret = KBTF_OTHER;
	if (!t)
		return false;
	if (btf_is_int(t))
		return describe_int(b, t, f);
	if (btf_is_ptr(t)) {
		f->ret = KBTF_POINTER;
		f->ret_size = (unsigned int)btf__pointer_size(b->btf);
	} else if (btf_is_any_enum(t)) {
		f->ret = KBTF_INT;
		f->ret_size = t->size;
		f->ret_signed = true;
	} else if (btf_is_void(t)) {
		f->ret = KBTF_VOID;
	} else if (btf_is_composite(t) || btf_is_float(t)) {
		f->ret_size = t->size;
	}
	return true;
}

int kbtf_func(const struct kbtf *b, const char *name, struct kbtf_func *f,
	      struct errbuf *err)
{
	const struct word word = {name, (int)strlen(name)};
	const struct btf_type *proto;
	struct kbtf_func also;
	unsigned int nr = 0;
	uint32_t id = 0;

	while ((id = kbtf_next(b, id, KIND(FUNC), &word))) {
		proto = func_proto(b, id);
		if (!proto || !describe(b, proto, nr ? &also : f))
			return kbtf_say_damaged(err, name);
		if (nr++ && memcmp(f, &also, sizeof(also)))
			return kbtf_say_differ(err, name);
	}
	if (!nr)
		return errbuf_set(err, -ENOENT,
				  "%s: the kernel's BTF has no such function",
				  name);
	return 0;
}

/* -------------------------------------------------------------- arguments */

/* Is it a pointer to a struct of this name? */
static bool is_pointer_to(const struct kbtf *b, uint32_t id,
			  const struct word *name)
{
	const struct btf_type *t = kbtf_peel(b, id);

	t = t && btf_is_ptr(t) ? kbtf_peel(b, t->type) : NULL;
	return t && (btf_is_composite(t) || btf_is_fwd(t)) &&
	       word_is(name, btf__name_by_offset(b->btf, t->name_off));
}

/* The position; 0 if no argument fits, -ENOTUNIQ if several do. */
static int proto_arg(const struct kbtf *b, const struct btf_type *proto,
		     const struct word *what)
{
	const struct btf_param *p = btf_params(proto);
	unsigned int i, nr = proto_nr_args(proto);
	const struct word name = {what->p + 1, what->len - 1};
	bool by_type = what->len > 1 && *what->p == '*';
	bool fits;
	int at = 0;

	for (i = 0; i < nr; i++) {
		if (by_type)
			fits = is_pointer_to(b, p[i].type, &name);
		else
			fits = what->len &&
			       word_is(what, btf__name_by_offset(
						     b->btf, p[i].name_off));
		if (fits && at)
			return -ENOTUNIQ;
		if (fits)
			at = (int)i + 1;
	}
	return at;
}

/* One of the words; 0 if no argument is that. */
static int func_arg(const struct kbtf *b, const char *func,
		    const struct word *what, struct errbuf *err)
{
	const struct word word = {func, (int)strlen(func)};
	const struct btf_type *proto;
	int at = -1, ret;
	uint32_t id = 0;

	while ((id = kbtf_next(b, id, KIND(FUNC), &word))) {
		proto = func_proto(b, id);
		if (!proto)
			return kbtf_say_damaged(err, func);
		ret = proto_arg(b, proto, what);
		if (ret < 0)
			return errbuf_set(err, ret,
					  "%s: several arguments are %.*s",
					  func, WORD_ARG(*what));
		if (at >= 0 && ret != at)
			return kbtf_say_differ(err, func);
		at = ret;
	}
	return MAX(at, 0);
}

int kbtf_arg(const struct kbtf *b, const char *func, const char *what,
	     struct errbuf *err)
{
	struct word rest = {what, (int)strlen(what)}, word;
	struct kbtf_func f;
	int ret;

	ret = kbtf_func(b, func, &f, err);
	while (!ret && word_next(&rest, &word)) {
		ret = func_arg(b, func, &word, err);
		if (ret)
			return ret;
	}
	return ret ? ret
		   : errbuf_set(err, -ENOENT, "%s: no argument is %s", func,
				what);
}
