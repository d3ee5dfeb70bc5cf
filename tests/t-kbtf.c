/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-kbtf.c - members, arguments and enums of made-up kernels; probes of them */

#include "config.h"

#include <inttypes.h>

#include <bpf/libbpf.h>

#include "capture/kbtf.h"
#include "tests/btf-gen.h"

#define VMLINUX "/sys/kernel/btf/vmlinux"

/* ---------------------------------------------------------------- a kernel */

/* Ids of types that others are made of. */
struct made {
	struct btf *btf;
	int u32, u64, s32, boolean;
	int lruvec, folio;   /* structs */
	int plruvec, pfolio; /* pointers to them */
};

static int field(struct made *k, const char *name, int type, unsigned int byte)
{
	return btf_id(btf__add_field(k->btf, name, type, byte * 8, 0));
}

static int array(struct made *k, int type, unsigned int nr)
{
	return btf_id(btf__add_array(k->btf, k->u32, type, nr));
}

/*
 * struct lruvec { u64 lists[10]; struct lru_gen_folio { u64 max_seq,
 * min_seq[2]; u64 nr_pages[4][10] as one dimension; } lrugen; }
 */
static void add_lruvec(struct made *k)
{
	int lists = array(k, k->u64, 10), two = array(k, k->u64, 2);
	int pages = array(k, k->u64, 40), gen, alias;

	gen = btf_id(btf__add_struct(k->btf, "lru_gen_folio", 344));
	field(k, "max_seq", k->u64, 0);
	field(k, "min_seq", two, 8);
	field(k, "nr_pages", pages, 24);
	alias = btf_id(btf__add_typedef(k->btf, "lrugen_t", gen));
	alias = btf_id(btf__add_const(k->btf, alias));
	k->lruvec = btf_id(btf__add_struct(k->btf, "lruvec", 424));
	field(k, "lists", lists, 0);
	field(k, "lrugen", alias, 80);
	k->plruvec = btf_id(btf__add_ptr(k->btf, k->lruvec));
}

/* struct folio { union { struct { u64 flags; union { u64 mapping, alias; }; ... */
static void add_folio(struct made *k)
{
	int inner, middle, outer, nested, flexible;

	inner = btf_id(btf__add_union(k->btf, NULL, 8));
	field(k, "mapping", k->u64, 0);
	field(k, "alias", k->u64, 0);
	middle = btf_id(btf__add_struct(k->btf, NULL, 40));
	field(k, "flags", k->u64, 0);
	field(k, NULL, inner, 24);
	field(k, "index", k->u64, 32);
	outer = btf_id(btf__add_union(k->btf, NULL, 40));
	field(k, NULL, middle, 0);
	nested = array(k, array(k, k->u32, 3), 2);
	flexible = array(k, k->u64, 0);
	k->folio = btf_id(btf__add_struct(k->btf, "folio", 96));
	field(k, NULL, outer, 8);
	field(k, "grid", nested, 48);
	field(k, "lruvec", k->plruvec, 72);
	field(k, "flexible", flexible, 80);
	btf_id(btf__add_field(k->btf, "order", k->u32, 640, 4));
	k->pfolio = btf_id(btf__add_ptr(k->btf, k->folio));
}

static int func(struct made *k, const char *name, int ret)
{
	int proto = (int)btf__type_cnt(k->btf) + 1;

	btf_id(btf__add_func(k->btf, name, BTF_FUNC_STATIC, proto));
	return btf_id(btf__add_func_proto(k->btf, ret));
}

static void param(struct made *k, const char *name, int type)
{
	btf_id(btf__add_func_param(k->btf, name, type));
}

