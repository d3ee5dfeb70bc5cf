/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-symbols.c - functions that probes can be put on, and those they cannot */

#include "config.h"

#include <inttypes.h>

#include "capture/symbols.h"
#include "tests/mock-tree.h"

#define KALLSYMS  "/proc/kallsyms"
#define BLACKLIST "/sys/kernel/debug/kprobes/blacklist"
#define FILTER    "/tracing/available_filter_functions"

static const char kallsyms[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000010 T __pfx_folio_mark_accessed\n"
	"ffffffff81000020 T folio_mark_accessed\n"
	"ffffffff81000030 t __cfi_lru_add\n"
	"ffffffff81000040 t lru_add\n"
	"ffffffff81000050 t __pfx_folio_inc_gen.constprop.0\n"
	"ffffffff81000060 t folio_inc_gen.constprop.0\n"
	"ffffffff81000070 t inc_max_seq.isra.0\n"
	"ffffffff81000080 t inc_max_seq.isra.0.cold\n"
	"ffffffff81000090 t sort_folio.llvm.1234567890123456789\n"
	"ffffffff810000a0 t shrink_one.isra.0.constprop.3\n"
	"ffffffff810000b0 t only_cold.cold\n"
	"ffffffff810000c0 t only_part.part.0\n"
	"ffffffff810000d0 t only_part.part.0.isra.0\n"
	"ffffffff810000e0 t lru_gen_add_folio\n"
	"ffffffff810000f0 t lru_gen_add_folio\n"
	"ffffffff81000100 t lru_gen_add_folio\n"
	"ffffffff81000110 t two_copies.isra.0\n"
	"ffffffff81000120 t two_copies.constprop.0\n"
	"ffffffff81000130 t has_copy\n"
	"ffffffff81000140 t has_copy.constprop.0\n"
	"ffffffff81000150 D folio_data\n"
	"ffffffff81000160 W weak_function\n"
	"ffffffff81000170 T notify_die\n"
	"ffffffff81000180 T in_entry_text\n"
	"ffffffff81000190 t of_two_kinds\n"
	"ffffffffc0000000 t of_two_kinds\t[xfs]\n"
	"ffffffffc0000010 t xfs_file_read\t[xfs]\n"
	"ffffffffc0000020 t bpf_prog_1\t[bpf]\n"
	"ffffffffc0000030 t ftrace_trampoline\t[__builtin__ftrace]\n"
	"ffffffff810001a0 t lru_add_fn_extra\n"
	"ffffffff810001b0 t lru_add.other.0\n"
	"ffffffff810001c0 t lru_add.isra.\n";

static const char blacklist[] =
	"0xffffffff81000170-0xffffffff81000180\tnotify_die\n"
	"0xffffffff81000178-0xffffffff81000190\tasm_exc_debug\n"
	"0xffffffffc0001000-0xffffffffc0001010\tmod_fn [xfs]\n";

/* Looks one name up. */
static struct symbols *look(const struct host *h, const char *name,
			    const struct symbol **sym)
{
	struct symbols *s;
	struct errbuf err;

	if (symbols_load(&s, h, &name, 1, &err))
		fail_msg("%s", err.text);
	*sym = symbols_get(s, name);
	assert_non_null(*sym);
	assert_true(strlen((*sym)->reason) > 0);
	assert_true(strlen((*sym)->reason) <= SYMBOL_REASON_MAX);
	return s;
}

/* "STATE NAME ADDR[ shifted][ partial]: REASON" */
static void gives(const struct host *h, const char *want, const char *text)
{
	static const char *const states[] = {"found",       "copy",
					     "missing",     "duplicate",
					     "blacklisted", "notrace"};
	const struct symbol *sym;
	struct symbols *s = look(h, want, &sym);
	char got[512];

	snprintf(got, sizeof(got), "%s %s %" PRIx64 "%s%s: %s",
		 states[sym->state], sym->name ? sym->name : "-", sym->addr,
		 sym->shifted ? " shifted" : "", sym->partial ? " partial" : "",
		 sym->reason);
	assert_string_equal(got, text);
	assert_int_equal(symbol_usable(sym), sym->name != NULL);
	symbols_free(s);
}

/* A kallsyms that is an error, in these words. */
static void fails(const struct host *h, int ret, const char *cause)
{
	static const char *const want[] = {"lru_add"};
	struct symbols *s;
	struct errbuf err;

	assert_int_equal(symbols_load(&s, h, want, 1, &err), ret);
	if (!strstr(err.text, cause))
		fail_msg("%s, not %s", err.text, cause);
}

static void spoiled(const struct host *h, const char *text, size_t len)
{
	mock_write(h, KALLSYMS, text, len);
	fails(h, -EBADMSG, "line 2 is damaged");
}

/* ------------------------------------------------------------------ tests */

static void test_found(void **state)
{
	const struct host *h = *state;

	mock_text(h, KALLSYMS, kallsyms);
	gives(h, "folio_mark_accessed",
	      "found folio_mark_accessed ffffffff81000020: found");
	gives(h, "weak_function",
	      "found weak_function ffffffff81000160: found");
	/* other suffixes are no copies, other names no suffixes */
	gives(h, "lru_add", "found lru_add ffffffff81000040: found");
	gives(h, "has_copy",
	      "found has_copy ffffffff81000130 partial: "
	      "found; calls of its copies are not seen");
	gives(h, "xfs_file_read",
	      "found xfs_file_read ffffffffc0000010: found, in module xfs");
}

static void test_copy(void **state)
{
	const struct host *h = *state;

	mock_text(h, KALLSYMS, kallsyms);
	gives(h, "folio_inc_gen",
	      "copy folio_inc_gen.constprop.0 ffffffff81000060 shifted: only "
	      "as folio_inc_gen.constprop.0: arguments may be shifted");
	gives(h, "inc_max_seq",
	      "copy inc_max_seq.isra.0 ffffffff81000070 shifted: only as "
	      "inc_max_seq.isra.0: arguments may be shifted");
	gives(h, "sort_folio",
	      "copy sort_folio.llvm.1234567890123456789 ffffffff81000090 "
	      "shifted: only as sort_folio.llvm.1234567890123456789: "
	      "arguments may be shifted");
	gives(h, "shrink_one",
	      "copy shrink_one.isra.0.constprop.3 ffffffff810000a0 shifted: "
	      "only as shrink_one.isra.0.constprop.3: arguments may be "
	      "shifted");
	/* who asks for the copy gets it, and is told the same */
	gives(h, "inc_max_seq.isra.0",
	      "found inc_max_seq.isra.0 ffffffff81000070 shifted: found: "
	      "arguments may be shifted");
}

static void test_missing(void **state)
{
	static const char *const names[] = {
		"lru_gen_refault", "only_cold",  "only_part",
		"folio_data",      "lru_add_fn", "lru",
		"bpf_prog_1",      "",           "ftrace_trampoline"};
	const struct host *h = *state;
	char text[128];
	unsigned int i;

	mock_text(h, KALLSYMS, kallsyms);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(
			text, sizeof(text),
			"missing - 0: no such symbol (inlined or not in this kernel)");
		gives(h, names[i], text);
	}
}

