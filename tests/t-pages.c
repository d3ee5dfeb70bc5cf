/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-pages.c - events in, entries of the page stream out */

/*
 * Both sides are short texts.  Events, separated by ';', one microsecond
 * apart: "read PID INDEX LAST", "add PID INDEX ORDER" and so on; "/N" behind
 * the kind picks inode N instead of 1; "wait MS" lets time pass.  Entries:
 *
 *   r5 f5 m5    page 5 was read, faulted, mapped around a fault
 *   r5!         and had been added for this very request
 *   +5 +5d +5a  added: demand unknown, demand, readahead
 *   -5 -5R -5I  removed: cause unknown, reclaim, invalidated with its inode
 *   +4^ L3      first page of its folio; 3 records lost
 */
#include "config.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/pages-priv.h"

#define DEV 0x800001

struct script {
	struct pages *p;
	struct page_batch batch;
	char out[65536];
	size_t len;
	uint64_t time_ns;
	uint64_t last_ns; /* of the entry seen last */
};

static const struct word {
	const char *word;
	enum mmt_kind kind;
} words[] = {
	{"add", MMT_ADD},          {"del", MMT_REMOVE},
	{"read", MMT_READ},        {"fault", MMT_FAULT},
	{"map", MMT_MAP},          {"sync", MMT_SYNC_RA},
	{"async", MMT_ASYNC_RA},   {"reclaim", MMT_RECLAIM_BEGIN},
	{"done", MMT_RECLAIM_END}, {"slab", MMT_SLAB_BEGIN},
	{"unslab", MMT_SLAB_END},  {"wake", MMT_KSWAPD_WAKE},
	{"exit", MMT_TASK_EXIT},   {"name", MMT_TASK_RENAME},
};

/* The roles' order differs: ADD has its order fifth. */
static void event_fill(struct mmt_event *ev, uint64_t *v, const char *args)
{
	char comm[16] = "";
	uint64_t a = 0, b = 0;

	sscanf(args, "%" SCNd32 " %" SCNu64 " %" SCNu64, &ev->pid, &a, &b);
	v[ADD_DEV] = DEV;
	v[ADD_INDEX] = a;
	v[READ_LAST_INDEX] = b;
	v[ADD_ORDER] = b;
	if (ev->kind == MMT_TASK_EXIT)
		v[TASK_TID] = (uint64_t)ev->pid;
	if (ev->kind == MMT_TASK_RENAME) {
		static char name[16];

		sscanf(args, "%*d %15s", comm);
		memcpy(name, comm, sizeof(name));
		v[TASK_TID] = (uint64_t)ev->pid;
		v[TASK_COMM] = (uintptr_t)name;
	}
}

static void entry_print(struct script *s, unsigned int i)
{
	const struct page_batch *b = &s->batch;
	struct page_id id;
	const char *mark = "";
	char op;

	if (b->op[i] == PAGE_LOSS) {
		s->len += (size_t)sprintf(s->out + s->len, "L%" PRIu64 " ",
					  b->page[i]);
		return;
	}
	pages_id(s->p, b->page[i], &id);
	if (b->op[i] == PAGE_ACCESS)
		op = "rfm"[b->detail[i]];
	else
		op = b->op[i] == PAGE_ADD ? '+' : '-';
	if (op == '+')
		mark = (const char *[]){"", "d", "a"}[b->detail[i]];
	else if (op == '-')
		mark = (const char *[]){"R", "T", "I", ""}[b->detail[i]];
	s->len += (size_t)sprintf(
		s->out + s->len, "%c%" PRIu64 "%s%s%s ", op, id.index, mark,
		b->order[i] && b->flags[i] & PAGE_HEAD ? "^" : "",
		b->flags[i] & PAGE_MISS ? "!" : "");
}

static void drain(struct script *s)
{
	unsigned int i;

	do {
		s->batch.nr = 0;
		assert_int_equal(pages_drain(s->p, &s->batch), 0);
		for (i = 0; i < s->batch.nr; i++) {
			assert_true(s->batch.time_ns[i] >= s->last_ns);
			s->last_ns = s->batch.time_ns[i];
			entry_print(s, i);
		}
	} while (s->batch.nr);
}

