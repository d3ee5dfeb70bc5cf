/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt-map.c - which kernel names stand for which kind and role */

/*
 * Names as in include/trace/events of Linux 5.10 to 7.3.  A renamed event or
 * field gets one more line here and nowhere else.
 */

#include "config.h"

#include "formats/tracefmt-map.h"

struct name_kind {
	const char *system, *name;
	uint8_t kind;
};

static const struct name_kind names[] = {
	{"filemap", "mm_filemap_add_to_page_cache", MMT_ADD},
	{"filemap", "mm_filemap_delete_from_page_cache", MMT_REMOVE},
	{"filemap", "mm_filemap_get_pages", MMT_READ},
	{"filemap", "mm_filemap_fault", MMT_FAULT},
	{"filemap", "mm_filemap_map_pages", MMT_MAP},
	{"pagemap", "mm_lru_insertion", MMT_LRU_INSERT},
	{"pagemap", "mm_lru_activate", MMT_LRU_ACTIVATE},
	{"vmscan", "mm_vmscan_direct_reclaim_begin", MMT_RECLAIM_BEGIN},
	{"vmscan", "mm_vmscan_memcg_reclaim_begin", MMT_RECLAIM_BEGIN},
	{"vmscan", "mm_vmscan_memcg_softlimit_reclaim_begin",
	 MMT_RECLAIM_BEGIN},
	{"vmscan", "mm_vmscan_node_reclaim_begin", MMT_RECLAIM_BEGIN},
	{"vmscan", "mm_vmscan_direct_reclaim_end", MMT_RECLAIM_END},
	{"vmscan", "mm_vmscan_memcg_reclaim_end", MMT_RECLAIM_END},
	{"vmscan", "mm_vmscan_memcg_softlimit_reclaim_end", MMT_RECLAIM_END},
	{"vmscan", "mm_vmscan_node_reclaim_end", MMT_RECLAIM_END},
	{"vmscan", "mm_vmscan_reclaim_pages", MMT_RECLAIM_PAGES},
	{"vmscan", "mm_vmscan_kswapd_wake", MMT_KSWAPD_WAKE},
	{"vmscan", "mm_vmscan_kswapd_sleep", MMT_KSWAPD_SLEEP},
	{"vmscan", "mm_vmscan_lru_isolate", MMT_ISOLATE},
	{"vmscan", "mm_vmscan_lru_shrink_inactive", MMT_SHRINK},
	{"vmscan", "mm_shrink_slab_start", MMT_SLAB_BEGIN},
	{"vmscan", "mm_shrink_slab_end", MMT_SLAB_END},
	{"vmscan", "mm_vmscan_write_folio", MMT_WRITE_FOLIO},
	{"vmscan", "mm_vmscan_writepage", MMT_WRITE_FOLIO},
	{"readahead", "page_cache_sync_ra", MMT_SYNC_RA},
	{"readahead", "page_cache_async_ra", MMT_ASYNC_RA},
	{"migrate", "mm_migrate_pages", MMT_MIGRATE},
	{"task", "task_newtask", MMT_TASK_NEW},
	{"task", "task_rename", MMT_TASK_RENAME},
	{"sched", "sched_process_exec", MMT_TASK_EXEC},
	{"sched", "sched_process_exit", MMT_TASK_EXIT},
};

/* Up to three names a role, by age; NULL ends the list. */
static const char *const role_fields[MMT_NR_ROLES][4] = {
	[MMT_NO_ROLES] = {"none"},
	[MMT_DEV] = {"s_dev"},
	[MMT_INO] = {"i_ino"},
	[MMT_INDEX] = {"index"},
	[MMT_LAST_INDEX] = {"last_index"},
	[MMT_PFN] = {"pfn"},
	[MMT_ORDER] = {"order"},
	[MMT_LRU] = {"lru"},
	[MMT_LRU_FLAGS] = {"flags"},
	[MMT_GFP] = {"gfp_flags"},
	[MMT_NID] = {"nid"},
	[MMT_NR] = {"req_count", "nr_to_read"},
	[MMT_NR_SCANNED] = {"nr_scanned"},
	[MMT_NR_TAKEN] = {"nr_taken"},
	[MMT_NR_RECLAIMED] = {"nr_reclaimed"},
	[MMT_NR_SUCCEEDED] = {"succeeded"},
	[MMT_NR_FAILED] = {"failed"},
	[MMT_REASON] = {"reason"},
	[MMT_TID] = {"pid"},
	[MMT_COMM] = {"comm", "newcomm"},
	[MMT_NR_LOST] = {"nr_lost"},
	[MMT_SINCE_NS] = {"since_ns"},
};

enum mmt_kind tracefmt_kind(const char *system, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].system, system) &&
		    !strcmp(names[i].name, name))
			return names[i].kind;
	return MMT_OTHER;
}

const char *tracefmt_role_field(enum mmt_kind kind, uint8_t role,
				unsigned int i)
{
	if (i >= ARRAY_SIZE(role_fields[0]))
		return NULL;
	/* rename tells the old name first */
	if (kind == MMT_TASK_RENAME && role == MMT_COMM)
		return i ? NULL : "newcomm";
	/* roles that only probes have */
	if (!role_fields[role][0])
		return i ? NULL : mmt_role_name(role);
	return role_fields[role][i];
}

bool tracefmt_role_needed(uint8_t role)
{
	switch (role) {
	case MMT_DEV:
	case MMT_INO:
	case MMT_INDEX:
	case MMT_LAST_INDEX:
	case MMT_PFN:
	case MMT_TID:
		return true;
	}
	return false;
}