static void test_duplicate(void **state)
{
	const struct host *h = *state;

	mock_text(h, KALLSYMS, kallsyms);
	gives(h, "lru_gen_add_folio",
	      "duplicate - 0: 3 functions of this name: ffffffff810000e0 "
	      "ffffffff810000f0 ffffffff81000100");
	gives(h, "two_copies",
	      "duplicate - 0: 2 functions of this name: "
	      "ffffffff81000110.isra.0 ffffffff81000120.constprop.0");
	/* the kernel looks in the modules as well */
	gives(h, "of_two_kinds",
	      "duplicate - 0: 2 functions of this name: ffffffff81000190 "
	      "ffffffffc0000000");
}

/* More than are kept, more than the reason has room for. */
static void test_many(void **state)
{
	const struct host *h = *state;
	struct buf text = {0};
	unsigned int i;

	for (i = 0; i < 100; i++)
		assert_int_equal(buf_printf(&text, "%016x t many.isra.%u\n",
					    0x1000 + i, i),
				 0);
	mock_write(h, KALLSYMS, text.p, text.len);
	gives(h, "many",
	      "duplicate - 0: 100 functions of this name: "
	      "0000000000001000.isra.0 0000000000001001.isra.1 "
	      "0000000000001002.isra.2 0000000000001003.isra.3 "
	      "0000000000001004.isra.4 and more");
	/* the one of exactly that name decides, and it comes last */
	assert_int_equal(buf_printf(&text, "%016x t many\n", 0x2000), 0);
	mock_write(h, KALLSYMS, text.p, text.len);
	gives(h, "many",
	      "found many 2000 partial: found; calls of its copies are not "
	      "seen");
	assert_int_equal(buf_printf(&text, "%016x t many\n", 0x3000), 0);
	mock_write(h, KALLSYMS, text.p, text.len);
	gives(h, "many",
	      "duplicate - 0: 2 functions of this name: 0000000000002000 and "
	      "more");
	buf_free(&text);
}

