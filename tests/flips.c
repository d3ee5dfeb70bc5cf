/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flips.c - spoils inputs at random, and what must hold of their readers */

/*
 * A reader of bytes from elsewhere gives a result or an error that says where,
 * in time and in memory that its input's size bounds.  All inputs are read in
 * one process.  The random numbers are the same in every run; a test that
 * failed says which of its inputs it was.
 *
 * Memory is what our own objects ask for: the linker sends their calls here
 * (--wrap).  That works with sanitizers, too, whose allocator keeps what was
 * freed.
 */

#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/stream.h"
#include "tests/flips.h"

#define SEED        88172645463325252ULL
#define SECONDS_MAX 20
/* What unpacking may take at most, and all that is allocated once. */
#define HEAP_BASE  (192L << 20)
#define HEAP_TIMES 16

static const char *name;
static uint64_t seed, state;
static unsigned int nr_inputs; /* of this test */
static bool under_way;
static volatile uint64_t sum; /* so that no read is left out */

/* libtraceevent 1.7 loses a word or two of a format that it refuses. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so";
}

/* ----------------------------------------------------------------- memory */

static long heap_now, heap_peak;

void *__real_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);

/* Importers of keys have two threads. */
static void *counted(void *p)
{
	long now = __atomic_add_fetch(&heap_now, (long)malloc_usable_size(p),
				      __ATOMIC_RELAXED);

	if (now > __atomic_load_n(&heap_peak, __ATOMIC_RELAXED))
		__atomic_store_n(&heap_peak, now, __ATOMIC_RELAXED);
	return p;
}

static void *uncounted(void *p)
{
	__atomic_sub_fetch(&heap_now, (long)malloc_usable_size(p),
			   __ATOMIC_RELAXED);
	return p;
}

void *__wrap_malloc(size_t size)
{
	return counted(__real_malloc(size));
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return counted(__real_calloc(nr, size));
}

void *__wrap_realloc(void *p, size_t size)
{
	void *grown;
	long old = (long)malloc_usable_size(p);

	grown = __real_realloc(p, size);
	if (grown)
		__atomic_sub_fetch(&heap_now, old, __ATOMIC_RELAXED);
	return grown ? counted(grown) : NULL;
}

void __wrap_free(void *p)
{
	__real_free(uncounted(p));
}

/* ----------------------------------------------------------------- inputs */

static void say_input(void)
{
	fprintf(stderr,
		"# %s: seed %" PRIu64 ", input %u (FLIPS_SEED sets the seed)\n",
		name, seed, nr_inputs);
}

static void took_too_long(int signal)
{
	(void)signal;
	say_input();
	fprintf(stderr, "# %s: read for over %d s\n", name, SECONDS_MAX);
	_exit(1);
}

void flips_seed(const char *input)
{
	const char *said = getenv("FLIPS_SEED");

	name = input;
	seed = said ? strtoull(said, NULL, 0) : 0;
	seed = seed ? seed : SEED;
	state = seed;
	nr_inputs = 0;
	under_way = true;
	signal(SIGALRM, took_too_long);
	/* tables that are hardly touched need not be cleared each time */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

/* xorshift64* */
uint64_t flips_random(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dULL;
}

void flips_done(void)
{
	under_way = false;
}

int flips_teardown(void **unused)
{
	(void)unused;
	if (under_way)
		say_input();
	under_way = false;
	alarm(0);
	return 0;
}

void flips_new(struct flips *f, uint8_t *bytes, size_t len)
{
	f->bytes = bytes;
	f->len = len;
	f->copy = malloc(len + 1);
	assert_non_null(f->copy);
	f->fd = memfd_create("flips", MFD_CLOEXEC);
	assert_true(f->fd >= 0);
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
}

void flips_free(struct flips *f)
{
	free(f->bytes);
	free(f->copy);
	close(f->fd);
}

uint8_t *flips_load(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	uint8_t *p;

	if (fd < 0 || fstat(fd, &st))
		fail_msg("%s: %s", path, strerror(errno));
	*len = (size_t)st.st_size;
	p = malloc(*len + 1);
	assert_non_null(p);
	assert_int_equal(read(fd, p, *len), (ssize_t)*len);
	close(fd);
	return p;
}

/* Any byte, one bit, or a number at its edge. */
static uint8_t spoiled(uint8_t byte)
{
	static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xff, '\n', '9'};
	uint64_t how = flips_random();

	if (how % 4 == 0)
		return edges[(how >> 8) % ARRAY_SIZE(edges)];
	if (how % 4 == 1)
		return (uint8_t)(how >> 8);
	return (uint8_t)(byte ^ 1U << (how >> 8) % 8);
}

void flips_spoil(struct flips *f, size_t from, size_t to)
{
	unsigned int nr = 1 + (unsigned int)(flips_random() % 4);

	memcpy(f->copy, f->bytes, f->len);
	while (nr--) {
		size_t at = from + flips_random() % (to - from);

		f->copy[at] = spoiled(f->copy[at]);
	}
}

void flips_put(struct flips *f, const uint8_t *p, size_t len)
{
	assert_int_equal(ftruncate(f->fd, 0), 0);
	assert_int_equal(pwrite(f->fd, p, len, 0), (ssize_t)len);
}

