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
	X(ACCESS, "access", MMT_DEV, MMT_INO, MMT_INDEX, MMT_NR)

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

const char *mmt_kind_name(enum mmt_kind kind);
/* "" for MMT_NO_ROLES. */
const char *mmt_role_name(uint8_t role);
/* The roles of a kind's first values; returns how many. */
unsigned int mmt_kind_roles(enum mmt_kind kind, const uint8_t **roles);

/* The built-in schema of MMT_LOSS, which every log has as type 0. */
extern const struct mmt_schema mmt_loss_schema;

#endif