static void add_functions(struct made *k)
{
	int constant = btf_id(btf__add_const(k->btf, k->folio));
	int pconst = btf_id(btf__add_ptr(k->btf, constant));

	func(k, "evict_folios", k->s32);
	param(k, "nr_to_scan", k->u64);
	param(k, "lruvec", k->plruvec);
	param(k, "swappiness", k->s32);
	func(k, "folio_migrate_flags", 0);
	param(k, "newfolio", k->pfolio);
	param(k, "folio", k->pfolio);
	func(k, "try_to_inc_max_seq", k->boolean);
	param(k, "lruvec", k->plruvec);
	param(k, "seq", k->u64);
	func(k, "folio_lruvec", k->plruvec);
	param(k, "folio", pconst);
	func(k, "by_value", k->folio);
	func(k, "variadic", 0);
	param(k, "fmt", k->u64);
	param(k, NULL, 0);
}

/* The same name twice: once alike, once not. */
static void add_twins(struct made *k)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		btf_id(btf__add_struct(k->btf, "twin", 16));
		field(k, "same", k->u64, 8);
		field(k, "other", k->u32, i * 4);
		func(k, "twin_same", 0);
		param(k, "folio", k->pfolio);
		func(k, "twin_other", 0);
		param(k, "a", i ? k->pfolio : k->u64);
		param(k, "b", i ? k->u64 : k->pfolio);
	}
}

static void add_enums(struct made *k)
{
	btf_id(btf__add_enum(k->btf, "pageflags", 4));
	btf_id(btf__add_enum_value(k->btf, "PG_locked", 0));
	btf_id(btf__add_enum_value(k->btf, "PG_active", 8));
	btf_id(btf__add_enum_value(k->btf, "PG_minus", -1));
	btf_id(btf__add_enum64(k->btf, "wide", 8, false));
	btf_id(btf__add_enum64_value(k->btf, "WIDE", 1ULL << 40));
	btf_id(btf__add_enum(k->btf, "twice", 4));
	btf_id(btf__add_enum_value(k->btf, "TWICE", 1));
	btf_id(btf__add_enum_value(k->btf, "ALIKE", 3));
	btf_id(btf__add_enum(k->btf, "twice", 4));
	btf_id(btf__add_enum_value(k->btf, "TWICE", 2));
	btf_id(btf__add_enum_value(k->btf, "ALIKE", 3));
}

static struct btf *make(void)
{
	struct made k = {.btf = btf__new_empty()};

	assert_int_equal(libbpf_get_error(k.btf), 0);
	k.u32 = btf_id(btf__add_int(k.btf, "unsigned int", 4, 0));
	k.u64 = btf_id(btf__add_int(k.btf, "long unsigned int", 8, 0));
	k.s32 = btf_id(btf__add_int(k.btf, "int", 4, BTF_INT_SIGNED));
	k.boolean = btf_id(btf__add_int(k.btf, "_Bool", 1, BTF_INT_BOOL));
	add_lruvec(&k);
	add_folio(&k);
	add_functions(&k);
	add_twins(&k);
	add_enums(&k);
	return k.btf;
}

static struct kbtf *made;

static int made_setup(void **state)
{
	struct errbuf err;

	if (mock_setup(state))
		return -1;
	btf_write(*state, make());
	return kbtf_open(&made, *state, &err);
}

static int made_teardown(void **state)
{
	kbtf_close(made);
	made = NULL;
	return mock_teardown(state);
}

/* ---------------------------------------------------------------- members */

static void at(const char *path, uint64_t offset, uint64_t size, uint64_t nr)
{
	struct kbtf_member m;
	struct errbuf err;

	if (kbtf_member(made, path, &m, &err))
		fail_msg("%s", err.text);
	if (m.offset != offset || m.size != size || m.nr != nr)
		fail_msg("%s: %" PRIu64 " %" PRIu64 " %" PRIu64, path, m.offset,
			 m.size, m.nr);
}

static void not_at(const char *path, int ret, const char *cause)
{
	struct kbtf_member m;
	struct errbuf err;

	assert_int_equal(kbtf_member(made, path, &m, &err), ret);
	if (!strstr(err.text, cause))
		fail_msg("%s, not %s", err.text, cause);
}

