/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmt.h - the binary log: writing it, and reading it back; see mmt(5) */
#ifndef FORMATS_MMT_H
#define FORMATS_MMT_H

#include "formats/event.h"

/*
 * Facts about the recording are pairs of text.  Keys in use:
 *
 *   program.version   kernel.release  kernel.version  kernel.machine
 *   page.size         clock           clock.offset_ns (wall = clock + this)
 *   boot.id           cpus            command         note
 *   level             lru_gen.enabled hypervisor      memory.max (bytes, of
 *   the -G cgroup)    cgroup          swap            capture.missing
 *   memory.limit.file (its name, where it is not memory.max)
 *   cpu.model         memory.total    (bytes of RAM)
 *   stop.reason       stop.status     (end of the recording)
 *   import.program    import.kind     import.notes    import.damage
 *   (of a log that was imported: by what, what it was, lines of what had to be
 *   assumed and of what was missing in it)
 *   probe.SYSTEM:NAME (the definition of that event's probe)
 *   kernel.addresses (yes: numbers of probes may be some)
 */

/* ---------------------------------------------------------------- writing */

struct mmt_writer;
struct mmt_track;

#define MMT_OVERWRITE 1U /* replace an existing file */
#define MMT_DIRECT    2U /* O_DIRECT if the file system has it */
#define MMT_WHOLE     4U /* the whole log or no file at all */

/*
 * Creates the file: O_EXCL|O_NOFOLLOW, mode 0600, given to SUDO_UID.
 * Nothing is written before mmt_writer_start().  -EEXIST if it is there.
 */
int mmt_writer_create(struct mmt_writer **wp, const char *path,
		      unsigned int flags, struct errbuf *err);

/* The same for a file without a name: see sink_create_fd(). */
int mmt_writer_create_fd(struct mmt_writer **wp, int fd);

/* zstd level of event blocks, default 1.  Call before mmt_writer_start(). */
void mmt_writer_level(struct mmt_writer *w, int level);

/* A pair of text for the header; after mmt_writer_start(), for the end. */
int mmt_writer_meta(struct mmt_writer *w, const char *key, const char *value);

/* Returns the type number of the schema, or a negative errno. */
int mmt_writer_schema(struct mmt_writer *w, const struct mmt_schema *schema);

/* Writes header and schemas: from here on the file is a log. */
int mmt_writer_start(struct mmt_writer *w);

/*
 * The stream of one CPU.  Tracks of one writer may be used by different
 * threads at a time, each track by one.  Freed by mmt_writer_finish().
 */
int mmt_track_open(struct mmt_track **tp, struct mmt_writer *w,
		   unsigned int cpu);

/*
 * One stream of the events of all CPUs, in the order of mmt_stream_next(),
 * coded smaller and slower.  The log's only track; before mmt_writer_start().
 */
int mmt_track_open_merged(struct mmt_track **tp, struct mmt_writer *w);

/*
 * The next event is filled in place: *vals has room for MMT_MAX_FIELDS
 * values.  String values point to bytes that stay put until
 * mmt_track_commit() returns.  NULL if a block could not be written:
 * mmt_track_error().
 */
struct mmt_event *mmt_track_slot(struct mmt_track *t, uint64_t **vals);
void mmt_track_commit(struct mmt_track *t);
/* Copies a finished event; for callers that have one. */
int mmt_track_append(struct mmt_track *t, const struct mmt_event *ev);
int mmt_track_loss(struct mmt_track *t, uint64_t time_ns, uint64_t nr_lost);
/* Ends the current block, so that a killed recorder does not lose it. */
int mmt_track_flush(struct mmt_track *t);
int mmt_track_error(const struct mmt_track *t);
/*
 * Events and lost records (those counted) so far; gaps of unknown size.  After
 * an error the events that did not reach the file are among the lost ones.
 */
void mmt_track_counts(const struct mmt_track *t, uint64_t *nr_events,
		      uint64_t *nr_lost, uint64_t *nr_gaps_uncounted);

/* A dictionary entry or a snapshot: named text, any number, any time. */
int mmt_writer_text(struct mmt_writer *w, const char *name, uint64_t time_ns,
		    const void *text, size_t len);

uint64_t mmt_writer_bytes(const struct mmt_writer *w);
/* 0, or why a block could not be written: then no other is. */
int mmt_writer_error(const struct mmt_writer *w);

/*
 * Flushes all tracks, writes end and index, syncs, frees.  If ret < 0 the log
 * is closed as it is, without an end, or, with MMT_WHOLE, is gone.  Returns 0
 * or the first error.
 */
int mmt_writer_finish(struct mmt_writer *w, int ret, struct errbuf *err);

/* ---------------------------------------------------------------- reading */

struct mmt;

#define MMT_SALVAGE 1U /* use what is whole of a damaged log */

/*
 * Opens a log; "-" is standard input.  Damage (a cut, a checksum, an
 * impossible number) is an error -EBADMSG that names file and offset, unless
 * MMT_SALVAGE; a foreign file -EINVAL; a newer version -EPROTO.
 */
int mmt_open(struct mmt **logp, const char *path, unsigned int flags,
	     struct errbuf *err);
/* The same for an open file, owned by the log; name is for messages. */
int mmt_open_fd(struct mmt **logp, int fd, const char *name, unsigned int flags,
		struct errbuf *err);
void mmt_close(struct mmt *log);

const char *mmt_path(const struct mmt *log);
/* NULL if the log does not say. */
const char *mmt_meta(const struct mmt *log, const char *key);
/* Walks all pairs: start with *i = 0; false at the end. */
bool mmt_meta_next(const struct mmt *log, unsigned int *i, const char **key,
		   const char **value);
unsigned int mmt_nr_types(const struct mmt *log);
const struct mmt_schema *mmt_schema(const struct mmt *log, unsigned int type);
/* Has the log a type of this kind?  (It may have no events of it.) */
bool mmt_has_kind(const struct mmt *log, enum mmt_kind kind);

struct mmt_counts {
	uint64_t nr_events;         /* without MMT_LOSS */
	uint64_t nr_lost;           /* counted lost records */
	uint64_t nr_gaps_uncounted; /* gaps the kernel did not count */
	uint64_t first_ns, last_ns; /* of events; 0, 0 if there are none */
	uint64_t nr_bytes;          /* of the file */
	uint64_t nr_blocks;
	unsigned int nr_cpus; /* that have blocks */
	bool complete;        /* the recording was ended and closed in order */
	bool damaged;         /* salvaged: something is missing */
	bool cut_before;      /* imported: its source was damaged */
	char damage[256];     /* what, and at which offset */
};

const struct mmt_counts *mmt_counts(const struct mmt *log);
/*
 * All damage that was salvaged so far, in the order found: start with *pos = 0;
 * NULL at the end.
 */
const char *mmt_damage_next(const struct mmt *log, size_t *pos);
/* Events per type, nr_types entries. */
const uint64_t *mmt_type_counts(const struct mmt *log);

/* Named texts (snapshots, dictionaries) in file order; NULL at the end. */
struct mmt_text {
	const char *name;
	uint64_t time_ns;
	const char *text; /* NUL behind it */
	size_t len;
};
int mmt_text_next(struct mmt *log, unsigned int *i, struct mmt_text *text,
		  struct errbuf *err);

/* Verifies every checksum and decodes every event.  0, or the first error. */
int mmt_verify(struct mmt *log, struct errbuf *err);

#endif
