/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmt-write.c - writes a log: header first, blocks, index at the end */

/*
 * A track collects the events of one CPU in a run; full runs are coded into
 * the track's block; a full block is checksummed and appended to the file
 * under the writer's lock.  Everything before that lock is private to the
 * track, so that a thread per CPU never waits for another but to write.
 */

#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/merge-model.h"
#include "formats/mmt-index.h"
#include "formats/mmt.h"
#include "formats/sink.h"

struct mmt_track {
	struct mmt_writer *w;
	struct mmt_track *next;
	struct block_enc *enc;
	struct merge_enc *merge; /* instead of enc: events of all CPUs */
	struct run *run;
	uint64_t seq;
	uint64_t nr_events, nr_lost, nr_gaps_uncounted;
	uint64_t nr_written; /* of nr_events, in blocks that are in the file */
	uint64_t last_ns;
	uint16_t cpu;
	int error;
};

struct mmt_writer {
	struct sink *sink;
	struct types types;
	bool has_strings[MMT_MAX_SCHEMAS];
	struct buf meta; /* pairs not yet written */
	struct mmt_index index;
	struct packer *packer;
	struct mmt_track *tracks;
	pthread_mutex_t lock; /* sink, index, meta, packer */
	int level;
	bool started;
	bool merged;
	int error;
};

static void writer_free(struct mmt_writer *w)
{
	types_free(&w->types);
	packer_free(w->packer);
	free(w);
}

/* A writer that has no sink yet; NULL without memory. */
static struct mmt_writer *writer_new(void)
{
	struct mmt_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->level = 1;
	if (mmt_writer_schema(w, &mmt_loss_schema) < 0 ||
	    packer_new(&w->packer, 3)) {
		writer_free(w);
		return NULL;
	}
	return w;
}

int mmt_writer_create(struct mmt_writer **wp, const char *path,
		      unsigned int flags, struct errbuf *err)
{
	unsigned int how = (flags & MMT_OVERWRITE ? SINK_REPLACE : 0) |
			   (flags & MMT_DIRECT ? SINK_DIRECT : 0) |
			   (flags & MMT_WHOLE ? SINK_WHOLE : 0);
	struct mmt_writer *w = writer_new();
	int ret;

	if (!w)
		return errbuf_set(err, -ENOMEM, "%s: out of memory", path);
	ret = sink_create(&w->sink, path, how, err);
	if (ret) {
		writer_free(w);
		return ret;
	}
	pthread_mutex_init(&w->lock, NULL);
	*wp = w;
	return 0;
}

int mmt_writer_create_fd(struct mmt_writer **wp, int fd)
{
	struct mmt_writer *w = writer_new();

	if (!w) {
		close(fd);
		return -ENOMEM;
	}
	if (sink_create_fd(&w->sink, fd)) {
		writer_free(w);
		return -ENOMEM;
	}
	pthread_mutex_init(&w->lock, NULL);
	*wp = w;
	return 0;
}

void mmt_writer_level(struct mmt_writer *w, int level)
{
	w->level = level;
}

int mmt_writer_meta(struct mmt_writer *w, const char *key, const char *value)
{
	int ret;

	pthread_mutex_lock(&w->lock);
	ret = buf_append(&w->meta, key, strlen(key) + 1);
	if (!ret)
		ret = buf_append(&w->meta, value, strlen(value) + 1);
	pthread_mutex_unlock(&w->lock);
	return ret;
}

int mmt_writer_schema(struct mmt_writer *w, const struct mmt_schema *schema)
{
	unsigned int i;
	int type;

	if (w->started)
		return -EBUSY;
	type = types_add(&w->types, schema);
	for (i = 0; type >= 0 && i < schema->nr_fields; i++)
		if (schema->field[i].type == MMT_STRING)
			w->has_strings[type] = true;
	return type;
}

/* Appends a block; the lock is held. */
static int put_block(struct mmt_writer *w, struct block_header *h,
		     const void *payload, size_t len)
{
	uint8_t head[BLOCK_HEADER_LEN];
	uint64_t at = sink_bytes(w->sink);
	int ret = w->error;

	if (ret)
		return ret;
	if (len > BLOCK_MAX_PAYLOAD)
		return -EFBIG;
	h->len = (uint32_t)len;
	block_header_put(head, h, payload);
	ret = sink_write(w->sink, head, sizeof(head), payload, len);
	if (!ret)
		ret = mmt_index_add(&w->index, h, at);
	w->error = ret;
	return ret;
}

/* A block of packed bytes behind a length: meta, schemas, index. */
static int put_packed(struct mmt_writer *w, enum block_kind kind,
		      const struct buf *raw)
{
	struct block_header h = {.kind = (uint16_t)kind};
	struct buf payload = {0};
	int ret = mmt_pack_bytes(w->packer, &payload, raw->p, raw->len);

	if (!ret)
		ret = put_block(w, &h, payload.p, payload.len);
	buf_free(&payload);
	return ret;
}

