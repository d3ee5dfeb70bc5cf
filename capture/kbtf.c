/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbtf.c - where this kernel keeps its members: types, offsets, enums */

/*
 * Offsets move with the version and with the configuration, so they are taken
 * from the running kernel's own type information.  libbpf reads it; what it
 * does not check (ids of types that are none, types that contain themselves)
 * is checked here, where the types are walked.
 *
 * Two source files may each have a type of the same name.  Nothing tells which
 * one the mm code means, so an answer counts only if all of them give it.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <bpf/libbpf.h>

#include "capture/kbtf-priv.h"

#define VMLINUX "/sys/kernel/btf/vmlinux"
/* no struct of the kernel has near as many members, in all its depth */
#define MEMBERS_MAX 100000

int kbtf_say_differ(struct errbuf *err, const char *what)
{
	return errbuf_set(err, -ENOTUNIQ,
			  "%s: this kernel has several, and they differ", what);
}

int kbtf_say_damaged(struct errbuf *err, const char *what)
{
	return errbuf_set(err, -EBADMSG,
			  "%s: the kernel's type information is damaged", what);
}

/* ------------------------------------------------------------------ files */

int kbtf_open(struct kbtf **out, const struct host *h, struct errbuf *err)
{
	char path[PATH_MAX];
	struct kbtf *b;
	int ret;

	ret = host_path(h, path, VMLINUX);
	if (ret)
		return errbuf_set(err, ret, "%s: %s", h->root, strerror(-ret));
	b = calloc(1, sizeof(*b));
	if (!b)
		return errbuf_set(err, -ENOMEM, "%s: %s", path,
				  strerror(ENOMEM));

	/* it would print what we return */
	libbpf_set_print(NULL);
	b->btf = btf__parse_raw(path);
	ret = (int)libbpf_get_error(b->btf);
	if (!ret) {
		*out = b;
		return 0;
	}
	free(b);
	if (ret == -ENOENT) {
		errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
		errbuf_hint(err,
			    "it needs CONFIG_DEBUG_INFO_BTF in the kernel");
	} else if (ret == -EACCES || ret == -EPERM || ret == -ENOMEM) {
		errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
	} else {
		ret = errbuf_set(err, -EBADMSG, "%s: is damaged", path);
	}
	return ret;
}

void kbtf_close(struct kbtf *b)
{
	if (!b)
		return;
	btf__free(b->btf);
	free(b);
}

/* ------------------------------------------------------------------ types */

bool word_next(struct word *rest, struct word *w)
{
	const char *bar;

	if (rest->len < 0)
		return false;
	bar = memchr(rest->p, '|', (size_t)rest->len);
	w->p = rest->p;
	w->len = bar ? (int)(bar - rest->p) : rest->len;
	rest->p += w->len + 1;
	rest->len -= w->len + 1;
	return true;
}

uint32_t kbtf_next(const struct kbtf *b, uint32_t id, unsigned int kinds,
		   const struct word *name)
{
	const struct btf_type *t;

	if (!name->len)
		return 0;
	for (id++; (t = btf__type_by_id(b->btf, id)); id++)
		if (kinds & 1U << btf_kind(t) &&
		    word_is(name, btf__name_by_offset(b->btf, t->name_off)))
			return id;
	return 0;
}

const struct btf_type *kbtf_peel(const struct kbtf *b, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(b->btf, id);
	unsigned int depth = 0;

	while (t && (btf_is_mod(t) || btf_is_typedef(t))) {
		if (++depth > KBTF_DEPTH_MAX)
			return NULL;
		t = btf__type_by_id(b->btf, t->type);
	}
	return t;
}

/* The size of a type and, if it is an array, its elements; no size is -1. */
static int type_size(const struct kbtf *b, uint32_t id, struct kbtf_member *m)
{
	const struct btf_type *t = kbtf_peel(b, id);
	unsigned int depth = 0;

	m->nr = 1;
	while (t && btf_is_array(t)) {
		if (++depth > KBTF_DEPTH_MAX ||
		    __builtin_mul_overflow(m->nr, btf_array(t)->nelems, &m->nr))
			return -1;
		t = kbtf_peel(b, btf_array(t)->type);
	}
	if (!t)
		return -1;
	if (btf_is_ptr(t))
		m->size = btf__pointer_size(b->btf);
	else if (btf_is_int(t) || btf_is_composite(t) || btf_is_any_enum(t) ||
		 btf_is_float(t))
		m->size = t->size;
	else
		return -1;
	return __builtin_mul_overflow(m->size, m->nr, &m->size) ? -1 : 0;
}

