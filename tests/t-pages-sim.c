/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-pages-sim.c - the page stream against a simulated kernel, and junk */

/*
 * Tasks read files in requests of random size, cut into random pieces, which
 * fire as the kernel's events do: each with all that remains, beyond the end
 * of the file, too.  Between pieces other tasks run, pages fault, and time
 * passes, at times so much that pieces are closed by force.  The simulator
 * knows which pages were read how often; the stream has to find exactly that.
 * A request that the rules cannot tell from a piece of the last one is not
 * simulated.
 *
 * Junk is events of every kind with random values, near limits more often
 * than not: nothing may break, and time must not go back.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/pages-priv.h"

#define NR_TASKS  5
#define NR_FILES  4
#define MAX_PAGES 300

static const unsigned int file_pages[NR_FILES] = {1, 5, 40, MAX_PAGES};

struct reader {
	unsigned int file;
	uint64_t first, index, last; /* request; next piece; unclipped end */
	uint64_t piece;              /* where the last event began */
	bool busy, begun;
};

struct sim {
	struct pages *p;
	struct page_batch batch;
	struct reader reader[NR_TASKS];
	unsigned int truth[NR_FILES][MAX_PAGES];
	unsigned int found[NR_FILES][MAX_PAGES];
	uint64_t time_ns, last_ns;
};

static uint64_t rnd_state;

static uint64_t rnd(uint64_t below)
{
	rnd_state = rnd_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return hash_u64(rnd_state) % below;
}

static void drain(struct sim *s)
{
	const struct page_batch *b = &s->batch;
	struct page_id id;
	unsigned int i;

	do {
		s->batch.nr = 0;
		assert_int_equal(pages_drain(s->p, &s->batch), 0);
		for (i = 0; i < b->nr; i++) {
			assert_true(b->time_ns[i] >= s->last_ns);
			s->last_ns = b->time_ns[i];
			if (b->op[i] != PAGE_ACCESS ||
			    b->detail[i] != PAGE_READ)
				continue;
			pages_id(s->p, b->page[i], &id);
			assert_true(id.ino < NR_FILES && id.index < MAX_PAGES);
			s->found[id.ino][id.index]++;
		}
	} while (b->nr);
}

static void fire(struct sim *s, enum mmt_kind kind, int pid, const uint64_t *v)
{
	struct mmt_event ev = {.time_ns = s->time_ns, .v = v, .pid = pid};

	ev.kind = (uint8_t)kind;
	assert_int_equal(pages_feed(s->p, &ev), 0);
	drain(s);
}

/* Can this request be mistaken for a piece of the last one, or its tail? */
static bool is_ambiguous(const struct reader *old, const struct reader *now)
{
	if (!old->begun || old->file != now->file)
		return false;
	if (old->last == now->last && now->first > old->piece)
		return true;
	return now->first > old->last + 1 &&
	       now->last - old->last == old->last - old->first + 1;
}

static void request_new(struct reader *r)
{
	struct reader now;

	do {
		now = *r;
		now.file = rnd(3) ? r->file : (unsigned int)rnd(NR_FILES);
		now.first = rnd(file_pages[now.file]);
		if (rnd(2) && r->begun && r->file == now.file &&
		    r->last + 1 < file_pages[now.file])
			now.first = r->last + 1;
		now.last = now.first + (rnd(3) ? rnd(64) : 0);
	} while (is_ambiguous(r, &now));
	now.index = now.first;
	now.busy = now.begun = true;
	*r = now;
}

/* One pass of the kernel's read loop: an event, some pages. */
static void piece(struct sim *s, unsigned int task)
{
	struct reader *r = &s->reader[task];
	const uint64_t v[5] = {1, r->file, r->index, r->last};
	uint64_t end = r->index + 1 + (rnd(2) ? rnd(31) : 31);

	r->piece = r->index;
	fire(s, MMT_READ, (int)task + 1, v);
	end = MIN(end, MIN(r->last + 1, file_pages[r->file]));
	for (; r->index < end; r->index++)
		s->truth[r->file][r->index]++;
	r->busy = end <= r->last && end < file_pages[r->file];
}

