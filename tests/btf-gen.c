/* SPDX-License-Identifier: GPL-2.0-or-later */
/* btf-gen.c - type information of kernels that were never built */

#include "config.h"

#include <bpf/libbpf.h>

#include "tests/btf-gen.h"

const struct btf_kernel btf_debian = {
	.nr_flags = 25,
	.nr_zones = 5,
	.nr_gens = 4,
	.nr_tiers = 4,
	.nodemask_words = 16,
	.mglru = "lru_gen_folio",
};

int btf_id(int id)
{
	if (id < 0)
		fail_msg("libbpf: %s", strerror(-id));
	return id;
}

void btf_write(const struct host *h, struct btf *btf)
{
	const void *p;
	uint32_t size;

	p = btf__raw_data(btf, &size);
	assert_non_null(p);
	mock_write(h, "/sys/kernel/btf/vmlinux", p, size);
	btf__free(btf);
}

/* The order of 6.12, the last one first where there are fewer. */
static void add_flags(struct btf *btf, unsigned int nr)
{
	static const char *const names[] = {
		"PG_locked", "PG_writeback",  "PG_referenced",  "PG_uptodate",
		"PG_dirty",  "PG_lru",        "PG_head",        "PG_waiters",
		"PG_active", "PG_workingset", "PG_owner_priv_1"};
	unsigned int i;

	btf_id(btf__add_enum(btf, "pageflags", 4));
	for (i = 0; i < ARRAY_SIZE(names); i++)
		btf_id(btf__add_enum_value(btf, names[i], i));
	btf_id(btf__add_enum_value(btf, "__NR_PAGEFLAGS", nr));
	btf_id(btf__add_enum_value(btf, "PG_swapcache", 10));
}

static void add_array(struct btf *btf, const char *name, int type,
		      unsigned int nr)
{
	int index = btf_id(btf__find_by_name(btf, "unsigned int"));
	int array = btf_id(btf__add_array(btf, index, type, nr));

	btf_id(btf__add_struct(btf, name, nr * 8));
	btf_id(btf__add_field(btf, "bits", array, 0, 0));
}

static void add_mglru(struct btf *btf, const struct btf_kernel *k, int ulong)
{
	int index = btf_id(btf__find_by_name(btf, "unsigned int"));
	int stamps, pages, avg;

	stamps = btf_id(btf__add_array(btf, index, ulong, k->nr_gens));
	pages = btf_id(btf__add_array(btf, index, ulong,
				      k->nr_gens * 2 * k->nr_zones));
	avg = btf_id(btf__add_array(btf, index, ulong, 2 * k->nr_tiers));
	btf_id(btf__add_struct(btf, k->mglru, 4096));
	btf_id(btf__add_field(btf, "timestamps", stamps, 0, 0));
	btf_id(btf__add_field(btf, "nr_pages", pages, 64 * 8, 0));
	btf_id(btf__add_field(btf, "avg_refaulted", avg, 2048 * 8, 0));
}

void btf_gen(const struct host *h, const struct btf_kernel *k)
{
	struct btf *btf = btf__new_empty();
	int ulong, nodemask;

	assert_int_equal(libbpf_get_error(btf), 0);
	btf_id(btf__add_int(btf, "unsigned int", 4, 0));
	ulong = btf_id(
		btf__add_int(btf, "unsigned long", k->is_32bit ? 4 : 8, 0));
	add_flags(btf, k->nr_flags);
	btf_id(btf__add_enum(btf, "zone_type", 4));
	btf_id(btf__add_enum_value(btf, "ZONE_NORMAL", 2));
	btf_id(btf__add_enum_value(btf, "__MAX_NR_ZONES", k->nr_zones));
	btf_id(btf__add_struct(btf, "folio", 64));
	btf_id(btf__add_field(btf, "flags", ulong, 0, 0));
	btf_id(btf__add_struct(btf, "page", 64));
	btf_id(btf__add_field(btf, "flags", ulong, 0, 0));
	if (k->cpupid_in_page)
		btf_id(btf__add_field(btf, "_last_cpupid", ulong, 448, 0));
	if (k->nodemask_words) {
		add_array(btf, NULL, ulong, k->nodemask_words);
		nodemask = (int)btf__type_cnt(btf) - 1;
		btf_id(btf__add_typedef(btf, "nodemask_t", nodemask));
	}
	if (k->nr_gens)
		add_mglru(btf, k, ulong);
	btf_write(h, btf);
}