static void test_long_names(void **state)
{
	const struct host *h = *state;
	const struct symbol *sym;
	char name[512], line[1024];
	struct symbols *s;

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(line, sizeof(line), "%016x t %s.isra.0\t[%.200s]\n", 0x1000,
		 name, name);
	mock_text(h, KALLSYMS, line);
	s = look(h, name, &sym);
	assert_int_equal(sym->state, SYMBOL_COPY);
	assert_int_equal(strlen(sym->name), strlen(name) + 7);
	assert_non_null(strstr(sym->reason, "arguments may be shifted"));
	symbols_free(s);
}

static void test_hidden(void **state)
{
	const struct host *h = *state;

	mock_text(h, KALLSYMS,
		  "0000000000000000 T folio_mark_accessed\n"
		  "0000000000000000 t twice\n"
		  "0000000000000000 t twice\n"
		  "0000000000000000 t black\n");
	mock_text(h, BLACKLIST,
		  "0x0000000000000000-0x0000000000000000\tblack\n");
	gives(h, "folio_mark_accessed", "found folio_mark_accessed 0: found");
	gives(h, "twice",
	      "duplicate - 0: 2 functions of this name (their addresses are "
	      "hidden)");
	gives(h, "black",
	      "blacklisted - 0: on the kernel's blacklist of kprobes");
}

static void test_blacklist(void **state)
{
	const struct host *h = *state;
	const struct symbol *sym;
	struct symbols *s;

	mock_text(h, KALLSYMS, kallsyms);
	s = look(h, "notify_die", &sym);
	assert_int_equal(sym->state, SYMBOL_FOUND);
	assert_string_equal(symbols_note(s),
			    "the blacklist of kprobes is not known: No such "
			    "file or directory");
	symbols_free(s);

	mock_text(h, BLACKLIST, blacklist);
	gives(h, "notify_die",
	      "blacklisted - 0: on the kernel's blacklist of kprobes");
	gives(h, "in_entry_text",
	      "blacklisted - 0: on the kernel's blacklist of kprobes, in the "
	      "range of asm_exc_debug");
	s = look(h, "of_two_kinds", &sym);
	assert_string_equal(symbols_note(s), "");
	symbols_free(s);
	/* the range ends in front of it */
	gives(h, "weak_function",
	      "found weak_function ffffffff81000160: found");

	mock_text(h, BLACKLIST, "what is this\n");
	s = look(h, "notify_die", &sym);
	assert_non_null(strstr(symbols_note(s), "is not known"));
	symbols_free(s);
}

