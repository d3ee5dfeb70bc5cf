/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-pageflags.c - layouts of folio->flags, what tells them, and calibration */

#include "config.h"

#include <inttypes.h>
#include <sys/utsname.h>

#include "capture/pageflags-cal.h"
#include "capture/pageflags.h"
#include "tests/btf-gen.h"

#define CONFIG     "/proc/config.gz"
#define KERNEL_MAX "/sys/devices/system/cpu/kernel_max"
#define BALANCING  "/proc/sys/kernel/numa_balancing"

static const char debian[] = "# a comment\n"
			     "CONFIG_64BIT=y\n"
			     "CONFIG_NR_CPUS=8192\n"
			     "CONFIG_NUMA=y\n"
			     "CONFIG_NUMA_BALANCING=y\n"
			     "CONFIG_NODES_SHIFT=10\n"
			     "CONFIG_SPARSEMEM=y\n"
			     "CONFIG_SPARSEMEM_VMEMMAP=y\n"
			     "CONFIG_LRU_GEN=y\n"
			     "# CONFIG_KASAN is not set\n";

static int load(const struct host *h, struct pageflags *pf, struct errbuf *err)
{
	struct kbtf *b;
	int ret;

	if (kbtf_open(&b, h, err))
		fail_msg("%s", err->text);
	ret = pageflags_load(pf, h, b, err);
	kbtf_close(b);
	return ret;
}

static void lays_out(const struct host *h, const char *want, const char *how)
{
	struct buf text = {0};
	struct pageflags pf;
	struct errbuf err;

	if (load(h, &pf, &err))
		fail_msg("%s", err.text);
	assert_int_equal(pageflags_text(&pf, &text), 0);
	assert_string_equal((char *)text.p, want);
	if (!strstr(pf.how, how))
		fail_msg("%s, not %s", pf.how, how);
	buf_free(&text);
}

static void refuses(const struct host *h, int ret, const char *cause)
{
	struct pageflags pf;
	struct errbuf err;

	assert_int_equal(load(h, &pf, &err), ret);
	if (!strstr(err.text, cause))
		fail_msg("%s, not %s", err.text, cause);
}

/* The configuration is Debian's, but for one line. */
static void config_but(const struct host *h, const char *old, const char *line)
{
	const char *at = strstr(debian, old);
	struct buf text = {0};

	assert_non_null(at);
	assert_int_equal(buf_printf(&text, "%.*s%s%s", (int)(at - debian),
				    debian, line, at + strlen(old)),
			 0);
	mock_gz(h, CONFIG, (char *)text.p);
	buf_free(&text);
}

static bool on_x86_64(void)
{
	struct utsname uts;

	return !uname(&uts) && !strcmp(uts.machine, "x86_64");
}

/* ----------------------------------------------------------------- layouts */

#define DEBIAN_LAYOUT \
	"node 54+10, zone 51+3, cpu 30+21, gen 27+3, refs 25+2, flags 0+25"

static void test_config(void **state)
{
	struct btf_kernel k = btf_debian;
	struct utsname uts;
	char path[512];

	btf_gen(*state, &k);
	mock_gz(*state, CONFIG, debian);
	mock_text(*state, KERNEL_MAX, "8191\n");
	lays_out(*state, DEBIAN_LAYOUT,
		 "BTF: 25 flags, 5 zones, 4 generations, 4 tiers; ");
	lays_out(*state, DEBIAN_LAYOUT,
		 CONFIG ": nodes of 10 bits, cpu and pid of 21, KASAN of 0");

	/* /boot has a plain one, of this kernel */
	mock_remove(*state, CONFIG);
	assert_int_equal(uname(&uts), 0);
	snprintf(path, sizeof(path), "/boot/config-%s", uts.release);
	mock_text(*state, path, debian);
	lays_out(*state, DEBIAN_LAYOUT, path);
}

