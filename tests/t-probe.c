/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-probe.c - definitions of probes: parsed, found, mapped onto kinds */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/probe-map.h"
#include "formats/vmemmap.h"

/* ---------------------------------------------------------------- helpers */

static void parse(struct probe_def *def, const char *line)
{
	struct errbuf err;

	if (probe_parse(def, line, strlen(line), &err))
		fail_msg("%s: %s", line, err.text);
}

/* Fails with words that have this in them, and leaves nothing behind. */
static void refuses(const char *line, const char *cause)
{
	struct probe_def def;
	struct errbuf err;

	assert_int_equal(probe_parse(&def, line, strlen(line), &err), -EINVAL);
	if (!strstr(err.text, cause))
		fail_msg("%.60s: %s, not %s", line, err.text, cause);
	probe_def_free(&def);
}

/* The name of the argument that has this role, "" if none has. */
static const char *role_arg(const struct probe_map *map,
			    const struct probe_def *def, uint8_t role)
{
	const uint8_t *roles;
	unsigned int i;

	mmt_kind_roles((enum mmt_kind)map->kind, &roles);
	for (i = 0; i < map->nr_roles; i++)
		if (roles[i] == role && map->arg[i] >= 0)
			return def->arg[map->arg[i]].name;
	return "";
}

/* "KIND ROLE=ARG...", the roles in their order, and the note. */
static void maps(const char *line, const char *want)
{
	struct buf got = {0};
	struct probe_def def;
	struct probe_map map;
	const uint8_t *roles;
	unsigned int i;

	parse(&def, line);
	probe_map(&map, &def);
	mmt_kind_roles((enum mmt_kind)map.kind, &roles);
	assert_int_equal(
		buf_printf(&got, "%s", mmt_kind_name((enum mmt_kind)map.kind)),
		0);
	for (i = 0; i < map.nr_roles; i++)
		if (map.arg[i] >= 0)
			assert_int_equal(buf_printf(&got, " %s=%s",
						    mmt_role_name(roles[i]),
						    def.arg[map.arg[i]].name),
					 0);
	if (*map.note)
		assert_int_equal(buf_printf(&got, "; %s", map.note), 0);
	assert_string_equal((char *)got.p, want);
	buf_free(&got);
	probe_def_free(&def);
}

/* ------------------------------------------------------------------- forms */

static void test_forms(void **state)
{
	static const struct {
		const char *line, *group, *name, *symbol;
		enum probe_type type;
	} cases[] = {
		{"p:tp/x do_fork", "tp", "x", "do_fork", PROBE_ENTRY},
		{"  p:tp/x\tdo_fork \r", "tp", "x", "do_fork", PROBE_ENTRY},
		{"p:tp.x do_fork # why", "tp", "x", "do_fork", PROBE_ENTRY},
		{"p:x do_fork+0", "kprobes", "x", "do_fork", PROBE_ENTRY},
		{"p do_fork", "kprobes", "p_do_fork_0", "do_fork", PROBE_ENTRY},
		{"p:tp/ do_fork+8", "tp", "p_do_fork_8", "do_fork",
		 PROBE_ENTRY},
		{"r do_fork", "kprobes", "r_do_fork_0", "do_fork",
		 PROBE_RETURN},
		{"r10:tp/x do_fork a=$retval", "tp", "x", "do_fork",
		 PROBE_RETURN},
		{"p:tp/x do_fork%return", "tp", "x", "do_fork", PROBE_RETURN},
		{"f:tp/x do_fork", "tp", "x", "do_fork", PROBE_ENTRY},
		{"f:x do_fork%return", "fprobes", "x", "do_fork", PROBE_RETURN},
		{"f do_fork", "fprobes", "do_fork__entry", "do_fork",
		 PROBE_ENTRY},
		{"f3 do_fork%return", "fprobes", "do_fork__exit", "do_fork",
		 PROBE_RETURN},
		{"t:tp/x mm_lru_activate a=folio", "tp", "x", "mm_lru_activate",
		 PROBE_TRACEPOINT},
		{"t mm_lru_activate", "tracepoints", "mm_lru_activate",
		 "mm_lru_activate", PROBE_TRACEPOINT},
		{"e:x pagemap.mm_lru_activate", "eprobes", "x",
		 "mm_lru_activate", PROBE_EVENT},
		{"e pagemap/mm_lru_activate pfn=$pfn if pfn > 3", "eprobes",
		 "mm_lru_activate", "mm_lru_activate", PROBE_EVENT},
		{"p:tp/x ext4:ext4_read", "tp", "x", "ext4_read", PROBE_ENTRY},
		{"p:tp/x 0xffffffff81234567", "tp", "x", "", PROBE_ENTRY},
		{"p:tp/x f.constprop.0.isra.1", "tp", "x", "f", PROBE_ENTRY},
		{"p:tp/x f.llvm.1234567", "tp", "x", "f", PROBE_ENTRY},
		{"p:tp/x f.part.0", "tp", "x", "f", PROBE_ENTRY},
		{"p:tp/x f.cold", "tp", "x", "f.cold", PROBE_ENTRY},
		{"p:x /bin/bash:0x4245c0 %ip", "uprobes", "x", "",
		 PROBE_FOREIGN},
		{"s:wakeup u64 lat; pid_t pid", "synthetic", "wakeup", "",
		 PROBE_FOREIGN},
	};
	struct probe_def def;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		parse(&def, cases[i].line);
		assert_string_equal(def.group, cases[i].group);
		assert_string_equal(def.name, cases[i].name);
		assert_string_equal(def.symbol, cases[i].symbol);
		assert_int_equal(def.type, cases[i].type);
		probe_def_free(&def);
	}
}

