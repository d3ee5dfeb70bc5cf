/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-pages.c - raw sub-buffers of foreign recordings become events */

/*
 * The records of a sub-buffer are decoded straight into the slots of the CPU's
 * track.  What cannot be decoded is counted by event and, if it is damage,
 * named with its offset; the walk goes on behind it where the length of the
 * record can still be believed, else with the next sub-buffer.
 */

#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "formats/import-pages.h"

/* Damaged places of one CPU that are named; the rest is a number. */
#define MAX_NAMED 5

bool import_subbuf_size_ok(const struct subbuf_layout *layout, uint64_t size)
{
	return size >= SUBBUF_MIN && size <= SUBBUF_MAX &&
	       !(size & (size - 1)) && size > layout->data_offset;
}

/* "\tfield: char data;\toffset:16;\tsize:4080;": both numbers together. */
uint64_t import_header_size(const char *text, size_t len)
{
	const char *at = memmem(text, len, " data;", 6);
	unsigned int offset, size;
	char line[128];

	if (!at)
		return 0;
	len -= (size_t)(at - text);
	snprintf(line, sizeof(line), "%.*s", (int)MIN(len, sizeof(line) - 1),
		 at);
	if (sscanf(line, " data; offset:%u; size:%u;", &offset, &size) != 2)
		return 0;
	return (uint64_t)offset + size;
}

static void place_words(char text[96], const struct import_place *place,
			const uint8_t *p)
{
	uint64_t at = place->at + (uint64_t)(p - place->start);

	if (place->packed)
		snprintf(text, 96,
			 "byte %" PRIu64 " of the chunk at offset %" PRIu64, at,
			 place->chunk);
	else
		snprintf(text, 96, "offset %" PRIu64, at);
}

/* One damaged place: "FILE: CPU 0: WHAT at offset 4200". */
static int PRINTF(4, 5)
	damage_at(struct import_pages *ip, const struct import_place *place,
		  const uint8_t *p, const char *fmt, ...)
{
	char what[256], where[96];
	va_list ap;

	if (ip->nr_damaged++ >= MAX_NAMED)
		return 0;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	place_words(where, place, p);
	return import_damage(ip->im, "%s: CPU %u: %s at %s", place->path,
			     ip->cpu, what, where);
}

void import_pages_begin(struct import_pages *ip, unsigned int cpu)
{
	ip->cpu = cpu;
	ip->track = NULL;
	ip->last_ns = 0;
	ip->nr_lost = 0;
	ip->nr_back = 0;
	ip->back_ns = 0;
	ip->nr_damaged = 0;
}

static uint64_t to_ns(const struct import_pages *ip, uint64_t stamp)
{
	if (ip->mult)
		stamp = (uint64_t)((unsigned __int128)stamp * ip->mult >>
				   ip->shift);
	return stamp + (uint64_t)ip->add_ns;
}

static int open_track(struct import_pages *ip)
{
	if (!ip->track)
		ip->track = import_track(ip->im, ip->cpu);
	return ip->track ? 0 : -ENOMEM;
}

static int failed_record(struct import_pages *ip, const struct subbuf *sb,
			 const struct import_place *place, const uint8_t *at,
			 const uint8_t *record)
{
	size_t len = (size_t)(sb->pos - record);
	char name[128];
	int id = import_book_id(ip->book, record, len);
	const struct book_event *e;

	import_book_fail(ip->book, record, len, name);
	e = id < 0 ? NULL : ip->book->by_id[id];
	/* one without a usable format was named with its format */
	if (id >= 0 && (!e || !e->usable))
		return 0;
	return damage_at(ip, place, at, "record of %s does not fit its format",
			 name);
}

static inline void note_time(struct import_pages *ip, uint64_t time_ns)
{
	if (unlikely(time_ns < ip->last_ns)) {
		ip->nr_back++;
		ip->back_ns = MAX(ip->back_ns, ip->last_ns - time_ns);
	}
	ip->last_ns = time_ns;
}

