/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tracedat-data.c - trace.dat: the sub-buffers of each CPU */

/*
 * Plain data are sub-buffers one behind the other.  Packed data are a number
 * of chunks, each with its two lengths; a chunk unpacks to whole sub-buffers.
 * What the file does not have is named CPU by CPU.
 */

#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "formats/import-tracedat.h"

/*
 * Gets the sub-buffers of a CPU in turn.  A positive result ends the walk and
 * is passed on.
 */
typedef int (*pages_fn)(struct dat *d, const uint8_t *p, size_t len,
			const struct import_place *place);

/* Damage is told once, by the walk that imports. */
static int PRINTF(3, 4) damage(struct dat *d, bool quiet, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	if (quiet)
		return 0;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return import_damage(d->im, "%s: %s", d->path, text);
}

static int walk_plain(struct dat *d, struct dat_cur *cur, pages_fn take)
{
	struct import_place place = {
		.path = d->path, .start = cur->p, .at = cur->base};

	return take(d, cur->p, cur->len, &place);
}

/* One chunk; -EBADMSG if the walk cannot go on behind it. */
static int walk_chunk(struct dat *d, struct dat_cur *cur, struct buf *buf,
		      pages_fn take)
{
	struct import_place place = {
		.path = d->path, .packed = true, .chunk = cur->base + cur->at};
	uint64_t len, out_len;
	const uint8_t *p;
	size_t n;
	int ret;

	if (!dat_num(cur, 4, &len) || !dat_num(cur, 4, &out_len) ||
	    !dat_bytes(cur, len, &p))
		return -EBADMSG;
	if (!dat_unpack_ok(d, len, out_len))
		return -ENODATA;
	buf->len = 0;
	ret = buf_reserve(buf, (size_t)out_len + 1);
	if (ret)
		return ret;
	n = (size_t)out_len;
	ret = dat_unpack(d, p, (size_t)len, buf->p, &n);
	if (ret)
		return ret == -EBADMSG ? -ENODATA : ret;
	place.start = buf->p;
	return take(d, buf->p, n, &place);
}

static int walk_chunks(struct dat *d, const struct dat_cpu *c,
		       struct dat_cur *cur, pages_fn take, bool quiet)
{
	struct buf buf = {0};
	uint64_t nr, i, at;
	int ret = 0;

	if (!dat_num(cur, 4, &nr))
		return damage(d, quiet,
			      "CPU %u: cut in the chunk count at "
			      "offset %" PRIu64,
			      c->cpu, cur->base);
	for (i = 0; !ret && i < nr; i++) {
		at = cur->base + cur->at;
		ret = walk_chunk(d, cur, &buf, take);
		if (ret == -EBADMSG) {
			ret = damage(d, quiet,
				     "CPU %u: chunk %" PRIu64 " of %" PRIu64
				     " at offset %" PRIu64 " is cut, %" PRIu64
				     " are missing",
				     c->cpu, i + 1, nr, at, nr - i);
			break;
		}
		if (ret == -ENODATA)
			ret = damage(d, quiet,
				     "CPU %u: chunk %" PRIu64 " of %" PRIu64
				     " at offset %" PRIu64 " does not unpack",
				     c->cpu, i + 1, nr, at);
	}
	buf_free(&buf);
	return ret;
}

/* The length of packed data may leave out the word that counts the chunks. */
static size_t extent(const struct dat_buffer *b, const struct dat_cpu *c,
		     size_t left)
{
	return (size_t)MIN(c->len + (b->packed ? 4 : 0), left);
}

static int walk_cpu(struct dat *d, const struct dat_buffer *b,
		    const struct dat_cpu *c, pages_fn take, bool quiet)
{
	struct dat_cur cur;
	int ret = 0;

	if (!c->len)
		return 0;
	if (c->at >= d->map.len)
		return damage(d, quiet,
			      "CPU %u: %" PRIu64 " bytes missing, its data at "
			      "offset %" PRIu64
			      " lie past the end of the file (%zu bytes)",
			      c->cpu, c->len, c->at, d->map.len);
	cur = dat_cur_at(d, c->at);
	if (c->len > cur.len)
		ret = damage(d, quiet,
			     "CPU %u: %" PRIu64 " bytes missing, its data are "
			     "cut at offset %zu",
			     c->cpu, c->len - cur.len, d->map.len);
	else
		cur.len = extent(b, c, cur.len);
	if (ret)
		return ret;
	return b->packed ? walk_chunks(d, c, &cur, take, quiet)
			 : walk_plain(d, &cur, take);
}