static void step(struct sim *s)
{
	unsigned int task = (unsigned int)rnd(NR_TASKS);
	const uint64_t v[5] = {1, rnd(NR_FILES)};

	s->time_ns += rnd(1000);
	if (!rnd(100))
		s->time_ns += PAGES_HOLD_NS / 2 * (1 + rnd(3));
	if (!rnd(4))
		fire(s, MMT_FAULT, (int)task + 1, v);
	if (!s->reader[task].busy)
		request_new(&s->reader[task]);
	piece(s, task);
}

static void sim_begin(struct sim *s)
{
	uint64_t v[5] = {1};

	memset(s, 0, sizeof(*s));
	assert_int_equal(pages_new(&s->p), 0);
	s->p->has_adds = s->p->has_reads = true;
	for (v[ADD_INO] = 0; v[ADD_INO] < NR_FILES; v[ADD_INO]++)
		for (v[ADD_INDEX] = 0; v[ADD_INDEX] < file_pages[v[ADD_INO]];
		     v[ADD_INDEX]++)
			fire(s, MMT_ADD, 99, v);
}

static void test_sim(void **state)
{
	static struct sim s;
	unsigned int i, task;
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 60; seed++) {
		rnd_state = seed;
		sim_begin(&s);
		for (i = 0; i < 2000; i++)
			step(&s);
		for (task = 0; task < NR_TASKS; task++)
			while (s.reader[task].busy)
				piece(&s, task);
		pages_end(s.p);
		drain(&s);
		assert_memory_equal(s.truth, s.found, sizeof(s.truth));
		assert_int_equal(pages_stats(s.p)->nr_requests_open, 0);
		pages_close(s.p);
	}
}

static uint64_t junk_value(void)
{
	switch (rnd(6)) {
	case 0:
		return UINT64_MAX - rnd(3);
	case 1:
		return (1ULL << PAGES_INDEX_BITS) - rnd(4);
	case 2:
		return rnd(UINT64_MAX);
	default:
		return rnd(8);
	}
}

static void junk_event(struct sim *s)
{
	uint64_t v[MMT_MAX_FIELDS] = {0};
	struct mmt_event ev = {.time_ns = s->time_ns, .v = v};
	unsigned int i;
	int ret;

	for (i = 0; i < 5; i++)
		v[i] = junk_value();
	ev.kind = (uint8_t)rnd(MMT_NR_KINDS);
	ev.pid = rnd(20) ? (int)rnd(6) - 1 : (int)rnd(UINT32_MAX);
	if (ev.kind == MMT_TASK_NEW || ev.kind == MMT_TASK_RENAME)
		v[TASK_COMM] = (uintptr_t) "kswapd0";
	if ((ev.kind == MMT_ADD || ev.kind == MMT_REMOVE) && rnd(8))
		v[ADD_ORDER] = rnd(4);
	/* a million pages each take their time */
	if ((ev.kind == MMT_READ || ev.kind == MMT_MAP) && rnd(64))
		v[READ_LAST_INDEX] = v[READ_INDEX] + rnd(40);
	ret = pages_feed(s->p, &ev);
	assert_true(ret == 0 || ret == -EBADMSG);
}

static void test_junk(void **state)
{
	static struct sim s;
	unsigned int i, j;

	(void)state;
	memset(&s, 0, sizeof(s));
	rnd_state = 4711;
	assert_int_equal(pages_new(&s.p), 0);
	s.p->has_adds = s.p->has_reads = s.p->has_reclaim = true;
	for (i = 0; i < 20000; i++) {
		s.p->has_ra = i & 1024;
		s.time_ns += rnd(100) ? rnd(1000) : PAGES_HOLD_NS;
		junk_event(&s);
		do {
			s.batch.nr = 0;
			assert_int_equal(pages_drain(s.p, &s.batch), 0);
			for (j = 0; j < s.batch.nr; j++) {
				assert_true(s.batch.time_ns[j] >= s.last_ns);
				s.last_ns = s.batch.time_ns[j];
			}
		} while (s.batch.nr);
	}
	pages_close(s.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sim),
		cmocka_unit_test(test_junk),
	};

	return cmocka_run_group_tests_name("pages-sim", tests, NULL, NULL);
}