static void test_args(void **state)
{
	static const char line[] =
		"p:tp/x do_fork a=$arg1:x64 +8(%di):u32 folio $stack0 "
		"folio->flags:x64 m=@ext4:sym g=+0($arg1):b3@27/64 "
		"s=+0(+8($arg2)):string \\5";
	static const struct probe_arg want[] = {
		{"a", "x64", (char *)"$arg1"},
		{"arg2", "u32", (char *)"+8(%di)"},
		{"folio", "", (char *)"folio"},
		{"arg4", "", (char *)"$stack0"},
		{"arg5", "x64", (char *)"folio->flags"},
		{"m", "sym", (char *)"@ext4"},
		{"g", "b3@27/64", (char *)"+0($arg1)"},
		{"s", "string", (char *)"+0(+8($arg2))"},
		{"arg9", "", (char *)"\\5"},
	};
	struct probe_def def;
	unsigned int i;

	(void)state;
	parse(&def, line);
	assert_int_equal(def.nr_args, ARRAY_SIZE(want));
	for (i = 0; i < def.nr_args; i++) {
		assert_string_equal(def.arg[i].name, want[i].name);
		assert_string_equal(def.arg[i].type, want[i].type);
		assert_string_equal(def.arg[i].expr, want[i].expr);
	}
	probe_def_free(&def);
}

/* What a log keeps of a definition. */
static void test_text(void **state)
{
	struct probe_def def;

	(void)state;
	parse(&def, " p:tp/x  do_fork\ta=$arg1  # of mine\r");
	assert_string_equal(def.text, "p:tp/x do_fork a=$arg1");
	probe_def_free(&def);
	parse(&def, "p:tp/x 0xffffffff81234567 a=@ffffffff81234568:x64");
	assert_string_equal(def.text, "p:tp/x 0xxxxxxxxxxxxxxxxx "
				      "a=@xxxxxxxxxxxxxxxx:x64");
	probe_def_free(&def);
	parse(&def, "p:tp/x do_fork a=\"\x1b[31m\"");
	assert_string_equal(def.text, "p:tp/x do_fork a=\"?[31m\"");
	probe_def_free(&def);
}

/* ---------------------------------------------------------------- hostile */

static char *repeated(const char *head, const char *piece, unsigned int nr)
{
	struct buf b = {0};

	assert_int_equal(buf_printf(&b, "%s", head), 0);
	while (nr--)
		assert_int_equal(buf_printf(&b, "%s", piece), 0);
	return (char *)b.p;
}

static void test_long(void **state)
{
	struct probe_def def;
	char *line;

	(void)state;
	line = repeated("p:tp/x do_fork", " a", 128);
	parse(&def, line);
	assert_int_equal(def.nr_args, 128);
	probe_def_free(&def);
	free(line);
	line = repeated("p:tp/x do_fork", " a", 129);
	refuses(line, "more than 128 arguments");
	free(line);
	line = repeated("p:tp/x do_fork ", "a", 8192);
	refuses(line, "longer than 8192 bytes");
	free(line);
	line = repeated("p:tp/x do_fork ", "a", 600);
	refuses(line, "argument 1 is too long");
	free(line);
	line = repeated("p:tp/", "a", 90);
	refuses(line, "the event is no name, or too long");
	free(line);
	line = repeated("p:tp/x ", "a", 256);
	refuses(line, "its function is longer than 255 bytes");
	free(line);
	line = repeated("p:tp/x ", "a", 200);
	refuses(line, "no symbol of possible length");
	free(line);
	line = repeated("p ", "a", 100);
	refuses(line, "name is too long");
	free(line);
}

