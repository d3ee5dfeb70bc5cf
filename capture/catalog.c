/* SPDX-License-Identifier: GPL-2.0-or-later */
/* catalog.c - what we record, by meaning, and the sets users ask for */

/*
 * A table.  Level L0: tracepoints only.  What an analysis cannot do without
 * is required: a kernel that lacks it is refused before the recording, not
 * after it.  The rest is optional: its absence is one warning, and a line in
 * the log.  Versions are those of the main line and only ever printed; what a
 * kernel has is looked up in its tracefs.
 */

#include "config.h"

#include "capture/catalog.h"

#define ANY                                                                    \
	(SET_REUSE | SET_REFAULT | SET_LRUGEN | SET_COLDSTART | SET_TIERING |  \
	 SET_SWAP | SET_ALL)
/* sets that watch pages of files come and go */
#define FILES                                                                  \
	(SET_REFAULT | SET_LRUGEN | SET_COLDSTART | SET_TIERING | SET_ALL)
#define RECLAIM                                                                \
	(SET_REFAULT | SET_LRUGEN | SET_COLDSTART | SET_SWAP | SET_ALL)

const struct catalog_set catalog_sets[] = {
	{"reuse", SET_REUSE, "mm-reuse",
	 "reads and faults by page: reuse distance, miss ratio"},
	{"refault", SET_REFAULT, "mm-refault",
	 "adds, removals and reclaim: refault distance, cause"},
	{"lrugen", SET_LRUGEN, "mm-lrugen",
	 "LRU insertion, activation and reclaim; no generations at L0"},
	{"coldstart", SET_COLDSTART, "mm-coldstart",
	 "from a page's first read to its removal"},
	{"tiering", SET_TIERING, "mm-lrugen",
	 "accesses and migrations"},
	{"swap", SET_SWAP, "mm-lrugen",
	 "reclaim runs and pages written out"},
	{"all", SET_ALL, "all",
	 "everything below; what -e is if not given"},
};
const unsigned int catalog_nr_sets = ARRAY_SIZE(catalog_sets);