/* ---------------------------------------------------------------- reading */

void flips_begin(void)
{
	nr_inputs++;
	heap_now = 0;
	heap_peak = 0;
	alarm(SECONDS_MAX);
}

void flips_end(const struct flips *f)
{
	long max = HEAP_BASE + HEAP_TIMES * (long)f->len;

	alarm(0);
	if (heap_peak > max)
		fail_msg("%ld bytes of memory for %zu of input", heap_peak,
			 f->len);
}

/* What is missing, or is said of all records of an event, has no place. */
static const char *const no_place[] = {
	"whose format cannot be used",
	"usual layout is assumed",
	"not a sub-buffer layout",
	"header_page has sub-buffers of",
	"header_page says",
	"no name or no possible id",
	"more damaged places",
	"CPU count",
	"is too short",
	"factors from tsc to ns",
	"are not valid",
	/* another kind or version, not a damaged one */
	"not a trace.dat",
	"; I read ",
};

void flips_says_where(const char *text)
{
	unsigned int i;

	if (strstr(text, "offset ") || strstr(text, "line ") ||
	    strstr(text, " lines"))
		return;
	for (i = 0; i < ARRAY_SIZE(no_place); i++)
		if (strstr(text, no_place[i]))
			return;
	fail_msg("does not say where: %s", text);
}

/* Touches all of an event. */
static void touch(const struct mmt *log, const struct mmt_event *ev)
{
	const struct mmt_schema *schema = mmt_schema(log, ev->type);
	unsigned int i;

	assert_non_null(schema);
	assert_int_equal(schema->nr_fields, ev->nr);
	assert_int_equal(schema->kind, ev->kind);
	for (i = 0; i < ev->nr; i++)
		sum += schema->field[i].type == MMT_STRING
			       ? strlen(mmt_event_string(ev, i))
			       : ev->v[i];
}

static void read_events(struct mmt *log, struct flips_result *r, flips_see see,
			void *arg)
{
	const struct mmt_event *ev;
	struct mmt_stream *s;

	r->ret = mmt_stream_open(&s, log, NULL, &r->err);
	if (r->ret)
		return;
	while ((ev = mmt_stream_next(s))) {
		touch(log, ev);
		if (see)
			see(arg, ev);
		r->nr_events++;
	}
	r->ret = mmt_stream_error(s, &r->err);
	mmt_stream_close(s);
}

/* Some types and some CPUs take other ways through the decoders. */
static void read_part(struct mmt *log)
{
	static const uint16_t cpus[] = {1};
	const struct mmt_select part = {.kinds = MMT_KIND_BIT(MMT_REMOVE) |
						 MMT_KIND_BIT(MMT_READ),
					.cpus = cpus,
					.nr_cpus = 1};
	const struct mmt_event *ev;
	struct mmt_stream *s;
	struct errbuf err = {0};

	if (mmt_stream_open(&s, log, &part, &err))
		return;
	while ((ev = mmt_stream_next(s))) {
		assert_int_equal(ev->cpu, 1);
		touch(log, ev);
	}
	mmt_stream_close(s);
}

static void read_texts(struct mmt *log, struct flips_result *r)
{
	struct mmt_text text;
	unsigned int pos = 0;

	while (!r->ret) {
		r->ret = mmt_text_next(log, &pos, &text, &r->err);
		if (r->ret || !text.name)
			break;
		assert_int_equal(text.text[text.len], '\0');
		r->nr_texts++;
	}
}

void flips_read_log(struct mmt *log, struct flips_result *r, flips_see see,
		    void *arg)
{
	read_events(log, r, see, arg);
	if (!r->ret) {
		if (nr_inputs % 8 == 0)
			read_part(log);
		read_texts(log, r);
	}
	if (!r->ret)
		r->ret = mmt_verify(log, &r->err);
	r->complete = mmt_counts(log)->complete;
	r->damaged = mmt_counts(log)->damaged;
}

/* Every line that tells of damage tells where. */
static void check_damage(const struct import_report *report)
{
	const char *p = (const char *)report->damage.p;
	char line[512];

	for (; p && *p; p += strcspn(p, "\n") + 1) {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		flips_says_where(line);
	}
}

void flips_import(struct flips *f, const struct import_options *options,
		  uint64_t nr_max, struct flips_result *r)
{
	const char *paths[] = {f->path};
	struct import_report report;
	struct mmt *log;

	memset(r, 0, sizeof(*r));
	flips_begin();
	r->ret = import_run(&log, NULL, 0, options, paths, 1, &report, &r->err);
	if (r->ret) {
		flips_says_where(r->err.text);
	} else {
		flips_read_log(log, r, NULL, NULL);
		/* what we wrote ourselves is whole */
		assert_int_equal(r->ret, 0);
		assert_true(r->complete);
		assert_true(report.nr_events || report.empty);
		if (r->nr_events > nr_max)
			fail_msg("%" PRIu64 " events, %" PRIu64 " can be",
				 r->nr_events, nr_max);
		mmt_close(log);
	}
	r->damaged = report.damaged;
	check_damage(&report);
	import_report_free(&report);
	flips_end(f);
}
