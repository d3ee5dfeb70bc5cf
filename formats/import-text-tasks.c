/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text-tasks.c - the tasks that a text trace names */

#include "config.h"

#include <stdlib.h>

#include <xxhash.h>

#include "formats/import-frame.h"
#include "formats/import-text.h"

static bool task_is(const struct text_task *t, const struct text_head *h)
{
	return t->pid == h->pid && t->tgid == h->tgid &&
	       span_same(t->comm, h->comm);
}

static uint64_t task_hash(int32_t pid, struct span comm)
{
	return hash_u64((uint32_t)pid ^ XXH64(comm.p, comm.len, 0));
}

static uint32_t *slot_of(const struct text_tasks *t, const struct text_head *h)
{
	uint32_t at = (uint32_t)task_hash(h->pid, h->comm);

	for (;; at++) {
		at &= t->nr_slots - 1;
		if (!t->slot[at] || task_is(&t->task[t->slot[at] - 1], h))
			return &t->slot[at];
	}
}

static int tasks_grow(struct text_tasks *t)
{
	uint32_t cap = t->cap ? t->cap * 2 : 64, i, at;
	uint32_t *slot = calloc(cap * 2UL, sizeof(*slot));
	struct text_task *task = realloc(t->task, cap * sizeof(*task));

	if (task)
		t->task = task;
	if (!task || !slot) {
		free(slot);
		return -ENOMEM;
	}
	for (i = 0; i < t->nr; i++) {
		at = (uint32_t)task_hash(task[i].pid, task[i].comm);
		while (slot[at & (cap * 2 - 1)])
			at++;
		slot[at & (cap * 2 - 1)] = i + 1;
	}
	free(t->slot);
	t->slot = slot;
	t->nr_slots = cap * 2;
	t->cap = cap;
	return 0;
}

int text_tasks_add(struct text_tasks *t, const struct text_head *h)
{
	uint32_t *recent = &t->recent[(uint32_t)h->pid % 256], *slot;

	if (*recent && task_is(&t->task[*recent - 1], h))
		return 0;
	if (span_is(h->comm, "<...>"))
		return 0;
	if (t->nr == t->cap) {
		if (t->nr > UINT32_MAX / 8 || tasks_grow(t))
			return -ENOMEM;
	}
	slot = slot_of(t, h);
	if (!*slot) {
		t->task[t->nr++] = (struct text_task){h->pid, h->tgid, h->comm};
		*slot = t->nr;
	}
	*recent = *slot;
	return 0;
}

int text_tasks_put(const struct text_tasks *t, struct buf *out)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < t->nr; i++) {
		const struct text_task *task = &t->task[i];

		ret = import_task_line(out, task->pid, task->tgid, task->comm.p,
				       task->comm.len);
	}
	return ret;
}

void text_tasks_free(struct text_tasks *t)
{
	free(t->task);
	free(t->slot);
}