static void test_members(void **state)
{
	(void)state;
	at("lruvec", 0, 424, 1);
	at("lruvec.lists", 0, 80, 10);
	at("lruvec.lists[9]", 72, 8, 1);
	/* through a const typedef */
	at("lruvec.lrugen.max_seq", 80, 8, 1);
	at("lruvec.lrugen.min_seq[1]", 96, 8, 1);
	at("lrugen_t.nr_pages", 24, 320, 40);
	at("lru_gen_struct|lru_gen_folio.max_seq", 0, 8, 1);
	at("lru_gen_folio|lru_gen_struct.min_seq", 8, 16, 2);
	/* through anonymous structs and unions */
	at("folio.flags", 8, 8, 1);
	at("folio.mapping", 32, 8, 1);
	at("folio.alias", 32, 8, 1);
	at("folio.index", 40, 8, 1);
	at("folio.lruvec", 72, 8, 1);
	at("folio.grid", 48, 24, 6);
	at("folio.grid[1]", 60, 12, 3);
	at("folio.grid[1][2]", 68, 4, 1);
	at("folio.flexible", 80, 0, 0);
	at("folio.flexible[5]", 120, 8, 1);
	at("twin.same", 8, 8, 1);
}

static void test_no_members(void **state)
{
	(void)state;
	not_at("nothing.a", -ENOENT, "no such type");
	not_at("nothing|naught", -ENOENT, "no such type");
	not_at("", -ENOENT, "no such type");
	not_at("|", -ENOENT, "no such type");
	not_at("lruvec.lrugen.gens", -ENOENT, "no member gens");
	not_at("lruvec.lrugen.min_seq[2]", -ENOENT, "has 2 elements");
	not_at("lruvec.lists[99999999999999]", -ENOENT, "has 10 elements");
	not_at("folio.order", -EINVAL, "order is a bit-field");
	not_at("folio.lruvec.lrugen", -EINVAL, "is a pointer");
	not_at("folio.grid.x", -EINVAL, "is an array");
	not_at("folio.flags.f", -EINVAL, "is no struct");
	not_at("folio.flags[0]", -EINVAL, "no array");
	not_at("folio.grid[]", -EINVAL, "is no index");
	not_at("folio.grid[-1]", -EINVAL, "is no index");
	not_at("folio.grid[0", -EINVAL, "is no index");
	not_at("folio.grid[0]x", -EINVAL, "is no path");
	not_at("folio..flags", -EINVAL, "is no path");
	not_at("folio.", -EINVAL, "is no path");
	not_at("twin.other", -ENOTUNIQ, "several, and they differ");
}

static void test_enums(void **state)
{
	struct errbuf err;
	int64_t v;

	(void)state;
	assert_int_equal(kbtf_enum(made, "pageflags", "PG_active", &v, &err),
			 0);
	assert_int_equal(v, 8);
	assert_int_equal(kbtf_enum(made, "pageflags", "PG_minus", &v, &err), 0);
	assert_int_equal(v, -1);
	assert_int_equal(kbtf_enum(made, "wide", "WIDE", &v, &err), 0);
	assert_int_equal(v, 1LL << 40);
	assert_int_equal(kbtf_enum(made, "twice", "ALIKE", &v, &err), 0);
	assert_int_equal(v, 3);
	assert_int_equal(kbtf_enum(made, "twice", "TWICE", &v, &err),
			 -ENOTUNIQ);
	assert_int_equal(kbtf_enum(made, "pageflags", "PG_x", &v, &err),
			 -ENOENT);
	assert_string_equal(err.text,
			    "enum pageflags: this kernel has no PG_x in it");
	assert_int_equal(kbtf_enum(made, "flags", "PG_x", &v, &err), -ENOENT);
	assert_string_equal(err.text,
			    "enum flags: this kernel has no such type");
}

/* -------------------------------------------------------------- functions */

