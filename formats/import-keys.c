/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-keys.c - streams of keys: 64-bit numbers, libCacheSim's records */

/*
 * keys64 is one little-endian 64-bit key an access.  oracleGeneral is what
 * libCacheSim writes: packed records of 24 bytes, little-endian,
 *
 *	u32 time, u64 object, u32 size, i64 next access
 *
 * of which only the object says what was accessed.  Keys are numbered in order
 * of appearance; the time is the place in the stream.  The table of keys is
 * far larger than any cache, so keys are looked up in groups, whose slots are
 * fetched ahead; a second thread writes what the first one has numbered.
 */
#include "config.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "formats/import-frame.h"

#define GROUP      64
#define BATCH      16384
#define BATCHES    4
#define BITS_MIN   12
#define BITS_MAX   40
#define LARGE_PAGE (2U << 20)

/* Open hashing; nr is the key's number and one more, 0 is free. */
struct slot {
	uint64_t key, nr;
};

struct keys {
	struct slot *slot;
	unsigned int bits; /* 1 << bits slots */
	uint64_t nr;
};

/* Large pages: nearly every look-up of a key misses the TLB otherwise. */
static struct slot *slots_new(unsigned int bits)
{
	size_t size = sizeof(struct slot) << bits;
	struct slot *slot = aligned_alloc(MIN(size, (size_t)LARGE_PAGE), size);

	if (!slot)
		return NULL;
	madvise(slot, size, MADV_HUGEPAGE);
	memset(slot, 0, size);
	return slot;
}

/* The upper bits of a hash are the place, so that growing keeps the order. */
static inline uint64_t slot_of(const struct keys *k, uint64_t hash)
{
	return hash >> (64 - k->bits);
}

static int keys_grow(struct keys *k)
{
	struct keys grown = {.bits = k->slot ? k->bits + 1 : BITS_MIN};
	uint64_t i, at, mask = (1ULL << grown.bits) - 1;

	if (grown.bits > BITS_MAX)
		return -ENOMEM;
	grown.slot = slots_new(grown.bits);
	if (!grown.slot)
		return -ENOMEM;
	for (i = 0; k->slot && i < 1ULL << k->bits; i++) {
		if (!k->slot[i].nr)
			continue;
		at = slot_of(&grown, hash_u64(k->slot[i].key));
		while (grown.slot[at].nr)
			at = (at + 1) & mask;
		grown.slot[at] = k->slot[i];
	}
	free(k->slot);
	k->slot = grown.slot;
	k->bits = grown.bits;
	return 0;
}

static inline uint64_t key_number(struct keys *k, uint64_t key, uint64_t at)
{
	struct slot *slot = &k->slot[at];

	while (slot->nr && slot->key != key) {
		at = (at + 1) & ((1ULL << k->bits) - 1);
		slot = &k->slot[at];
	}
	if (!slot->nr) {
		slot->key = key;
		slot->nr = ++k->nr;
	}
	return slot->nr - 1;
}

/* ---------------------------------------------------------------- stream */

/* Numbers on their way from one thread to the other. */
struct batch {
	uint64_t index[BATCH];
	unsigned int nr;
};

struct key_stream {
	struct import *im;
	struct mmt_track *track; /* the writing thread's */
	struct keys keys;
	unsigned int record_len, key_at;
	uint16_t type;
	uint64_t nr; /* accesses written */

	struct batch *batch; /* BATCHES, used in turn */
	struct batch *filling;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t moved;
	uint64_t nr_filled, nr_written; /* batches */
	bool end;
	int error; /* of the writing thread */
};

static int put_access(struct key_stream *s, uint64_t index)
{
	uint64_t *vals;
	struct mmt_event *ev = mmt_track_slot(s->track, &vals);

	if (!ev)
		return mmt_track_error(s->track);
	ev->time_ns = s->nr++;
	ev->pid = 0;
	ev->type = s->type;
	ev->kind = MMT_ACCESS;
	ev->flags = 0;
	ev->preempt = 0;
	ev->nr = 4;
	vals[0] = 0;
	vals[1] = 0;
	vals[2] = index;
	vals[3] = 1;
	mmt_track_commit(s->track);
	return 0;
}

