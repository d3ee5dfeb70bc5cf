/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages-task.c - what is known of each task, and why it removed a page */

/*
 * A page that leaves the cache while its remover is between the begin and the
 * end of a reclaim run was reclaimed; so was one that kswapd or a kdamond
 * removed.  Inside a slab shrinker it was an inode whose pages were dropped
 * with it.  Everything else (truncation, fadvise, drop_caches, madvise) looks
 * alike to tracepoints and stays unknown.
 *
 * A loss makes all brackets void: the stream's epoch grows, and a task of an
 * older epoch is wiped when it is next looked at.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>

#include "formats/pages-priv.h"

#define TASKS_MIN     1024U
#define TASKS_CROWD   65536U         /* from here on, idle ones are dropped */
#define TASKS_IDLE_NS 10000000000ULL /* no event for so long is idle */

static void task_free(struct page_task *t)
{
	if (t)
		free(t->added);
	free(t);
}

static void task_wipe(struct page_task *t, uint32_t epoch)
{
	struct page_task fresh = {
		.pid = t->pid,
		.epoch = epoch,
		.seen_ns = t->seen_ns,
		.added = t->added,
		.cap_added = t->cap_added,
		.reclaimer = t->reclaimer,
	};

	*t = fresh;
}

static uint32_t task_slot(const struct page_tasks *tasks, int32_t pid)
{
	uint32_t i = (uint32_t)hash_u64((uint32_t)pid);

	for (;; i++) {
		i &= tasks->nr_slots - 1;
		if (!tasks->slot[i] || tasks->slot[i]->pid == pid)
			return i;
	}
}

static bool task_is_idle(const struct pages *p, const struct page_task *t)
{
	return !t->reclaimer && p->now_ns > t->seen_ns &&
	       p->now_ns - t->seen_ns > TASKS_IDLE_NS;
}

/* Moves all tasks into a table of twice the size; a crowd is thinned. */
static int tasks_grow(struct pages *p)
{
	struct page_tasks *tasks = &p->tasks, fresh = {0};
	struct page_task *t;
	uint32_t i;

	fresh.nr_slots = MAX(tasks->nr_slots * 2, TASKS_MIN);
	fresh.slot = calloc(fresh.nr_slots, sizeof(*fresh.slot));
	if (!fresh.slot)
		return -ENOMEM;
	for (i = 0; i < tasks->nr_slots; i++) {
		t = tasks->slot[i];
		if (!t)
			continue;
		if (tasks->nr >= TASKS_CROWD && task_is_idle(p, t)) {
			page_task_closes(p, t);
			task_free(t);
			continue;
		}
		fresh.slot[task_slot(&fresh, t->pid)] = t;
		fresh.nr++;
	}
	free(tasks->slot);
	*tasks = fresh;
	return 0;
}

struct page_task *page_task_find(struct pages *p, int32_t pid)
{
	struct page_tasks *tasks = &p->tasks;
	struct page_task *t = tasks->last;

	if (!t || t->pid != pid) {
		if (!tasks->nr_slots)
			return NULL;
		t = tasks->slot[task_slot(tasks, pid)];
		if (!t)
			return NULL;
		tasks->last = t;
	}
	if (t->epoch != p->epoch)
		task_wipe(t, p->epoch);
	return t;
}

struct page_task *page_task_get(struct pages *p, int32_t pid, uint64_t now_ns)
{
	struct page_task *t = page_task_find(p, pid);

	if (pid < 0 || pid > PAGES_MAX_PID)
		return NULL;
	if (!t) {
		if (p->tasks.nr * 2 >= p->tasks.nr_slots && tasks_grow(p))
			return NULL;
		t = calloc(1, sizeof(*t));
		if (!t)
			return NULL;
		t->pid = pid;
		t->epoch = p->epoch;
		p->tasks.slot[task_slot(&p->tasks, pid)] = t;
		p->tasks.nr++;
		p->tasks.last = t;
	}
	t->seen_ns = now_ns;
	return t;
}

