/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracker.h - for every page: is it in the cache, and how did it leave */
#ifndef ANALYZE_TRACKER_H
#define ANALYZE_TRACKER_H

#include "formats/pages.h"

struct tracker;

enum tracked_state {
	TRACKED_NEVER, /* nothing seen of it: present or not, nobody knows */
	TRACKED_RESIDENT,
	TRACKED_GONE,
};

/* A page.  since_ns: of its add or of its removal, whichever came last. */
struct tracked {
	uint64_t page;
	uint64_t since_ns;
	uint64_t removed_at; /* gone: the caller's number of the removal */
	uint32_t epoch;      /* losses before its last add or removal */
	uint8_t state;       /* enum tracked_state */
	uint8_t cause;       /* gone: enum page_cause */
	uint8_t flags;       /* the caller's */
};

int tracker_new(struct tracker **tp);
void tracker_free(struct tracker *t);

/* The page's record, valid until the next add or removal; NULL if none. */
struct tracked *tracker_find(const struct tracker *t, uint64_t page);

/* The page will be looked up soon: starts to load where its record is. */
void tracker_prefetch(const struct tracker *t, uint64_t page);

/*
 * The page enters or leaves the cache.  was: its record before, state
 * TRACKED_NEVER if it had none.  Returns its record now, flags 0; NULL if
 * there is no memory.
 */
struct tracked *tracker_add(struct tracker *t, uint64_t page, uint64_t time_ns,
			    struct tracked *was);
/* The caller sets removed_at. */
struct tracked *tracker_remove(struct tracker *t, uint64_t page,
			       uint64_t time_ns, enum page_cause cause,
			       struct tracked *was);

/* Records were lost: what is known of any page so far may have changed. */
void tracker_loss(struct tracker *t);
/* Were there losses since the page's last add or removal? */
bool tracked_uncertain(const struct tracker *t, const struct tracked *page);

uint64_t tracker_nr_pages(const struct tracker *t);

#endif
