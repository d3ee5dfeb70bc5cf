/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages.c - bench tool: raw pages in memory to typed events, and the peer */

/*
 * usage: pages ROUNDS FORMATS PAGES...
 *
 * PAGES are the 4 KiB sub-buffers of one CPU each, FORMATS as raw2mmt takes
 * them.  In each round three ways walk all pages, one after the other:
 *
 *   ours    as the recorder and the importer do: subbuf_next(), then
 *           tracefmt_decode() into the next slot of a run, all values read
 *   walk    libtraceevent's kbuffer, no field read
 *   fields  kbuffer, every field but the common ones read by
 *           tep_read_number_field(), which are looked up beforehand
 *
 * Prints "events N ours R walk R fields R", in million events per second of
 * CPU, the best of the rounds.  All three must find the same events at the
 * same times.
 */

#include "config.h"

#include <event-parse.h>
#include <fcntl.h>
#include <inttypes.h>
#include <kbuffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/subbuf.h"
#include "formats/tracefmt.h"
#include "tests/bench/bench.h"
#include "tests/raw-input.h"

#define SUBBUF    4096
#define RUN       4096 /* events of a run, as tracks have them */
#define MAX_FILES 256
#define MAX_IDS   65536

struct pages {
	struct tracefmt *fmt;
	struct subbuf_layout layout;
	struct tep_handle *tep;
	struct tep_format_field **fields[MAX_IDS];
	const uint8_t *map[MAX_FILES];
	size_t len[MAX_FILES];
	unsigned int nr_files;

	unsigned int nr_types;

	/* the run at hand */
	struct mmt_event ev[RUN];
	uint64_t vals[RUN * MMT_MAX_FIELDS];
	unsigned int nr, nr_vals;
	uint64_t sum; /* of all values */
};

/* What a way over the pages has found. */
struct found {
	uint64_t nr, times;
	double best_s;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "pages: %s: %s\n", what, why);
	exit(1);
}

/* ------------------------------------------------------------------- input */

static void add_format(struct pages *p, const struct raw_section *s)
{
	struct tep_event *event;
	struct errbuf err;
	int id;

	if (!strcmp(s->system, "header_page") &&
	    subbuf_layout_parse(&p->layout, s->text, s->len, &err))
		die("header_page", err.text);
	if (!s->is_event)
		return;
	id = tracefmt_add(p->fmt, s->system, s->text, s->len, &err);
	if (id < 0)
		die(s->system, err.text);
	if (tracefmt_set_type(p->fmt, id, (uint16_t)++p->nr_types) ||
	    tep_parse_event(p->tep, s->text, s->len, s->system))
		die(s->system, "libtraceevent refuses it");
	event = tep_find_event(p->tep, id);
	p->fields[id] = event ? tep_event_fields(event) : NULL;
	if (!p->fields[id])
		die(s->system, "has no fields");
}

static void load_formats(struct pages *p, const char *path)
{
	size_t len;
	char *text = raw_load(path, &len);
	const char *at = text;
	struct raw_section s;

	if (!text)
		die(path, strerror(errno));
	while (raw_section_next(&at, &s))
		add_format(p, &s);
	free(text);
}

