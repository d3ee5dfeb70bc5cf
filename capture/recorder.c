/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorder.c - one recording, from the first check to the last undo */

/*
 * The order is what keeps the machine clean.  All checks come before the
 * first change.  The supervisor is forked before the instance exists, the
 * command before there are threads.  Events are enabled while recording is
 * off, and one write starts all of them.  The tasks are scanned after that,
 * and only then the command is let run.
 *
 * At the end recording is stopped in one write, too; then buffers are drained
 * to the last record, the kernel's counters say what was lost, and the
 * instance is removed.
 */

#include "config.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/calibrate.h"
#include "capture/output.h"
#include "capture/plan-probe.h"
#include "capture/recorder.h"
#include "capture/setup.h"

#define TICK_MS 1000

static uint64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* ----------------------------------------------------------------- start */

/* Signals come through a descriptor; a full pipe or disk is an errno. */
static int take_signals(struct recorder *r)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &mask, &r->old_mask))
		return -errno;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	r->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	return r->signal_fd < 0 ? -errno : 0;
}

/* Children first: they must not inherit what we are about to open. */
static int start_children(struct recorder *r, struct errbuf *err)
{
	int ret = take_signals(r);

	if (!ret)
		ret = session_prepare(&r->session, &r->host);
	if (!ret)
		ret = supervisor_start(&r->supervisor, &r->session);
	if (!ret && r->opts->command)
		ret = command_fork(&r->command, r->opts->command, &r->old_mask,
				   r->supervisor.fd);
	return ret ? errbuf_set(err, ret, "cannot start: %s", strerror(-ret))
		   : 0;
}

static int take_snapshot(struct recorder *r)
{
	r->snapshot_ns = monotonic_ns();
	r->snapshot = (struct snapshot){
		.host = &r->host,
		.session = &r->session,
		.writer = r->writer,
		.cgroup = r->opts->command ? &r->cgroup.best : NULL,
	};
	return snapshot_counters(&r->snapshot);
}

static int start_probes(struct recorder *r, struct errbuf *err)
{
	int ret = plan_probes_define(&r->plan, &r->session, r->fmt, err);

	if (ret || !tracefmt_has_folios(r->fmt))
		return ret;
	ret = calibrate(&r->session, r->fmt, &r->layout);
	return ret ? errbuf_set(err, ret, "calibration: %s", strerror(-ret))
		   : 0;
}

static int start_log(struct recorder *r, struct errbuf *err)
{
	unsigned int flags = MMT_DIRECT;
	const struct setup setup = {
		.host = &r->host,
		.session = &r->session,
		.options = &r->session_options,
		.plan = &r->plan,
		.argv = r->opts->argv,
		.note = r->opts->note,
	};
	int ret;

	if (r->opts->force)
		flags |= MMT_OVERWRITE;
	ret = mmt_writer_create(&r->writer, r->opts->output, flags, err);
	if (ret)
		return ret;
	ret = setup_write(&setup, r->writer);
	cgroup_watch_start(&r->cgroup, &r->host, r->command.pid);
	if (!ret)
		ret = setup_write_cgroup(&r->cgroup.best, r->writer);
	if (!ret)
		ret = plan_probes_declare(&r->plan, r->writer);
	if (!ret)
		ret = plan_declare(&r->plan, r->fmt, r->writer);
	if (!ret)
		ret = mmt_writer_start(r->writer);
	if (!ret)
		ret = take_snapshot(r);
	return ret ? errbuf_set(err, ret, "%s: %s", r->opts->output,
				strerror(-ret))
		   : 0;
}

static int start_readers(struct recorder *r, struct errbuf *err)
{
	struct reader_config *c = &r->readers.config;

	c->session = &r->session;
	c->fmt = r->fmt;
	c->writer = r->writer;
	c->layout = r->layout;
	c->max_bytes = r->opts->max_bytes;
	output_identity(r->opts->output, &c->out_dev, &c->out_ino);
	r->readers.cpus = r->opts->have_cpus ? &r->opts->cpus : NULL;
	own_pids_add(&r->readers.own, r->supervisor.pid);
	return readers_start(&r->readers, err);
}