static int feed_word(struct script *s, const char *kind, const char *args)
{
	uint64_t v[MMT_MAX_FIELDS] = {0};
	struct mmt_event ev = {.time_ns = s->time_ns, .v = v};
	const char *slash = strchr(kind, '/');
	size_t len = slash ? (size_t)(slash - kind) : strlen(kind);
	unsigned int i;

	if (!strcmp(kind, "wait")) {
		s->time_ns += strtoull(args, NULL, 10) * 1000000;
		return 0;
	}
	if (!strcmp(kind, "loss")) {
		ev.kind = MMT_LOSS;
		v[LOSS_NR_LOST] = strtoull(args, NULL, 10);
		return pages_feed(s->p, &ev);
	}
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].word) == len &&
		    !strncmp(words[i].word, kind, len))
			break;
	assert_true(i < ARRAY_SIZE(words));
	ev.kind = (uint8_t)words[i].kind;
	v[ADD_INO] = slash ? strtoull(slash + 1, NULL, 10) : 1;
	event_fill(&ev, v, args);
	return pages_feed(s->p, &ev);
}

/* Feeds the script; what comes out without the end of the log is in out. */
static int feed(struct script *s, const char *script)
{
	char kind[32], *text, *word, *save = NULL;
	int skip, ret = 0;

	text = strdup(script);
	assert_non_null(text);
	for (word = strtok_r(text, ";", &save); word && !ret;
	     word = strtok_r(NULL, ";", &save)) {
		assert_int_equal(sscanf(word, "%31s %n", kind, &skip), 1);
		s->time_ns += 1000;
		ret = feed_word(s, kind, word + skip);
		drain(s);
	}
	free(text);
	return ret;
}

static struct script *script_new(void)
{
	struct script *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	assert_int_equal(pages_new(&s->p), 0);
	s->p->has_reads = s->p->has_reclaim = true;
	return s;
}

static void script_free(struct script *s)
{
	pages_close(s->p);
	free(s);
}

static void expect(struct script *s, const char *out)
{
	if (s->len)
		s->out[s->len - 1] = 0;
	assert_string_equal(s->out, out);
	s->len = 0;
	s->out[0] = 0;
}

static void check(bool has_ra, const char *script, const char *out)
{
	struct script *s = script_new();

	s->p->has_ra = has_ra;
	s->p->has_adds = strstr(script, "add ");
	assert_int_equal(feed(s, script), 0);
	pages_end(s->p);
	drain(s);
	expect(s, out);
	script_free(s);
}

/* One request in three pieces; each event names all that remains. */
static void test_pieces(void **state)
{
	(void)state;
	check(false, "read 1 0 5; read 1 2 5; read 1 4 5", "r0 r1 r2 r3 r4 r5");
	check(false, "read 1 3 3; read 1 3 3", "r3 r3");
	/* the same end again, but not further on: a new request */
	check(false, "read 1 0 2; read 1 0 2", "r0 r1 r2 r0 r1 r2");
	/* two tasks, two files: pieces belong to a task and a file */
	check(false, "read 1 0 3; read 2 2 3; read 1 1 3", "r0 r2 r3 r1 r2 r3");
	check(false, "read 1 0 1; read/2 1 1 1; read 1 1 1", "r0 r1 r1 r1");
}

/* A fault on the mapped buffer in the middle of a read ends no piece. */
static void test_fault_in_read(void **state)
{
	(void)state;
	check(false, "read 1 0 3; fault/2 1 9; map/2 1 8 9; read 1 2 3",
	      "r0 r1 f9 m8 m9 r2 r3");
}

/* The queue waits for an open piece; forced, its pages count once only. */
static void test_hold(void **state)
{
	struct script *s = script_new();

	(void)state;
	feed(s, "read 1 0 3; add 2 9 0");
	expect(s, "");
	feed(s, "wait 300; add 2 10 0");
	expect(s, "r0 r1 r2 r3 +9 +10");
	feed(s, "read 1 2 3; read 1 7 7");
	expect(s, "r7");
	assert_int_equal(pages_stats(s->p)->nr_requests, 2);
	script_free(s);

	s = script_new();
	feed(s, "read 1 0 3; exit 1");
	expect(s, "r0 r1 r2 r3");
	script_free(s);
}

