/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-names.c - tables: functions and their arguments, names of fields */

/*
 * Functions of Linux 6.1 to 7.3.  Places are given only where an argument has
 * the same one in all of them: evict_folios() got one in front, inc_max_seq()
 * one in between, filemap_get_pages() and migrate_misplaced_folio() changed
 * theirs; there the name of the probe's argument has to say what it is.
 */

#include "config.h"

#include "formats/probe-names.h"

#define FOLIO(nr)                    \
	{                            \
		MMT_PFN, nr, "folio" \
	}
#define LRUVEC(nr)                       \
	{                                \
		MMT_LRUVEC, nr, "lruvec" \
	}

static const struct probe_function functions[] = {
	/* mm/workingset.c */
	{"workingset_eviction",
	 PROBE_ENTRY,
	 MMT_EVICT,
	 {FOLIO(1), {MMT_TARGET, 2, "target_memcg"}}},
	{"workingset_eviction",
	 PROBE_RETURN,
	 MMT_EVICT_SHADOW,
	 {{MMT_SHADOW, 0, NULL}}},
	{"workingset_refault",
	 PROBE_ENTRY,
	 MMT_REFAULT,
	 {FOLIO(1), {MMT_SHADOW, 2, "shadow"}}},
	{"workingset_refault", PROBE_RETURN, MMT_REFAULT_END, {FOLIO(1)}},
	{"workingset_test_recent",
	 PROBE_RETURN,
	 MMT_TEST_RECENT,
	 {{MMT_RET, 0, NULL}}},
	{"workingset_activation", PROBE_ENTRY, MMT_ACTIVATION, {FOLIO(1)}},
	{"workingset_age_nonresident",
	 PROBE_ENTRY,
	 MMT_AGE,
	 {LRUVEC(1), {MMT_NR, 2, "nr_pages"}}},
	/* mm/swap.c */
	{"folio_mark_accessed",
	 PROBE_ENTRY,
	 MMT_MARK_ACCESSED,
	 {FOLIO(1), {MMT_CALLER, UINT8_MAX, "$stack0"}}},
	{"lru_add", PROBE_ENTRY, MMT_LRU_ADD, {LRUVEC(1), FOLIO(2)}},
	{"lru_add_fn", PROBE_ENTRY, MMT_LRU_ADD, {LRUVEC(1), FOLIO(2)}},
	{"lru_add", PROBE_RETURN, MMT_LRU_ADDED, {FOLIO(2)}},
	{"lru_add_fn", PROBE_RETURN, MMT_LRU_ADDED, {FOLIO(2)}},
	{"lru_activate", PROBE_ENTRY, MMT_ACTIVATE, {LRUVEC(1), FOLIO(2)}},
	{"folio_activate_fn", PROBE_ENTRY, MMT_ACTIVATE, {LRUVEC(1), FOLIO(2)}},
	{"lru_activate", PROBE_RETURN, MMT_ACTIVATED, {FOLIO(2)}},
	{"folio_activate_fn", PROBE_RETURN, MMT_ACTIVATED, {FOLIO(2)}},
	{"deactivate_file_folio", PROBE_ENTRY, MMT_DEACTIVATE, {FOLIO(1)}},
	{"folio_rotate_reclaimable", PROBE_ENTRY, MMT_ROTATE, {FOLIO(1)}},
	/* the same at their tracepoints, which follow the change */
	{"mm_lru_insertion",
	 PROBE_EVENT,
	 MMT_LRU_ADDED,
	 {{MMT_PFN, UINT8_MAX, "$pfn"},
	  {MMT_PFN, UINT8_MAX, "$folio"},
	  {MMT_PFN, UINT8_MAX, "$page"},
	  {MMT_LRU, UINT8_MAX, "$lru"},
	  {MMT_LRU_FLAGS, UINT8_MAX, "$flags"}}},
	{"mm_lru_activate",
	 PROBE_EVENT,
	 MMT_ACTIVATED,
	 {{MMT_PFN, UINT8_MAX, "$pfn"},
	  {MMT_PFN, UINT8_MAX, "$folio"},
	  {MMT_PFN, UINT8_MAX, "$page"}}},
	{"mm_lru_insertion", PROBE_TRACEPOINT, MMT_LRU_ADDED, {FOLIO(1)}},
	{"mm_lru_activate", PROBE_TRACEPOINT, MMT_ACTIVATED, {FOLIO(1)}},
	/* mm/vmscan.c */
	{"folio_update_gen",
	 PROBE_ENTRY,
	 MMT_GEN_UPDATE,
	 {FOLIO(1), {MMT_GEN, 2, "gen"}}},
	{"folio_update_gen",
	 PROBE_RETURN,
	 MMT_GEN_UPDATE_END,
	 {{MMT_OLD_GEN, 0, NULL}}},
	{"lru_gen_set_refs", PROBE_ENTRY, MMT_SET_REFS, {FOLIO(1)}},
	{"folio_inc_gen", PROBE_ENTRY, MMT_GEN_INC, {LRUVEC(1), FOLIO(2)}},
	{"try_to_inc_max_seq",
	 PROBE_ENTRY,
	 MMT_GEN_TRY,
	 {LRUVEC(1), {MMT_SEQ, 2, "seq"}}},
	{"try_to_inc_max_seq",
	 PROBE_RETURN,
	 MMT_GEN_TRY_END,
	 {{MMT_RET, 0, NULL}}},
	{"inc_max_seq", PROBE_ENTRY, MMT_GEN_NEW, {LRUVEC(1)}},
	{"lru_gen_look_around",
	 PROBE_ENTRY,
	 MMT_LOOK_AROUND,
	 {{MMT_PFN, UINT8_MAX, "+0($arg1)"},
	  {MMT_PFN, UINT8_MAX, "pvmw->pfn"}}},
	{"evict_folios", PROBE_ENTRY, MMT_EVICT_BEGIN, {{0, 0, NULL}}},
	{"evict_folios",
	 PROBE_RETURN,
	 MMT_EVICT_END,
	 {{MMT_NR_SCANNED, 0, NULL}}},
	{"shrink_folio_list",
	 PROBE_RETURN,
	 MMT_SHRINK_END,
	 {{MMT_NR_RECLAIMED, 0, NULL}}},
	{"demote_folio_list",
	 PROBE_ENTRY,
	 MMT_DEMOTE,
	 {{MMT_PGDAT, 2, "pgdat"}}},
	{"__remove_mapping",
	 PROBE_ENTRY,
	 MMT_REMOVE_TRY,
	 {{MMT_MAPPING, 1, "mapping"},
	  FOLIO(2),
	  {MMT_RECLAIMED, 3, "reclaimed"},
	  {MMT_TARGET, 4, "target_memcg"}}},
	/* mm/filemap.c */
	{"filemap_add_folio",
	 PROBE_ENTRY,
	 MMT_CACHE_ADD,
	 {{MMT_MAPPING, 1, "mapping"},
	  FOLIO(2),
	  {MMT_INDEX, 3, "index"},
	  {MMT_GFP, 4, "gfp"}}},
	{"__filemap_remove_folio",
	 PROBE_ENTRY,
	 MMT_CACHE_REMOVE,
	 {FOLIO(1), {MMT_SHADOW, 2, "shadow"}}},
	{"delete_from_page_cache_batch",
	 PROBE_ENTRY,
	 MMT_REMOVE_BATCH,
	 {{MMT_MAPPING, 1, "mapping"},
	  {MMT_NR, UINT8_MAX, "+0($arg2)"},
	  {MMT_NR, UINT8_MAX, "fbatch->nr"}}},
	{"filemap_read",
	 PROBE_ENTRY,
	 MMT_REQUEST,
	 {{MMT_POS, UINT8_MAX, "+8($arg1)"},
	  {MMT_POS, UINT8_MAX, "iocb->ki_pos"},
	  {MMT_COUNT, UINT8_MAX, "iter->count"},
	  {MMT_DONE, 3, "already_read"}}},
	{"filemap_get_pages",
	 PROBE_ENTRY,
	 MMT_READ_ENTRY,
	 {{MMT_POS, UINT8_MAX, "+8($arg1)"},
	  {MMT_POS, UINT8_MAX, "iocb->ki_pos"},
	  {MMT_COUNT, UINT8_MAX, "count"}}},
	{"filemap_get_read_batch",
	 PROBE_ENTRY,
	 MMT_LOOKUP,
	 {{MMT_MAPPING, 1, "mapping"},
	  {MMT_INDEX, 2, "index"},
	  {MMT_LAST_INDEX, 3, "max"}}},
	{"__filemap_get_folio",
	 PROBE_ENTRY,
	 MMT_LOOKUP,
	 {{MMT_MAPPING, 1, "mapping"},
	  {MMT_INDEX, 2, "index"},
	  {MMT_FGP, 3, "fgp_flags"}}},
	{"__filemap_get_folio_mpol",
	 PROBE_ENTRY,
	 MMT_LOOKUP,
	 {{MMT_MAPPING, 1, "mapping"},
	  {MMT_INDEX, 2, "index"},
	  {MMT_FGP, 3, "fgp_flags"}}},
	{"filemap_fault",
	 PROBE_ENTRY,
	 MMT_FAULT_ENTRY,
	 {{MMT_INDEX, UINT8_MAX, "+16($arg1)"},
	  {MMT_INDEX, UINT8_MAX, "vmf->pgoff"},
	  {MMT_FAULT_FLAGS, UINT8_MAX, "+40($arg1)"},
	  {MMT_FAULT_FLAGS, UINT8_MAX, "vmf->flags"}}},
	{"filemap_map_pages",
	 PROBE_ENTRY,
	 MMT_MAP_ENTRY,
	 {{MMT_INDEX, UINT8_MAX, "+16($arg1)"},
	  {MMT_INDEX, UINT8_MAX, "vmf->pgoff"},
	  {MMT_FIRST_INDEX, 2, "start_pgoff"},
	  {MMT_LAST_INDEX, 3, "end_pgoff"}}},
	/* mm/readahead.c */
	{"page_cache_sync_ra",
	 PROBE_ENTRY,
	 MMT_SYNC_RA_ENTRY,
	 {{MMT_NR, 2, "req_count"},
	  {MMT_INDEX, UINT8_MAX, "+24($arg1)"},
	  {MMT_INDEX, UINT8_MAX, "ractl->_index"}}},
	{"page_cache_async_ra",
	 PROBE_ENTRY,
	 MMT_ASYNC_RA_ENTRY,
	 {FOLIO(2),
	  {MMT_NR, 3, "req_count"},
	  {MMT_INDEX, UINT8_MAX, "+24($arg1)"},
	  {MMT_INDEX, UINT8_MAX, "ractl->_index"}}},
	{"page_cache_ra_unbounded",
	 PROBE_ENTRY,
	 MMT_RA_WINDOW,
	 {{MMT_NR, 2, "nr_to_read"},
	  {MMT_LOOKAHEAD, 3, "lookahead_size"},
	  {MMT_INDEX, UINT8_MAX, "+24($arg1)"},
	  {MMT_INDEX, UINT8_MAX, "ractl->_index"}}},
	{"page_cache_ra_order",
	 PROBE_ENTRY,
	 MMT_RA_WINDOW,
	 {{MMT_INDEX, UINT8_MAX, "+24($arg1)"},
	  {MMT_INDEX, UINT8_MAX, "ractl->_index"}}},
	/* mm/truncate.c, swap_state.c, migrate.c, huge_memory.c */
	{"mapping_evict_folio",
	 PROBE_ENTRY,
	 MMT_INVALIDATE,
	 {{MMT_MAPPING, 1, "mapping"}, FOLIO(2)}},
	{"add_to_swap_cache",
	 PROBE_ENTRY,
	 MMT_SWAP_ADD,
	 {FOLIO(1), {MMT_SWAP, 2, "entry"}}},
	{"swap_cache_add_folio",
	 PROBE_ENTRY,
	 MMT_SWAP_ADD,
	 {FOLIO(1), {MMT_SWAP, 2, "entry"}}},
	{"folio_migrate_flags",
	 PROBE_ENTRY,
	 MMT_FOLIO_MIGRATE,
	 {{MMT_NEW_PFN, 1, "newfolio"}, FOLIO(2)}},
	{"migrate_misplaced_folio", PROBE_ENTRY, MMT_PROMOTE, {FOLIO(1)}},
	{"migrate_misplaced_page",
	 PROBE_ENTRY,
	 MMT_PROMOTE,
	 {{MMT_PFN, 1, "page"}}},
	{"split_huge_page_to_list",
	 PROBE_ENTRY,
	 MMT_SPLIT,
	 {{MMT_PFN, 1, "page"}}},
	{"split_huge_page_to_list_to_order",
	 PROBE_ENTRY,
	 MMT_SPLIT,
	 {{MMT_PFN, 1, "page"}, {MMT_NEW_ORDER, 3, "new_order"}}},
	{"__folio_split",
	 PROBE_ENTRY,
	 MMT_SPLIT,
	 {FOLIO(1), {MMT_NEW_ORDER, 2, "new_order"}}},
};

