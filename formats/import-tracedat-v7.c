/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tracedat-v7.c - trace.dat version 7: sections, found by options */

/*
 * A chain of sections of options says where all other sections are.  A section
 * may be packed as a whole.  Later ones in the chain win; a chain that comes
 * back to where it was is damage.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/import-tracedat.h"
#include "formats/units.h"

#define SECTION_PACKED 1U
/* Sections of options that are followed; real files have one per buffer. */
#define MAX_CHAIN (DAT_MAX_BUFFERS + 64)

/* A section, unpacked into *buf if it is packed. */
static int section_open(struct dat *d, uint64_t at, unsigned int id,
			struct dat_cur *cur, struct buf *buf)
{
	struct dat_cur raw = dat_cur_at(d, at);
	uint64_t got, flags, about, size, len, out_len;
	const uint8_t *p;
	size_t n;
	int ret;

	if (!dat_num(&raw, 2, &got) || !dat_num(&raw, 2, &flags) ||
	    !dat_num(&raw, 4, &about) || !dat_num(&raw, 8, &size) ||
	    got != id || size > dat_left(&raw))
		return errbuf_set(d->im->err, -EBADMSG,
				  "%s: section %u at offset %" PRIu64
				  " is cut or damaged",
				  d->path, id, at);
	*cur = raw;
	cur->p += raw.at;
	cur->len = (size_t)size;
	cur->base = at + raw.at;
	cur->at = 0;
	if (!(flags & SECTION_PACKED))
		return 0;

	if (!dat_num(cur, 4, &len) || !dat_num(cur, 4, &out_len) ||
	    !dat_bytes(cur, len, &p) || !dat_unpack_ok(d, len, out_len))
		goto damaged;
	buf->len = 0;
	ret = buf_reserve(buf, (size_t)out_len + 1);
	if (ret)
		return ret;
	n = (size_t)out_len;
	ret = dat_unpack(d, p, (size_t)len, buf->p, &n);
	if (ret == -EBADMSG)
		goto damaged;
	*cur = (struct dat_cur){.p = buf->p,
				.len = n,
				.base = at,
				.packed = true,
				.big_endian = d->big_endian};
	return ret;

damaged:
	return errbuf_set(d->im->err, -EBADMSG,
			  "%s: section %u at offset %" PRIu64
			  " does not unpack",
			  d->path, id, at);
}

/* --------------------------------------------------------------- buffers */

static int buffer_cpus(struct dat *d, struct dat_buffer *b, struct dat_cur *cur)
{
	uint64_t nr, cpu;
	unsigned int i;

	if (!dat_num(cur, 4, &nr))
		return -EBADMSG;
	if (nr > DAT_MAX_CPUS || nr * 20 > dat_left(cur))
		return -EBADMSG;
	b->cpus = calloc(nr ? nr : 1, sizeof(*b->cpus));
	if (!b->cpus)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		struct dat_cpu *c = &b->cpus[i];

		dat_num(cur, 4, &cpu);
		dat_num(cur, 8, &c->at);
		dat_num(cur, 8, &c->len);
		c->cpu = (unsigned int)MIN(cpu, UINT32_MAX);
	}
	b->nr_cpus = (unsigned int)nr;
	(void)d;
	return 0;
}

/* Is the data of the buffer packed?  Its section says so. */
static int buffer_section(struct dat *d, struct dat_buffer *b, unsigned int id)
{
	struct dat_cur cur = dat_cur_at(d, b->at);
	uint64_t got, flags;

	if (dat_num(&cur, 2, &got) && dat_num(&cur, 2, &flags) && got == id) {
		b->packed = flags & SECTION_PACKED;
		return 0;
	}
	b->packed = d->codec != DAT_PLAIN;
	return import_damage(d->im,
			     "%s: buffer %s: no section at offset %" PRIu64,
			     d->path, *b->name ? b->name : "(top)", b->at);
}

static int take_buffer(struct dat *d, unsigned int id, const uint8_t *p,
		       size_t len)
{
	struct dat_cur cur = {.p = p, .len = len, .big_endian = d->big_endian};
	const char *name, *clock;
	struct dat_buffer *b;
	uint64_t at;
	int ret;

	if (!dat_num(&cur, 8, &at) || !(name = dat_string(&cur)) ||
	    !(clock = dat_string(&cur)))
		goto damaged;
	b = dat_buffer_new(d, &ret);
	if (!b)
		return ret;
	b->at = at;
	snprintf(b->name, sizeof(b->name), "%s", name);
	dat_take_clock(b->clock, clock, strlen(clock));
	b->is_text = id == DAT_BUFFER_TEXT;
	if (b->is_text)
		return 0;
	if (!dat_num(&cur, 4, &b->page_size))
		goto damaged;
	ret = buffer_cpus(d, b, &cur);
	if (ret == -EBADMSG)
		return import_damage(d->im,
				     "%s: buffer %s: its CPU count is larger "
				     "than the option can hold",
				     d->path, *name ? name : "(top)");
	return ret ? ret : buffer_section(d, b, id);

damaged:
	return import_damage(d->im, "%s: buffer option is too short", d->path);
}

