/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stackdist-pipe.c - the line's stage of stackdist in a thread of its own */

/*
 * A ring of runs between the caller's thread, which has the table, and ours,
 * which has the line.  The order of runs is that of one thread, so distances
 * are the same.  When the line must be renewed, the caller waits until the
 * ring is empty: then both stages are its own for the moment.
 *
 * Either side waits a little in a loop, as the other is about to come, and
 * then asleep.  Who has moved an end of the ring looks at who sleeps after
 * that, who goes to sleep says so before it looks at the ends again: so one of
 * both sees the other.
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "analyze/stackdist-priv.h"

#define PIPE_RUNS  256
#define PIPE_STEP  16 /* runs between two looks at the other's end */
#define PIPE_SPINS 200
#define PIPE_END   UINT64_MAX

struct pipe {
	struct stackdist *s;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	uint64_t filled; /* runs that the caller has pushed */
	_Atomic(unsigned int) nr_asleep;
	_Atomic(uint64_t) head __attribute__((aligned(64))); /* pushed */
	_Atomic(uint64_t) tail __attribute__((aligned(64))); /* done */
	struct run run[PIPE_RUNS] __attribute__((aligned(64)));
};

static void relax(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#endif
}

/* Returns the end when it is not there any more. */
static uint64_t wait_move(struct pipe *p, _Atomic(uint64_t) *end, uint64_t from)
{
	unsigned int i;
	uint64_t at;

	for (i = 0; i < PIPE_SPINS; i++) {
		at = atomic_load_explicit(end, memory_order_acquire);
		if (at != from)
			return at;
		relax();
	}
	pthread_mutex_lock(&p->lock);
	atomic_fetch_add(&p->nr_asleep, 1);
	while ((at = atomic_load(end)) == from)
		pthread_cond_wait(&p->moved, &p->lock);
	atomic_fetch_sub(&p->nr_asleep, 1);
	pthread_mutex_unlock(&p->lock);
	return at;
}

static void move(struct pipe *p, _Atomic(uint64_t) *end, uint64_t to)
{
	atomic_store(end, to);
	if (!atomic_load(&p->nr_asleep))
		return;
	pthread_mutex_lock(&p->lock);
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
}

static struct run *run_at(struct pipe *p, uint64_t nr)
{
	return &p->run[nr % PIPE_RUNS];
}

/* All runs from one end to the other; returns where the tail is then. */
static uint64_t measure_some(struct pipe *p, uint64_t tail, uint64_t head)
{
	static const struct run none;
	const struct run *next;

	while (tail != head) {
		next = tail + 1 == head ? &none : run_at(p, tail + 1);
		stackdist_measure(p->s, run_at(p, tail), next);
		if (++tail % PIPE_STEP == 0 || tail == head)
			move(p, &p->tail, tail);
	}
	return tail;
}

static void *pipe_main(void *arg)
{
	struct pipe *p = arg;
	uint64_t tail = 0, head;

	while ((head = wait_move(p, &p->head, tail)) != PIPE_END)
		tail = measure_some(p, tail, head);
	return NULL;
}

/* Signals are for the threads that wait for them. */
static int start(struct pipe *p)
{
	sigset_t all, old;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = pthread_create(&p->thread, NULL, pipe_main, p);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -ret;
}

static void destroy(struct pipe *p)
{
	pthread_cond_destroy(&p->moved);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

int pipe_new(struct pipe **pp, struct stackdist *s)
{
	struct pipe *p;
	int ret;

	p = aligned_alloc(64, sizeof(*p));
	if (!p)
		return -ENOMEM;
	memset(p, 0, sizeof(*p));
	p->s = s;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->moved, NULL);
	ret = start(p);
	if (ret) {
		destroy(p);
		return ret;
	}
	*pp = p;
	return 0;
}

void pipe_free(struct pipe *p)
{
	if (!p)
		return;
	pipe_sync(p);
	move(p, &p->head, PIPE_END);
	pthread_join(p->thread, NULL);
	destroy(p);
}

struct run *pipe_reserve(struct pipe *p)
{
	uint64_t tail = atomic_load_explicit(&p->tail, memory_order_acquire);

	while (p->filled - tail == PIPE_RUNS)
		tail = wait_move(p, &p->tail, tail);
	return run_at(p, p->filled);
}

void pipe_push(struct pipe *p)
{
	if (++p->filled % PIPE_STEP == 0)
		move(p, &p->head, p->filled);
}

void pipe_flush(struct pipe *p)
{
	if (p->filled % PIPE_STEP)
		move(p, &p->head, p->filled);
}

void pipe_sync(struct pipe *p)
{
	uint64_t tail;

	pipe_flush(p);
	tail = atomic_load_explicit(&p->tail, memory_order_acquire);
	while (tail != p->filled)
		tail = wait_move(p, &p->tail, tail);
}

size_t pipe_bytes(void)
{
	return sizeof(struct pipe);
}
