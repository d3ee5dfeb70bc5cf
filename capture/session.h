/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.h - our tracing instance: all that we change, and its undoing */
#ifndef CAPTURE_SESSION_H
#define CAPTURE_SESSION_H

#include <time.h>

#include "capture/host.h"
#include "capture/plan.h"

#define SESSION_PREFIX "mmcap-"

struct session_options {
	unsigned int buffer_kib; /* per CPU */
	const char *clock;
	const char *cpumask; /* as tracing_cpumask wants it; NULL: all CPUs */
};

/*
 * The machine is changed in one place only, an instance named after our pid;
 * its removal takes buffers, events, filters and clock with it.
 */
struct session {
	const struct host *host;
	char dir[PATH_MAX];
	int lock_fd; /* held while the recorder lives: see cleanup */
	size_t subbuf_size;
	clockid_t clock_id; /* -1: a clock that user space cannot read */
};

/* Chooses a free name; changes nothing.  0 or -errno. */
int session_prepare(struct session *s, const struct host *h);

/* An existing instance by its name, for session_undo().  0 or -errno. */
int session_named(struct session *s, const struct host *h, const char *name);

/* Creates the instance, with recording switched off.  On error it is gone. */
int session_create(struct session *s, const struct session_options *opts,
		   struct errbuf *err);
/* Sets the filters of the plan, then switches its events on. */
int session_enable(struct session *s, struct plan *plan, struct errbuf *err);
/* One event, on or off. */
int session_switch(const struct session *s, const char *system,
		   const char *event, bool on);
/* Drops all that is in the buffers, and their counters. */
void session_clear(const struct session *s);
/* Recording as a whole: on, off at once. */
int session_start(struct session *s);
void session_stop(struct session *s);
/*
 * Before the end: has somebody else switched off recording or one of our
 * events?  Names the first that is off, or returns false.
 */
bool session_meddled(const struct session *s, const struct plan *plan,
		     char *what, size_t size);

/* Now, in the clock of the events. */
uint64_t session_now(const struct session *s);

/* Counters of per_cpu/cpuN/stats; -1 in cpu fields that do not exist. */
struct session_stats {
	uint64_t entries, overrun, commit_overrun, dropped, read;
};
int session_stats(const struct session *s, unsigned int cpu,
		  struct session_stats *st);

/*
 * Undoes all that was changed, from whatever state, in recorder, supervisor
 * and cleanup alike.  0 if nothing is left.
 */
int session_undo(struct session *s);

/* Is this instance one of ours whose recorder is dead?  (cleanup, doctor) */
bool session_is_ours(const char *name, int *pid);
bool session_is_dead(const struct host *h, const char *name);

#endif