/* ---------------------------------------------------------------- members */

struct walk {
	const struct kbtf *b;
	const char *path;   /* all, for messages */
	const char *at;     /* what is left of it */
	struct errbuf *err; /* why it ended */
	uint64_t bits;      /* offset so far */
	uint32_t type;      /* where we are */
	bool bitfield;      /* the last member was one */
	unsigned int budget;
};

/* Without the flag, a bit-field is an int with fewer bits than its bytes. */
static bool is_bitfield(const struct kbtf *b, const struct btf_type *t,
			unsigned int i)
{
	const struct btf_type *mt = kbtf_peel(b, btf_members(t)[i].type);

	if (btf_member_bitfield_size(t, i) || btf_member_bit_offset(t, i) % 8)
		return true;
	return mt && btf_is_int(mt) &&
	       (btf_int_offset(mt) || btf_int_bits(mt) != mt->size * 8);
}

/* 1 if the member is there, 0 if not; members of anonymous ones count. */
static int find_member(struct walk *w, const struct btf_type *t,
		       const struct word *name, unsigned int depth)
{
	const struct btf_member *m = btf_members(t);
	unsigned int i, nr = btf_vlen(t);
	const struct btf_type *inner;
	const char *is;
	int ret = 0;

	if (depth > KBTF_DEPTH_MAX)
		return -EBADMSG;
	for (i = 0; i < nr && !ret; i++) {
		is = btf__name_by_offset(w->b->btf, m[i].name_off);
		if (!is || !w->budget--)
			return -EBADMSG;
		if (word_is(name, is)) {
			w->type = m[i].type;
			w->bitfield = is_bitfield(w->b, t, i);
			ret = 1;
		} else if (!*is) {
			inner = kbtf_peel(w->b, m[i].type);
			if (!inner)
				return -EBADMSG;
			if (btf_is_composite(inner))
				ret = find_member(w, inner, name, depth + 1);
		}
		if (ret == 1)
			w->bits += btf_member_bit_offset(t, i);
	}
	return ret;
}

static int say_no_members(struct walk *w, const struct btf_type *t,
			  const struct word *name)
{
	const char *what = btf_is_ptr(t)     ? "a pointer, which"
			   : btf_is_array(t) ? "an array, which"
					     : "no struct, it";

	return errbuf_set(w->err, -EINVAL,
			  "%s: what should have %.*s is %s has no members",
			  w->path, WORD_ARG(*name), what);
}

/* ".NAME" */
static int step_member(struct walk *w)
{
	const struct btf_type *t = kbtf_peel(w->b, w->type);
	struct word name;
	int ret;

	name.p = w->at + 1;
	name.len = (int)strcspn(name.p, ".[");
	if (*w->at != '.' || !name.len)
		return errbuf_set(w->err, -EINVAL, "%s: is no path of members",
				  w->path);
	if (!t)
		return kbtf_say_damaged(w->err, w->path);
	if (!btf_is_composite(t))
		return say_no_members(w, t, &name);
	ret = find_member(w, t, &name, 0);
	if (ret < 0)
		return kbtf_say_damaged(w->err, w->path);
	if (!ret)
		return errbuf_set(w->err, -ENOENT,
				  "%s: this kernel has no member %.*s there",
				  w->path, WORD_ARG(name));
	if (w->bitfield)
		return errbuf_set(w->err, -EINVAL,
				  "%s: %.*s is a bit-field, with no offset",
				  w->path, WORD_ARG(name));
	w->at = name.p + name.len;
	return 0;
}

/* "[INDEX]"; an array of no elements is a flexible one, of any number. */
static int step_index(struct walk *w)
{
	const struct btf_type *t = kbtf_peel(w->b, w->type);
	struct kbtf_member m;
	uint64_t index;
	char *end;

	errno = 0;
	index = strtoull(w->at + 1, &end, 10);
	if (errno || w->at[1] < '0' || w->at[1] > '9' || *end != ']')
		return errbuf_set(w->err, -EINVAL, "%s: is no index: %s",
				  w->path, w->at);
	if (!t)
		return kbtf_say_damaged(w->err, w->path);
	if (!btf_is_array(t))
		return errbuf_set(w->err, -EINVAL,
				  "%s: there is no array to index with %s",
				  w->path, w->at);
	if (index > UINT32_MAX ||
	    (btf_array(t)->nelems && index >= btf_array(t)->nelems))
		return errbuf_set(w->err, -ENOENT,
				  "%s: the array has %u elements", w->path,
				  btf_array(t)->nelems);
	w->type = btf_array(t)->type;
	if (type_size(w->b, w->type, &m) ||
	    __builtin_mul_overflow(m.size, index * 8, &m.size) ||
	    __builtin_add_overflow(w->bits, m.size, &w->bits))
		return kbtf_say_damaged(w->err, w->path);
	w->at = end + 1;
	return 0;
}

