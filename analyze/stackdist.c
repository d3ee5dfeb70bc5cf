/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist.c - exact LRU stack distance of a stream of keys */

/*
 * Bennett and Kruskal (1975) and Olken (1981): every access takes the next
 * slot of a time line, and only the last access to each key keeps its bit
 * there.  The distance of an access to a key last seen in slot p is then the
 * number of bits above p.
 *
 *	slots     0 ..... p .......................... next
 *	bits      0010010 1 0001000000100000010000001 (here)
 *	                    `--- the distance: 4 ---'
 *
 * Two stages: the table (stackdist-keymap.c) knows the slot of a key's last
 * access, the line (stackdist-line.c) counts the bits above it.  Accesses go
 * through in runs: the line takes a run when the table has the next one, so
 * that each can ask memory early for what it needs.  With two threads, the
 * second has the line (stackdist-pipe.c).
 *
 * When the line is used up, its bits are moved together at the start of a new
 * one with twelve slots per key, so that each access pays for a part in eleven
 * of such a move, and 32 bits do for a slot, however long the stream.
 *
 * All in all 20 to 32 bytes per distinct key, nothing per access.
 */
#include "config.h"

#include <stdlib.h>

#include "analyze/stackdist-priv.h"
#include "formats/cpu.h"

#define SLOTS_PER_KEY 12
#define SLOTS_MIN     (1U << 18)

static const struct run no_run;

static const struct kernels *kernels_choose(void)
{
#ifdef __x86_64__
	switch (cpu_level()) {
	case CPU_AVX512:
		return &stackdist_avx512;
	case CPU_AVX2:
		return &stackdist_avx2;
	case CPU_PLAIN:
		break;
	}
#endif
	return &stackdist_plain;
}

/* -------------------------------------------------------- what comes out */

static void put_distances(const struct run *run)
{
	unsigned int i;

	for (i = 0; i < run->nr; i++)
		run->out[i] = STACKDIST_COLD;
	for (i = 0; i < run->nr_again; i++)
		run->out[run->at[i]] = run->distance[i];
}

static void put_histogram(const struct run *run)
{
	uint32_t v, min = UINT32_MAX, max = 0;
	struct hist *h = run->hist;
	uint64_t sum = 0;
	unsigned int i;

	if (!run->nr_again)
		return;
	for (i = 0; i < run->nr_again; i++) {
		v = run->distance[i];
		h->count[hist_bucket(v)]++;
		min = MIN(min, v);
		max = MAX(max, v);
		sum += v;
	}
	h->min = h->nr ? MIN(h->min, min) : min;
	h->max = MAX(h->max, max);
	h->nr += run->nr_again;
	h->sum += sum;
}

void stackdist_measure(struct stackdist *s, struct run *run,
		       const struct run *next)
{
	s->kernels->measure(&s->line, run, next);
	if (run->hist)
		put_histogram(run);
	else if (run->out)
		put_distances(run);
}

/* --------------------------------------------------------- what goes in */

/* Run by run from the table's stage to that of the line. */
static struct run *run_reserve(struct stackdist *s)
{
	return s->pipe ? pipe_reserve(s->pipe) : &s->run[s->turn];
}

static void run_push(struct stackdist *s)
{
	if (s->pipe) {
		pipe_push(s->pipe);
		return;
	}
	stackdist_measure(s, &s->run[!s->turn], &s->run[s->turn]);
	s->turn = !s->turn;
}

/* No run stays behind that is only waiting for the next one. */
static void run_flush(struct stackdist *s)
{
	struct run *last = &s->run[!s->turn];

	if (s->pipe) {
		pipe_flush(s->pipe);
		return;
	}
	stackdist_measure(s, last, &no_run);
	last->nr = last->nr_again = 0;
}

static int line_renew(struct stackdist *s, uint64_t nr_slots)
{
	line_free(&s->line);
	return line_new(&s->line, MAX(nr_slots, SLOTS_MIN));
}