/* --------------------------------------------------------------- options */

/* All options of one section; *next is where the next one is. */
static int take_options(struct dat *d, struct dat_cur *cur, uint64_t *next)
{
	uint64_t id, len;
	const uint8_t *p;
	int ret = 0;

	*next = 0;
	while (!ret) {
		if (!dat_num(cur, 2, &id) || !dat_num(cur, 4, &len) ||
		    !dat_bytes(cur, len, &p))
			return dat_cut(d, cur, "the options");
		if (id == DAT_DONE) {
			struct dat_cur in = {.p = p,
					     .len = (size_t)len,
					     .big_endian = d->big_endian};

			dat_num(&in, 8, next);
			return 0;
		}
		if (id == DAT_BUFFER || id == DAT_BUFFER_TEXT)
			ret = take_buffer(d, (unsigned int)id, p, (size_t)len);
		else if (id < DAT_NR_SECTIONS)
			ret = dat_take_option(d, (unsigned int)id, p,
					      (size_t)len);
	}
	return ret;
}

/* An error that the import goes on behind. */
static int as_damage(struct dat *d, const char *what)
{
	int ret = import_damage(d->im, "%s (%s)", d->im->err->text, what);

	*d->im->err = (struct errbuf){0};
	return ret;
}

static bool visited(const uint64_t *seen, unsigned int nr, uint64_t at)
{
	while (nr)
		if (seen[--nr] == at)
			return true;
	return false;
}

static int follow_chain(struct dat *d)
{
	uint64_t seen[MAX_CHAIN], at = d->options_at, next = 0;
	struct buf buf = {0};
	struct dat_cur cur;
	unsigned int nr = 0;
	int ret = 0;

	for (; !ret && at; seen[nr++] = at, at = next) {
		if (nr == MAX_CHAIN || visited(seen, nr, at)) {
			ret = import_damage(d->im,
					    "%s: the options at offset "
					    "%" PRIu64 " come again",
					    d->path, at);
			break;
		}
		next = 0;
		ret = section_open(d, at, DAT_DONE, &cur, &buf);
		if (!ret)
			ret = take_options(d, &cur, &next);
		if (!ret)
			d->options_end = at;
		if (ret == -EBADMSG) {
			/* what came before is used */
			ret = nr ? as_damage(d, "options") : ret;
			break;
		}
	}
	buf_free(&buf);
	return ret;
}

/* -------------------------------------------------------------- sections */

typedef int (*take_fn)(struct dat *d, struct dat_cur *cur);

static int take_section(struct dat *d, unsigned int id, const char *what,
			take_fn take)
{
	struct buf buf = {0};
	struct dat_cur cur;
	int ret;

	if (!d->section[id])
		return 0;
	ret = section_open(d, d->section[id], id, &cur, &buf);
	if (!ret)
		ret = take(d, &cur);
	buf_free(&buf);
	if (ret != -EBADMSG)
		return ret;
	return as_damage(d, what);
}

int dat_read_v7(struct dat *d, struct dat_cur *cur)
{
	const char *codec = dat_string(cur);
	char safe[80];
	int ret;

	if (!codec || !dat_string(cur) || !dat_num(cur, 8, &d->options_at))
		return dat_cut(d, cur, "the first header");
	if (!strcmp(codec, "zstd"))
		d->codec = DAT_ZSTD;
	else if (!strcmp(codec, "zlib"))
		d->codec = DAT_ZLIB;
	else if (strcmp(codec, "none"))
		return errbuf_set(d->im->err, -EPROTONOSUPPORT,
				  "%s: compressed with %s; I read none, zlib "
				  "and zstd",
				  d->path,
				  units_escape(safe, sizeof(safe), codec));
	ret = follow_chain(d);
	if (!ret)
		ret = take_section(d, DAT_HEADERS, "header_page",
				   dat_take_headers);
	if (!ret)
		ret = take_section(d, DAT_FTRACE, "ftrace formats",
				   dat_take_ftrace);
	if (!ret)
		ret = take_section(d, DAT_FORMATS, "event formats",
				   dat_take_formats);
	if (!ret)
		ret = take_section(d, DAT_CMDLINES, "command lines",
				   dat_take_cmdlines);
	if (!ret && !d->nr_buffers)
		ret = dat_find_buffer(d);
	return ret;
}
