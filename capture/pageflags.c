/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageflags.c - what the bits of folio->flags mean on this kernel */

/*
 * The upper part of the word has fields, packed from the top bit down: node,
 * zone, last cpu and pid (NUMA balancing), KASAN's tag, generation and
 * references (MGLRU).  No type describes them; their widths follow from
 * constants of the build, by the rules that include/linux/page-flags-layout.h
 * states as preprocessor conditions.  The constants are taken from where they
 * can be seen: enums and array sizes in BTF, the configuration, or files whose
 * content or existence depends on them.  What two sources tell is compared:
 * a configuration of another build would shift every field.
 */

#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/kconfig.h"
#include "capture/pageflags.h"
#include "formats/units.h"

#define NR_BITS        64
#define LAST_PID_SHIFT 8
#define KASAN_TAG_BITS 8
#define MGLRU_TYPES    "lru_gen_folio|lru_gen_struct"
#define KERNEL_MAX     "/sys/devices/system/cpu/kernel_max"
#define BALANCING      "/proc/sys/kernel/numa_balancing"

static const char *const flag_names[NR_PAGEFLAG] = {
	[PAGEFLAG_LOCKED] = "PG_locked",
	[PAGEFLAG_REFERENCED] = "PG_referenced",
	[PAGEFLAG_UPTODATE] = "PG_uptodate",
	[PAGEFLAG_DIRTY] = "PG_dirty",
	[PAGEFLAG_LRU] = "PG_lru",
	[PAGEFLAG_ACTIVE] = "PG_active",
	[PAGEFLAG_WORKINGSET] = "PG_workingset",
	[PAGEFLAG_WRITEBACK] = "PG_writeback",
	[PAGEFLAG_HEAD] = "PG_head",
	[PAGEFLAG_RECLAIM] = "PG_reclaim",
	[PAGEFLAG_READAHEAD] = "PG_readahead",
	[PAGEFLAG_SWAPBACKED] = "PG_swapbacked",
	[PAGEFLAG_UNEVICTABLE] = "PG_unevictable",
	[PAGEFLAG_SWAPCACHE] = "PG_swapcache",
	[PAGEFLAG_DROPBEHIND] = "PG_dropbehind",
};

enum option {
	OPT_NODES_SHIFT,
	OPT_NR_CPUS,
	OPT_NUMA_BALANCING,
	OPT_KASAN_SW_TAGS,
	OPT_KASAN_HW_TAGS,
	OPT_SPARSEMEM,
	OPT_SPARSEMEM_VMEMMAP,
	OPT_LRU_GEN,
	NR_OPT,
};

/* What the layout depends on, and who tells it. */
struct facts {
	const struct host *h;
	const struct kbtf *b;
	struct pageflags *pf;
	struct errbuf *err;
	struct kconfig_value config[NR_OPT];
	char where[PATH_MAX]; /* the configuration's file */
	bool no_config;
	struct errbuf config_err; /* why there is none */
	struct utsname uts;
	uint64_t nodemask_words; /* 0: not known */
	uint64_t kernel_max;     /* NR_CPUS - 1; UINT64_MAX: not known */
	bool cpupid_in_page;     /* a member of its own, not a field */
	unsigned int nodes_shift;
	unsigned int cpupid_shift;
	unsigned int kasan_width;
};

static void say_how(struct facts *f, const char *fmt, ...) PRINTF(2, 3);

static void say_how(struct facts *f, const char *fmt, ...)
{
	char *how = f->pf->how;
	size_t len = strlen(how);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(how + len, sizeof(f->pf->how) - len, fmt, ap);
	va_end(ap);
}

/* The least n with 2^n >= v. */
static unsigned int order(uint64_t v)
{
	unsigned int n = 0;

	while (n < 63 && 1ULL << n < v)
		n++;
	return n;
}

const char *pageflags_name(enum pageflag flag)
{
	return flag_names[flag];
}