static void test_other_kernels(void **state)
{
	struct btf_kernel k = btf_debian;

	/* without NUMA, all moves up; 6.1 has another name for the struct */
	k.nodemask_words = 1;
	k.mglru = "lru_gen_struct";
	k.nr_zones = 4;
	btf_gen(*state, &k);
	mock_gz(*state, CONFIG,
		"CONFIG_LRU_GEN=y\nCONFIG_SPARSEMEM=y\n"
		"CONFIG_SPARSEMEM_VMEMMAP=y\nCONFIG_NR_CPUS=64\n");
	lays_out(*state, "zone 62+2, gen 59+3, refs 57+2, flags 0+25",
		 "nodes of 0 bits");
	/* nothing in the fields but one zone */
	k.nr_zones = 1;
	k.nr_gens = 0;
	btf_gen(*state, &k);
	mock_gz(*state, CONFIG,
		"# CONFIG_LRU_GEN is not set\n"
		"CONFIG_FLATMEM=y\n");
	lays_out(*state, "flags 0+25", "0 generations");
	/* a number of cpus that is no power of two is rounded up */
	k = btf_debian;
	btf_gen(*state, &k);
	config_but(*state, "NR_CPUS=8192", "NR_CPUS=320");
	lays_out(*state,
		 "node 54+10, zone 51+3, cpu 34+17, gen 31+3, refs 29+2, "
		 "flags 0+25",
		 "cpu and pid of 17");
}

static void test_no_room(void **state)
{
	struct btf_kernel k = btf_debian;

	/* one bit is left for the references, as with PAGE_IDLE_FLAG */
	k.nr_flags = 26;
	btf_gen(*state, &k);
	mock_gz(*state, CONFIG, debian);
	lays_out(*state,
		 "node 54+10, zone 51+3, cpu 30+21, gen 27+3, refs 26+1, "
		 "flags 0+26",
		 "26 flags");
	/* cpu and pid do not fit: a member of struct page instead */
	k.nr_flags = 28;
	btf_gen(*state, &k);
	refuses(*state, -ESTALE, "struct page has no member");
	k.cpupid_in_page = true;
	btf_gen(*state, &k);
	lays_out(*state,
		 "node 54+10, zone 51+3, gen 48+3, refs 46+2, flags 0+28",
		 "cpu and pid of 21");
	k.nr_flags = 25;
	btf_gen(*state, &k);
	refuses(*state, -ESTALE, "struct page has a member");
	k.nr_flags = 50;
	btf_gen(*state, &k);
	refuses(*state, -ERANGE, "do not fit beside 50 flags");
}

static void test_kasan(void **state)
{
	btf_gen(*state, &btf_debian);
	config_but(*state, "CONFIG_NUMA_BALANCING=y", "CONFIG_KASAN_SW_TAGS=y");
	lays_out(*state,
		 "node 54+10, zone 51+3, kasan 43+8, gen 40+3, refs 38+2, "
		 "flags 0+25",
		 "KASAN of 8");
	config_but(*state, "CONFIG_64BIT=y", "CONFIG_KASAN_HW_TAGS=y");
	refuses(*state, -ENOTSUP, "ambiguous with CONFIG_KASAN_HW_TAGS");
}

/* ------------------------------------------------------- contradictions */

static void test_stale(void **state)
{
	btf_gen(*state, &btf_debian);
	config_but(*state, "NODES_SHIFT=10", "NODES_SHIFT=6");
	refuses(*state, -ESTALE,
		"is of another kernel: CONFIG_NODES_SHIFT is 6, but nodemask_t "
		"has 16 words");
	config_but(*state, "CONFIG_LRU_GEN=y", "");
	refuses(*state, -ESTALE, "CONFIG_LRU_GEN is off");
	config_but(*state, "NODES_SHIFT=10", "NODES_SHIFT=ten");
	refuses(*state, -EBADMSG, "CONFIG_NODES_SHIFT is no number: 'ten'");
	config_but(*state, "CONFIG_NR_CPUS=8192\n", "");
	refuses(*state, -EBADMSG, "CONFIG_NR_CPUS is no number: ''");
	config_but(*state, "CONFIG_SPARSEMEM_VMEMMAP=y", "");
	refuses(*state, -ENOTSUP, "no CONFIG_SPARSEMEM_VMEMMAP");
	mock_gz(*state, CONFIG, debian);
	mock_text(*state, KERNEL_MAX, "511\n");
	refuses(*state, -ESTALE, "but the highest cpu may be 511");
}