static void test_hostile(void **state)
{
	struct probe_def def;
	struct errbuf err;

	(void)state;
	assert_int_equal(probe_parse(&def, "", 0, &err), -ENOENT);
	assert_int_equal(probe_parse(&def, " # x", 4, &err), -ENOENT);
	assert_int_equal(probe_parse(&def, "-:tp/x", 6, &err), -ENOENT);
	assert_int_equal(probe_parse(&def, "p:x f\0g", 7, &err), -EINVAL);
	probe_def_free(&def);
	refuses("hello world", "not a definition");
	refuses("=== vmscan/x", "not a definition");
	refuses("p", "no function or event");
	refuses("p:tp/x", "no function or event");
	refuses("p10:tp/x f", "not a definition");
	refuses("r1234567:tp/x f", "not a definition");
	refuses("p:1/x f", "group is no name");
	refuses("p:/x f", "group is no name");
	refuses("p:tp/a-b f", "event is no name");
	refuses("p:tp/x/y f", "event is no name");
	refuses("p:tp/x :f", "module is no name");
	refuses("p:tp/x f+", "offset is no number");
	refuses("p:tp/x f+0x", "offset is no number");
	refuses("p:tp/x 12k", "address is no number");
	refuses("p:tp/x 0x1ffffffffffffffff", "address is no number");
	refuses("e:tp/x mm_lru_activate", "no event as SYSTEM.EVENT");
	refuses("e:tp/x .y", "no event as SYSTEM.EVENT");
	refuses("p:tp/x f =1", "name of argument 1 is none");
	refuses("p:tp/x f a=$arg1 2b=$arg2", "name of argument 2 is none");
	refuses("p:tp/x f a=", "argument 1 is empty");
	refuses("p:tp/x f a=:x64", "argument 1 is empty");
	refuses("p:tp/x f a=$arg1:", "type of argument 1 is none");
	refuses("p:tp/x f a=$arg1:x6400000000000000000000000",
		"type of argument 1 is none");
}

/* ------------------------------------------------------------------- lists */

static unsigned int bad_line;

static int tell(void *arg, unsigned int line, const char *cause)
{
	struct buf *all = arg;

	bad_line = line;
	return buf_printf(all, "%u: %s\n", line, cause);
}

static void test_list(void **state)
{
	static const char text[] = "p:a/x workingset_refault s=$arg2\r\n"
				   "\n"
				   "nonsense\n"
				   "p:b/x do_fork\n"
				   "-:b/x\n"
				   "p:a/y do_fork\n"
				   "p:a/x workingset_refault s=$arg2\n"
				   "p:a/y do_exit";
	struct probes ps = {0};
	struct buf all = {0};

	(void)state;
	assert_int_equal(probes_add(&ps, text, strlen(text), tell, &all), 5);
	assert_string_equal((char *)all.p, "3: not a definition of a probe\n");
	assert_int_equal(ps.nr, 3);
	assert_non_null(probes_find(&ps, "a", "x"));
	assert_false(probes_find(&ps, "a", "x")->several);
	assert_true(probes_find(&ps, "a", "y")->several);
	assert_null(probes_find(&ps, "c", "x"));
	assert_null(probes_find(&ps, "a", "z"));
	/* without a group: one alone, or none */
	assert_null(probes_find(&ps, NULL, "x"));
	assert_ptr_equal(probes_find(&ps, NULL, "y"),
			 probes_find(&ps, "a", "y"));
	probes_free(&ps);
	assert_null(probes_find(&ps, "a", "x"));
	buf_free(&all);
}

static void test_many(void **state)
{
	struct probes ps = {0};
	struct buf text = {0}, all = {0};
	char name[16];
	unsigned int i;

	(void)state;
	for (i = 0; i < PROBE_MAX_DEFS + 2; i++)
		assert_int_equal(buf_printf(&text, "p:g/e%u f\n", i), 0);
	assert_true(probes_add(&ps, (char *)text.p, text.len, tell, &all) > 0);
	assert_int_equal(bad_line, PROBE_MAX_DEFS + 1);
	assert_int_equal(ps.nr, PROBE_MAX_DEFS);
	for (i = 0; i < PROBE_MAX_DEFS; i++) {
		snprintf(name, sizeof(name), "e%u", i);
		assert_non_null(probes_find(&ps, "g", name));
	}
	probes_free(&ps);
	buf_free(&text);
	buf_free(&all);
}