static void returns(const char *name, unsigned int nr, enum kbtf_return kind,
		    unsigned int size, bool is_signed)
{
	struct kbtf_func f;
	struct errbuf err;

	if (kbtf_func(made, name, &f, &err))
		fail_msg("%s", err.text);
	assert_int_equal(f.nr_args, nr);
	assert_int_equal(f.ret, kind);
	assert_int_equal(f.ret_size, size);
	assert_int_equal(f.ret_signed, is_signed);
}

static void test_functions(void **state)
{
	struct kbtf_func f;
	struct errbuf err;

	(void)state;
	returns("evict_folios", 3, KBTF_INT, 4, true);
	returns("folio_migrate_flags", 2, KBTF_VOID, 0, false);
	returns("try_to_inc_max_seq", 2, KBTF_BOOL, 1, false);
	returns("folio_lruvec", 1, KBTF_POINTER, 8, false);
	returns("by_value", 0, KBTF_OTHER, 96, false);
	returns("variadic", 1, KBTF_VOID, 0, false);
	returns("twin_other", 2, KBTF_VOID, 0, false);
	assert_int_equal(kbtf_func(made, "inlined", &f, &err), -ENOENT);
	assert_int_equal(kbtf_func(made, "", &f, &err), -ENOENT);
}

static void test_arguments(void **state)
{
	struct errbuf err;

	(void)state;
	assert_int_equal(kbtf_arg(made, "evict_folios", "*lruvec", &err), 2);
	assert_int_equal(kbtf_arg(made, "evict_folios", "swappiness", &err), 3);
	assert_int_equal(
		kbtf_arg(made, "try_to_inc_max_seq", "max_seq|seq", &err), 2);
	/* a pointer to const */
	assert_int_equal(kbtf_arg(made, "folio_lruvec", "*folio", &err), 1);
	assert_int_equal(kbtf_arg(made, "folio_migrate_flags", "folio", &err),
			 2);
	assert_int_equal(kbtf_arg(made, "folio_migrate_flags", "*folio", &err),
			 -ENOTUNIQ);
	assert_string_equal(err.text, "folio_migrate_flags: several arguments "
				      "are *folio");
	assert_int_equal(kbtf_arg(made, "evict_folios", "*folio", &err),
			 -ENOENT);
	assert_string_equal(err.text, "evict_folios: no argument is *folio");
	assert_int_equal(kbtf_arg(made, "evict_folios", "*", &err), -ENOENT);
	assert_int_equal(kbtf_arg(made, "evict_folios", "", &err), -ENOENT);
	assert_int_equal(kbtf_arg(made, "inlined", "*folio", &err), -ENOENT);
	assert_int_equal(kbtf_arg(made, "twin_same", "*folio", &err), 1);
	assert_int_equal(kbtf_arg(made, "twin_other", "*folio", &err),
			 -ENOTUNIQ);
}

/* ----------------------------------------------------------------- probes */

static void becomes(const char *func, const char *spec, const char *want,
		    int believed)
{
	struct buf out = {0};
	struct errbuf err;
	int ret = kbtf_expand(made, &out, spec, func, &err);

	if (ret < 0)
		fail_msg("%s: %s", spec, err.text);
	assert_string_equal((char *)out.p, want);
	assert_int_equal(out.len, strlen(want));
	assert_int_equal(ret, believed);
	buf_free(&out);
}

static void becomes_not(const struct kbtf *b, const char *func,
			const char *spec, int ret, const char *cause)
{
	struct buf out = {0};
	struct errbuf err;

	assert_int_equal(kbtf_expand(b, &out, spec, func, &err), ret);
	if (!strstr(err.text, cause))
		fail_msg("%s, not %s", err.text, cause);
	buf_free(&out);
}