static void test_types(void **state)
{
	struct btf_kernel k = btf_debian;
	struct pageflags pf;
	struct errbuf err;

	mock_gz(*state, CONFIG, debian);
	assert_int_equal(pageflags_load(&pf, *state, NULL, &err), -ENOENT);
	assert_string_equal(err.text, "page flags: this kernel has no BTF");
	k.is_32bit = true;
	btf_gen(*state, &k);
	refuses(*state, -ENOTSUP, "only kernels of 64 bits");
	k = btf_debian;
	k.nr_tiers = 1;
	btf_gen(*state, &k);
	refuses(*state, -ENOTSUP, "MGLRU is not one we know");
	k = btf_debian;
	k.nr_flags = 65;
	btf_gen(*state, &k);
	refuses(*state, -EBADMSG, "__NR_PAGEFLAGS: is 65");
	k.nr_flags = 9;
	btf_gen(*state, &k);
	refuses(*state, -EBADMSG, "PG_workingset: is 9 of 9");
	k = btf_debian;
	btf_write(*state, btf__new_empty());
	refuses(*state, -ENOENT, "no such type");
}

/* -------------------------------------------------- without configuration */

static void test_no_config(void **state)
{
	struct btf_kernel k = btf_debian;

	if (!on_x86_64())
		skip();
	btf_gen(*state, &k);
	refuses(*state, -ENODATA, "CONFIG_NUMA_BALANCING is not known");
	mock_text(*state, BALANCING, "1\n");
	refuses(*state, -ENODATA, "CONFIG_NR_CPUS is not known");
	mock_text(*state, KERNEL_MAX, "8191\n");
	lays_out(*state, DEBIAN_LAYOUT,
		 "; no configuration; nodemask_t: nodes of 10 bits; " KERNEL_MAX
		 ": cpu and pid of 21; x86_64: vmemmap, no KASAN tags");
	/* without balancing, its file is missing, and /proc is there */
	mock_remove(*state, BALANCING);
	lays_out(*state,
		 "node 54+10, zone 51+3, gen 48+3, refs 46+2, flags 0+25",
		 "no " BALANCING ": no cpu and pid");
	mock_text(*state, BALANCING, "1\n");
	k.cpupid_in_page = true;
	btf_gen(*state, &k);
	lays_out(*state,
		 "node 54+10, zone 51+3, gen 48+3, refs 46+2, flags 0+25",
		 "struct page has cpu and pid");
	k.nodemask_words = 1;
	btf_gen(*state, &k);
	refuses(*state, -ENODATA, "nodemask_t in BTF leaves 0 to 6");
	k.nodemask_words = 0;
	btf_gen(*state, &k);
	refuses(*state, -ENODATA, "BTF has no nodemask_t");
}

/* One that cannot be read is as good as none, and the message says so. */
static void test_broken_config(void **state)
{
	struct btf_kernel k = btf_debian;
	uint8_t gz[64] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff};

	k.nodemask_words = 1;
	btf_gen(*state, &k);
	refuses(*state, -ENODATA, "no " CONFIG ", no /boot/config-");
	mock_write(*state, CONFIG, gz, sizeof(gz));
	refuses(*state, -ENODATA, CONFIG ": is damaged");
	mock_text(*state, CONFIG, "this is no configuration\n");
	refuses(*state, -ENODATA, CONFIG ": is damaged");
	mock_remove(*state, CONFIG);
	mock_text(*state, CONFIG "/file", "");
	refuses(*state, -ENODATA, CONFIG ": Is a directory");
}

/* A stream that was cut is found out, however good its beginning is. */
static void test_cut_config(void **state)
{
	struct btf_kernel k = btf_debian;
	struct buf gz = {0}, text = {0};
	unsigned int i;

	k.nodemask_words = 1;
	btf_gen(*state, &k);
	assert_int_equal(buf_printf(&text, "%s", debian), 0);
	for (i = 0; i < 20000; i++)
		assert_int_equal(buf_printf(&text, "CONFIG_%" PRIx64 "=y\n",
					    hash_u64(i)),
				 0);
	mock_gz(*state, CONFIG, (char *)text.p);
	assert_int_equal(host_read(*state, &gz, CONFIG), 0);
	mock_write(*state, CONFIG, gz.p, gz.len / 2);
	refuses(*state, -ENODATA, CONFIG ": is damaged");
	buf_free(&gz);
	buf_free(&text);
}