static void test_queue_full(void **state)
{
	struct script *s = script_new();
	uint64_t v[5] = {DEV, 2, 0, 0, 0};
	struct mmt_event add = {.v = v, .pid = 2, .kind = MMT_ADD};
	unsigned int i;

	(void)state;
	feed(s, "read 1 0 1");
	for (i = 0; i < PAGES_QUEUE - PAGES_MAX_ITEMS - 1; i++)
		assert_int_equal(pages_feed(s->p, &add), 0);
	s->batch.nr = 0;
	assert_int_equal(pages_drain(s->p, &s->batch), 0);
	assert_int_equal(s->batch.nr, 0);
	assert_int_equal(pages_feed(s->p, &add), 0);
	assert_int_equal(pages_drain(s->p, &s->batch), 0);
	assert_int_equal(s->batch.nr, PAGES_BATCH);
	assert_int_equal(s->batch.op[1], PAGE_ACCESS);
	assert_int_equal(s->batch.op[2], PAGE_ADD);
	script_free(s);
}

/* A read beyond the end of the file stops at the largest page seen. */
static void test_eof(void **state)
{
	struct script *s = script_new();

	(void)state;
	check(false,
	      "add 2 0 1; add 2 2 0; read 1 0 15; read 1 8 15; read 1 15 15",
	      "+0^ +1 +2 r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 "
	      "r15");
	/* no adds in the log: no file's end is known, requests are whole */
	feed(s, "read/2 1 4 6; read/2 1 0 0");
	expect(s, "r4 r5 r6 r0");
	assert_int_equal(pages_stats(s->p)->nr_requests_open, 1);
	s->p->has_adds = true;
	feed(s, "add 2 0 1; add 2 2 0; read 1 0 15; read 1 0 0");
	expect(s, "+0^ +1 +2 r0 r1 r2 r0");
	assert_int_equal(pages_stats(s->p)->nr_requests_open, 1);
	/* a file that was there before the log: what is known of it counts */
	feed(s, "read/3 1 4 9; read/3 1 0 0; read/3 1 7 7; fault/3 1 8;"
		"read/3 1 4 9; read/3 1 0 0");
	expect(s, "r4 r0 r7 f8 r4 r5 r6 r7 r8 r0");
	assert_int_equal(pages_stats(s->p)->nr_requests_open, 3);
	/* the next request proves that the last one was whole */
	feed(s, "read/4 1 0 2; read/4 1 3 5; read/4 1 4 5; exit 1");
	expect(s, "r0 r1 r2 r3 r4");
	assert_int_equal(pages_stats(s->p)->nr_requests_open, 4);
	script_free(s);
}

/* The kernel does not report a piece whose last folio was being read in. */
static void test_silent_piece(void **state)
{
	struct script *s = script_new();

	(void)state;
	feed(s, "read 1 0 3; read 1 4 7; read 1 10 11; read 1 12 15; exit 1");
	expect(s, "r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15");
	assert_int_equal(pages_stats(s->p)->nr_pieces_inferred, 1);
	/* its only page reported; and once more, in two pieces */
	feed(s, "read/2 1 0 3; read/2 1 4 7; read/2 1 11 11; read/2 1 13 15;"
		"read/2 1 15 15");
	expect(s, "r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15");
	assert_int_equal(pages_stats(s->p)->nr_pieces_inferred, 3);
	assert_int_equal(pages_stats(s->p)->nr_requests, 8);
	/* not steady, not the same size, not where it has to end */
	feed(s, "read/3 1 0 3; read/3 1 6 7; exit 1");
	expect(s, "r0 r1 r2 r3 r6 r7");
	feed(s, "read/3 1 0 3; read/3 1 4 7; read/3 1 10 12; exit 1");
	expect(s, "r0 r1 r2 r3 r4 r5 r6 r7 r10 r11 r12");
	feed(s, "read/3 1 0 3; read/3 1 4 5; read/3 1 8 9; exit 1");
	expect(s, "r0 r1 r2 r3 r4 r5 r8 r9");
	assert_int_equal(pages_stats(s->p)->nr_pieces_inferred, 3);
	script_free(s);
}

static void test_absurd(void **state)
{
	struct script *s = script_new();
	uint64_t nr = 0;

	(void)state;
	assert_int_equal(feed(s, "read 1 0 18446744073709551615"), 0);
	pages_end(s->p);
	do {
		s->batch.nr = 0;
		assert_int_equal(pages_drain(s->p, &s->batch), 0);
		nr += s->batch.nr;
	} while (s->batch.nr);
	assert_int_equal(nr, PAGES_MAX_RANGE);
	assert_int_equal(pages_stats(s->p)->nr_clipped, 1);
	script_free(s);

	s = script_new();
	assert_int_equal(feed(s, "add 1 0 21"), -EBADMSG);
	assert_int_equal(feed(s, "add 1 18446744073709551615 1"), -EBADMSG);
	assert_int_equal(feed(s, "del 1 0 64"), -EBADMSG);
	assert_int_equal(feed(s, "read 1 7 3"), 0);
	expect(s, "r7");
	script_free(s);
	check(false, "read -1 0 0; add -1 3 0; del 2147483647 3 0", "+3 -3");
}