static int start_recording(struct recorder *r, struct errbuf *err)
{
	int ret;

	r->start_ns = monotonic_ns();
	ret = session_start(&r->session);
	if (ret)
		return errbuf_set(err, ret, "%s/tracing_on: %s", r->session.dir,
				  strerror(-ret));
	ret = snapshot_tasks(&r->snapshot);
	if (ret)
		return errbuf_set(err, ret, "%s: %s", r->opts->output,
				  strerror(-ret));
	if (r->opts->command)
		ret = command_release(&r->command, r->opts->command[0], err);
	return ret;
}

/* Nothing was recorded: as if we had never been here. */
static void recorder_abort(struct recorder *r, int ret)
{
	if (r->session.dir[0])
		session_stop(&r->session);
	readers_stop(&r->readers);
	readers_free(&r->readers);
	if (r->writer) {
		mmt_writer_finish(r->writer, ret < 0 ? ret : -ECANCELED, NULL);
		unlink(r->opts->output);
		r->writer = NULL;
	}
	if (r->command.running)
		command_cancel(&r->command);
	r->undo_error = session_undo(&r->session);
	supervisor_end(&r->supervisor);
}

int recorder_start(struct recorder *r, struct errbuf *err)
{
	int ret = start_children(r, err);

	if (!ret)
		ret = session_create(&r->session, &r->session_options, err);
	if (!ret)
		ret = start_probes(r, err);
	if (!ret)
		ret = session_enable(&r->session, &r->plan, err);
	if (!ret)
		ret = start_log(r, err);
	if (!ret)
		ret = start_readers(r, err);
	if (!ret)
		ret = start_recording(r, err);
	if (ret)
		recorder_abort(r, ret);
	return ret;
}

/* ------------------------------------------------------------------ wait */

static const char *signal_reason(int sig)
{
	switch (sig) {
	case SIGINT:
		return "signal INT";
	case SIGTERM:
		return "signal TERM";
	default:
		return "signal HUP";
	}
}

/*
 * Passes a signal on to the command, unless the terminal has already sent it
 * to the whole foreground group.  Returns the signal, 0 if there is none.
 */
static int next_signal(struct recorder *r)
{
	struct signalfd_siginfo si;

	while (read(r->signal_fd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGCHLD)
			continue;
		if (r->command.running && si.ssi_code != SI_KERNEL)
			kill(r->command.pid, (int)si.ssi_signo);
		return (int)si.ssi_signo;
	}
	return 0;
}

/*
 * An eighth of the time that has gone by: so is the share of a run for which
 * its command may be in a cgroup without being seen there.
 */
static int tick_ms(uint64_t gone_ns)
{
	uint64_t ms = gone_ns / 8 / 1000000;

	return (int)MIN(MAX(ms, 1), TICK_MS);
}

/* Milliseconds until so long after then, at most this many. */
static int until_ms(uint64_t then_ns, uint64_t long_ns, int most)
{
	uint64_t gone = monotonic_ns() - then_ns, left;

	if (!long_ns)
		return most;
	if (gone >= long_ns)
		return 0;
	left = (long_ns - gone + 999999) / 1000000;
	return left < (uint64_t)most ? (int)left : most;
}

/* Milliseconds until there is something to do, at most a tick. */
static int until_next_ms(const struct recorder *r)
{
	int ms = r->command.running ? tick_ms(monotonic_ns() - r->start_ns)
				    : TICK_MS;

	ms = until_ms(r->start_ns, r->opts->duration_ns, ms);
	return until_ms(r->snapshot_ns, r->opts->snap_ns, ms);
}

/* --snap; what cannot be written ends the recording by itself. */
static void snap(struct recorder *r)
{
	if (r->opts->snap_ns &&
	    monotonic_ns() - r->snapshot_ns >= r->opts->snap_ns)
		(void)take_snapshot(r);
}

/* A CPU may have come online; one without a reader is no reason to stop. */
static void rescan(struct recorder *r)
{
	uint64_t now = monotonic_ns();

	if (now - r->scanned_ns < TICK_MS * 1000000ULL)
		return;
	r->scanned_ns = now;
	(void)readers_rescan(&r->readers);
}

static void forget_notes(const struct recorder *r)
{
	uint64_t n;

	if (read(r->readers.config.note_fd, &n, sizeof(n)) < 0)
		return;
}

/* What has happened, in order of weight; NULL: go on. */
static const char *recorder_event(struct recorder *r)
{
	int sig;

	forget_notes(r);
	r->write_error = readers_error(&r->readers);
	if (r->write_error)
		return "error";
	sig = next_signal(r);
	if (sig)
		return signal_reason(sig);
	if (r->opts->command && command_ended(&r->command, false))
		return "command ended";
	if (atomic_load(&r->readers.full))
		return "size";
	if (r->opts->duration_ns &&
	    monotonic_ns() - r->start_ns >= r->opts->duration_ns)
		return "time";
	return NULL;
}