/* -------------------------------------------------------------- decoding */

static void debian_flags(const struct host *h, struct pageflags *pf)
{
	struct errbuf err;

	btf_gen(h, &btf_debian);
	mock_gz(h, CONFIG, debian);
	if (load(h, pf, &err))
		fail_msg("%s", err.text);
}

static void test_decode(void **state)
{
	uint64_t flags = 5ULL << 54 | 2ULL << 51 | 0x1fffffULL << 30 |
			 3ULL << 27 | 2ULL << 25 | 1 << 5 | 1 << 8;
	struct pageflags pf;

	debian_flags(*state, &pf);
	assert_int_equal(pageflags_gen(&pf, flags), 2);
	assert_int_equal(pageflags_gen(&pf, flags & ~(7ULL << 27)), -1);
	assert_int_equal(pageflags_refs(&pf, flags), 2);
	assert_int_equal(pageflags_node(&pf, flags), 5);
	assert_int_equal(pageflags_get(&pf.zone, flags), 2);
	assert_true(pageflags_test(&pf, PAGEFLAG_LRU, flags));
	assert_true(pageflags_test(&pf, PAGEFLAG_ACTIVE, flags));
	assert_false(pageflags_test(&pf, PAGEFLAG_WORKINGSET, flags));
	assert_false(pageflags_test(&pf, PAGEFLAG_DROPBEHIND, ~0ULL));
	assert_int_equal(pf.bit[PAGEFLAG_SWAPCACHE], 10);
	assert_string_equal(pageflags_name(PAGEFLAG_LRU), "PG_lru");
	/* a kernel without the fields */
	memset(&pf.gen, 0, sizeof(pf.gen));
	memset(&pf.node, 0, sizeof(pf.node));
	assert_int_equal(pageflags_gen(&pf, ~0ULL), -1);
	assert_int_equal(pageflags_node(&pf, ~0ULL), 0);
}

/* ------------------------------------------------------------ calibration */

/* What a kernel of this layout shows: gen is the field's value. */
static uint64_t flags_of(const struct pageflags *pf, uint64_t node,
			 uint64_t gen)
{
	uint64_t cpupid = hash_u64(node + gen) | 1;

	return node << pf->node.shift | 2ULL << pf->zone.shift |
	       (cpupid & ((1ULL << pf->last_cpupid.width) - 1))
		       << pf->last_cpupid.shift |
	       gen << pf->gen.shift | 1 << 5;
}

static void feed(struct pageflags_cal *cal, const struct pageflags *real,
		 unsigned int nr)
{
	struct pageflags_obs obs = {.evictable = true, .has_before = true};
	uint64_t i;

	for (i = 0; i < nr; i++) {
		obs.pfn = 1 << 20 | i * 37;
		obs.after = flags_of(real, i >> 7, i % 4 + 1);
		obs.pfn += i >> 7 << 16;
		obs.before = flags_of(real, i >> 7, 0);
		obs.has_evicted = i % 2;
		obs.evicted = obs.before;
		pageflags_cal_feed(cal, &obs);
	}
}

static void says(const struct pageflags_cal *cal,
		 enum pageflags_verdict verdict, const char *want)
{
	struct buf text = {0};

	assert_int_equal(pageflags_cal_text(cal, &text), 0);
	if (pageflags_cal_verdict(cal) != verdict ||
	    !strstr((char *)text.p, want))
		fail_msg("%s, not %s", (char *)text.p, want);
	buf_free(&text);
}

static void test_fits(void **state)
{
	struct pageflags_cal cal;
	struct pageflags pf;

	debian_flags(*state, &pf);
	pageflags_cal_init(&cal, &pf);
	says(&cal, PAGEFLAGS_TOO_FEW, "too few insertions to tell: 0 ");
	feed(&cal, &pf, 199);
	says(&cal, PAGEFLAGS_TOO_FEW, "too few insertions to tell: 199 ");
	feed(&cal, &pf, 1);
	says(&cal, PAGEFLAGS_FITS,
	     "fits: 200 insertions, 200 seen before, 99 evicted, ");
	assert_true(cal.nr_ranges > 50);
}

