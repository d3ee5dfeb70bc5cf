/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event.h - what an event is: kinds, roles, schemas, the typed event */
#ifndef FORMATS_EVENT_H
#define FORMATS_EVENT_H

#include "formats/base.h"

/*
 * Every kernel's tracepoint or probe is mapped once, when its format text is
 * compiled, onto one of these kinds.  A kind fixes the roles of its first
 * values: v[0] of a MMT_ADD is the device, whatever the field is called and
 * wherever this kernel put it.  Fields beyond those follow with their own
 * names.  Engines ask for kinds and roles, never for tracepoint names.
 *
 * The numbers are in logs: new kinds and roles go to the end.
 *
 * X(kind, name, roles...) - what the kernel does when it fires is in the
 * reference of each tracepoint (include/trace/events/filemap.h and so on).
 */
#define MMT_KINDS(X)                                                           \
	X(OTHER, "other", MMT_NO_ROLES)                                        \
	/* filemap: folio enters / leaves the page cache; get_pages, fault */  \
	X(ADD, "add", MMT_DEV, MMT_INO, MMT_INDEX, MMT_PFN, MMT_ORDER)         \
	X(REMOVE, "remove", MMT_DEV, MMT_INO, MMT_INDEX, MMT_PFN, MMT_ORDER)   \
	X(READ, "read", MMT_DEV, MMT_INO, MMT_INDEX, MMT_LAST_INDEX)           \
	X(FAULT, "fault", MMT_DEV, MMT_INO, MMT_INDEX)                         \
	X(MAP, "map", MMT_DEV, MMT_INO, MMT_INDEX, MMT_LAST_INDEX)             \
	/* pagemap: batch drains, not the accessor's pid or time */            \
	X(LRU_INSERT, "lru-insert", MMT_PFN, MMT_LRU, MMT_LRU_FLAGS)           \
	X(LRU_ACTIVATE, "lru-activate", MMT_PFN)                               \
	/* vmscan: brackets nest by pid */                                     \
	X(RECLAIM_BEGIN, "reclaim-begin", MMT_ORDER, MMT_GFP)                  \
	X(RECLAIM_END, "reclaim-end", MMT_NR_RECLAIMED)                        \
	X(RECLAIM_PAGES, "reclaim-pages", MMT_NR_SCANNED, MMT_NR_RECLAIMED)    \
	X(KSWAPD_WAKE, "kswapd-wake", MMT_NID, MMT_ORDER)                      \
	X(KSWAPD_SLEEP, "kswapd-sleep", MMT_NID)                               \
	X(ISOLATE, "isolate", MMT_NR_SCANNED, MMT_NR_TAKEN, MMT_LRU)           \
	X(SHRINK, "shrink", MMT_NID, MMT_NR_SCANNED, MMT_NR_RECLAIMED)         \
	X(SLAB_BEGIN, "slab-begin", MMT_NID)                                   \
	X(SLAB_END, "slab-end", MMT_NID)                                       \
	X(WRITE_FOLIO, "write-folio", MMT_PFN)                                 \
	/* readahead: nr is what the caller asked for, req_count */            \
	X(SYNC_RA, "sync-ra", MMT_DEV, MMT_INO, MMT_INDEX, MMT_NR)             \
	X(ASYNC_RA, "async-ra", MMT_DEV, MMT_INO, MMT_INDEX, MMT_NR)           \
	/* migrate */                                                          \
	X(MIGRATE, "migrate", MMT_NR_SUCCEEDED, MMT_NR_FAILED, MMT_REASON)     \
	/* task, sched: the life of a tid */                                   \
	X(TASK_NEW, "task-new", MMT_TID, MMT_COMM)                             \
	X(TASK_RENAME, "task-rename", MMT_TID, MMT_COMM)                       \
	X(TASK_EXEC, "task-exec", MMT_TID)                                     \
	X(TASK_EXIT, "task-exit", MMT_TID)                                     \
	/* ours: records that a CPU's buffer dropped; time is the gap's end */ \
	X(LOSS, "loss", MMT_NR_LOST, MMT_SINCE_NS)                             \
	/* imported access traces: exactly these pages, nothing to expand */   \
	X(ACCESS, "access", MMT_DEV, MMT_INO, MMT_INDEX, MMT_NR)               \
	MMT_PROBE_KINDS(X)

/*
 * What a probe can tell of a folio; all kinds with it have it in this order.
 * Fields that a definition does not fetch are absent.  Where mapping is 0 or
 * has a low bit set (see the role) the folio is no file's: index is another
 * thing then, and device and inode are what happened to lie in the record.
 */
