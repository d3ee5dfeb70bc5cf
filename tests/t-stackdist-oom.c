/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-stackdist-oom.c - stack distances when memory or a thread is refused */

/*
 * The linker puts us between the engine and what it gets from the system
 * (--wrap).  The n-th request of a run is refused, for every n until a run
 * needs fewer: each time the engine says so with an errno, and gives back all
 * it had.
 */
#include "config.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "analyze/stackdist.h"

void *__real_mmap(void *addr, size_t len, int prot, int flags, int fd,
		  off_t off);
void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd,
		  off_t off);
int __real_munmap(void *addr, size_t len);
int __wrap_munmap(void *addr, size_t len);
void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*main)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*main)(void *), void *arg);

static unsigned int nr_left; /* requests until one is refused; 0: never */
static bool refused;
static size_t nr_mapped; /* bytes */

static bool refuse(void)
{
	if (!nr_left || --nr_left)
		return false;
	refused = true;
	return true;
}

void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd,
		  off_t off)
{
	if (refuse())
		return MAP_FAILED;
	nr_mapped += len;
	return __real_mmap(addr, len, prot, flags, fd, off);
}

int __wrap_munmap(void *addr, size_t len)
{
	nr_mapped -= len;
	return __real_munmap(addr, len);
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return refuse() ? NULL : __real_calloc(nr, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
	return refuse() ? NULL : __real_aligned_alloc(align, size);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*main)(void *), void *arg)
{
	if (refuse())
		return EAGAIN;
	return __real_pthread_create(thread, attr, main, arg);
}

/* Enough keys to grow the table past huge pages, and to renew the line. */
static int run(unsigned int nr_threads)
{
	enum { BATCH = 1000, NR = 700 };
	uint64_t key[BATCH], got[BATCH];
	unsigned int i, j;
	struct stackdist *s;
	int ret;

	ret = stackdist_new(&s);
	if (ret)
		return ret;
	ret = stackdist_threads(s, nr_threads);
	for (i = 0; !ret && i < NR; i++) {
		for (j = 0; j < BATCH; j++)
			key[j] = (i * BATCH + j) % 150000;
		ret = stackdist_batch(s, key, BATCH, got);
		stackdist_sync(s);
	}
	stackdist_free(s);
	return ret;
}

static void refuse_each(unsigned int nr_threads, unsigned int at_least)
{
	unsigned int n;
	int ret;

	for (n = 1;; n++) {
		nr_left = n;
		refused = false;
		ret = run(nr_threads);
		nr_left = 0;
		assert_int_equal(nr_mapped, 0);
		if (!refused)
			break;
		assert_true(ret == -ENOMEM || ret == -EAGAIN);
	}
	assert_int_equal(ret, 0);
	assert_true(n > at_least);
}

static void one_thread(void **state)
{
	(void)state;
	refuse_each(1, 12);
}

static void two_threads(void **state)
{
	(void)state;
	refuse_each(2, 14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread),
		cmocka_unit_test(two_threads),
	};

	return cmocka_run_group_tests_name("stackdist-oom", tests, NULL, NULL);
}