static int take_records(struct import_pages *ip, struct subbuf *sb,
			const struct import_place *place)
{
	uint64_t *nr_matched = ip->book->nr_matched, *vals;
	const struct tracefmt *fmt = ip->book->fmt;
	const uint8_t *record, *at = sb->pos;
	int n, ret;

	while ((n = subbuf_next(sb, &record)) > 0) {
		struct mmt_event *ev = mmt_track_slot(ip->track, &vals);

		if (unlikely(!ev))
			return mmt_track_error(ip->track);
		ret = tracefmt_decode(fmt, record, (size_t)n, ev, vals);
		/* type 0 was not registered */
		if (unlikely(ret || !ev->type)) {
			ret = failed_record(ip, sb, place, at, record);
			if (ret)
				return ret;
			at = sb->pos;
			continue;
		}
		ev->time_ns = to_ns(ip, sb->time_ns);
		nr_matched[ev->type]++;
		note_time(ip, ev->time_ns);
		ip->nr_events++;
		mmt_track_commit(ip->track);
		at = sb->pos;
	}
	if (n < 0)
		return damage_at(ip, place, at,
				 "record of impossible length (the rest of "
				 "its sub-buffer is lost)");
	return 0;
}

static int take_loss(struct import_pages *ip, const struct subbuf *sb)
{
	uint64_t time_ns = to_ns(ip, sb->time_ns);

	if (sb->nr_lost != MMT_LOST_UNKNOWN)
		ip->nr_lost += sb->nr_lost;
	return mmt_track_loss(ip->track, time_ns, sb->nr_lost);
}

/* A sub-buffer of which only n bytes are there may still have all records. */
static int take_cut(struct import_pages *ip, const uint8_t *p, size_t n,
		    const struct import_place *place)
{
	struct subbuf sb;
	bool whole = !subbuf_begin(&sb, &ip->layout, p, n);

	return damage_at(ip, place, p,
			 "sub-buffer is cut (%zu bytes short, %s)",
			 ip->size - n,
			 whole ? "its records are all there"
			       : "its records are not used");
}

static int take_page(struct import_pages *ip, const uint8_t *p, size_t n,
		     const struct import_place *place)
{
	struct subbuf sb;
	int ret = 0;

	if (n < ip->size)
		ret = take_cut(ip, p, n, place);
	if (ret)
		return ret;
	if (subbuf_begin(&sb, &ip->layout, p, n))
		return n < ip->size ? 0
				    : damage_at(ip, place, p,
						"sub-buffer with an impossible "
						"number of bytes");
	if (sb.pos == sb.end && !sb.missed)
		return 0;
	ret = open_track(ip);
	if (!ret && sb.missed)
		ret = take_loss(ip, &sb);
	return ret ? ret : take_records(ip, &sb, place);
}

int import_pages_take(struct import_pages *ip, const uint8_t *p, size_t len,
		      const struct import_place *place)
{
	size_t n;
	int ret = 0;

	for (; !ret && len; p += n, len -= n) {
		n = MIN(len, ip->size);
		ret = take_page(ip, p, n, place);
	}
	return ret;
}

int import_pages_end(struct import_pages *ip)
{
	int ret = 0;

	if (ip->nr_damaged > MAX_NAMED)
		ret = import_damage(ip->im,
				    "CPU %u: %" PRIu64 " more damaged places",
				    ip->cpu, ip->nr_damaged - MAX_NAMED);
	if (!ret && ip->nr_back == 1)
		ret = import_note(ip->im,
				  "CPU %u: clock went back once, by %" PRIu64
				  ".%09u s",
				  ip->cpu, ip->back_ns / 1000000000,
				  (unsigned int)(ip->back_ns % 1000000000));
	else if (!ret && ip->nr_back)
		ret = import_note(ip->im,
				  "CPU %u: clock went back %" PRIu64
				  " times, by %" PRIu64 ".%09u s at most",
				  ip->cpu, ip->nr_back,
				  ip->back_ns / 1000000000,
				  (unsigned int)(ip->back_ns % 1000000000));
	ip->latest_ns = MAX(ip->latest_ns, ip->last_ns);
	return ret;
}

int import_pages_loss(struct import_pages *ip, unsigned int cpu,
		      uint64_t nr_lost)
{
	struct mmt_track *track = import_track(ip->im, cpu);
	uint64_t time_ns = ip->cpu == cpu ? ip->last_ns : ip->latest_ns;

	return track ? mmt_track_loss(track, time_ns, nr_lost) : -ENOMEM;
}

bool import_pages_look(struct import_pages *ip, const uint8_t *p, size_t len,
		       bool see)
{
	const uint8_t *record;
	struct subbuf sb;
	bool any = false;
	size_t n;
	int m;

	for (; len && (see || !any); p += n, len -= n) {
		n = MIN(len, ip->size);
		if (subbuf_begin(&sb, &ip->layout, p, n))
			continue;
		while ((m = subbuf_next(&sb, &record)) > 0) {
			any = true;
			if (!see)
				break;
			import_book_see(ip->book, record, (size_t)m);
		}
	}
	return any;
}