static int put_meta(struct mmt_writer *w)
{
	int ret = 0;

	if (w->meta.len)
		ret = put_packed(w, BLOCK_META, &w->meta);
	w->meta.len = 0;
	return ret;
}

static int put_schemas(struct mmt_writer *w)
{
	struct buf raw = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < w->types.nr; i++)
		ret = mmt_schema_put(&raw, w->types.schema[i]);
	if (!ret)
		ret = put_packed(w, BLOCK_SCHEMA, &raw);
	buf_free(&raw);
	return ret;
}

int mmt_writer_start(struct mmt_writer *w)
{
	uint8_t head[MMT_HEADER_LEN] = MMT_MAGIC;
	int ret;

	put_le16(head + 8, w->merged ? MMT_VERSION_MERGED : MMT_VERSION);
	pthread_mutex_lock(&w->lock);
	ret = sink_write(w->sink, head, sizeof(head), NULL, 0);
	w->error = ret;
	if (!ret)
		ret = mmt_index_init(&w->index, w->types.nr);
	if (!ret)
		ret = put_meta(w);
	if (!ret)
		ret = put_schemas(w);
	w->started = true;
	pthread_mutex_unlock(&w->lock);
	return ret;
}

/* ---------------------------------------------------------------- tracks */

static void track_free(struct mmt_track *t)
{
	block_enc_free(t->enc);
	merge_enc_free(t->merge);
	run_free(t->run);
	free(t);
}

static int track_open(struct mmt_track **tp, struct mmt_writer *w,
		      unsigned int cpu, bool merged)
{
	struct mmt_track *t;
	int ret;

	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->w = w;
	t->cpu = (uint16_t)cpu;
	if (merged)
		ret = merge_enc_new(&t->merge, &w->types, w->level);
	else
		ret = block_enc_new(&t->enc, &w->types, w->level);
	if (!ret)
		ret = run_new(&t->run);
	if (ret) {
		track_free(t);
		return ret;
	}
	pthread_mutex_lock(&w->lock);
	t->next = w->tracks;
	w->tracks = t;
	pthread_mutex_unlock(&w->lock);
	*tp = t;
	return 0;
}

int mmt_track_open(struct mmt_track **tp, struct mmt_writer *w,
		   unsigned int cpu)
{
	return cpu > UINT16_MAX ? -ERANGE : track_open(tp, w, cpu, false);
}

int mmt_track_open_merged(struct mmt_track **tp, struct mmt_writer *w)
{
	if (w->started || w->tracks)
		return -EBUSY;
	w->merged = true;
	return track_open(tp, w, 0, true);
}

/* What the index says of the block's events. */
static int count_block(struct mmt_writer *w, const struct block_header *h,
		       const struct buf *payload)
{
	int ret = block_type_counts(payload->p, payload->len,
				    w->index.type_counts, w->types.nr);

	if (!ret && h->kind == BLOCK_MERGED)
		ret = merge_cpu_counts(payload->p, payload->len, w->types.nr,
				       &w->index.cpus);
	return ret;
}

static int write_block(struct mmt_track *t)
{
	struct mmt_writer *w = t->w;
	const struct buf *payload;
	struct block_header h;
	int ret;

	if (!(t->merge ? merge_enc_events(t->merge) : block_enc_events(t->enc)))
		return 0;
	ret = t->merge ? merge_enc_finish(t->merge, &h, &payload)
		       : block_enc_finish(t->enc, &h, &payload);
	if (ret)
		return ret;
	h.cpu = t->cpu;
	h.seq = t->seq++;
	pthread_mutex_lock(&w->lock);
	ret = put_block(w, &h, payload->p, payload->len);
	if (!ret)
		ret = count_block(w, &h, payload);
	pthread_mutex_unlock(&w->lock);
	/* the run was coded before: nothing else is under way */
	if (!ret)
		t->nr_written = t->nr_events;
	return ret;
}

static int encode_run(struct mmt_track *t)
{
	int ret = t->merge ? merge_enc_run(t->merge, t->run)
			   : block_enc_run(t->enc, t->run);
	bool full;

	run_clear(t->run);
	if (ret)
		return ret;
	full = t->merge ? !merge_enc_has_room(t->merge)
			: block_enc_events(t->enc) + RUN_EVENTS > BLOCK_EVENTS;
	return full ? write_block(t) : 0;
}

struct mmt_event *mmt_track_slot(struct mmt_track *t, uint64_t **vals)
{
	struct run *r = t->run;
	struct mmt_event *ev;

	if (unlikely(!run_has_room(r))) {
		int ret = encode_run(t);

		if (ret && !t->error)
			t->error = ret;
	}
	if (unlikely(t->error))
		return NULL;
	ev = &r->ev[r->nr];
	ev->v = *vals = r->vals + r->nr_vals;
	ev->cpu = t->cpu;
	return ev;
}