#define MMT_FOLIO                                                          \
	MMT_DEV, MMT_INO, MMT_INDEX, MMT_PFN, MMT_PAGE_FLAGS, MMT_MAPPING, \
		MMT_HEAD_ORDER, MMT_SWAP, MMT_MEMCG

/* The same of an lruvec: its window of generations, its nonresident age. */
#define MMT_LRUVEC_STATE                                             \
	MMT_LRUVEC, MMT_MAX_SEQ, MMT_MIN_SEQ_ANON, MMT_MIN_SEQ_FILE, \
		MMT_NONRESIDENT_AGE, MMT_MEMCG_ID, MMT_CGROUP

/*
 * Probes of functions, by what the function does.  They fire where it begins:
 * it may yet fail, and what they fetch is as it was before.  "-end" is where
 * it returns, to be paired with the begin by pid; "-ed" shows the folio as it
 * is afterwards.  Several types of one kind in a log tell the same thing in
 * several ways.
 */
#define MMT_PROBE_KINDS(X)                                                     \
	/* mm/workingset.c: workingset_eviction(), its return: -shadow */      \
	X(EVICT, "evict", MMT_FOLIO, MMT_TARGET)                               \
	X(EVICT_SHADOW, "evict-shadow", MMT_SHADOW)                            \
	X(REFAULT, "refault", MMT_FOLIO, MMT_SHADOW)                           \
	X(REFAULT_END, "refault-end", MMT_FOLIO)                               \
	X(TEST_RECENT, "test-recent", MMT_RET)                                 \
	X(ACTIVATION, "activation", MMT_FOLIO)                                 \
	X(AGE, "age", MMT_LRUVEC_STATE, MMT_NR)                                \
	/* mm/swap.c: folio_mark_accessed(); batch drains of the LRU */        \
	X(MARK_ACCESSED, "mark-accessed", MMT_FOLIO, MMT_CALLER)               \
	X(LRU_ADD, "lru-add", MMT_FOLIO, MMT_LRUVEC_STATE)                     \
	X(LRU_ADDED, "lru-added", MMT_FOLIO, MMT_LRU, MMT_LRU_FLAGS)           \
	X(ACTIVATE, "activate", MMT_FOLIO, MMT_LRUVEC_STATE)                   \
	X(ACTIVATED, "activated", MMT_FOLIO)                                   \
	X(DEACTIVATE, "deactivate", MMT_FOLIO)                                 \
	X(ROTATE, "rotate", MMT_FOLIO)                                         \
	/* mm/vmscan.c: folio_update_gen(), lru_gen_set_refs(), */             \
	X(GEN_UPDATE, "gen-update", MMT_FOLIO, MMT_GEN)                        \
	X(GEN_UPDATE_END, "gen-update-end", MMT_OLD_GEN)                       \
	X(SET_REFS, "set-refs", MMT_FOLIO)                                     \
	/* folio_inc_gen(), try_to_inc_max_seq(), inc_max_seq(), */            \
	X(GEN_INC, "gen-inc", MMT_FOLIO, MMT_LRUVEC_STATE)                     \
	X(GEN_TRY, "gen-try", MMT_LRUVEC_STATE, MMT_SEQ)                       \
	X(GEN_TRY_END, "gen-try-end", MMT_RET)                                 \
	X(GEN_NEW, "gen-new", MMT_LRUVEC_STATE, MMT_SEQ)                       \
	X(LOOK_AROUND, "look-around", MMT_PFN)                                 \
	/* evict_folios(), shrink_folio_list(), demote_folio_list(), */        \
	X(EVICT_BEGIN, "evict-begin", MMT_LRUVEC_STATE, MMT_NR)                \
	X(EVICT_END, "evict-end", MMT_NR_SCANNED)                              \
	X(SHRINK_END, "shrink-end", MMT_NR_RECLAIMED)                          \
	X(DEMOTE, "demote", MMT_PGDAT)                                         \
	/* __remove_mapping() */                                               \
	X(REMOVE_TRY, "remove-try", MMT_FOLIO, MMT_RECLAIMED, MMT_TARGET)      \
	/* mm/filemap.c: in and out; add and remove tell what was done */      \
	X(CACHE_ADD, "cache-add", MMT_FOLIO, MMT_GFP)                          \
	X(CACHE_REMOVE, "cache-remove", MMT_FOLIO, MMT_SHADOW)                 \
	X(REMOVE_BATCH, "remove-batch", MMT_DEV, MMT_INO, MMT_MAPPING, MMT_NR) \
	/* filemap_read(), filemap_get_pages(): bytes; lookups in the cache */ \
	X(REQUEST, "request", MMT_DEV, MMT_INO, MMT_POS, MMT_COUNT, MMT_DONE)  \
	X(READ_ENTRY, "read-entry", MMT_DEV, MMT_INO, MMT_POS, MMT_COUNT)      \
	X(LOOKUP, "lookup", MMT_DEV, MMT_INO, MMT_INDEX, MMT_LAST_INDEX,       \
	  MMT_FGP)                                                             \
	/* filemap_fault(), filemap_map_pages(): index is the page touched */  \
	X(FAULT_ENTRY, "fault-entry", MMT_DEV, MMT_INO, MMT_INDEX,             \
	  MMT_FAULT_FLAGS)                                                     \
	X(MAP_ENTRY, "map-entry", MMT_DEV, MMT_INO, MMT_INDEX,                 \
	  MMT_FIRST_INDEX, MMT_LAST_INDEX)                                     \
	/* mm/readahead.c: as sync-ra and async-ra; the window to be read */   \
	X(SYNC_RA_ENTRY, "sync-ra-entry", MMT_DEV, MMT_INO, MMT_INDEX, MMT_NR) \
	X(ASYNC_RA_ENTRY, "async-ra-entry", MMT_DEV, MMT_INO, MMT_INDEX,       \
	  MMT_NR, MMT_PFN)                                                     \
	X(RA_WINDOW, "ra-window", MMT_DEV, MMT_INO, MMT_INDEX, MMT_NR,         \
	  MMT_LOOKAHEAD)                                                       \
	/* mm/truncate.c, swap_state.c, migrate.c, huge_memory.c */            \
	X(INVALIDATE, "invalidate", MMT_FOLIO)                                 \
	X(SWAP_ADD, "swap-add", MMT_FOLIO)                                     \
	X(FOLIO_MIGRATE, "folio-migrate", MMT_FOLIO, MMT_NEW_PFN,              \
	  MMT_NEW_FLAGS)                                                       \
	X(PROMOTE, "promote", MMT_FOLIO, MMT_NID)                              \
	X(SPLIT, "split", MMT_FOLIO, MMT_NEW_ORDER)