static void test_expand(void **state)
{
	(void)state;
	becomes("evict_folios",
		"lruvec=$arg(*lruvec):x64 max=+{lruvec.lrugen.max_seq}($arg(*lruvec)):u64",
		"lruvec=$arg2:x64 max=+80($arg2):u64", 0);
	becomes("evict_folios.isra.0", "a=$arg(*lruvec:1):x64", "a=$arg1:x64",
		1);
	/* where BTF knows, the number given does not count */
	becomes("evict_folios", "a=$arg(*lruvec:1):x64", "a=$arg2:x64", 0);
	becomes("inc_max_seq", "$arg(*lruvec:1) $arg(seq:2)", "$arg1 $arg2", 2);
	becomes("try_to_inc_max_seq", "s=$arg(max_seq|seq:3)", "s=$arg2", 0);
	becomes(NULL, "folio=$folio:x64 flags=+{folio.flags}($folio):x64",
		"folio=$folio:x64 flags=+8($folio):x64", 0);
	becomes(NULL, "", "", 0);
	becomes(NULL, "ret=$retval:u8 $stack0 $arg1 $",
		"ret=$retval:u8 $stack0 $arg1 $", 0);
}

static void test_expand_not(void **state)
{
	(void)state;
	becomes_not(made, NULL, "+{folio.nothing}", -ENOENT, "no member");
	becomes_not(made, NULL, "+{folio.flags", -EINVAL, "no name and }");
	becomes_not(made, NULL, "+{}", -EINVAL, "no name and }");
	becomes_not(made, NULL, "+{folio}", -EINVAL, "names no member");
	becomes_not(made, "evict_folios", "$arg(*folio)", -ENOENT,
		    "no argument is *folio");
	/* BTF knows better than the spec */
	becomes_not(made, "evict_folios", "$arg(*folio:2)", -ENOENT,
		    "no argument is *folio");
	becomes_not(made, "twin_other", "$arg(*folio:2)", -ENOTUNIQ, "differ");
	becomes_not(made, "inlined", "$arg(*folio)", -ENOENT,
		    "no such function");
	becomes_not(made, "inlined", "$arg(*folio:0)", -EINVAL,
		    "no position: 0");
	becomes_not(made, "inlined", "$arg(*folio:33)", -EINVAL,
		    "no position: 33");
	becomes_not(made, "inlined", "$arg(*folio:2x)", -EINVAL,
		    "no position: 2x");
	becomes_not(made, "inlined", "$arg(*folio:)", -EINVAL, "no position: ");
	becomes_not(made, "inlined", "$arg(", -EINVAL, "no name and )");
	becomes_not(made, NULL, "$arg(*folio)", -EINVAL, "only a function");
	becomes_not(NULL, "a", "$arg(*folio)", -ENOENT, "no BTF");
	becomes_not(NULL, NULL, "+{folio.flags}", -ENOENT, "no BTF");
}

static void test_expand_without(void **state)
{
	struct kbtf *with = made;

	(void)state;
	made = NULL;
	becomes("a", "+24($arg(*folio:2)):x64", "+24($arg2):x64", 1);
	made = with;
}

/* ------------------------------------------------------------------ files */

static void test_files(void **state)
{
	const struct host *h = *state;
	struct errbuf err;
	struct kbtf *b;

	assert_int_equal(kbtf_open(&b, h, &err), -ENOENT);
	assert_non_null(strstr(err.text, VMLINUX ": No such file"));
	assert_non_null(strstr(err.hint, "CONFIG_DEBUG_INFO_BTF"));
	mock_text(h, VMLINUX, "");
	assert_int_equal(kbtf_open(&b, h, &err), -EBADMSG);
	mock_text(h, VMLINUX, "\177ELF and nothing of use behind it");
	assert_int_equal(kbtf_open(&b, h, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "is damaged"));
	mock_remove(h, VMLINUX);
	mock_text(h, VMLINUX "/file", "");
	assert_int_equal(kbtf_open(&b, h, &err), -EBADMSG);
	kbtf_close(NULL);
}