/* Off by one bit, either way, or where a kernel without NUMA has it. */
static void test_misfits(void **state)
{
	static const uint8_t shifts[] = {26, 28, 59, 24, 48};
	struct pageflags_cal cal;
	struct pageflags pf, real;
	unsigned int i;

	debian_flags(*state, &real);
	for (i = 0; i < ARRAY_SIZE(shifts); i++) {
		pf = real;
		pf.gen.shift = shifts[i];
		pageflags_cal_init(&cal, &pf);
		feed(&cal, &real, 200);
		says(&cal, PAGEFLAGS_MISFITS, "contradictions, the first: ");
	}
}

static void test_contradictions(void **state)
{
	struct pageflags_obs obs = {.pfn = 4660, .evictable = true};
	struct pageflags_cal cal;
	struct pageflags pf;

	debian_flags(*state, &pf);
	pageflags_cal_init(&cal, &pf);
	obs.after = flags_of(&pf, 0, 5);
	pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_MISFITS,
	     "page frame 4660 has generation field 5 when inserted, not 1 to 4");
	/* what comes later is counted, the first stays */
	obs.after = flags_of(&pf, 0, 0);
	pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_MISFITS,
	     "2 contradictions, the first: page frame "
	     "4660 has generation field 5");

	pageflags_cal_init(&cal, &pf);
	obs.after = flags_of(&pf, 0, 1);
	obs.before = flags_of(&pf, 0, 2);
	obs.has_before = true;
	pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_MISFITS, "field 2 before it is inserted, not 0");

	pageflags_cal_init(&cal, &pf);
	obs.evicted = obs.before;
	obs.has_before = false;
	obs.has_evicted = true;
	pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_MISFITS, "field 2 when evicted, not 0");

	pageflags_cal_init(&cal, &pf);
	obs.has_evicted = false;
	obs.after |= 7ULL << pf.zone.shift;
	pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_MISFITS, "page frame 4660 is in zone 7 of 5");
}

static void test_neighbours(void **state)
{
	struct pageflags_obs obs = {.pfn = 4660, .evictable = true};
	struct pageflags_cal cal;
	struct pageflags pf;

	debian_flags(*state, &pf);
	pageflags_cal_init(&cal, &pf);
	obs.after = flags_of(&pf, 0, 1);
	pageflags_cal_feed(&cal, &obs);
	/* of another range: anything goes */
	obs.pfn = 4660 + 1024;
	obs.after = flags_of(&pf, 1, 1);
	pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_TOO_FEW, "2 insertions");
	obs.pfn = 4661;
	pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_MISFITS,
	     "page frames 4660 and 4661 are neighbours, yet in node 0 zone 2 "
	     "and node 1 zone 2");
}

/* Mlocked folios have no generation; without MGLRU, none has. */
static void test_no_generation(void **state)
{
	struct pageflags_obs obs = {.pfn = 1};
	struct pageflags_cal cal;
	struct pageflags pf;
	unsigned int i;

	debian_flags(*state, &pf);
	pageflags_cal_init(&cal, &pf);
	obs.after = flags_of(&pf, 0, 0);
	pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_TOO_FEW, "tell: 0 insertions");
	obs.evictable = true;
	for (i = 0; i < PAGEFLAGS_CAL_MIN; i++)
		pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_MISFITS,
	     "; no folio has a generation: is MGLRU on?");

	/* of a kernel that has no such field, node and zone are checked */
	memset(&pf.gen, 0, sizeof(pf.gen));
	pf.max_nr_gens = 0;
	pageflags_cal_init(&cal, &pf);
	for (i = 0; i < PAGEFLAGS_CAL_MIN; i++)
		pageflags_cal_feed(&cal, &obs);
	says(&cal, PAGEFLAGS_FITS, "fits: 200 insertions");
}

int main(void)
{
#define TREE(f) cmocka_unit_test_setup_teardown(f, mock_setup, mock_teardown)
	const struct CMUnitTest tests[] = {
		TREE(test_config),         TREE(test_other_kernels),
		TREE(test_no_room),        TREE(test_kasan),
		TREE(test_stale),          TREE(test_types),
		TREE(test_no_config),      TREE(test_broken_config),
		TREE(test_cut_config),     TREE(test_decode),
		TREE(test_fits),           TREE(test_misfits),
		TREE(test_contradictions), TREE(test_neighbours),
		TREE(test_no_generation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