static void map_file(struct pages *p, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *map;

	if (fd < 0 || fstat(fd, &st) || p->nr_files == MAX_FILES)
		die(path, strerror(fd < 0 ? errno : EFBIG));
	map = mmap(NULL, (size_t)st.st_size, PROT_READ,
		   MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (map == MAP_FAILED)
		die(path, strerror(errno));
	close(fd);
	p->map[p->nr_files] = map;
	p->len[p->nr_files++] = (size_t)st.st_size;
}

/* -------------------------------------------------------------------- ours */

/* Slots of a run that is full are used again, as a track does. */
static struct mmt_event *next_slot(struct pages *p)
{
	if (p->nr == RUN) {
		p->nr = 0;
		p->nr_vals = 0;
	}
	return &p->ev[p->nr++];
}

static void decode_page(struct pages *p, const void *page, struct found *f)
{
	struct mmt_event *ev;
	const uint8_t *record;
	struct subbuf sb;
	unsigned int i;
	int len;

	if (subbuf_begin(&sb, &p->layout, page, SUBBUF))
		die("sub-buffer", "is damaged");
	while ((len = subbuf_next(&sb, &record)) > 0) {
		ev = next_slot(p);
		if (tracefmt_decode(p->fmt, record, (size_t)len, ev,
				    p->vals + p->nr_vals))
			die("record", "cannot be decoded");
		ev->time_ns = sb.time_ns;
		f->nr++;
		f->times += ev->time_ns;
		for (i = 0; i < ev->nr; i++)
			p->sum += ev->v[i];
		p->nr_vals += ev->nr;
	}
	if (len < 0)
		die("record", "is damaged");
}

static void walk_ours(struct pages *p, struct found *f)
{
	unsigned int i;
	size_t at;

	for (i = 0; i < p->nr_files; i++)
		for (at = 0; at + SUBBUF <= p->len[i]; at += SUBBUF)
			decode_page(p, p->map[i] + at, f);
}

/* ---------------------------------------------------------------- the peer */

static void read_fields(struct pages *p, const void *record)
{
	uint16_t id = get_le16(record);
	struct tep_format_field **field;
	unsigned long long v;

	for (field = p->fields[id]; field && *field; field++)
		if (!tep_read_number_field(*field, record, &v))
			p->sum += v;
}

static void kbuffer_file(struct pages *p, struct kbuffer *kb, unsigned int i,
			 bool fields, struct found *f)
{
	unsigned long long ns;
	const void *record;
	size_t at;

	for (at = 0; at + SUBBUF <= p->len[i]; at += SUBBUF) {
		kbuffer_load_subbuffer(kb, (void *)(uintptr_t)(p->map[i] + at));
		for (record = kbuffer_read_event(kb, &ns); record;
		     record = kbuffer_next_event(kb, &ns)) {
			f->nr++;
			f->times += ns;
			if (fields)
				read_fields(p, record);
		}
	}
}

static void walk_kbuffer(struct pages *p, bool fields, struct found *f)
{
	struct kbuffer *kb =
		kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	unsigned int i;

	if (!kb)
		die("kbuffer", strerror(ENOMEM));
	for (i = 0; i < p->nr_files; i++)
		kbuffer_file(p, kb, i, fields, f);
	kbuffer_free(kb);
}

/* ------------------------------------------------------------------ rounds */

enum { OURS, WALK, FIELDS, NR_WAYS };

static void run_round(struct pages *p, struct found found[NR_WAYS])
{
	double start_s;
	int way;

	for (way = 0; way < NR_WAYS; way++) {
		found[way].nr = 0;
		found[way].times = 0;
		start_s = bench_cpu_s();
		if (way == OURS)
			walk_ours(p, &found[way]);
		else
			walk_kbuffer(p, way == FIELDS, &found[way]);
		bench_round(start_s, &found[way].best_s);
		if (found[way].nr != found[OURS].nr ||
		    found[way].times != found[OURS].times)
			die("kbuffer", "finds other events");
	}
}

static void print_found(const struct found found[NR_WAYS])
{
	static const char *const names[] = {"ours", "walk", "fields"};
	int way;

	printf("events %" PRIu64, found[OURS].nr);
	for (way = 0; way < NR_WAYS; way++)
		printf(" %s %.1f", names[way],
		       (double)found[way].nr / found[way].best_s / 1e6);
	putchar('\n');
}

static void free_pages(struct pages *p)
{
	unsigned int i;

	for (i = 0; i < MAX_IDS; i++)
		free(p->fields[i]);
	for (i = 0; i < p->nr_files; i++)
		munmap((void *)(uintptr_t)p->map[i], p->len[i]);
	tep_free(p->tep);
	tracefmt_free(p->fmt);
	free(p);
}

int main(int argc, char **argv)
{
	struct found found[NR_WAYS] = {0};
	struct pages *p;
	int i, rounds;

	if (argc < 4 || (rounds = atoi(argv[1])) < 1)
		return 2;
	p = calloc(1, sizeof(*p));
	if (!p || tracefmt_new(&p->fmt, false, 8))
		die("start", strerror(ENOMEM));
	p->layout = (struct subbuf_layout){8, 8, 16, false};
	p->tep = tep_alloc();
	if (!p->tep)
		die("start", strerror(ENOMEM));
	load_formats(p, argv[2]);
	for (i = 3; i < argc; i++)
		map_file(p, argv[i]);
	while (rounds--)
		run_round(p, found);
	if (!found[OURS].nr)
		die(argv[3], "has no events");
	print_found(found);
	free_pages(p);
	return fflush(stdout) ? 1 : 0;
}