static void test_detect(void **state)
{
	(void)state;
	assert_true(probes_is_text("p:a/b c\n", 8));
	assert_true(probes_is_text("# comment\n\nr10:a/b c x=$retval", 30));
	assert_false(probes_is_text("", 0));
	assert_false(probes_is_text("# comment\n", 10));
	assert_false(probes_is_text("=== filemap/x\nname: x\n", 22));
	assert_false(probes_is_text("name: x\nID: 3\n", 14));
}

/* -------------------------------------------------------------------- maps */

/* "KIND<tab>DEFINITION" lines; other is the only kind that has addresses. */
static void check_file(const char *name, unsigned int nr_want)
{
	const char *top = getenv("top_srcdir");
	char path[512], line[2048], *tab;
	unsigned int nr = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/data/probes/%s", top ? top : ".",
		 name);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		struct probe_def def;
		struct probe_map map;

		line[strcspn(line, "\n")] = '\0';
		if (*line == '#')
			continue;
		tab = strchr(line, '\t');
		assert_non_null(tab);
		*tab++ = '\0';
		parse(&def, tab);
		probe_map(&map, &def);
		if (strcmp(mmt_kind_name((enum mmt_kind)map.kind), line))
			fail_msg("%s is %s, not %s", tab,
				 mmt_kind_name((enum mmt_kind)map.kind), line);
		/* only some of evict_folios() are without names */
		if (map.kind != MMT_OTHER && map.kind != MMT_EVICT_BEGIN)
			assert_false(map.addresses);
		probe_def_free(&def);
		nr++;
	}
	fclose(f);
	assert_int_equal(nr, nr_want);
}

static void test_catalogue(void **state)
{
	(void)state;
	check_file("catalogue.txt", 59);
	check_file("guest.txt", 26);
}

static void test_roles(void **state)
{
	(void)state;
	maps("p:x workingset_refault folio=$arg1 shadow=$arg2 flags=+0($arg1)",
	     "refault pfn=folio page_flags=flags shadow=shadow");
	/* without names: by place, and by what is fetched from there */
	maps("p:x workingset_refault $arg1 $arg2 +0($arg1) +24($arg1) "
	     "+32($arg1) +64(+0(+24($arg1))) +16(+40(+0(+24($arg1)))):u32 "
	     "+40($arg1) +56($arg1)",
	     "refault dev=arg7 ino=arg6 index=arg5 pfn=arg1 page_flags=arg3 "
	     "mapping=arg4 swap=arg8 memcg=arg9 shadow=arg2");
	maps("p:x workingset_refault %di %si +0(%di)",
	     "refault pfn=arg1 page_flags=arg3 shadow=arg2");
	maps("p:x workingset_refault a=%x0 b=%x1 c=+0(%x0)",
	     "refault pfn=a page_flags=c shadow=b");
	maps("f:x workingset_refault folio shadow f=folio->flags "
	     "i=folio->mapping->host->i_ino",
	     "refault ino=i pfn=folio page_flags=f shadow=shadow");
	/* the place says more than a name that it contradicts */
	maps("p:x workingset_eviction folio=$arg1 memcg=$arg2",
	     "evict pfn=folio target=memcg");
	maps("p:x workingset_refault shadow=$arg1 folio=$arg2",
	     "refault pfn=shadow shadow=folio");
	/* a few bits of the flags are no flags, a string is no number */
	maps("p:x folio_mark_accessed $arg1 flags=+0($arg1):b3@27/64",
	     "mark-accessed pfn=arg1");
	maps("p:x folio_mark_accessed $arg1 flags=+0($arg1):string",
	     "mark-accessed pfn=arg1");
	/* names of tracepoints */
	maps("p:x filemap_fault i_ino=+8($arg1) s_dev=+9($arg1) index=$arg2",
	     "fault-entry dev=s_dev ino=i_ino index=index");
	maps("e:x pagemap.mm_lru_insertion f=$folio a=$flags b=+0($folio)",
	     "lru-added pfn=f page_flags=b lru_flags=a");
	/* what returns */
	maps("r:x workingset_eviction $retval", "evict-shadow shadow=arg1");
	maps("r:x workingset_eviction %ax", "evict-shadow shadow=arg1");
}