/* Moves all bits to the start of a new line with room for what follows. */
static int compact(struct stackdist *s)
{
	uint64_t nr;
	int ret;

	run_flush(s);
	stackdist_sync(s);
	nr = s->line.nr_live;
	if (nr + RUN_MAX > SLOTS_MAX)
		return -ENOMEM;
	s->kernels->renumber(&s->table, &s->line);
	ret = line_renew(s, nr * SLOTS_PER_KEY);
	if (ret)
		return ret;
	line_append(&s->line, nr);
	s->next = nr;
	return 0;
}

/* Room in the table and on the line for the keys of p, which is located. */
static int make_room(struct stackdist *s, struct probe *p)
{
	bool grown;
	int ret;

	ret = keymap_reserve(&s->table, &grown);
	if (ret)
		return ret;
	if (grown)
		s->kernels->locate(&s->table, p);
	if (s->next + RUN_MAX > s->line.nr_slots)
		return compact(s);
	return 0;
}

static void probe_set(struct stackdist *s, struct probe *p, const uint64_t *key,
		      unsigned int nr)
{
	p->key = key;
	p->nr = MIN(nr, RUN_MAX);
	s->kernels->locate(&s->table, p);
}

static int feed(struct stackdist *s, const uint64_t *key, unsigned int nr,
		const struct run *to)
{
	struct probe *now, *next;
	unsigned int i, turn = 0;
	struct run *run;
	int ret;

	probe_set(s, &s->probe[0], key, nr);
	for (i = 0; i < nr; i += now->nr, turn = !turn) {
		now = &s->probe[turn];
		next = &s->probe[!turn];
		ret = make_room(s, now);
		if (ret)
			return ret;
		probe_set(s, next, now->key + now->nr, nr - i - now->nr);
		run = run_reserve(s);
		run->first = (uint32_t)s->next;
		run->out = to->out ? to->out + i : NULL;
		run->hist = to->hist;
		s->kernels->find(&s->table, now, next, run);
		s->next += now->nr;
		run_push(s);
	}
	run_flush(s);
	return 0;
}

int stackdist_batch(struct stackdist *s, const uint64_t *keys, unsigned int nr,
		    uint64_t *distances)
{
	const struct run to = {.out = distances};

	return feed(s, keys, nr, &to);
}

int stackdist_hist(struct stackdist *s, const uint64_t *keys, unsigned int nr,
		   struct hist *hist)
{
	const struct run to = {.hist = hist};

	return feed(s, keys, nr, &to);
}

void stackdist_sync(struct stackdist *s)
{
	if (s->pipe)
		pipe_sync(s->pipe);
}

/* ----------------------------------------------------------- the whole of it */

int stackdist_new(struct stackdist **sp)
{
	struct stackdist *s;
	int ret;

	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->kernels = kernels_choose();
	ret = keymap_new(&s->table);
	if (!ret)
		ret = line_renew(s, SLOTS_MIN);
	if (ret) {
		stackdist_free(s);
		return ret;
	}
	*sp = s;
	return 0;
}

int stackdist_threads(struct stackdist *s, unsigned int nr_threads)
{
	if (nr_threads < 2 || s->pipe)
		return 0;
	return pipe_new(&s->pipe, s);
}

int stackdist_skip(struct stackdist *s, uint64_t slot)
{
	int ret;

	ret = line_renew(s, SLOTS_MAX);
	if (ret)
		return ret;
	s->line.next = s->next = slot;
	return 0;
}

void stackdist_free(struct stackdist *s)
{
	if (!s)
		return;
	pipe_free(s->pipe);
	keymap_free(&s->table);
	line_free(&s->line);
	free(s);
}

uint64_t stackdist_distinct(const struct stackdist *s)
{
	return s->table.nr_keys;
}

size_t stackdist_bytes(const struct stackdist *s)
{
	return sizeof(*s) + s->table.area.len + s->line.area.len +
	       (s->pipe ? pipe_bytes() : 0);
}