/* Types that contain themselves, and arrays larger than all memory. */
static void test_loops(void **state)
{
	struct btf *btf = btf__new_empty();
	struct made k = {.btf = btf};
	int next, huge, i;

	k.u32 = btf_id(btf__add_int(btf, "int", 4, 0));
	next = (int)btf__type_cnt(btf);
	btf_id(btf__add_typedef(btf, "round", next + 1));
	btf_id(btf__add_const(btf, next));
	next = (int)btf__type_cnt(btf);
	btf_id(btf__add_struct(btf, "inner", 8));
	for (i = 0; i < 20; i++)
		field(&k, NULL, next, 0);
	huge = array(&k, k.u32, UINT32_MAX);
	huge = array(&k, array(&k, huge, UINT32_MAX), UINT32_MAX);
	btf_id(btf__add_struct(btf, "huge", 8));
	field(&k, "a", huge, 0);
	field(&k, "nowhere", 9999, 0);
	btf_write(*state, btf);
	kbtf_close(made);
	assert_int_equal(kbtf_open(&made, *state, &(struct errbuf){0}), 0);
	not_at("round.x", -EBADMSG, "damaged");
	not_at("inner.x", -EBADMSG, "damaged");
	not_at("huge.a", -EINVAL, "no size");
	not_at("huge.a[1]", -EBADMSG, "damaged");
	not_at("huge.nowhere", -EINVAL, "no size");
	not_at("huge.nowhere.x", -EBADMSG, "damaged");
}

/* All that is asked of types, of types that make no sense. */
static void ask(const struct kbtf *b)
{
	static const char *const paths[] = {"lruvec.lrugen.min_seq[1]",
					    "folio.mapping",
					    "folio.order",
					    "lrugen_t.nr_pages",
					    "twin.other",
					    "folio.grid[1][1]"};
	static const char *const funcs[] = {"evict_folios", "folio_lruvec",
					    "twin_other", "variadic"};
	struct kbtf_member m;
	struct kbtf_func f;
	struct errbuf err;
	unsigned int i;
	int64_t v;

	for (i = 0; i < ARRAY_SIZE(paths); i++)
		kbtf_member(b, paths[i], &m, &err);
	for (i = 0; i < ARRAY_SIZE(funcs); i++) {
		kbtf_func(b, funcs[i], &f, &err);
		kbtf_arg(b, funcs[i], "*folio|seq", &err);
	}
	kbtf_enum(b, "pageflags", "PG_active", &v, &err);
	kbtf_enum(b, "wide", "WIDE", &v, &err);
}

static void test_flips(void **state)
{
	static const uint8_t masks[] = {0xff, 0x01, 0x80};
	struct btf *btf = make();
	struct errbuf err;
	uint8_t *copy;
	const void *p;
	struct kbtf *b;
	uint32_t size, i;

	p = btf__raw_data(btf, &size);
	copy = malloc(size);
	assert_non_null(copy);
	for (i = 0; i < size * 3; i++) {
		memcpy(copy, p, size);
		copy[i / 3] ^= masks[i % 3];
		mock_write(*state, VMLINUX, copy, size);
		if (kbtf_open(&b, *state, &err))
			continue;
		ask(b);
		kbtf_close(b);
	}
	for (i = 0; i < size; i += 7) {
		mock_write(*state, VMLINUX, p, i);
		assert_int_not_equal(kbtf_open(&b, *state, &err), 0);
	}
	free(copy);
	btf__free(btf);
}

int main(void)
{
#define MADE(f) cmocka_unit_test_setup_teardown(f, made_setup, made_teardown)
#define TREE(f) cmocka_unit_test_setup_teardown(f, mock_setup, mock_teardown)
	const struct CMUnitTest tests[] = {
		MADE(test_members),    MADE(test_no_members),
		MADE(test_enums),      MADE(test_functions),
		MADE(test_arguments),  MADE(test_expand),
		MADE(test_expand_not), MADE(test_expand_without),
		MADE(test_loops),      TREE(test_files),
		TREE(test_flips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