/* -------------------------------------------------------------------- BTF */

static int read_enum(struct facts *f, const char *type, const char *name,
		     unsigned int *value)
{
	int64_t v;
	int ret = kbtf_enum(f->b, type, name, &v, f->err);

	if (ret)
		return ret;
	if (v < 1 || v > NR_BITS)
		return errbuf_set(f->err, -EBADMSG, "%s: is %" PRId64 " in BTF",
				  name, v);
	*value = (unsigned int)v;
	return 0;
}

static int read_flags(struct facts *f)
{
	struct pageflags *pf = f->pf;
	unsigned int i;
	int64_t bit;
	int ret;

	ret = read_enum(f, "pageflags", "__NR_PAGEFLAGS", &pf->nr_flags);
	if (!ret)
		ret = read_enum(f, "zone_type", "__MAX_NR_ZONES",
				&pf->max_nr_zones);
	for (i = 0; i < NR_PAGEFLAG && !ret; i++) {
		pf->bit[i] = -1;
		ret = kbtf_enum(f->b, "pageflags", flag_names[i], &bit, f->err);
		if (ret == -ENOENT)
			ret = 0;
		else if (!ret && (bit < 0 || bit >= pf->nr_flags))
			ret = errbuf_set(f->err, -EBADMSG,
					 "%s: is %" PRId64 " of %u in BTF",
					 flag_names[i], bit, pf->nr_flags);
		else if (!ret)
			pf->bit[i] = (int8_t)bit;
	}
	return ret;
}

/* A member that may be absent: 0 with nr 0. */
static int read_array(struct facts *f, const char *path, uint64_t *nr)
{
	struct kbtf_member m;
	int ret = kbtf_member(f->b, path, &m, f->err);

	*nr = ret ? 0 : m.nr;
	return ret == -ENOENT ? 0 : ret;
}

/* Arrays with an element for each generation, tier and zone. */
static int read_mglru(struct facts *f)
{
	uint64_t gens, tiers, pages;
	int ret;

	ret = read_array(f, MGLRU_TYPES ".timestamps", &gens);
	if (!ret)
		ret = read_array(f, MGLRU_TYPES ".avg_refaulted", &tiers);
	if (!ret)
		ret = read_array(f, MGLRU_TYPES ".nr_pages", &pages);
	if (ret)
		return ret;
	/* both of file and anon */
	if (!gens != !tiers || tiers % 2 || gens > NR_BITS || tiers > NR_BITS ||
	    tiers == 2 || pages != gens * 2 * f->pf->max_nr_zones)
		return errbuf_set(
			f->err, -ENOTSUP,
			"page flags: this kernel's MGLRU is not one we know: arrays of %" PRIu64
			", %" PRIu64 " and %" PRIu64 " with %u zones",
			gens, tiers, pages, f->pf->max_nr_zones);
	f->pf->max_nr_gens = (unsigned int)gens;
	f->pf->max_nr_tiers = (unsigned int)tiers / 2;
	return 0;
}

static int read_types(struct facts *f)
{
	struct kbtf_member flags;
	uint64_t nr;
	int ret;

	ret = kbtf_member(f->b, "folio.flags", &flags, f->err);
	if (ret)
		return ret;
	if (flags.size != NR_BITS / 8)
		return errbuf_set(
			f->err, -ENOTSUP,
			"page flags: only kernels of 64 bits are supported");
	ret = read_flags(f);
	if (!ret)
		ret = read_mglru(f);
	if (!ret)
		ret = read_array(f, "page._last_cpupid", &nr);
	f->cpupid_in_page = nr;
	if (!ret)
		ret = read_array(f, "nodemask_t.bits", &f->nodemask_words);
	if (!ret)
		say_how(f, "BTF: %u flags, %u zones, %u generations, %u tiers",
			f->pf->nr_flags, f->pf->max_nr_zones,
			f->pf->max_nr_gens, f->pf->max_nr_tiers);
	return ret;
}

