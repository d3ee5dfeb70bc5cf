/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tracedat-find.c - trace.dat: which buffer; one without its option */

/*
 * A version 7 file says where the data of a buffer are at its very end, behind
 * the data: a cut file has lost that.  Its data section still begins right
 * behind the options before it, and each CPU's data at the next page boundary.
 * Packed data tell how long they are.  Plain data do not; there a new CPU
 * begins where the sub-buffers' times go back.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/import-tracedat.h"
#include "formats/units.h"

/* ------------------------------------------------------ a lost CPU table */

static int add_cpu(struct dat_buffer *b, uint64_t at, uint64_t len)
{
	struct dat_cpu *c;

	if (b->nr_cpus == DAT_MAX_CPUS)
		return -ENOSPC;
	c = realloc(b->cpus, (b->nr_cpus + 1) * sizeof(*c));
	if (!c)
		return -ENOMEM;
	b->cpus = c;
	c += b->nr_cpus;
	*c = (struct dat_cpu){.cpu = b->nr_cpus++, .at = at, .len = len};
	return 0;
}

/* How long the packed data of one CPU are; up to the end if they are cut. */
static uint64_t packed_len(const struct dat *d, uint64_t at, uint64_t end)
{
	struct dat_cur cur = dat_cur_at(d, at);
	uint64_t nr, len, out_len;
	const uint8_t *p;

	cur.len = (size_t)(end - at);
	if (!dat_num(&cur, 4, &nr))
		return cur.len;
	for (; nr; nr--)
		if (!dat_num(&cur, 4, &len) || !dat_num(&cur, 4, &out_len) ||
		    !dat_unpack_ok(d, len, out_len) ||
		    !dat_bytes(&cur, len, &p))
			return cur.len;
	return cur.at;
}

/* The time of the last record of a sub-buffer, of its start if none. */
static uint64_t last_time(const struct dat *d, const uint8_t *p, size_t len)
{
	const uint8_t *record;
	struct subbuf sb;

	if (subbuf_begin(&sb, &d->pages.layout, p, len))
		return 0;
	while (subbuf_next(&sb, &record) > 0)
		;
	return sb.time_ns;
}

/* Sub-buffers up to one that begins before its predecessor ends. */
static uint64_t plain_len(const struct dat *d, uint64_t at, uint64_t end)
{
	struct dat_cur cur = dat_cur_at(d, at);
	uint64_t time, last = 0;
	const uint8_t *p;
	size_t n;

	cur.len = (size_t)(end - at);
	while (dat_left(&cur) > 8) {
		struct dat_cur page = cur;

		dat_num(&page, 8, &time);
		if (time < last)
			return cur.at;
		n = MIN(d->pages.size, dat_left(&cur));
		dat_bytes(&cur, n, &p);
		last = MAX(time, last_time(d, p, n));
	}
	return cur.len;
}

static uint64_t aligned(const struct dat *d, uint64_t at)
{
	return (at + d->pages.size - 1) & ~((uint64_t)d->pages.size - 1);
}

/*
 * The section of the data stands behind the options before it.  Its size is
 * filled in late: 0 if the recorder did not come to that.
 */
static bool find_section(struct dat *d, struct dat_buffer *b, uint64_t *at,
			 uint64_t *end)
{
	struct dat_cur cur = dat_cur_at(d, d->options_end);
	uint64_t id, flags, about, size;

	if (!dat_num(&cur, 2, &id) || !dat_num(&cur, 2, &flags) ||
	    !dat_num(&cur, 4, &about) || !dat_num(&cur, 8, &size) ||
	    size > dat_left(&cur))
		return false;
	cur.at += (size_t)size;
	b->at = cur.base + cur.at;
	if (!dat_num(&cur, 2, &id) || !dat_num(&cur, 2, &flags) ||
	    !dat_num(&cur, 4, &about) || !dat_num(&cur, 8, &size) ||
	    id != DAT_BUFFER)
		return false;
	b->packed = flags & 1;
	*at = cur.base + cur.at;
	*end = size && size < dat_left(&cur) ? *at + size : d->map.len;
	return true;
}

static int find_cpus(struct dat *d, struct dat_buffer *b, uint64_t at,
		     uint64_t end)
{
	uint64_t len;
	int ret = 0;

	for (at = aligned(d, at); !ret && at < end; at = aligned(d, at + len)) {
		len = b->packed ? packed_len(d, at, end)
				: plain_len(d, at, end);
		ret = len ? add_cpu(b, at, len) : -ENOSPC;
	}
	return ret == -ENOSPC ? 0 : ret;
}