const struct probe_function *probe_function(const struct probe_def *def)
{
	unsigned int i;

	/* what a module or another subsystem calls so is something else */
	if (*def->module || (*def->system && strcmp(def->system, "pagemap")))
		return NULL;
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (functions[i].type == def->type &&
		    !strcmp(functions[i].symbol, def->symbol))
			return &functions[i];
	return NULL;
}

/* ----------------------------------------------------------- what is needed */

static const struct {
	uint8_t kind, role;
} needed[] = {
	{MMT_EVICT, MMT_PFN},
	{MMT_EVICT_SHADOW, MMT_SHADOW},
	{MMT_REFAULT, MMT_SHADOW},
	{MMT_REFAULT_END, MMT_PFN},
	{MMT_TEST_RECENT, MMT_RET},
	{MMT_ACTIVATION, MMT_PFN},
	{MMT_AGE, MMT_LRUVEC},
	{MMT_AGE, MMT_NR},
	{MMT_MARK_ACCESSED, MMT_PFN},
	{MMT_LRU_ADD, MMT_PFN},
	{MMT_LRU_ADDED, MMT_PFN},
	{MMT_LRU_ADDED, MMT_PAGE_FLAGS},
	{MMT_ACTIVATE, MMT_PFN},
	{MMT_ACTIVATED, MMT_PFN},
	{MMT_DEACTIVATE, MMT_PFN},
	{MMT_ROTATE, MMT_PFN},
	{MMT_GEN_UPDATE, MMT_PFN},
	{MMT_GEN_UPDATE, MMT_GEN},
	{MMT_GEN_UPDATE_END, MMT_OLD_GEN},
	{MMT_SET_REFS, MMT_PFN},
	{MMT_GEN_INC, MMT_PFN},
	{MMT_GEN_TRY, MMT_LRUVEC},
	{MMT_GEN_TRY_END, MMT_RET},
	{MMT_GEN_NEW, MMT_LRUVEC},
	{MMT_LOOK_AROUND, MMT_PFN},
	{MMT_EVICT_END, MMT_NR_SCANNED},
	{MMT_SHRINK_END, MMT_NR_RECLAIMED},
	{MMT_REMOVE_TRY, MMT_PFN},
	{MMT_CACHE_ADD, MMT_PFN},
	{MMT_CACHE_REMOVE, MMT_SHADOW},
	{MMT_REMOVE_BATCH, MMT_NR},
	{MMT_REQUEST, MMT_INO},
	{MMT_REQUEST, MMT_POS},
	{MMT_READ_ENTRY, MMT_INO},
	{MMT_READ_ENTRY, MMT_POS},
	{MMT_LOOKUP, MMT_INO},
	{MMT_LOOKUP, MMT_INDEX},
	{MMT_FAULT_ENTRY, MMT_INO},
	{MMT_FAULT_ENTRY, MMT_INDEX},
	{MMT_MAP_ENTRY, MMT_INO},
	{MMT_MAP_ENTRY, MMT_INDEX},
	{MMT_SYNC_RA_ENTRY, MMT_INO},
	{MMT_SYNC_RA_ENTRY, MMT_INDEX},
	{MMT_ASYNC_RA_ENTRY, MMT_INO},
	{MMT_ASYNC_RA_ENTRY, MMT_INDEX},
	{MMT_RA_WINDOW, MMT_INO},
	{MMT_RA_WINDOW, MMT_INDEX},
	{MMT_INVALIDATE, MMT_PFN},
	{MMT_SWAP_ADD, MMT_PFN},
	{MMT_FOLIO_MIGRATE, MMT_PFN},
	{MMT_FOLIO_MIGRATE, MMT_NEW_PFN},
	{MMT_PROMOTE, MMT_PFN},
	{MMT_SPLIT, MMT_PFN},
};

