/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader.h - one thread that empties the buffer of one CPU into the log */
#ifndef CAPTURE_READER_H
#define CAPTURE_READER_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "capture/session.h"
#include "formats/mmt.h"
#include "formats/subbuf.h"
#include "formats/tracefmt.h"

#define OWN_PIDS 4096 /* bits of the first look */

/*
 * Our own threads.  bits says fast that a pid is none of them; the list is
 * only walked if it may be one.  Written while a reader starts, read by all.
 */
struct own_pids {
	_Atomic uint64_t bits[OWN_PIDS / 64];
	_Atomic int pid[OWN_PIDS];
	_Atomic unsigned int nr;
};

void own_pids_add(struct own_pids *own, int pid);

static inline bool own_pids_have(struct own_pids *own, int pid)
{
	unsigned int bit = (unsigned int)pid % OWN_PIDS, i, nr;

	if (likely(!(atomic_load_explicit(&own->bits[bit / 64],
					  memory_order_relaxed) >>
			     bit % 64 &
		     1)))
		return false;
	nr = atomic_load(&own->nr);
	for (i = 0; i < nr; i++)
		if (atomic_load_explicit(&own->pid[i], memory_order_relaxed) ==
		    pid)
			return true;
	return false;
}

/* What all readers share. */
struct reader_config {
	const struct session *session;
	const struct tracefmt *fmt;
	struct mmt_writer *writer;
	struct subbuf_layout layout;
	uint64_t max_bytes; /* stop at this size of the log; 0: never */
	uint64_t out_dev;   /* the log itself, as events name it */
	uint64_t out_ino;   /* 0: unknown */
	struct own_pids *own;
	int stop_fd;        /* readable: drain, then end */
	int note_fd;        /* an eventfd for the main thread */
	_Atomic bool *full; /* set once max_bytes is reached */
};

struct reader {
	const struct reader_config *config;
	struct mmt_track *track;
	uint8_t *page;
	pthread_t thread;
	unsigned int cpu;
	int fd;            /* trace_pipe_raw */
	_Atomic int error; /* negative errno; 0 while all is well */
	bool estimated;    /* a gap's size came from stats, see gap_size() */
	bool pending;      /* events since the last flush */
	uint64_t flushed_ms;
	uint64_t last_ns;  /* time of the newest event */
	uint64_t nr_read;  /* records in the buffer, ours included */
	uint64_t nr_lost;  /* written to the log as lost */
	uint64_t nr_own;   /* left out because they are ours */
	uint64_t nr_alien; /* of no known type, or damaged */
	uint64_t longest_gap_ns;
	uint64_t *hits; /* by type of the log */
};

/* Opens the buffer of a CPU.  -ENODEV: it has none now (offline). */
int reader_open(struct reader **rp, const struct reader_config *config,
		unsigned int cpu);
int reader_start(struct reader *r);
/* Waits for the end of the thread; after it, counts the loss exactly. */
void reader_join(struct reader *r);
/* Closes the buffer; the track belongs to the writer. */
void reader_free(struct reader *r);

#endif