static void test_notrace(void **state)
{
	struct host h = *(const struct host *)*state;
	const struct symbol *sym;
	struct symbols *s;

	mock_text(&h, KALLSYMS, kallsyms);
	mock_text(&h, BLACKLIST, blacklist);
	assert_int_equal(host_path(&h, h.tracing, "/tracing"), 0);
	/* no such file: a kernel without the function tracer */
	gives(&h, "lru_add", "found lru_add ffffffff81000040: found");

	mock_text(&h, FILTER,
		  "folio_mark_accessed\nlru_add.other.0\n"
		  "folio_inc_gen.constprop.0\nhas_copy.constprop.0\n"
		  "inc_max_seq\nxfs_file_read [xfs]\nnotify_die\n");
	gives(&h, "folio_mark_accessed",
	      "found folio_mark_accessed ffffffff81000020: found");
	gives(&h, "xfs_file_read",
	      "found xfs_file_read ffffffffc0000010: found, in module xfs");
	gives(&h, "lru_add",
	      "notrace - 0: lru_add is notrace, as inline functions are");
	gives(&h, "has_copy",
	      "notrace - 0: has_copy is notrace, as inline functions are");
	gives(&h, "folio_inc_gen",
	      "copy folio_inc_gen.constprop.0 ffffffff81000060 shifted: only "
	      "as folio_inc_gen.constprop.0: arguments may be shifted");
	gives(&h, "inc_max_seq",
	      "notrace - 0: inc_max_seq.isra.0 is notrace, as inline functions "
	      "are");
	gives(&h, "notify_die",
	      "blacklisted - 0: on the kernel's blacklist of kprobes");

	/* there is an option that lets probes in */
	mock_gz(&h, "/proc/config.gz", "CONFIG_KPROBE_EVENTS_ON_NOTRACE=y\n");
	gives(&h, "lru_add", "found lru_add ffffffff81000040: found");
	mock_remove(&h, "/proc/config.gz");

	mock_text(&h, FILTER, "");
	s = look(&h, "lru_add", &sym);
	assert_int_equal(sym->state, SYMBOL_FOUND);
	assert_string_equal(symbols_note(s),
			    "what is notrace is not known: No data available");
	symbols_free(s);
}

static void test_broken(void **state)
{
	const struct host *h = *state;
	char line[2000];

	fails(h, -ENOENT, "/proc/kallsyms: No such file");
	mock_text(h, KALLSYMS, "");
	fails(h, -ENODATA, "has no symbols");
#define SPOILED(text) spoiled(h, text, sizeof(text) - 1)
	SPOILED("00 t a\nnot hex\n");
	SPOILED("00 t a\n\n");
	SPOILED("00 t a\n12345678901234567890 t b\n");
	SPOILED("00 t a\n00 t\n");
	SPOILED("00 t a\n00 t ");
	SPOILED("00 t a\n00 tt b\n");
	SPOILED("00 t a\n00 t b [mod\n");
	SPOILED("00 t a\n00 t b mod\n");
	SPOILED("00 t a\n00 t b\0c\n");
	memcpy(line, "00 t a\n00 t ", 12);
	memset(line + 12, 'x', sizeof(line) - 12);
	spoiled(h, line, sizeof(line));

	mock_remove(h, KALLSYMS);
	mock_text(h, KALLSYMS "/file", "");
	fails(h, -EISDIR, "Is a directory");
}

/* Every name that was asked for, and no other, each once. */
static void test_names(void **state)
{
	static const char *const want[] = {"lru_add", "a", "has_copy",
					   "lru_add", "_text"};
	const struct host *h = *state;
	struct symbols *s;
	struct errbuf err;
	unsigned int i;

	mock_text(h, KALLSYMS, kallsyms);
	assert_int_equal(symbols_load(&s, h, want, ARRAY_SIZE(want), &err), 0);
	for (i = 0; i < ARRAY_SIZE(want); i++)
		assert_string_equal(symbols_get(s, want[i])->want, want[i]);
	assert_null(symbols_get(s, "weak_function"));
	assert_int_equal(symbols_get(s, "lru_add")->state, SYMBOL_FOUND);
	symbols_free(s);
	assert_int_equal(symbols_load(&s, h, want, 0, &err), 0);
	assert_null(symbols_get(s, "lru_add"));
	symbols_free(s);
	symbols_free(NULL);
}

int main(void)
{
#define TREE(f) cmocka_unit_test_setup_teardown(f, mock_setup, mock_teardown)
	const struct CMUnitTest tests[] = {
		TREE(test_found),   TREE(test_copy),
		TREE(test_missing), TREE(test_duplicate),
		TREE(test_many),    TREE(test_long_names),
		TREE(test_hidden),  TREE(test_blacklist),
		TREE(test_notrace), TREE(test_broken),
		TREE(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