bool probe_role_needed(enum mmt_kind kind, uint8_t role)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(needed); i++)
		if (needed[i].kind == kind && needed[i].role == role)
			return true;
	return false;
}

/* --------------------------------------------------------- names of fields */

/* What scripts and tracepoints call the field of a role. */
static const char *const names[MMT_NR_ROLES][5] = {
	[MMT_DEV] = {"dev", "s_dev"},
	[MMT_INO] = {"ino", "i_ino", "inode"},
	[MMT_INDEX] = {"index", "pgoff", "idx"},
	[MMT_LAST_INDEX] = {"last", "last_index", "end", "max"},
	[MMT_PFN] = {"pfn", "folio", "page"},
	[MMT_LRU] = {"lru"},
	[MMT_LRU_FLAGS] = {"pm", "lru_flags"},
	[MMT_GFP] = {"gfp", "gfp_flags"},
	[MMT_NID] = {"node", "nid"},
	[MMT_NR] = {"nr", "req", "req_count", "nr_to_read", "nr_pages"},
	[MMT_NR_SCANNED] = {"nr_scanned", "scanned"},
	[MMT_NR_RECLAIMED] = {"nr_reclaimed"},
	[MMT_PAGE_FLAGS] = {"flags", "page_flags", "oflags"},
	[MMT_MAPPING] = {"mapping", "map"},
	[MMT_HEAD_ORDER] = {"ord", "order"},
	[MMT_SWAP] = {"swap", "entry", "private"},
	[MMT_MEMCG] = {"memcg", "memcg_data"},
	[MMT_TARGET] = {"target", "target_memcg"},
	[MMT_SHADOW] = {"shadow"},
	[MMT_GEN] = {"newgen", "new_gen", "gen"},
	[MMT_OLD_GEN] = {"old", "old_gen", "oldgen"},
	[MMT_RET] = {"ret"},
	[MMT_LRUVEC] = {"lruvec"},
	[MMT_MAX_SEQ] = {"max_seq", "max"},
	[MMT_MIN_SEQ_ANON] = {"min_seq_anon", "min_anon", "mina"},
	[MMT_MIN_SEQ_FILE] = {"min_seq_file", "min_file", "minf"},
	[MMT_NONRESIDENT_AGE] = {"nonresident_age", "nra"},
	[MMT_MEMCG_ID] = {"memcg_id", "memcgid"},
	[MMT_CGROUP] = {"cgroup_ino", "cgino", "cgid"},
	[MMT_SEQ] = {"seq"},
	[MMT_CALLER] = {"caller"},
	[MMT_RECLAIMED] = {"reclaimed"},
	[MMT_POS] = {"pos"},
	[MMT_COUNT] = {"count"},
	[MMT_DONE] = {"done", "already_read"},
	[MMT_FIRST_INDEX] = {"start", "first", "start_pgoff"},
	[MMT_FAULT_FLAGS] = {"vmffl", "fault_flags", "flags"},
	[MMT_FGP] = {"fgp", "fgp_flags"},
	[MMT_LOOKAHEAD] = {"look", "lookahead", "lookahead_size"},
	[MMT_NEW_PFN] = {"new", "new_folio"},
	[MMT_NEW_FLAGS] = {"nflags", "new_flags"},
	[MMT_NEW_ORDER] = {"neword", "new_order", "order"},
	[MMT_PGDAT] = {"pgdat"},
};