/* ------------------------------------------------------------ three walks */

/* Bytes that are looked at to find out which buffers have events. */
#define MAX_LOOK (64U << 20)

static int look(struct dat *d, const uint8_t *p, size_t len,
		const struct import_place *place)
{
	(void)place;
	/* hostile: many buffers that all claim the same empty pages */
	d->nr_looked += len;
	if (d->nr_looked > MAX_LOOK + 16 * (uint64_t)d->map.len)
		return true;
	return import_pages_look(&d->pages, p, len, false);
}

static int see(struct dat *d, const uint8_t *p, size_t len,
	       const struct import_place *place)
{
	(void)place;
	import_pages_look(&d->pages, p, len, true);
	return 0;
}

static int take(struct dat *d, const uint8_t *p, size_t len,
		const struct import_place *place)
{
	return import_pages_take(&d->pages, p, len, place);
}

/* The data of two CPUs never overlap in a sound file. */
static bool overlaps(const struct dat_buffer *b, unsigned int i)
{
	const struct dat_cpu *c = &b->cpus[i], *o;

	for (o = b->cpus; o < c; o++) {
		if (!o->len || !c->len)
			continue;
		if (o->cpu == c->cpu)
			return true;
		if (c->at < o->at ? o->at - c->at < c->len
				  : c->at - o->at < o->len)
			return true;
	}
	return false;
}

bool dat_has_events(struct dat *d, const struct dat_buffer *b)
{
	unsigned int i;

	for (i = 0; i < b->nr_cpus; i++)
		if (!overlaps(b, i) &&
		    walk_cpu(d, b, &b->cpus[i], look, true) > 0)
			return true;
	return false;
}

int dat_see_events(struct dat *d, const struct dat_buffer *b)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < b->nr_cpus; i++)
		if (!overlaps(b, i))
			ret = walk_cpu(d, b, &b->cpus[i], see, true);
	return ret;
}

/* What the statistics count beyond what the pages had. */
static int take_unseen_loss(struct dat *d, unsigned int cpu, uint64_t nr_seen)
{
	uint64_t nr = d->lost[cpu];
	int ret;

	d->lost[cpu] = 0;
	if (nr <= nr_seen)
		return 0;
	ret = import_note(d->im,
			  "CPU %u: %" PRIu64 " more records lost by its "
			  "statistics, the data do not say where",
			  cpu, nr - nr_seen);
	return ret ? ret : import_pages_loss(&d->pages, cpu, nr - nr_seen);
}

static int take_cpu(struct dat *d, const struct dat_buffer *b, unsigned int i)
{
	const struct dat_cpu *c = &b->cpus[i];
	int ret;

	if (c->cpu >= DAT_MAX_CPUS || overlaps(b, i))
		return import_damage(d->im,
				     "%s: CPU %u: its data at offset "
				     "%" PRIu64 " belong to another CPU, or "
				     "there is no such CPU; left out",
				     d->path, c->cpu, c->at);
	import_pages_begin(&d->pages, c->cpu);
	ret = walk_cpu(d, b, c, take, false);
	if (!ret)
		ret = take_unseen_loss(d, c->cpu, d->pages.nr_lost);
	return ret ? ret : import_pages_end(&d->pages);
}

int dat_take_buffer(struct dat *d, const struct dat_buffer *b)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < b->nr_cpus; i++)
		ret = take_cpu(d, b, i);
	/* CPUs without data may have lost all of it */
	for (i = 0; !ret && d->pages.nr_events && i < DAT_MAX_CPUS; i++)
		ret = take_unseen_loss(d, i, 0);
	return ret;
}