/* Keys are dense in files, and a file beyond 2^36 pages has several. */
static void test_keys(void **state)
{
	struct script *s = script_new();
	struct page_id id;

	(void)state;
	feed(s, "read 1 68719476735 68719476736; read/2 1 5 5");
	expect(s, "r68719476735 r68719476736 r5");
	pages_id(s->p, s->batch.page[0], &id);
	assert_int_equal(s->p->segs.nr, 3);
	assert_int_equal(id.dev, DEV);
	script_free(s);
}

static void test_many_files(void **state)
{
	struct script *s = script_new();
	uint64_t v[5] = {DEV};
	struct mmt_event ev = {.v = v, .pid = 1, .kind = MMT_ADD};
	struct page_id id;
	unsigned int i, j;

	(void)state;
	for (i = 0; i < 5000; i++) {
		s->batch.nr = 0;
		for (j = 0; j < 2; j++) {
			v[ADD_INO] = i * 7919 % 5000;
			v[ADD_INDEX] = i;
			assert_int_equal(pages_feed(s->p, &ev), 0);
		}
		assert_int_equal(pages_drain(s->p, &s->batch), 0);
		pages_id(s->p, s->batch.page[1], &id);
		assert_int_equal(id.ino, i * 7919 % 5000);
		assert_int_equal(id.index, i);
		assert_int_equal(s->batch.page[0], s->batch.page[1]);
	}
	assert_int_equal(s->p->segs.nr, 5000);
	script_free(s);
}

static void test_many_tasks(void **state)
{
	struct script *s = script_new();
	char line[64];
	int i;

	(void)state;
	for (i = 0; i < 3000; i++) {
		sprintf(line, "reclaim %d 0 0; reclaim %d 0 0", i, i + 3000);
		assert_int_equal(feed(s, line), 0);
	}
	for (i = 0; i < 3000; i += 2) {
		sprintf(line, "exit %d", i);
		assert_int_equal(feed(s, line), 0);
	}
	for (i = 0; i < 6000; i++) {
		sprintf(line, "del %d 0 0", i);
		assert_int_equal(feed(s, line), 0);
		expect(s, i < 3000 && i % 2 == 0 ? "-0" : "-0R");
	}
	assert_int_equal(s->p->tasks.nr, 4500);
	script_free(s);
}

static void test_fault(void **state)
{
	struct script *s = script_new();

	(void)state;
	/* retried after I/O: one access, behind its add */
	feed(s, "fault 1 5; add 1 4 0; add 1 5 0; add 1 6 0; fault 1 5;"
		"map 1 4 6");
	expect(s, "+4 +5d f5! +6 m4 m5 m6");
	assert_int_equal(pages_stats(s->p)->nr_fault_retries, 1);
	/* another access in between: two faults */
	feed(s, "fault 1 5; read 1 0 0; fault 1 5; exit 1");
	expect(s, "f5 r0 f5");
	assert_int_equal(pages_stats(s->p)->nr_fault_retries, 1);
	/* removed and faulted again: the second add says so */
	feed(s, "fault 1 5; add 1 5 0; fault 1 5; del 9 5 0; fault 1 5;"
		"add 1 5 0; exit 1");
	expect(s, "+5d f5! -5 +5d f5!");
	assert_int_equal(pages_stats(s->p)->nr_fault_retries, 2);
	/* let go before its page came: no second access */
	feed(s, "fault 1 7; wait 300; del 9 0 0; add 1 7 0; exit 1");
	expect(s, "f7 -0 +7d");
	script_free(s);
}

/* Without readahead events: added by the reader since its last access. */
static void test_miss(void **state)
{
	(void)state;
	check(false, "add 1 0 2; read 1 0 1; read 1 2 3",
	      "+0^ +1 +2 +3 r0! r1! r2 r3");
	check(false, "add 2 0 0; read 1 0 0", "+0 r0");
	check(false, "add/2 1 0 0; read 1 0 0", "+0 r0");
	/* in a later piece of the same request it is still its own */
	check(false, "add 1 0 1; read 1 0 3; add 1 2 1; read 1 1 3",
	      "+0^ +1 r0! +2^ +3 r1! r2! r3!");
	/* holes */
	check(false, "add 1 4 0; add 1 1 0; read 1 1 5; read 1 0 0",
	      "+4 +1 r1! r2 r3 r4! r0");
}