/* Takes the slot out of its chain: later ones move up. */
static void slot_remove(struct page_tasks *tasks, uint32_t hole)
{
	struct page_task *t;
	uint32_t i = hole;

	tasks->slot[hole] = NULL;
	for (;;) {
		i = (i + 1) & (tasks->nr_slots - 1);
		t = tasks->slot[i];
		if (!t)
			return;
		tasks->slot[i] = NULL;
		tasks->slot[task_slot(tasks, t->pid)] = t;
	}
}

void page_task_exit(struct pages *p, int32_t pid)
{
	struct page_task *t = page_task_find(p, pid);

	if (!t)
		return;
	page_task_closes(p, t);
	slot_remove(&p->tasks, task_slot(&p->tasks, pid));
	p->tasks.nr--;
	p->tasks.last = NULL;
	task_free(t);
}

void page_tasks_free(struct page_tasks *tasks)
{
	uint32_t i;

	for (i = 0; i < tasks->nr_slots; i++)
		task_free(tasks->slot[i]);
	free(tasks->slot);
}

/* "kswapd0", "kdamond.1": the kernel's own threads, and nothing longer. */
static bool comm_reclaims(const char *comm)
{
	if (!strncmp(comm, "kswapd", 6))
		comm += 6;
	else if (!strncmp(comm, "kdamond.", 8))
		comm += 8;
	else
		return false;
	if (!isdigit((unsigned char)*comm))
		return false;
	while (isdigit((unsigned char)*comm))
		comm++;
	return !*comm || isspace((unsigned char)*comm);
}

int page_task_name(struct pages *p, int32_t pid, const char *comm)
{
	struct page_task *t = page_task_find(p, pid);

	if (!t && !comm_reclaims(comm))
		return 0;
	t = page_task_get(p, pid, p->now_ns);
	if (!t)
		return pid < 0 || pid > PAGES_MAX_PID ? 0 : -ENOMEM;
	t->reclaimer = comm_reclaims(comm);
	return 0;
}

int page_task_names(struct pages *p, const char *text)
{
	const char *line;
	char *end;
	long pid;
	int ret;

	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		pid = strtol(line, &end, 10);
		if (end == line || *end != ' ')
			continue;
		strtol(end, &end, 10);
		if (*end != ' ' || pid < 0 || pid > PAGES_MAX_PID)
			continue;
		if (!comm_reclaims(end + 1))
			continue;
		ret = page_task_name(p, (int32_t)pid, end + 1);
		if (ret)
			return ret;
	}
	return 0;
}

int page_task_bracket(struct pages *p, const struct mmt_event *ev)
{
	struct page_task *t = page_task_get(p, ev->pid, ev->time_ns);

	if (!t)
		return ev->pid < 0 || ev->pid > PAGES_MAX_PID ? 0 : -ENOMEM;
	switch (ev->kind) {
	case MMT_RECLAIM_BEGIN:
		t->nr_reclaim++;
		break;
	case MMT_RECLAIM_END:
		t->nr_reclaim -= t->nr_reclaim > 0;
		break;
	case MMT_SLAB_BEGIN:
		t->nr_slab++;
		break;
	case MMT_SLAB_END:
		t->nr_slab -= t->nr_slab > 0;
		break;
	default: /* only kswapd itself says that it wakes or sleeps */
		t->reclaimer = true;
	}
	return 0;
}

enum page_cause page_task_cause(struct pages *p, const struct mmt_event *ev)
{
	struct page_task *t;

	if (!p->has_reclaim ||
	    ev->flags & (MMT_FLAG_HARDIRQ | MMT_FLAG_SOFTIRQ))
		return PAGE_UNKNOWN;
	t = page_task_find(p, ev->pid);
	if (!t)
		return PAGE_UNKNOWN;
	if (t->nr_slab)
		return PAGE_INVALIDATE;
	return t->nr_reclaim || t->reclaimer ? PAGE_RECLAIM : PAGE_UNKNOWN;
}
