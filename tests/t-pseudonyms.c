/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-pseudonyms.c - pseudonyms: the hash, names, paths, what is kept and what not */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/anon.h"
#include "formats/event.h"

static const uint8_t key[SIPHASH_KEY_LEN] = {0, 1, 2,  3,  4,  5,  6,  7,
					     8, 9, 10, 11, 12, 13, 14, 15};
static struct anon anon;
static struct buf out;

static int setup(void **state)
{
	(void)state;
	memset(&out, 0, sizeof(out));
	anon_init(&anon, key);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	anon_free(&anon);
	buf_free(&out);
	return 0;
}

/* What the paper and its reference code give for 0, 1, 2... */
static void hash_is_siphash(void **state)
{
	static const struct {
		size_t len;
		uint64_t hash;
	} known[] = {
		{0, 0x726fdb47dd0e0e31ULL},
		{1, 0x74f839c593dc67fdULL},
		{8, 0x93f5f5799a932462ULL},
		{15, 0xa129ca6149be45e5ULL},
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(known); i++)
		assert_int_equal(siphash(key, key, known[i].len),
				 known[i].hash);
}

static const char *comm(const char *name, bool escaped)
{
	out.len = 0;
	assert_int_equal(anon_comm(&anon, &out, name, escaped), 0);
	return (const char *)out.p;
}

/* "comm-" and ten hexadecimal digits: no longer than the kernel's names. */
static bool is_pseudonym(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return !strncmp(text, prefix, len) && text[len] == '-' &&
	       strspn(text + len + 1, "0123456789abcdef") == 10 &&
	       strlen(text) == len + 11;
}

static void comms_are_replaced(void **state)
{
	char first[32];

	(void)state;
	snprintf(first, sizeof(first), "%s", comm("fio", false));
	assert_true(is_pseudonym(first, "comm"));
	assert_string_equal(comm("fio", false), first);
	assert_string_equal(comm("fio", true), first);
	assert_string_not_equal(comm("fip", false), first);
	assert_string_equal(comm("", false), "");
	assert_int_equal(anon.seen[ANON_COMM].nr, 2);
}

static void comms_depend_on_the_key(void **state)
{
	uint8_t other[SIPHASH_KEY_LEN] = {1};
	struct anon b;
	char first[32];

	(void)state;
	snprintf(first, sizeof(first), "%s", comm("fio", false));
	anon_init(&b, other);
	out.len = 0;
	assert_int_equal(anon_comm(&b, &out, "fio", false), 0);
	assert_string_not_equal((const char *)out.p, first);
	anon_free(&b);
}

/* In events a name is raw, in the text "tasks" it is escaped. */
static void comms_are_the_same_escaped(void **state)
{
	char first[32];

	(void)state;
	snprintf(first, sizeof(first), "%s", comm("a\x1b\\b", false));
	assert_string_equal(comm("a\\x1b\\\\b", true), first);
	snprintf(first, sizeof(first), "%s", comm("\xff\xfe", false));
	assert_true(is_pseudonym(first, "comm"));
	assert_string_equal(comm("\\xff\\xfe", true), first);
}

static void kernel_threads_are_kept(void **state)
{
	static const char *const kept[] = {
		"kswapd0",    "kswapd12",     "kdamond.3",    "kcompactd0",
		"khugepaged", "kworker/0:1H", "kworker/u8:3", "swapper/1",
		"<idle>",     "ksoftirqd/0",
	};
	static const char *const replaced[] = {
		"kswapd",        "kswapd0x", "kswapd-shop",
		"kdamond.",      "kworkerX", "kworker/",
		"kworker/alice", "ksmdx",    "khugepaged ",
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(kept); i++)
		assert_string_equal(comm(kept[i], false), kept[i]);
	assert_int_equal(anon.kernel.nr, ARRAY_SIZE(kept));
	for (i = 0; i < ARRAY_SIZE(replaced); i++)
		assert_true(is_pseudonym(comm(replaced[i], false), "comm"));
	/* the work is not the thread */
	assert_string_equal(comm("kworker/u8:3-shop_wq", true), "kworker/u8:3");
	assert_string_equal(comm("kworker/0:1+shop", true), "kworker/0:1");
}

static const char *path(enum anon_kind kind, const char *text)
{
	out.len = 0;
	assert_int_equal(anon_path(&anon, &out, kind, text), 0);
	return (const char *)out.p;
}

static void paths_keep_their_shape(void **state)
{
	char dir[64], file[64];

	(void)state;
	snprintf(dir, sizeof(dir), "%s", path(ANON_PATH, "/home"));
	assert_true(is_pseudonym(dir + 1, "name"));
	snprintf(file, sizeof(file), "%s", path(ANON_PATH, "/home/bob"));
	assert_int_equal(strncmp(file, dir, strlen(dir)), 0);
	assert_true(is_pseudonym(file + strlen(dir) + 1, "name"));
	assert_string_equal(path(ANON_PATH, "/"), "/");
	assert_string_equal(path(ANON_PATH, ""), "");
	assert_string_equal(path(ANON_PATH, "../."), "../.");
	assert_true(is_pseudonym(path(ANON_PATH, "..."), "name"));
	/* the same word as a cgroup is another name */
	assert_true(is_pseudonym(path(ANON_CGROUP, "/home") + 1, "cgroup"));
	assert_string_not_equal(out.p + 8, dir + 6);
}