enum mmt_kind {
#define X(kind, name, ...) MMT_##kind,
	MMT_KINDS(X)
#undef X
		MMT_NR_KINDS
};

enum mmt_role {
	MMT_NO_ROLES, /* a field with a name only */
	MMT_DEV,      /* device, kernel encoding: major << 20 | minor */
	MMT_INO,
	MMT_INDEX,      /* page offset in the file, in base pages */
	MMT_LAST_INDEX, /* inclusive */
	MMT_PFN,
	MMT_ORDER, /* the folio is 1 << order base pages */
	MMT_LRU,   /* enum lru_list */
	MMT_LRU_FLAGS,
	MMT_GFP,
	MMT_NID,
	MMT_NR, /* pages */
	MMT_NR_SCANNED,
	MMT_NR_TAKEN,
	MMT_NR_RECLAIMED,
	MMT_NR_SUCCEEDED,
	MMT_NR_FAILED,
	MMT_REASON, /* enum migrate_reason */
	MMT_TID,
	MMT_COMM,
	MMT_NR_LOST,  /* MMT_LOST_UNKNOWN if the kernel did not count */
	MMT_SINCE_NS, /* last event of that CPU before the gap */
	/*
	 * Of probes.  Where frames are not known from addresses, a pfn of type
	 * MMT_ID is a number of the folio: equal for equal folios, no frame.
	 */
	MMT_PAGE_FLAGS, /* folio->flags: PG_*, refs, generation, zone, node */
	MMT_MAPPING,    /* 4 * id of folio->mapping + its low bits: 1 anon */
	MMT_HEAD_ORDER, /* as order, but only if page_flags has PG_head */
	MMT_SWAP,       /* swap entry, if page_flags has PG_swapcache */
	MMT_MEMCG,      /* id of the folio's mem_cgroup (7.3: obj_cgroup) */
	MMT_TARGET,     /* id of the mem_cgroup that reclaim is for */
	MMT_SHADOW,     /* as workingset.c packs it; 0: none */
	MMT_GEN,        /* index of a generation: its seq modulo 4 */
	MMT_OLD_GEN,    /* the same, before; -1: on no list of generations */
	MMT_RET,        /* what the function returned */
	MMT_LRUVEC,     /* id */
	MMT_MAX_SEQ,    /* of the lruvec, when the function was called */
	MMT_MIN_SEQ_ANON,
	MMT_MIN_SEQ_FILE,
	MMT_NONRESIDENT_AGE,
	MMT_MEMCG_ID, /* the kernel's number of the lruvec's memcg */
	MMT_CGROUP,   /* inode of its cgroup */
	MMT_SEQ,      /* max_seq that a new generation is to follow */
	MMT_CALLER,   /* id of the return address */
	MMT_RECLAIMED,
	MMT_POS,         /* bytes: where in the file */
	MMT_COUNT,       /* bytes */
	MMT_DONE,        /* bytes */
	MMT_FIRST_INDEX, /* of the pages that are mapped around index */
	MMT_FAULT_FLAGS, /* vm_fault.flags */
	MMT_FGP,         /* FGP_* */
	MMT_LOOKAHEAD,   /* pages behind the mark, at the window's end */
	MMT_NEW_PFN,
	MMT_NEW_FLAGS, /* page flags of the folio that it is copied to */
	MMT_NEW_ORDER,
	MMT_PGDAT, /* id */
	MMT_NR_ROLES
};