/* ---------------------------------------------------------- configuration */

static bool is_set(const struct facts *f, enum option opt)
{
	return f->config[opt].value[0] == 'y';
}

static int read_number(struct facts *f, enum option opt, uint64_t *v)
{
	const struct kconfig_value *c = &f->config[opt];

	if (!units_parse_u64(c->value, v))
		return 0;
	return errbuf_set(f->err, -EBADMSG, "%s: CONFIG_%s is no number: '%s'",
			  f->where, c->option, c->value);
}

/* The file is there, and not of this kernel. */
static int say_stale(struct facts *f, const char *fmt, ...) PRINTF(2, 3);

static int say_stale(struct facts *f, const char *fmt, ...)
{
	char fact[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(fact, sizeof(fact), fmt, ap);
	va_end(ap);
	errbuf_set(f->err, -ESTALE, "%s: is of another kernel: %s", f->where,
		   fact);
	errbuf_hint(f->err, "install the configuration of the running kernel");
	return -ESTALE;
}

static int config_nodes(struct facts *f)
{
	uint64_t shift = 0, words;
	int ret;

	/* without NUMA there is no such option */
	if (f->config[OPT_NODES_SHIFT].value[0]) {
		ret = read_number(f, OPT_NODES_SHIFT, &shift);
		if (ret)
			return ret;
	}
	words = shift < 6 ? 1 : 1ULL << MIN(shift - 6, 57);
	if (f->nodemask_words && f->nodemask_words != words)
		return say_stale(f,
				 "CONFIG_NODES_SHIFT is %" PRIu64
				 ", but nodemask_t has %" PRIu64 " words",
				 shift, f->nodemask_words);
	f->nodes_shift = (unsigned int)MIN(shift, NR_BITS);
	return 0;
}

static int config_cpus(struct facts *f)
{
	uint64_t cpus;
	int ret;

	if (!is_set(f, OPT_NUMA_BALANCING))
		return 0;
	ret = read_number(f, OPT_NR_CPUS, &cpus);
	if (ret)
		return ret;
	if (f->kernel_max != UINT64_MAX && f->kernel_max + 1 != cpus)
		return say_stale(f,
				 "CONFIG_NR_CPUS is %" PRIu64
				 ", but the highest cpu may be %" PRIu64,
				 cpus, f->kernel_max);
	f->cpupid_shift = LAST_PID_SHIFT + order(cpus);
	return 0;
}

static int config_rest(struct facts *f)
{
	if (is_set(f, OPT_LRU_GEN) != !!f->pf->max_nr_gens)
		return say_stale(f, "CONFIG_LRU_GEN is %s, BTF says it is %s",
				 is_set(f, OPT_LRU_GEN) ? "on" : "off",
				 f->pf->max_nr_gens ? "on" : "off");
	if (is_set(f, OPT_SPARSEMEM) && !is_set(f, OPT_SPARSEMEM_VMEMMAP))
		return errbuf_set(
			f->err, -ENOTSUP,
			"page flags: memory sections are in them (no CONFIG_SPARSEMEM_VMEMMAP), their width is not known");
	/* 8 bits, or 4 in newer kernels: nothing tells which */
	if (is_set(f, OPT_KASAN_HW_TAGS))
		return errbuf_set(
			f->err, -ENOTSUP,
			"page flags: the width of KASAN's tags is ambiguous with CONFIG_KASAN_HW_TAGS");
	if (is_set(f, OPT_KASAN_SW_TAGS))
		f->kasan_width = KASAN_TAG_BITS;
	return 0;
}

static int from_config(struct facts *f)
{
	int ret;

	ret = config_nodes(f);
	if (!ret)
		ret = config_cpus(f);
	if (!ret)
		ret = config_rest(f);
	if (ret)
		return ret;
	say_how(f, "; %s: nodes of %u bits, cpu and pid of %u, KASAN of %u",
		f->where, f->nodes_shift, f->cpupid_shift, f->kasan_width);
	return 0;
}

/* -------------------------------------------------- without configuration */

static int say_unknown(struct facts *f, const char *option, const char *why)
{
	errbuf_set(f->err, -ENODATA,
		   "page flags: CONFIG_%s is not known: %.200s, and %s", option,
		   f->config_err.text, why);
	errbuf_hint(f->err, "modprobe configs, or install /boot/config-%.100s",
		    f->uts.release);
	return -ENODATA;
}

static int other_nodes(struct facts *f)
{
	if (!f->nodemask_words)
		return say_unknown(f, "NODES_SHIFT", "BTF has no nodemask_t");
	/* one word is what 0 to 6 bits need */
	if (f->nodemask_words == 1)
		return say_unknown(f, "NODES_SHIFT",
				   "nodemask_t in BTF leaves 0 to 6");
	f->nodes_shift = order(f->nodemask_words * 64);
	say_how(f, "; nodemask_t: nodes of %u bits", f->nodes_shift);
	return 0;
}

static int other_cpus(struct facts *f)
{
	char path[PATH_MAX], dir[PATH_MAX];

	if (host_path(f->h, path, BALANCING) ||
	    host_path(f->h, dir, "/proc/sys/kernel"))
		return errbuf_set(f->err, -ENAMETOOLONG, "%s: %s", f->h->root,
				  strerror(ENAMETOOLONG));
	if (access(path, F_OK)) {
		if (errno != ENOENT || access(dir, F_OK))
			return say_unknown(f, "NUMA_BALANCING",
					   BALANCING " cannot be looked for");
		say_how(f, "; no " BALANCING ": no cpu and pid");
		return 0;
	}
	if (f->cpupid_in_page) {
		say_how(f, "; struct page has cpu and pid");
		return 0;
	}
	if (f->kernel_max == UINT64_MAX)
		return say_unknown(f, "NR_CPUS", "there is no " KERNEL_MAX);
	f->cpupid_shift = LAST_PID_SHIFT + order(f->kernel_max + 1);
	say_how(f, "; " KERNEL_MAX ": cpu and pid of %u", f->cpupid_shift);
	return 0;
}

/* What every kernel of an architecture has or has not. */
static int other_machine(struct facts *f)
{
	const char *machine = f->uts.machine;

	if (!strcmp(machine, "aarch64"))
		return say_unknown(f, "KASAN", "arm64 may have its tags");
	if (strcmp(machine, "x86_64"))
		return say_unknown(f, "SPARSEMEM_VMEMMAP",
				   "not every machine has it");
	say_how(f, "; %s: vmemmap, no KASAN tags", machine);
	return 0;
}

static int from_elsewhere(struct facts *f)
{
	int ret;

	say_how(f, "; no configuration");
	ret = other_nodes(f);
	if (!ret)
		ret = other_cpus(f);
	if (!ret)
		ret = other_machine(f);
	return ret;
}

/* ----------------------------------------------------------------- layout */

/* Takes bits from what is left below the fields above. */
static void take(struct pageflags_field *field, unsigned int width,
		 unsigned int *top)
{
	*top -= width;
	field->width = (uint8_t)width;
	field->shift = (uint8_t)(width ? *top : 0);
}

static int say_no_room(struct facts *f, unsigned int need, unsigned int room)
{
	return errbuf_set(
		f->err, -ERANGE,
		"page flags: fields of %u bits do not fit beside %u flags (%u bits)",
		need, f->pf->nr_flags, room);
}

/* NUMA balancing keeps a member in struct page where its field has no room. */
static int check_cpupid(struct facts *f, bool fits)
{
	if (!f->cpupid_shift || fits == !f->cpupid_in_page)
		return 0;
	return errbuf_set(
		f->err, -ESTALE,
		"page flags: cpu and pid of %u bits %s, yet struct page has %s member for them",
		f->cpupid_shift, fits ? "fit" : "do not fit",
		fits ? "a" : "no");
}

static int lay_out(struct facts *f)
{
	struct pageflags *pf = f->pf;
	unsigned int room = NR_BITS - pf->nr_flags, top = NR_BITS;
	unsigned int zone = order(pf->max_nr_zones);
	unsigned int gen = pf->max_nr_gens ? order(pf->max_nr_gens + 1) : 0;
	unsigned int refs = pf->max_nr_tiers ? pf->max_nr_tiers - 2 : 0;
	unsigned int need, cpupid = f->cpupid_shift;
	int ret;

	need = f->nodes_shift + zone + f->kasan_width + gen;
	if (need > room)
		return say_no_room(f, need, room);
	ret = check_cpupid(f, need + cpupid <= room);
	if (ret)
		return ret;
	if (need + cpupid > room)
		cpupid = 0;
	take(&pf->node, f->nodes_shift, &top);
	take(&pf->zone, zone, &top);
	take(&pf->last_cpupid, cpupid, &top);
	take(&pf->kasan, f->kasan_width, &top);
	take(&pf->gen, gen, &top);
	/* the last one takes what is left */
	take(&pf->refs, MIN(refs, top - pf->nr_flags), &top);
	return 0;
}

/* ------------------------------------------------------------------ whole */

static void facts_init(struct facts *f)
{
	static const char *const options[NR_OPT] = {
		[OPT_NODES_SHIFT] = "NODES_SHIFT",
		[OPT_NR_CPUS] = "NR_CPUS",
		[OPT_NUMA_BALANCING] = "NUMA_BALANCING",
		[OPT_KASAN_SW_TAGS] = "KASAN_SW_TAGS",
		[OPT_KASAN_HW_TAGS] = "KASAN_HW_TAGS",
		[OPT_SPARSEMEM] = "SPARSEMEM",
		[OPT_SPARSEMEM_VMEMMAP] = "SPARSEMEM_VMEMMAP",
		[OPT_LRU_GEN] = "LRU_GEN",
	};
	char line[32];
	unsigned int i;

	memset(f->pf, 0, sizeof(*f->pf));
	for (i = 0; i < NR_OPT; i++)
		f->config[i].option = options[i];
	f->kernel_max = UINT64_MAX;
	if (!host_read_line(f->h, KERNEL_MAX, line, sizeof(line)) &&
	    units_parse_u64(line, &f->kernel_max))
		f->kernel_max = UINT64_MAX;
	uname(&f->uts);
}

int pageflags_load(struct pageflags *pf, const struct host *h,
		   const struct kbtf *b, struct errbuf *err)
{
	struct facts f = {.h = h, .b = b, .pf = pf, .err = err};
	int ret;

	facts_init(&f);
	if (!b)
		return errbuf_set(err, -ENOENT,
				  "page flags: this kernel has no BTF");
	ret = read_types(&f);
	if (ret)
		return ret;
	f.no_config =
		kconfig_values(h, f.config, NR_OPT, f.where, &f.config_err);
	ret = f.no_config ? from_elsewhere(&f) : from_config(&f);
	return ret ? ret : lay_out(&f);
}

int pageflags_text(const struct pageflags *pf, struct buf *out)
{
	const struct {
		const char *name;
		const struct pageflags_field *field;
	} fields[] = {
		{"node", &pf->node},       {"zone", &pf->zone},
		{"cpu", &pf->last_cpupid}, {"kasan", &pf->kasan},
		{"gen", &pf->gen},         {"refs", &pf->refs},
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(fields) && !ret; i++)
		if (fields[i].field->width)
			ret = buf_printf(out, "%s %u+%u, ", fields[i].name,
					 fields[i].field->shift,
					 fields[i].field->width);
	return ret ? ret : buf_printf(out, "flags 0+%u", pf->nr_flags);
}
