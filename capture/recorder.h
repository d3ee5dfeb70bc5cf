/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorder.h - one recording, from the first check to the last undo */
#ifndef CAPTURE_RECORDER_H
#define CAPTURE_RECORDER_H

#include "capture/cgroup-watch.h"
#include "capture/command.h"
#include "capture/readers.h"
#include "capture/record-options.h"
#include "capture/snapshot.h"
#include "capture/supervisor.h"

struct recorder {
	const struct record_options *opts;
	struct host host;
	struct plan plan;
	struct session session;
	struct session_options session_options;
	struct supervisor supervisor;
	struct command command;
	struct readers readers;
	struct tracefmt *fmt;
	struct subbuf_layout layout;
	struct mmt_writer *writer;
	struct buf cpumask;
	struct cgroup_watch cgroup; /* of the command, else ours */
	struct snapshot snapshot;
	uint64_t snapshot_ns; /* CLOCK_MONOTONIC of the last one */
	sigset_t old_mask;
	int signal_fd;

	/* how it went, for the closing lines */
	const char *stop_reason;
	char meddled[160]; /* what somebody else switched off; "" */
	struct buf never;  /* required events without a hit */
	struct readers_totals totals;
	uint64_t start_ns, elapsed_ns, scanned_ns; /* CLOCK_MONOTONIC */
	uint64_t log_bytes;
	int write_error; /* negative errno: the log ends early */
	int undo_error;
};

/*
 * Checks everything that can be checked, without changing anything.  0, a
 * negative errno, or COMMAND_NOT_* if it is the command that cannot be run.
 */
int recorder_prepare(struct recorder *r, const struct record_options *opts,
		     struct errbuf *err);
/*
 * Changes the machine, creates the log, records, lets the command run.  On
 * error everything is undone and no log is left.  As recorder_prepare().
 */
int recorder_start(struct recorder *r, struct errbuf *err);
/* Sleeps until something ends the recording; sets stop_reason. */
void recorder_wait(struct recorder *r);
/*
 * Stops, drains, closes the log, undoes.  0, or what kept the log from being
 * whole: what was written until then is kept.
 */
int recorder_stop(struct recorder *r, struct errbuf *err);
/* Waits for a command that outlives the recording, passing signals on. */
void recorder_wait_command(struct recorder *r);
void recorder_free(struct recorder *r);

#endif