void recorder_wait(struct recorder *r)
{
	struct pollfd fds[2] = {
		{.fd = r->signal_fd, .events = POLLIN},
		{.fd = r->readers.config.note_fd, .events = POLLIN},
	};

	for (;;) {
		/* before recorder_event() takes a dead command away */
		if (r->command.running)
			cgroup_watch_look(&r->cgroup);
		r->stop_reason = recorder_event(r);
		if (r->stop_reason)
			return;
		poll(fds, 2, until_next_ms(r));
		rescan(r);
		snap(r);
	}
}

/* ------------------------------------------------------------------ stop */

/* Only for sets that were asked for: "all" may well see nothing of a kind. */
static int count_hits(struct recorder *r)
{
	const struct plan_event *ev;
	unsigned int i;
	int ret = 0;

	for (i = 0; r->opts->nr_req && i < r->plan.nr && !ret; i++) {
		ev = &r->plan.event[i];
		if (ev->required && !readers_hits(&r->readers, ev->type))
			ret = buf_printf(&r->never, "%s%s:%s",
					 r->never.len ? ", " : "", ev->system,
					 ev->name);
	}
	return ret;
}

static int write_end(struct recorder *r)
{
	struct buf text = {0};
	char status[24];
	int ret;

	ret = take_snapshot(r);
	if (!ret)
		ret = readers_describe(&r->readers, &text);
	if (!ret)
		ret = mmt_writer_text(r->writer, "capture.stats",
				      session_now(&r->session), text.p,
				      text.len);
	if (!ret && r->cgroup.moved)
		ret = setup_write_cgroup(&r->cgroup.best, r->writer);
	if (!ret)
		ret = mmt_writer_meta(r->writer, "stop.reason", r->stop_reason);
	if (!ret && r->meddled[0])
		ret = mmt_writer_meta(r->writer, "capture.switched_off",
				      r->meddled);
	if (!ret && r->never.len)
		ret = mmt_writer_meta(r->writer, "capture.never",
				      (char *)r->never.p);
	if (!ret && r->opts->command && !r->command.running) {
		snprintf(status, sizeof(status), "%d",
			 command_exit_status(&r->command));
		ret = mmt_writer_meta(r->writer, "stop.status", status);
	}
	buf_free(&text);
	return ret;
}

int recorder_stop(struct recorder *r, struct errbuf *err)
{
	struct stat st;
	int ret;

	r->elapsed_ns = monotonic_ns() - r->start_ns;
	err->text[0] = '\0';
	if (!session_meddled(&r->session, &r->plan, r->meddled,
			     sizeof(r->meddled)))
		r->meddled[0] = '\0';
	session_stop(&r->session);
	ret = readers_stop(&r->readers);
	readers_totals(&r->readers, &r->totals);
	if (!ret)
		ret = count_hits(r);
	if (!ret)
		ret = write_end(r);
	r->log_bytes = mmt_writer_bytes(r->writer);
	ret = mmt_writer_finish(r->writer, ret, err);
	r->writer = NULL;
	r->write_error = ret;
	if (ret)
		errbuf_set(err, ret,
			   "%s: writing stopped at %" PRIu64 " bytes: %s",
			   r->opts->output, r->log_bytes, strerror(-ret));
	else if (!lstat(r->opts->output, &st))
		r->log_bytes = (uint64_t)st.st_size;
	readers_free(&r->readers);
	r->undo_error = session_undo(&r->session);
	supervisor_end(&r->supervisor);
	return ret;
}

void recorder_wait_command(struct recorder *r)
{
	struct pollfd pfd = {.fd = r->signal_fd, .events = POLLIN};

	while (r->command.pid > 0 && !command_ended(&r->command, false)) {
		poll(&pfd, 1, TICK_MS);
		next_signal(r);
	}
}

void recorder_free(struct recorder *r)
{
	if (r->signal_fd >= 0) {
		close(r->signal_fd);
		sigprocmask(SIG_SETMASK, &r->old_mask, NULL);
	}
	plan_free(&r->plan);
	tracefmt_free(r->fmt);
	buf_free(&r->cpumask);
	buf_free(&r->never);
}
