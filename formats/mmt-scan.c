/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmt-scan.c - makes the index of a log that has none */

/*
 * A recorder that was killed leaves whole blocks, then zeros or the end of
 * the file: such a log is incomplete, not damaged.  Anything else between two
 * blocks is damage.  With salvage the scan looks for the next block whose
 * checksum is right.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/events-dec.h"
#include "formats/mmt-log.h"

/* Salvage reads no more than this many times the file. */
#define RESYNC_FACTOR 8

struct scan {
	struct mmt *log;
	struct buf payload;
	struct events_dec dec; /* for loss, once schemas are known */
	struct run *run;
	uint8_t wanted[MMT_MAX_SCHEMAS];
	uint64_t tried; /* payload bytes behind what looked like a header */
};

/* Is all that follows zero?  Padding of a direct write is under a page. */
static bool only_zeros(const struct mmt *log, uint64_t at)
{
	uint8_t rest[4096];
	size_t len = MIN(sizeof(rest), log->size - at), i;

	if (log->size - at > sizeof(rest) || mmt_pread(log, rest, len, at))
		return false;
	for (i = 0; i < len; i++)
		if (rest[i])
			return false;
	return true;
}

static bool is_tail(const struct mmt *log, uint64_t at)
{
	uint8_t tail[MMT_TAIL_LEN];

	return log->size - at == sizeof(tail) &&
	       !mmt_pread(log, tail, sizeof(tail), at) &&
	       !memcmp(tail + 8, MMT_TAIL_MAGIC, 8);
}

/* What is wrong at this offset: nothing (0), a cut, or other damage. */
enum fault { FAULT_NONE, FAULT_CUT, FAULT_BAD };

static enum fault read_entry(struct scan *s, uint64_t at, struct mmt_entry *e)
{
	uint8_t head[BLOCK_HEADER_LEN];
	struct errbuf ignored;

	if (s->log->size - at < sizeof(head))
		return FAULT_CUT;
	if (mmt_pread(s->log, head, sizeof(head), at) ||
	    block_header_get(&e->header, head)) {
		/* a length that is not believed, and so not read */
		e->header.len = 0;
		return FAULT_BAD;
	}
	e->at = at;
	if (e->header.len > s->log->size - at - sizeof(head))
		return FAULT_CUT;
	return mmt_load(s->log, e, &s->payload, &ignored) ? FAULT_BAD
							  : FAULT_NONE;
}

/*
 * Is a whole block here?  A file made of false headers would have each of them
 * checked up to the file's end; what is read is bounded by its size.
 */
static bool is_block(struct scan *s, uint64_t at)
{
	struct mmt_entry e = {0};
	enum fault fault;

	if (s->tried > RESYNC_FACTOR * s->log->size + BLOCK_MAX_PAYLOAD)
		return false;
	fault = read_entry(s, at, &e);
	if (fault == FAULT_BAD)
		s->tried += e.header.len;
	return fault == FAULT_NONE;
}

/* The next whole block behind a damaged place; the file's size if none. */
static uint64_t resync(struct scan *s, uint64_t at)
{
	uint8_t chunk[1 << 16];

	while (s->log->size - at >= BLOCK_HEADER_LEN) {
		size_t len = MIN(sizeof(chunk), s->log->size - at), i;

		if (mmt_pread(s->log, chunk, len, at))
			break;
		for (i = 0; i + 4 <= len; i++)
			if (get_le32(chunk + i) == BLOCK_MAGIC &&
			    is_block(s, at + i))
				return at + i;
		at += len - 3;
	}
	return s->log->size;
}

static int damage_at(struct scan *s, const struct mmt_entry *e, uint64_t at,
		     enum fault fault, struct errbuf *err)
{
	const struct block_header *h = &e->header;
	bool known = e->at && block_has_events(h->kind);
	unsigned int nr = s->log->index.nr;
	char what[64] = "";

	if (known && mmt_index_add(&s->log->gone, h, at))
		return -ENOMEM;
	if (known && h->kind == BLOCK_MERGED)
		snprintf(what, sizeof(what), " and has %u events",
			 h->nr_events);
	else if (known)
		snprintf(what, sizeof(what), " and has %u events of CPU %u",
			 h->nr_events, h->cpu);
	if (fault == FAULT_CUT && s->log->size - at >= BLOCK_HEADER_LEN)
		return mmt_damage(s->log, err,
				  "ends inside block %u, which begins at "
				  "offset %" PRIu64 "%s",
				  nr, at, what);
	if (fault == FAULT_CUT)
		return mmt_damage(s->log, err,
				  "ends inside the header of block %u, at "
				  "offset %" PRIu64,
				  nr, at);
	return mmt_damage(s->log, err,
			  "block %u at offset %" PRIu64 " is damaged", nr, at);
}