void mmt_track_commit(struct mmt_track *t)
{
	struct run *r = t->run;
	struct mmt_event *ev = &r->ev[r->nr];

	if (unlikely(t->w->has_strings[ev->type]) &&
	    run_keep_strings(r, t->w->types.schema[ev->type],
			     r->vals + r->nr_vals))
		t->error = -ENOMEM;
	t->last_ns = ev->time_ns;
	r->nr_vals += ev->nr;
	r->nr++;
	t->nr_events += ev->kind != MMT_LOSS;
}

static void count_loss(struct mmt_track *t, uint64_t nr_lost)
{
	if (nr_lost == MMT_LOST_UNKNOWN)
		t->nr_gaps_uncounted++;
	else
		t->nr_lost += nr_lost;
}

int mmt_track_append(struct mmt_track *t, const struct mmt_event *from)
{
	uint64_t *vals;
	struct mmt_event *ev = mmt_track_slot(t, &vals);

	if (!ev)
		return t->error;
	if (from->kind == MMT_LOSS)
		count_loss(t, from->v[LOSS_NR_LOST]);
	memcpy(vals, from->v, from->nr * sizeof(*vals));
	*ev = *from;
	ev->v = vals;
	if (!t->merge)
		ev->cpu = t->cpu;
	mmt_track_commit(t);
	return t->error;
}

int mmt_track_loss(struct mmt_track *t, uint64_t time_ns, uint64_t nr_lost)
{
	uint64_t vals[] = {
		[LOSS_NR_LOST] = nr_lost, [LOSS_SINCE_NS] = t->last_ns};
	struct mmt_event ev = {.time_ns = time_ns,
			       .v = vals,
			       .kind = MMT_LOSS,
			       .nr = ARRAY_SIZE(vals)};

	return mmt_track_append(t, &ev);
}

int mmt_track_flush(struct mmt_track *t)
{
	int ret = t->error;

	if (!ret && t->run->nr)
		ret = encode_run(t);
	if (!ret)
		ret = write_block(t);
	if (!t->error)
		t->error = ret;
	return ret;
}

int mmt_track_error(const struct mmt_track *t)
{
	return t->error;
}

void mmt_track_counts(const struct mmt_track *t, uint64_t *nr_events,
		      uint64_t *nr_lost, uint64_t *nr_gaps_uncounted)
{
	/* after an error, what is not in the file will never be */
	*nr_events = t->error ? t->nr_written : t->nr_events;
	*nr_lost = t->nr_lost + (t->nr_events - *nr_events);
	*nr_gaps_uncounted = t->nr_gaps_uncounted;
}

/* ------------------------------------------------------------- the rest */

int mmt_writer_text(struct mmt_writer *w, const char *name, uint64_t time_ns,
		    const void *text, size_t len)
{
	struct block_header h = {
		.kind = BLOCK_TEXT, .first_ns = time_ns, .last_ns = time_ns};
	struct buf payload = {0};
	int ret;

	pthread_mutex_lock(&w->lock);
	ret = buf_append(&payload, name, strlen(name) + 1);
	if (!ret)
		ret = mmt_pack_bytes(w->packer, &payload, text, len);
	if (!ret)
		ret = put_block(w, &h, payload.p, payload.len);
	pthread_mutex_unlock(&w->lock);
	buf_free(&payload);
	return ret;
}

uint64_t mmt_writer_bytes(const struct mmt_writer *w)
{
	return sink_bytes(w->sink);
}

int mmt_writer_error(const struct mmt_writer *w)
{
	return w->error;
}

static int put_end(struct mmt_writer *w)
{
	uint64_t at;
	struct buf raw = {0};
	uint8_t tail[MMT_TAIL_LEN];
	int ret = put_meta(w);

	if (!ret)
		ret = mmt_index_put(&raw, &w->index);
	at = sink_bytes(w->sink);
	if (!ret)
		ret = put_packed(w, BLOCK_INDEX, &raw);
	buf_free(&raw);
	put_le64(tail, at);
	memcpy(tail + 8, MMT_TAIL_MAGIC, 8);
	return ret ? ret : sink_write(w->sink, tail, sizeof(tail), NULL, 0);
}

int mmt_writer_finish(struct mmt_writer *w, int ret, struct errbuf *err)
{
	struct mmt_track *t, *next;
	int status;

	/* one after the other: a flush needs more memory than a track */
	for (t = w->tracks; t; t = next) {
		next = t->next;
		status = mmt_track_flush(t);
		if (status && !ret)
			ret = errbuf_set(err, status, "%s", strerror(-status));
		w->index.nr_lost += t->nr_lost;
		w->index.nr_gaps_uncounted += t->nr_gaps_uncounted;
		track_free(t);
	}
	if (!ret && w->started)
		ret = put_end(w);
	status = sink_close(w->sink, ret);
	if (!ret && status)
		ret = errbuf_set(err, status, "%s", strerror(-status));
	pthread_mutex_destroy(&w->lock);
	mmt_index_free(&w->index);
	types_free(&w->types);
	packer_free(w->packer);
	buf_free(&w->meta);
	free(w);
	return ret;
}