static void test_readahead(void **state)
{
	(void)state;
	check(true, "sync 1 2 2; add 1 0 3; read 1 2 3",
	      "+0a^ +1a +2d +3d +4a +5a +6a +7a r2! r3!");
	check(true, "async 1 0 4; add 1 4 0; read 1 0 0; add 1 5 0",
	      "+4a r0 +5");
	/* of another file, of another task: no rule */
	check(true, "sync 1 0 4; add/2 1 0 0; add 2 1 0", "+0 +1");
	/* a fault wants one page, whatever readahead asks for */
	check(true, "fault 1 1; sync 1 0 64; add 1 0 1; add 1 2 0; exit 1",
	      "+0a^ +1d f1! +2a");
	/* written and then read: no readahead event, so no miss */
	check(true, "add 1 0 0; read 1 0 0", "+0 r0");
}

static void test_cause(void **state)
{
	struct script *s;

	(void)state;
	check(false,
	      "del 1 0 0; reclaim 1 0 0; del 1 1 1; done 1 0 0;"
	      "del 1 3 0",
	      "-0 -1R^ -2R -3");
	/* brackets nest, and belong to a task */
	check(false,
	      "reclaim 1 0 0; reclaim 1 0 0; done 1 0 0; del 1 0 0;"
	      "del 2 1 0; done 1 0 0; done 1 0 0; reclaim 1 0 0;"
	      "del 1 2 0",
	      "-0R -1 -2R");
	check(false,
	      "reclaim 1 0 0; slab 1 0 0; del 1 0 0; unslab 1 0 0;"
	      "del 1 1 0",
	      "-0I -1R");
	check(false, "wake 5 0 0; del 5 0 0; exit 5; del 5 1 0", "-0R -1");
	check(false,
	      "name 5 kswapd0; del 5 0 0; name 5 sh; del 5 1 0;"
	      "name 6 kdamond.2; del 6 2 0; name 7 kswapdx; del 7 3 0;"
	      "name 8 kswapd0x; del 8 4 0",
	      "-0R -1 -2R -3 -4");
	s = script_new();
	assert_int_equal(page_task_names(s->p, "1 1 init\n77 77 kswapd1\n"
					       "junk\n78 78 kswapd"),
			 0);
	feed(s, "del 77 0 0; del 78 1 0; del 1 2 0");
	expect(s, "-0R -1 -2");
	s->p->has_reclaim = false;
	feed(s, "reclaim 1 0 0; del 1 0 0");
	expect(s, "-0");
	script_free(s);
}

/* Nothing is joined across a gap: no bracket, no request, no fault. */
static void test_loss(void **state)
{
	struct script *s = script_new();

	(void)state;
	feed(s, "reclaim 1 0 0; loss 3; del 1 0 0");
	expect(s, "L3 -0");
	feed(s, "read 1 0 3; loss 0; read 1 2 3; exit 1");
	expect(s, "r0 r1 r2 r3 L0 r2 r3");
	feed(s, "fault 1 8; loss 1; add 1 8 0");
	expect(s, "f8 L1 +8");
	feed(s, "wake 5 0 0; loss 18446744073709551615; del 5 0 0");
	expect(s, "L18446744073709551615 -0R");
	assert_int_equal(pages_stats(s->p)->nr_lost, 4);
	assert_int_equal(pages_stats(s->p)->nr_gaps_uncounted, 1);
	script_free(s);
}

/* An order-2 folio goes, one page of it comes back (case of folio orders). */
static void test_orders(void **state)
{
	(void)state;
	check(false, "add 1 0 2; read 1 2 2; read 1 0 3; del 1 0 2; add 1 2 0",
	      "+0^ +1 +2 +3 r2! r0 r1 r2 r3 -0^ -1 -2 -3 +2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_fault_in_read),
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_queue_full),
		cmocka_unit_test(test_eof),
		cmocka_unit_test(test_silent_piece),
		cmocka_unit_test(test_absurd),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_many_files),
		cmocka_unit_test(test_many_tasks),
		cmocka_unit_test(test_fault),
		cmocka_unit_test(test_miss),
		cmocka_unit_test(test_readahead),
		cmocka_unit_test(test_cause),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_orders),
	};

	return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
