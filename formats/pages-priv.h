/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages-priv.h - inside of the page stream: queue, files, tasks */
#ifndef FORMATS_PAGES_PRIV_H
#define FORMATS_PAGES_PRIV_H

#include "formats/pages.h"

#define PAGES_INDEX_MASK ((1ULL << PAGES_INDEX_BITS) - 1)
#define PAGES_MAX_SEGS   (1U << (64 - PAGES_INDEX_BITS))
#define PAGES_MAX_ORDER  20
#define PAGES_MAX_RANGE  (1U << 20) /* pages; read(2) itself ends at 2 GiB */
#define PAGES_QUEUE      (1U << 18) /* items held back at most */
#define PAGES_HOLD_NS    250000000ULL
#define PAGES_MAX_PID    (1 << 22) /* PID_MAX_LIMIT */
#define PAGES_MAX_SPANS  512
/* What one event can put into the queue: an add in three, and its access. */
#define PAGES_MAX_ITEMS 4

struct page_span {
	uint64_t first, last; /* indexes, inclusive */
	uint32_t seg;
};

/* Pages of an access that were added for it: sorted, apart. */
struct page_miss {
	unsigned int nr;
	unsigned int at; /* the one to look at next */
	struct page_span span[];
};

/* A run of entries that differ in the page only. */
struct page_item {
	uint64_t time_ns;
	uint64_t index; /* of the next page; a loss: number of records */
	struct page_miss *miss;
	uint32_t nr; /* pages still to come; of an open item, at most */
	uint32_t seg;
	uint32_t epoch; /* an open item of an older one is closed */
	int32_t pid;
	uint16_t cpu;
	uint8_t op, detail, order, flags;
	bool open; /* its end is not known yet */
};

/* (dev, ino, index >> PAGES_INDEX_BITS), numbered as they appear. */
struct page_seg {
	uint64_t dev, ino, high;
	uint64_t min_added, max_added; /* min > max: nothing added yet */
	uint64_t max_known;            /* largest index seen in the file */
};

struct page_segs {
	struct page_seg *seg;
	uint32_t nr, cap;
	uint32_t *slot; /* hash: number + 1, 0 is empty */
	uint32_t nr_slots;
	uint32_t last; /* the one found last */
};

enum page_ra { RA_NONE, RA_SYNC, RA_ASYNC };

/* What is known of a running task. */
struct page_task {
	int32_t pid;
	uint32_t epoch; /* older than the stream's: state is void */
	uint64_t seen_ns;

	/* the piece of a buffered read seen last */
	uint64_t read_index, read_last, read_pos;
	uint64_t read_first; /* of its request */
	uint64_t read_next;  /* first page not counted, once it was forced */
	uint32_t read_seg;
	bool reading;
	bool steady; /* its last two requests: same size, end to end */

	/* its last access was this fault */
	bool faulted, fault_added, fault_retried;
	uint32_t fault_seg;
	uint64_t fault_index, fault_pos;

	/* readahead going on */
	uint8_t ra; /* enum page_ra */
	uint32_t ra_seg;
	uint64_t ra_index, ra_nr;

	/* pages it added; the first nr_old before its last access */
	struct page_span *added;
	unsigned int nr_added, cap_added, nr_old;

	unsigned int nr_reclaim, nr_slab; /* depth of brackets */
	bool reclaimer;                   /* kswapd, kdamond */
};

struct page_tasks {
	struct page_task **slot; /* hash by pid, linear probing */
	uint32_t nr, nr_slots;
	struct page_task *last; /* the one found last */
};

struct pages {
	struct mmt_stream *stream;
	struct mmt *log;
	struct page_item *queue; /* ring of PAGES_QUEUE */
	uint64_t head, tail;
	struct page_segs segs;
	struct page_tasks tasks;
	struct pages_stats stats;
	uint64_t now_ns;
	uint32_t epoch; /* grows with each loss */
	bool has_reclaim, has_adds, has_reads, has_ra;
	bool ended;
};

/* pages.c */
/* Without a log: events come by pages_feed().  For tests. */
int pages_new(struct pages **pp);
/* Takes one event in.  There must be room for PAGES_MAX_ITEMS. */
int pages_feed(struct pages *p, const struct mmt_event *ev);
/* Moves what is ready into the batch behind batch->nr.  0 or -ENOMEM. */
int pages_drain(struct pages *p, struct page_batch *batch);
/* No event follows: everything open is closed by the next drain. */
void pages_end(struct pages *p);

static inline struct page_item *pages_item(struct pages *p, uint64_t pos)
{
	return &p->queue[pos % PAGES_QUEUE];
}

/* The item at pos if it waits in the queue and is still open, or NULL. */
struct page_item *pages_open_item(struct pages *p, uint64_t pos);
/* A new item at the tail, with the event's time, cpu and pid. */
struct page_item *pages_push(struct pages *p, const struct mmt_event *ev);

/* pages-key.c */
/* Finds or makes the segment of a page.  -ENOMEM, -EOVERFLOW. */
int page_seg_get(struct page_segs *s, const struct page_id *id, uint32_t *seg);
void page_segs_free(struct page_segs *s);

/* pages-task.c */
/* The task's state, made if need be.  NULL: no memory, or not a task's pid. */
struct page_task *page_task_get(struct pages *p, int32_t pid, uint64_t now_ns);
/* NULL if nothing is known of it. */
struct page_task *page_task_find(struct pages *p, int32_t pid);
void page_task_exit(struct pages *p, int32_t pid);
void page_tasks_free(struct page_tasks *tasks);
/* Learns from its name whether the task is one that reclaims. */
int page_task_name(struct pages *p, int32_t pid, const char *comm);
/* The text block "tasks": lines "TID TGID COMM". */
int page_task_names(struct pages *p, const char *text);
/* Brackets of reclaim and of slab shrinkers; kswapd. */
int page_task_bracket(struct pages *p, const struct mmt_event *ev);
enum page_cause page_task_cause(struct pages *p, const struct mmt_event *ev);

/* pages-access.c: READ, FAULT, MAP, ACCESS */
int page_read(struct pages *p, const struct mmt_event *ev);
int page_fault(struct pages *p, const struct mmt_event *ev);
int page_map(struct pages *p, const struct mmt_event *ev);
int page_access(struct pages *p, const struct mmt_event *ev);
/* Ends an open item where no later piece told its end. */
void page_item_close(struct pages *p, uint64_t pos);
void page_task_closes(struct pages *p, struct page_task *t);

/* pages-add.c: ADD, REMOVE, and which added pages were asked for */
/* -EBADMSG: an order that no folio has. */
int page_add(struct pages *p, const struct mmt_event *ev);
int page_remove(struct pages *p, const struct mmt_event *ev);
int page_readahead(struct pages *p, const struct mmt_event *ev);
/* The task's spans that meet want; *missp is NULL if none.  -ENOMEM. */
int page_added_meet(const struct page_task *t, const struct page_span *want,
		    struct page_miss **missp);
/* A new request begins: what was added before the last access is past. */
void page_added_age(struct page_task *t);

#endif