static void test_custom(void **state)
{
	(void)state;
	maps("p:x do_fork a=$arg1", "other");
	maps("p:x 0xffffffff81234567", "other");
	maps("p:x nomap:workingset_refault s=$arg2", "other");
	maps("r:x workingset_age_nonresident $retval", "other");
	maps("e:x foo.mm_lru_insertion $folio", "other");
	maps("p:x workingset_refault folio=$arg1",
	     "other; refault at workingset_refault: field shadow is missing, "
	     "kept as other");
	maps("p:x workingset_refault+0x40 s=%si",
	     "other; probe at workingset_refault: not where the function "
	     "begins, kept as other");
	/* the kernel takes $arg only where it does */
	maps("p:x workingset_refault+4 s=$arg2", "refault shadow=s");
	maps("p:x folio_inc_gen.isra.0 $arg2",
	     "gen-inc pfn=arg1; folio_inc_gen.isra.0: taken to have the "
	     "arguments of folio_inc_gen");
	/* as sure as one can be: evict_folios() is not the same everywhere */
	maps("p:x evict_folios $arg1 $arg2", "evict-begin");
}

static void test_values(void **state)
{
	struct probe_def def;
	struct probe_map map;

	(void)state;
	parse(&def, "p:x workingset_eviction folio=$arg1 flags=+0($arg1) "
		    "mapping=+24($arg1) memcg=+56($arg1) swap=+40($arg1) "
		    "t=$arg2 list=+8($arg1):x64 n=+8($arg1):u32 "
		    "a=$stack0:symbol");
	probe_map(&map, &def);
	assert_string_equal(role_arg(&map, &def, MMT_TARGET), "t");
	assert_int_equal(map.value[0], PROBE_FOLIO);
	assert_int_equal(map.value[1], PROBE_NUMBER);
	assert_int_equal(map.value[2], PROBE_TAGGED);
	assert_int_equal(map.value[3], PROBE_UNTAGGED);
	assert_int_equal(map.value[4], PROBE_SCRUBBED);
	assert_int_equal(map.value[5], PROBE_UNTAGGED);
	assert_int_equal(map.value[6], PROBE_POINTER);
	assert_int_equal(map.value[7], PROBE_NUMBER);
	assert_int_equal(map.value[8], PROBE_POINTER);
	assert_false(map.addresses);
	probe_def_free(&def);

	parse(&def, "p:x do_fork a=$arg1");
	probe_map(&map, &def);
	assert_true(map.addresses);
	probe_def_free(&def);
	parse(&def, "p:x do_fork a=$arg1:u32 index=$arg2 list=$arg3");
	probe_map(&map, &def);
	assert_false(map.addresses);
	probe_def_free(&def);
}

/* The event's format may lack what its definition says. */
static void test_lacks(void **state)
{
	struct probe_def def;
	struct probe_map map;

	(void)state;
	parse(&def, "p:x workingset_refault s=$arg2 index=+32($arg1)");
	probe_map(&map, &def);
	assert_int_equal(map.kind, MMT_REFAULT);
	probe_map_lacks(&map, &def, FOLIO_INDEX);
	assert_int_equal(map.kind, MMT_REFAULT);
	probe_map_lacks(&map, &def, FOLIO_NR);
	assert_int_equal(map.kind, MMT_OTHER);
	assert_non_null(strstr(map.note, "field shadow is missing"));
	probe_def_free(&def);
}

/* ---------------------------------------------------------------- vmemmap */

static void test_vmemmap(void **state)
{
	struct vmemmap v = {0};

	(void)state;
	vmemmap_learn(&v, 0xffffea0000000000 + 64 * 1000, 1000);
	assert_false(vmemmap_known(&v));
	vmemmap_learn(&v, 0xffffea0000000000 + 64 * 1000, 1000);
	assert_false(vmemmap_known(&v));
	vmemmap_learn(&v, 0xffffea0000000000 + 64 * 7, 7);
	assert_true(vmemmap_known(&v));
	assert_int_equal(vmemmap_pfn(&v, 0xffffea0000000000), 0);
	assert_int_equal(vmemmap_pfn(&v, 0xffffea0000000000 + 64 * 99), 99);
	assert_true(vmemmap_pfn(&v, 0xffffea0000000001) == MMT_NO_PFN);
	assert_true(vmemmap_pfn(&v, 0) == MMT_NO_PFN);
	assert_true(vmemmap_pfn(&v, UINT64_MAX) == MMT_NO_PFN);
	vmemmap_learn(&v, 0x123456789abcdef0, 8);
	assert_false(vmemmap_known(&v));
	assert_false(vmemmap_wants(&v));

	/* hashed addresses are in no order */
	v = (struct vmemmap){0};
	vmemmap_learn(&v, 0x00000000a1b2c3d4, 1000);
	vmemmap_learn(&v, 0x0000000012345678, 1001);
	assert_false(vmemmap_known(&v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_detect),
		cmocka_unit_test(test_catalogue),
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_custom),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_lacks),
		cmocka_unit_test(test_vmemmap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