/* From one type, along the path behind its name. */
static int walk(struct walk *w, uint32_t id, const char *at,
		struct kbtf_member *m)
{
	int ret = 0;

	w->type = id;
	w->at = at;
	w->bits = 0;
	w->budget = MEMBERS_MAX;
	memset(m, 0, sizeof(*m));
	while (!ret && *w->at)
		ret = *w->at == '[' ? step_index(w) : step_member(w);
	if (ret)
		return ret;
	if (type_size(w->b, w->type, m))
		return errbuf_set(w->err, -EINVAL, "%s: has no size", w->path);
	m->offset = w->bits / 8;
	return 0;
}

#define KINDS_WITH_MEMBERS (KIND(STRUCT) | KIND(UNION) | KIND(TYPEDEF))

/* 1 if there is no type of this name. */
static int member_of(struct walk *w, const struct word *type, const char *at,
		     struct kbtf_member *m)
{
	struct kbtf_member also;
	uint32_t id;
	int ret;

	id = kbtf_next(w->b, 0, KINDS_WITH_MEMBERS, type);
	if (!id)
		return 1;
	ret = walk(w, id, at, m);
	while ((id = kbtf_next(w->b, id, KINDS_WITH_MEMBERS, type)))
		if (walk(w, id, at, &also) != ret ||
		    memcmp(m, &also, sizeof(also)))
			return kbtf_say_differ(w->err, w->path);
	return ret;
}

int kbtf_member(const struct kbtf *b, const char *path, struct kbtf_member *m,
		struct errbuf *err)
{
	struct walk w = {.b = b, .path = path, .err = err};
	struct word rest = {path, (int)strcspn(path, ".[")}, type;
	const char *at = path + rest.len;
	int ret;

	while (word_next(&rest, &type)) {
		ret = member_of(&w, &type, at, m);
		if (ret <= 0)
			return ret;
	}
	return errbuf_set(err, -ENOENT, "%s: this kernel has no such type",
			  path);
}

/* ------------------------------------------------------------------ enums */

/* 1 if the constant is there, 0 if not. */
static int find_value(const struct kbtf *b, const struct btf_type *t,
		      const char *name, int64_t *value)
{
	unsigned int i, nr = btf_vlen(t);
	bool wide = btf_is_enum64(t);
	const char *is;

	for (i = 0; i < nr; i++) {
		is = btf__name_by_offset(b->btf,
					 wide ? btf_enum64(t)[i].name_off
					      : btf_enum(t)[i].name_off);
		if (!is)
			return -EBADMSG;
		if (strcmp(is, name))
			continue;
		*value = wide ? (int64_t)btf_enum64_value(&btf_enum64(t)[i])
			      : btf_enum(t)[i].val;
		return 1;
	}
	return 0;
}

int kbtf_enum(const struct kbtf *b, const char *type, const char *name,
	      int64_t *value, struct errbuf *err)
{
	const struct word word = {type, (int)strlen(type)};
	unsigned int kinds = KIND(ENUM) | KIND(ENUM64);
	unsigned int nr_types = 0, nr_found = 0;
	const struct btf_type *t;
	uint32_t id = 0;
	int64_t is;
	int ret;

	while ((id = kbtf_next(b, id, kinds, &word))) {
		t = btf__type_by_id(b->btf, id);
		if (!btf_vlen(t))
			continue; /* declared only */
		nr_types++;
		ret = find_value(b, t, name, &is);
		if (ret < 0)
			return kbtf_say_damaged(err, type);
		if (ret && nr_found++ && is != *value)
			return kbtf_say_differ(err, name);
		if (ret)
			*value = is;
	}
	if (!nr_types)
		return errbuf_set(err, -ENOENT,
				  "enum %s: this kernel has no such type",
				  type);
	if (!nr_found)
		return errbuf_set(err, -ENOENT,
				  "enum %s: this kernel has no %s in it", type,
				  name);
	return nr_found < nr_types ? kbtf_say_differ(err, name) : 0;
}