const struct catalog_row catalog_rows[] = {
	{{"filemap:mm_filemap_add_to_page_cache"},
	 "page added to the page cache", "", "per page read in",
	 FILES, SET_REUSE},
	{{"filemap:mm_filemap_delete_from_page_cache"},
	 "page removed from the page cache", "", "per page dropped",
	 FILES, SET_REUSE},
	{{"filemap:mm_filemap_get_pages"},
	 "buffered read of a range of pages", "6.12", "per read",
	 SET_REUSE | SET_COLDSTART, SET_TIERING | SET_ALL},
	{{"filemap:mm_filemap_fault"},
	 "page fault on a file", "6.12", "per fault",
	 0, SET_REUSE | SET_REFAULT | SET_COLDSTART | SET_TIERING | SET_ALL},
	{{"filemap:mm_filemap_map_pages"},
	 "pages mapped around a fault", "6.12", "per fault",
	 0, SET_REUSE | SET_COLDSTART | SET_TIERING | SET_ALL},
	{{"pagemap:mm_lru_insertion"},
	 "page put on an LRU list", "", "per new page",
	 SET_LRUGEN, SET_COLDSTART | SET_ALL},
	{{"pagemap:mm_lru_activate"},
	 "page activated", "", "per activation",
	 0, SET_LRUGEN | SET_COLDSTART | SET_TIERING | SET_ALL},
	{{"vmscan:mm_vmscan_direct_reclaim_begin"},
	 "a task starts to reclaim", "", "per reclaim run",
	 SET_SWAP, RECLAIM},
	{{"vmscan:mm_vmscan_direct_reclaim_end"},
	 "a task ends to reclaim", "", "per reclaim run",
	 SET_SWAP, RECLAIM},
	{{"vmscan:mm_vmscan_memcg_reclaim_begin"},
	 "reclaim of a memcg at its limit starts", "", "per reclaim run",
	 0, RECLAIM},
	{{"vmscan:mm_vmscan_memcg_reclaim_end"},
	 "reclaim of a memcg at its limit ends", "", "per reclaim run",
	 0, RECLAIM},
	{{"vmscan:mm_vmscan_memcg_softlimit_reclaim_begin"},
	 "soft limit reclaim starts (cgroup v1)", "", "per reclaim run",
	 0, RECLAIM},
	{{"vmscan:mm_vmscan_memcg_softlimit_reclaim_end"},
	 "soft limit reclaim ends (cgroup v1)", "", "per reclaim run",
	 0, RECLAIM},
	{{"vmscan:mm_vmscan_node_reclaim_begin"},
	 "reclaim of one node starts", "", "per reclaim run",
	 0, RECLAIM},
	{{"vmscan:mm_vmscan_node_reclaim_end"},
	 "reclaim of one node ends", "", "per reclaim run",
	 0, RECLAIM},
	{{"vmscan:mm_vmscan_reclaim_pages"},
	 "pages reclaimed on request (madvise, DAMON)", "6.16",
	 "per request", 0, RECLAIM},
	{{"vmscan:mm_vmscan_kswapd_wake"},
	 "kswapd wakes", "", "seldom", 0, RECLAIM},
	{{"vmscan:mm_vmscan_kswapd_sleep"},
	 "kswapd sleeps", "", "seldom", 0, RECLAIM},
	{{"vmscan:mm_vmscan_lru_isolate"},
	 "pages taken off an LRU list", "", "per 32 pages scanned",
	 0, SET_LRUGEN | SET_SWAP | SET_ALL},
	{{"vmscan:mm_vmscan_lru_shrink_inactive"},
	 "what became of them", "", "per 32 pages scanned",
	 0, SET_REFAULT | SET_LRUGEN | SET_SWAP | SET_ALL},
	{{"vmscan:mm_vmscan_lru_shrink_active"},
	 "active pages aged", "", "per 32 pages scanned",
	 0, SET_LRUGEN | SET_SWAP | SET_ALL},
	{{"vmscan:mm_vmscan_write_folio", "vmscan:mm_vmscan_writepage"},
	 "page written out by reclaim", "", "per page written",
	 0, SET_SWAP | SET_LRUGEN | SET_ALL},
	{{"vmscan:mm_vmscan_throttled"},
	 "reclaim held up a task", "5.16", "seldom", 0, RECLAIM},
	{{"vmscan:mm_shrink_slab_start"},
	 "slab reclaim starts", "", "per shrinker run", 0, SET_ALL},
	{{"vmscan:mm_shrink_slab_end"},
	 "slab reclaim ends", "", "per shrinker run", 0, SET_ALL},
	{{"readahead:page_cache_sync_ra"},
	 "read that missed", "6.18", "per miss",
	 0, SET_REUSE | FILES},
	{{"readahead:page_cache_async_ra"},
	 "read that set off readahead", "6.18", "per readahead",
	 0, SET_REUSE | FILES},
	{{"migrate:mm_migrate_pages"},
	 "pages migrated", "", "per batch",
	 SET_TIERING, SET_LRUGEN | SET_ALL},
	{{"task:task_newtask"},
	 "task created", "", "per task", 0, ANY},
	{{"task:task_rename"},
	 "task renamed", "", "per exec", 0, ANY},
	{{"sched:sched_process_exec"},
	 "program started", "", "per exec", 0, ANY},
	{{"sched:sched_process_exit"},
	 "task ended", "", "per task", 0, ANY},
};
const unsigned int catalog_nr_rows = ARRAY_SIZE(catalog_rows);

const struct catalog_set *catalog_find_set(const char *name)
{
	unsigned int i;

	for (i = 0; i < catalog_nr_sets; i++)
		if (!strcmp(catalog_sets[i].name, name))
			return &catalog_sets[i];
	return NULL;
}