static int scan_blocks(struct scan *s, struct errbuf *err)
{
	struct mmt *log = s->log;
	uint64_t at = MMT_HEADER_LEN;
	int ret = 0;

	while (!ret && at < log->size && !is_tail(log, at)) {
		struct mmt_entry e = {0};
		enum fault fault = read_entry(s, at, &e);

		if (fault == FAULT_NONE) {
			ret = mmt_index_add(&log->index, &e.header, at);
			at += BLOCK_HEADER_LEN + e.header.len;
			continue;
		}
		if (only_zeros(log, at))
			break;
		ret = damage_at(s, &e, at, fault, err);
		if (!ret)
			at = resync(s, at + 1);
	}
	return ret;
}

/* Adds up the loss events of the block in payload, if it decodes. */
static int count_loss(struct scan *s, const struct mmt_entry *e)
{
	uint64_t nr_lost = 0, nr_gaps_uncounted = 0;
	unsigned int i;
	int ret = events_dec_load(&s->dec, &e->header, s->payload.p, s->wanted);

	while (!ret && (ret = events_dec_run(&s->dec, s->run)) > 0) {
		ret = 0;
		for (i = 0; i < s->run->nr; i++) {
			uint64_t nr = s->run->ev[i].v[LOSS_NR_LOST];

			if (nr == MMT_LOST_UNKNOWN)
				nr_gaps_uncounted++;
			else
				nr_lost += nr;
		}
	}
	if (ret)
		return ret;
	s->log->index.nr_lost += nr_lost;
	s->log->index.nr_gaps_uncounted += nr_gaps_uncounted;
	return 0;
}

static int count_events(struct scan *s, const struct mmt_entry *e,
			struct errbuf *err)
{
	struct mmt_index *index = &s->log->index;
	int ret = mmt_load(s->log, e, &s->payload, err);

	/* a block that does not decode is not to be counted either */
	if (!ret)
		ret = count_loss(s, e);
	if (!ret)
		ret = block_type_counts(s->payload.p, s->payload.len,
					index->type_counts, index->nr_types);
	if (!ret && e->header.kind == BLOCK_MERGED)
		ret = merge_cpu_counts(s->payload.p, s->payload.len,
				       index->nr_types, &index->cpus);
	return ret;
}

static int undecodable(struct mmt *log, const struct mmt_entry *e,
		       struct errbuf *err)
{
	if (mmt_index_add(&log->gone, &e->header, e->at))
		return -ENOMEM;
	return mmt_damage(log, err,
			  "events at offset %" PRIu64 " do not decode", e->at);
}

static int count_all(struct scan *s, struct errbuf *err)
{
	struct mmt *log = s->log;
	unsigned int i, kept = 0;
	int ret = 0;

	for (i = 0; i < log->index.nr; i++) {
		struct mmt_entry e = log->index.entry[i];

		if (!ret && block_has_events(e.header.kind)) {
			ret = count_events(s, &e, err);
			if (ret == -EBADMSG) {
				ret = undecodable(log, &e, err);
				continue;
			}
		}
		log->index.entry[kept++] = e;
	}
	log->index.nr = kept;
	return ret;
}

static int prepare_counting(struct scan *s)
{
	struct mmt *log = s->log;
	unsigned int i;
	int ret = mmt_index_init(&log->index, log->types.nr);

	for (i = 0; i < log->types.nr; i++)
		s->wanted[i] = log->types.schema[i]->kind == MMT_LOSS;
	if (!ret)
		ret = run_new(&s->run);
	s->dec.types = &log->types;
	return ret;
}

int mmt_scan(struct mmt *log, struct errbuf *err)
{
	struct scan s = {.log = log};
	int ret = scan_blocks(&s, err);

	if (!ret)
		ret = mmt_read_description(log, err);
	if (!ret && !log->types.nr)
		ret = errbuf_set(err, -EBADMSG,
				 "%s: ends before its event types, at offset "
				 "%" PRIu64,
				 log->path, log->size);
	if (!ret)
		ret = prepare_counting(&s);
	if (!ret)
		ret = count_all(&s, err);
	if (ret == -ENOMEM)
		errbuf_set(err, ret, "%s: out of memory", log->path);
	events_dec_free(&s.dec);
	run_free(s.run);
	buf_free(&s.payload);
	return ret;
}