/* The batch to write next, NULL at the end. */
static const struct batch *batch_take(struct key_stream *s)
{
	const struct batch *b = NULL;

	pthread_mutex_lock(&s->lock);
	while (s->nr_written == s->nr_filled && !s->end)
		pthread_cond_wait(&s->moved, &s->lock);
	if (s->nr_written != s->nr_filled)
		b = &s->batch[s->nr_written % BATCHES];
	pthread_mutex_unlock(&s->lock);
	return b;
}

static void *write_batches(void *arg)
{
	struct key_stream *s = arg;
	const struct batch *b;
	unsigned int i;
	int ret = 0;

	while ((b = batch_take(s))) {
		for (i = 0; !ret && i < b->nr; i++)
			ret = put_access(s, b->index[i]);
		pthread_mutex_lock(&s->lock);
		s->nr_written++;
		s->error = ret;
		pthread_cond_signal(&s->moved);
		pthread_mutex_unlock(&s->lock);
	}
	return NULL;
}

/* Hands over the full batch and waits for an empty one. */
static int batch_give(struct key_stream *s)
{
	int ret;

	pthread_mutex_lock(&s->lock);
	s->nr_filled++;
	pthread_cond_signal(&s->moved);
	while (s->nr_filled - s->nr_written == BATCHES)
		pthread_cond_wait(&s->moved, &s->lock);
	ret = s->error;
	pthread_mutex_unlock(&s->lock);
	s->filling = &s->batch[s->nr_filled % BATCHES];
	s->filling->nr = 0;
	return ret;
}

static int put_group(struct key_stream *s, const uint8_t *p, unsigned int nr)
{
	struct batch *b = s->filling;
	struct keys *k = &s->keys;
	uint64_t at[GROUP];
	unsigned int i;

	p += s->key_at;
	if ((!k->slot || (k->nr + nr) * 2 > 1ULL << k->bits) && keys_grow(k))
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		at[i] = slot_of(k, hash_u64(get_le64(p + i * s->record_len)));
		__builtin_prefetch(&k->slot[at[i]], 1);
	}
	for (i = 0; i < nr; i++)
		b->index[b->nr++] =
			key_number(k, get_le64(p + i * s->record_len), at[i]);
	return b->nr > BATCH - GROUP ? batch_give(s) : 0;
}

static int put_file(struct key_stream *s, const char *path)
{
	char name[IMPORT_NAME_MAX];
	struct import_map map;
	int ret = import_map(&map, path, s->im->err);
	size_t at, whole;

	if (ret)
		return ret;
	whole = map.len - map.len % s->record_len;
	for (at = 0; !ret && at < whole; at += (size_t)GROUP * s->record_len)
		ret = put_group(s, map.p + at,
				(unsigned int)MIN((whole - at) / s->record_len,
						  (size_t)GROUP));
	if (ret)
		errbuf_set(s->im->err, ret, "%s: %s", import_name(name, path),
			   strerror(-ret));
	else if (whole != map.len)
		ret = import_damage(
			s->im,
			"%s: offset %zu: %zu bytes of %u are left: the last record is cut",
			import_name(name, path), whole, map.len - whole,
			s->record_len);
	import_unmap(&map);
	return ret;
}

static int start_log(struct key_stream *s)
{
	static const struct mmt_schema schema = {
		.system = "keys",
		.name = "access",
		.kind = MMT_ACCESS,
		.nr_fields = 4,
		.field =
			{
				{"dev", MMT_UNSIGNED, MMT_DEV, 8},
				{"ino", MMT_UNSIGNED, MMT_INO, 8},
				{"index", MMT_UNSIGNED, MMT_INDEX, 8},
				{"nr_pages", MMT_UNSIGNED, MMT_NR, 8},
			},
	};
	int ret = mmt_writer_schema(s->im->writer, &schema);

	if (ret < 0)
		return ret;
	s->type = (uint16_t)ret;
	ret = import_put_order(s->im);
	if (!ret)
		ret = import_put_page_size(s->im, 0);
	if (!ret)
		ret = mmt_writer_start(s->im->writer);
	if (ret)
		return ret;
	s->track = import_track(s->im, 0);
	return s->track ? 0 : -ENOMEM;
}