int dat_find_buffer(struct dat *d)
{
	uint64_t at, end;
	struct dat_buffer *b;
	int ret;

	b = dat_buffer_new(d, &ret);
	if (!b)
		return ret;
	ret = dat_layout(d, b, true);
	if (ret || !find_section(d, b, &at, &end)) {
		d->nr_buffers--;
		return ret;
	}
	ret = find_cpus(d, b, at, end);
	if (ret)
		return ret;
	return import_damage(d->im,
			     "%s: cut before its CPU table, at offset %zu "
			     "(version 7 has it at the end): data of %u CPUs "
			     "of %u found, their numbers are assumed",
			     d->path, d->map.len, b->nr_cpus, d->nr_cpus);
}

/* -------------------------------------------------------------- choosing */

static const char *shown(const struct dat_buffer *b)
{
	return *b->name ? b->name : "top";
}

static int list_buffers(const struct dat *d, struct buf *out)
{
	char safe[160];
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < d->nr_buffers; i++)
		ret = buf_printf(out, "%s%s", i ? ", " : "",
				 units_escape(safe, sizeof(safe),
					      shown(&d->buffers[i])));
	return ret;
}

static int choose_error(const struct dat *d, const char *fact)
{
	struct buf names = {0};
	int ret = list_buffers(d, &names);

	if (!ret) {
		errbuf_set(d->im->err, -EINVAL, "%s: %s; it has: %.300s",
			   d->path, fact, (char *)names.p);
		errbuf_hint(d->im->err, "--buffer NAME");
		ret = -EINVAL;
	}
	buf_free(&names);
	return ret;
}

static int choose_named(struct dat *d, const char *name,
			const struct dat_buffer **chosen)
{
	const struct dat_buffer *top = NULL;
	char fact[160];
	unsigned int i;

	for (i = 0; i < d->nr_buffers; i++) {
		if (!strcmp(d->buffers[i].name, name)) {
			*chosen = &d->buffers[i];
			return 0;
		}
		if (!*d->buffers[i].name)
			top = &d->buffers[i];
	}
	if (top && !strcmp(name, "top")) {
		*chosen = top;
		return 0;
	}
	snprintf(fact, sizeof(fact), "no buffer is called %.100s", name);
	return choose_error(d, fact);
}

static int note_others(struct dat *d, const bool *has,
		       const struct dat_buffer *chosen)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < d->nr_buffers; i++)
		if (has[i] && &d->buffers[i] != chosen)
			ret = import_note(d->im,
					  "buffer %s has events, too, and is "
					  "left out (--buffer %s)",
					  shown(&d->buffers[i]),
					  shown(&d->buffers[i]));
	return ret;
}

static int no_events(const struct dat *d)
{
	unsigned int i;

	for (i = 0; i < d->nr_buffers; i++)
		if (d->buffers[i].is_text)
			break;
	if (i == d->nr_buffers)
		return errbuf_set(d->im->err, -ENODATA,
				  "%s: no event data up to its end at offset "
				  "%zu",
				  d->path, d->map.len);
	errbuf_set(d->im->err, -ENODATA,
		   "%s: holds the text of a latency tracer, no event data",
		   d->path);
	errbuf_hint(d->im->err, "trace-cmd report FILE, and import that text");
	return -ENODATA;
}

int dat_choose(struct dat *d, const struct dat_buffer **chosen)
{
	bool has[DAT_MAX_BUFFERS] = {false};
	unsigned int i, nr = 0;
	int ret;

	*chosen = NULL;
	if (d->im->options->buffer)
		return choose_named(d, d->im->options->buffer, chosen);
	for (i = 0; i < d->nr_buffers; i++) {
		const struct dat_buffer *b = &d->buffers[i];

		ret = dat_layout(d, b, true);
		if (ret)
			return ret;
		has[i] = dat_has_events(d, b);
		if (!has[i])
			continue;
		nr++;
		/* the top one goes before all others */
		if (!*chosen || !*b->name)
			*chosen = b;
	}
	if (!nr) {
		/* damage of what is there is still to be told */
		for (i = 0; i < d->nr_buffers && !*chosen; i++)
			if (d->buffers[i].nr_cpus)
				*chosen = &d->buffers[i];
		return *chosen ? 0 : no_events(d);
	}
	if (nr > 1 && *(*chosen)->name)
		return choose_error(d, "several buffers have events");
	return note_others(d, has, *chosen);
}