bool probe_name_fits(enum mmt_kind kind, uint8_t role, const char *name)
{
	unsigned int i;

	/* a migration has two folios, and "old" is an old generation else */
	if (kind == MMT_FOLIO_MIGRATE && role == MMT_PFN)
		return !strcmp(name, "old") || !strcmp(name, "folio");
	for (i = 0; i < ARRAY_SIZE(names[0]) && names[role][i]; i++)
		if (!strcmp(names[role][i], name))
			return true;
	return false;
}

static bool is_address_role(uint8_t role)
{
	switch (role) {
	case MMT_PFN: /* its names are those of the folio */
	case MMT_NEW_PFN:
	case MMT_MAPPING:
	case MMT_MEMCG:
	case MMT_TARGET:
	case MMT_LRUVEC:
	case MMT_CALLER:
	case MMT_PGDAT:
	case MMT_RET: /* of any function */
	case MMT_SWAP:
		return true;
	}
	return false;
}

bool probe_name_is_number(const char *name)
{
	uint8_t role;

	if (!strcmp(name, "pfn"))
		return true;
	for (role = MMT_NO_ROLES + 1; role < MMT_NR_ROLES; role++)
		if (!is_address_role(role) &&
		    probe_name_fits(MMT_OTHER, role, name))
			return strcmp(name, "inode") && strcmp(name, "old") &&
			       strcmp(name, "entry");
	return false;
}

bool probe_name_is_pointer(const char *name)
{
	static const char *const pointers[] = {
		"folio",  "page", "lruvec", "memcg", "mapping", "map",
		"pgdat",  "list", "pvmw",   "vma",   "mm",      "sc",
		"vmf",    "iocb", "iter",   "file",  "inode",   "fbatch",
		"target", "ctl",  "ractl",  "ra",    "caller",  "zone",
		"objcg",  "task", "head",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pointers); i++)
		if (!strcmp(pointers[i], name))
			return true;
	return false;
}