#define MMT_LOST_UNKNOWN UINT64_MAX

/* Places in v[] that engines use; each kind's order above. */
enum { ADD_DEV, ADD_INO, ADD_INDEX, ADD_PFN, ADD_ORDER };
enum { READ_DEV, READ_INO, READ_INDEX, READ_LAST_INDEX };
enum { RA_DEV, RA_INO, RA_INDEX, RA_NR };
enum { ACCESS_DEV, ACCESS_INO, ACCESS_INDEX, ACCESS_NR };
enum { TASK_TID, TASK_COMM };
enum { LOSS_NR_LOST, LOSS_SINCE_NS };
enum {
	FOLIO_DEV,
	FOLIO_INO,
	FOLIO_INDEX,
	FOLIO_PFN,
	FOLIO_FLAGS,
	FOLIO_MAPPING,
	FOLIO_HEAD_ORDER,
	FOLIO_SWAP,
	FOLIO_MEMCG,
	FOLIO_NR /* what the kind has besides begins here */
};

#define MMT_NO_PFN UINT64_MAX /* an address that is of no page */

/* A bit for each kind, in a set of them. */
#define MMT_KIND_BIT(kind) ((unsigned __int128)1 << (kind))

enum mmt_type {
	MMT_ABSENT,   /* this kernel has no such field: always 0 */
	MMT_UNSIGNED, /* v is the number */
	MMT_SIGNED,   /* v is the number, sign-extended to 64 bits */
	MMT_STRING,   /* v is a pointer: see mmt_event_string() */
	MMT_ID,       /* a kernel pointer, replaced by a dense number */
};

struct mmt_field {
	char name[48];
	uint8_t type; /* enum mmt_type */
	uint8_t role; /* enum mmt_role */
	uint8_t size; /* bytes in the kernel's record, 0 if absent */
};

#define MMT_MAX_FIELDS  48
#define MMT_MAX_SCHEMAS 1024
#define MMT_MAX_STRING  4096 /* bytes with the final NUL */

/* One event type of one log. */
struct mmt_schema {
	char system[48];
	char name[80];
	char note[160]; /* what the mapping had to assume; may be empty */
	uint8_t kind;   /* enum mmt_kind */
	uint8_t nr_fields;
	struct mmt_field field[MMT_MAX_FIELDS];
};

/*
 * A decoded event.  v has the schema's nr_fields values, those of the kind's
 * roles first.  Valid until the cursor it came from moves on to its next run.
 */
struct mmt_event {
	uint64_t time_ns; /* the log's clock */
	const uint64_t *v;
	int32_t pid;   /* common_pid: the kernel's tid of the current task */
	uint16_t type; /* index of its schema in the log */
	uint16_t cpu;
	uint8_t kind;
	uint8_t flags;   /* common_flags */
	uint8_t preempt; /* common_preempt_count */
	uint8_t nr;      /* values in v */
};

#define MMT_FLAG_HARDIRQ 0x08 /* in common_flags */
#define MMT_FLAG_SOFTIRQ 0x10

static inline const char *mmt_event_string(const struct mmt_event *ev,
					   unsigned int i)
{
	return (const char *)(uintptr_t)ev->v[i];
}

/* Makes it a field that this kernel has not, named after the role. */
void mmt_field_absent(struct mmt_field *field, uint8_t role);

const char *mmt_kind_name(enum mmt_kind kind);
/* "" for MMT_NO_ROLES. */
const char *mmt_role_name(uint8_t role);
/* The roles of a kind's first values; returns how many. */
unsigned int mmt_kind_roles(enum mmt_kind kind, const uint8_t **roles);

/* The built-in schema of MMT_LOSS, which every log has as type 0. */
extern const struct mmt_schema mmt_loss_schema;

#endif