static int end_log(struct key_stream *s)
{
	int ret = mmt_track_error(s->track);

	if (!ret && !s->nr)
		return errbuf_set(s->im->err, -ENODATA,
				  "%s: cut at offset 0: no whole record of %u "
				  "bytes",
				  s->im->paths[0], s->record_len);
	if (!ret)
		ret = import_count(s->im, "keys", "access", true, s->nr);
	if (!ret)
		ret = import_note(
			s->im,
			"different keys, numbered in order of appearance: %" PRIu64
			"; the time is the place in the stream",
			s->keys.nr);
	if (!ret && s->key_at)
		ret = import_note(
			s->im,
			"times, sizes and next accesses of the records are left out");
	return ret;
}

/* Numbers all keys, while the other thread writes. */
static int put_files(struct key_stream *s)
{
	pthread_t writer;
	unsigned int i;
	int ret = -pthread_create(&writer, NULL, write_batches, s);

	if (ret)
		return errbuf_set(s->im->err, ret, "thread: %s",
				  strerror(-ret));
	for (i = 0; !ret && i < s->im->nr_paths; i++)
		ret = put_file(s, s->im->paths[i]);
	if (!ret)
		ret = batch_give(s);
	pthread_mutex_lock(&s->lock);
	s->end = true;
	pthread_cond_signal(&s->moved);
	pthread_mutex_unlock(&s->lock);
	pthread_join(writer, NULL);
	if (s->error)
		ret = errbuf_set(s->im->err, s->error, "%s",
				 strerror(-s->error));
	return ret;
}

static int stream_run(struct import *im, unsigned int record_len,
		      unsigned int key_at)
{
	struct key_stream s = {
		.im = im,
		.record_len = record_len,
		.key_at = key_at,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.moved = PTHREAD_COND_INITIALIZER,
	};
	int ret = start_log(&s);

	s.batch = malloc(BATCHES * sizeof(*s.batch));
	if (!ret && !s.batch)
		ret = -ENOMEM;
	if (ret) {
		errbuf_set(im->err, ret, "%s: %s", im->paths[0],
			   strerror(-ret));
		goto out;
	}
	s.filling = s.batch;
	s.filling->nr = 0;
	ret = put_files(&s);
	if (!ret)
		ret = end_log(&s);
out:
	free(s.keys.slot);
	free(s.batch);
	return ret;
}

/* ----------------------------------------------------------------- kinds */

static bool ends_with(const char *path, const char *end)
{
	size_t len = strlen(path), n = strlen(end);

	return len >= n && !strcmp(path + len - n, end);
}

/* Any bytes are keys: only a name can tell. */
static bool keys64_detect(const uint8_t *head, size_t len, const char *path)
{
	(void)head;
	(void)len;
	return ends_with(path, ".u64") || ends_with(path, ".keys64");
}

static bool oracle_detect(const uint8_t *head, size_t len, const char *path)
{
	(void)head;
	(void)len;
	return ends_with(path, ".oracleGeneral") ||
	       ends_with(path, ".oracleGeneral.bin");
}

static int keys64_run(struct import *im)
{
	return stream_run(im, 8, 0);
}

static int oracle_run(struct import *im)
{
	return stream_run(im, 24, 4);
}

const struct importer import_keys64 = {
	.name = "keys64",
	.what = "little-endian 64-bit keys, one an access (.u64, .keys64)",
	.detect = keys64_detect,
	.run = keys64_run,
};

const struct importer import_oracle_general = {
	.name = "oracleGeneral",
	.what = "libCacheSim's records of 24 bytes (.oracleGeneral)",
	.detect = oracle_detect,
	.run = oracle_run,
};