static void deep_paths_stay_strings_of_a_log(void **state)
{
	char deep[MMT_MAX_STRING];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(deep) - 1; i++)
		deep[i] = i % 2 ? 'x' : '/';
	deep[i] = '\0';
	assert_true(is_pseudonym(path(ANON_PATH, deep), "name"));
}

static const char *swap(const char *text)
{
	out.len = 0;
	assert_int_equal(anon_swap(&anon, &out, text), 0);
	return (const char *)out.p;
}

static void swap_devices_are_kept(void **state)
{
	static const char devices[] = "/dev/zram0 4 KiB, /dev/nvme0n1p3 5 KiB";

	(void)state;
	assert_string_equal(swap("none"), "none");
	assert_string_equal(swap(devices), devices);
	assert_null(strstr(swap("/home/bob/swap,1 512 KiB"), "bob"));
	assert_null(strstr((char *)out.p, ",1"));
	assert_non_null(strstr((char *)out.p, " 512 KiB"));
	assert_null(strstr(swap("/dev/mapper/bob 5 KiB"), "bob"));
	assert_null(strstr(swap("/dev/sdbob 5 KiB, bob, x"), "bob"));
}

static void filters_of_numbers_are_kept(void **state)
{
	static const char *const numeric[] = {
		"a:b if dev == 8388609",
		"a:b if dev == 0x800001 && (order > 0 || nr<=-5)",
		"a:b if flags & 4",
		"",
	};
	static const char *const other[] = {
		"a:b if comm == \"bob\"",
		"a:b if comm == bob",
		"a:b if comm ~ bob*",
		"a:b if x != 'bob'",
		"a:b if nr == 5 && comm != bob",
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(numeric); i++)
		assert_true(anon_is_numeric(numeric[i]));
	for (i = 0; i < ARRAY_SIZE(other); i++)
		assert_false(anon_is_numeric(other[i]));
}

static void tasks_keep_their_numbers(void **state)
{
	uint64_t nr_bad;
	char want[128], bob[32];

	(void)state;
	snprintf(bob, sizeof(bob), "%s", comm("bob shop", false));
	out.len = 0;
	assert_int_equal(anon_tasks(&anon, &out,
				    "7 6 bob shop\nbob\n40 40 kswapd0\n8 bob\n"
				    "9 9 bob shop",
				    &nr_bad),
			 0);
	snprintf(want, sizeof(want), "7 6 %s\n40 40 kswapd0\n9 9 %s\n", bob,
		 bob);
	assert_string_equal((char *)out.p, want);
	assert_int_equal(nr_bad, 2);
}

static void addresses_become_numbers(void **state)
{
	(void)state;
	assert_int_equal(anon_address(&anon, 0xffff888012345678ULL), 1);
	assert_int_equal(anon_address(&anon, 0xff11000000000040ULL), 2);
	assert_int_equal(anon_address(&anon, 0xffff888012345678ULL), 1);
	assert_int_equal(anon_address(&anon, 0), 0);
	assert_int_equal(anon_address(&anon, 0x7fffffffffffULL),
			 0x7fffffffffff);
	/* an error number, and "no limit" */
	assert_int_equal(anon_address(&anon, (uint64_t)-12), (uint64_t)-12);
	assert_int_equal(anon_address(&anon, UINT64_MAX), UINT64_MAX);
}

static void unknown_facts_are_dropped(void **state)
{
	enum anon_kind kind;

	(void)state;
	assert_int_equal(anon_fact("kernel.release", &kind), ANON_KEEP);
	assert_int_equal(anon_fact("note", &kind), ANON_NOTE);
	assert_int_equal(anon_fact("owner", &kind), ANON_DROP);
	assert_int_equal(anon_fact("cgroup", &kind), ANON_REPLACE_PATH);
	assert_int_equal(kind, ANON_CGROUP);
	assert_int_equal(anon_text_kind("vmstat"), ANON_TEXT_PLAIN);
	assert_int_equal(anon_text_kind("zram1.mm_stat"), ANON_TEXT_PLAIN);
	assert_int_equal(anon_text_kind("lru_gen_full"), ANON_TEXT_CGROUPS);
	assert_int_equal(anon_text_kind("mounts"), ANON_TEXT_UNKNOWN);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(hash_is_siphash),
		TEST(comms_are_replaced),
		TEST(comms_depend_on_the_key),
		TEST(comms_are_the_same_escaped),
		TEST(kernel_threads_are_kept),
		TEST(paths_keep_their_shape),
		TEST(deep_paths_stay_strings_of_a_log),
		TEST(swap_devices_are_kept),
		TEST(filters_of_numbers_are_kept),
		TEST(tasks_keep_their_numbers),
		TEST(addresses_become_numbers),
		TEST(unknown_facts_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
