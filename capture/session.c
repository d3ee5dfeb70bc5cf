/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.c - our tracing instance: all that we change, and its undoing */

/*
 * An instance has its own buffers, clock, events and filters, so that nothing
 * of other users is touched.  It starts with recording off, is filled with
 * settings, and is switched on in one write.  rmdir(2) on it makes the kernel
 * undo everything at once; only dynamic events are outside of it, in a group
 * of the instance's name, and are removed while it still stands: a group is
 * never without its instance.
 *
 * The recorder holds a flock(2) on the directory for as long as it lives; the
 * lock dies with it, even by SIGKILL, and cannot be inherited by a process
 * that got its pid later.
 */

#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/filter.h"
#include "capture/probe-group.h"
#include "capture/session.h"

static int instance_path(const struct session *s, char out[PATH_MAX],
			 const char *file)
{
	int n = snprintf(out, PATH_MAX, "%s/%s", s->dir, file);

	return n < 0 || n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

static int instance_write(const struct session *s, const char *file,
			  const char *text)
{
	char path[PATH_MAX];
	int ret = instance_path(s, path, file);

	return ret ? ret : file_write(path, text);
}

/* A setting we can do without: older kernels lack the file. */
static void instance_try(const struct session *s, const char *file,
			 const char *text)
{
	(void)instance_write(s, file, text);
}

int session_switch(const struct session *s, const char *system,
		   const char *event, bool on)
{
	char file[200];
	int n = snprintf(file, sizeof(file), "events/%s/%s/enable", system,
			 event);

	if (n < 0 || (size_t)n >= sizeof(file))
		return -ENAMETOOLONG;
	return instance_write(s, file, on ? "1" : "0");
}

/* Opening it with O_TRUNC is what does it. */
void session_clear(const struct session *s)
{
	instance_try(s, "trace", "");
}

static int event_path(const struct plan_event *ev, char *out, size_t size,
		      const char *file)
{
	int n = snprintf(out, size, "events/%s/%s/%s", ev->system, ev->name,
			 file);

	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

int session_named(struct session *s, const struct host *h, const char *name)
{
	int n;

	memset(s, 0, sizeof(*s));
	s->host = h;
	s->lock_fd = -1;
	s->clock_id = -1;
	n = snprintf(s->dir, sizeof(s->dir), "%s/instances/%s", h->tracing,
		     name);
	return n < 0 || (size_t)n >= sizeof(s->dir) ? -ENAMETOOLONG : 0;
}

int session_prepare(struct session *s, const struct host *h)
{
	char name[32];
	unsigned int i;
	int ret;

	snprintf(name, sizeof(name), SESSION_PREFIX "%d", (int)getpid());
	for (i = 1; i < 100; i++) {
		ret = session_named(s, h, name);
		if (ret || access(s->dir, F_OK))
			return ret;
		/* a leftover of a recorder that had our pid */
		snprintf(name, sizeof(name), SESSION_PREFIX "%d-%u",
			 (int)getpid(), i);
	}
	return -EEXIST;
}

/* ---------------------------------------------------------------- clocks */

/* A clock that we cannot read is read by the kernel, in microseconds. */
static uint64_t kernel_now(const struct session *s)
{
	unsigned long long sec, usec;
	struct buf text = {0};
	char path[PATH_MAX], *p;
	uint64_t ns = 0;

	if (!instance_path(s, path, "per_cpu/cpu0/stats") &&
	    !file_read(path, &text)) {
		p = strstr((char *)text.p, "now ts:");
		if (p && sscanf(p, "now ts: %llu.%llu", &sec, &usec) == 2)
			ns = sec * 1000000000 + usec * 1000;
	}
	buf_free(&text);
	return ns;
}

uint64_t session_now(const struct session *s)
{
	return s->clock_id < 0 ? kernel_now(s) : clock_ns(s->clock_id);
}

/* --------------------------------------------------- creating and filling */

static int say_create(const struct session *s, int ret, struct errbuf *err)
{
	errbuf_set(err, ret, "cannot create a tracing instance: %s",
		   strerror(-ret));
	if (ret == -EACCES || ret == -EPERM)
		errbuf_hint(err, "run as root");
	else if (ret == -ENOENT)
		errbuf_hint(err, "%s/instances is not there", s->host->tracing);
	return ret;
}

static int say_buffer(const struct session_options *opts, int ret,
		      struct errbuf *err)
{
	errbuf_set(err, ret, "cannot get %u KiB of trace buffer per CPU: %s",
		   opts->buffer_kib, strerror(-ret));
	errbuf_hint(err, "ask for less with -b");
	return ret;
}

static void read_subbuf_size(struct session *s)
{
	char path[PATH_MAX], line[32];

	s->subbuf_size = (size_t)sysconf(_SC_PAGESIZE);
	if (instance_path(s, path, "buffer_subbuf_size_kb") ||
	    file_read_line(path, line, sizeof(line)))
		return;
	if (atoi(line) > 0 && atoi(line) <= 1 << 20)
		s->subbuf_size = (size_t)atoi(line) << 10;
}

static int session_settings(struct session *s,
			    const struct session_options *opts,
			    struct errbuf *err)
{
	char kib[16];
	int ret;

	ret = instance_write(s, "tracing_on", "0");
	if (ret)
		return errbuf_set(err, ret, "%s/tracing_on: %s", s->dir,
				  strerror(-ret));
	snprintf(kib, sizeof(kib), "%u", opts->buffer_kib);
	ret = instance_write(s, "buffer_size_kb", kib);
	if (ret)
		return say_buffer(opts, ret, err);
	ret = instance_write(s, "trace_clock", opts->clock);
	if (ret)
		return errbuf_set(err, ret, "clock '%s': %s", opts->clock,
				  strerror(-ret));
	s->clock_id = clock_id(opts->clock);
	if (opts->cpumask) {
		ret = instance_write(s, "tracing_cpumask", opts->cpumask);
		if (ret)
			return errbuf_set(err, ret, "-C: %s", strerror(-ret));
	}
	/* wake a reader when half of its buffer is full, not per event */
	instance_try(s, "buffer_percent", "50");
	/* the newest events push out the oldest, and are counted in band */
	instance_try(s, "options/overwrite", "1");
	read_subbuf_size(s);
	return 0;
}

int session_create(struct session *s, const struct session_options *opts,
		   struct errbuf *err)
{
	int ret;

	if (mkdir(s->dir, 0700))
		return say_create(s, -errno, err);
	s->lock_fd = open(s->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->lock_fd < 0 || flock(s->lock_fd, LOCK_EX | LOCK_NB))
		ret = errbuf_set(err, -errno, "%s: %s", s->dir,
				 strerror(errno));
	else
		ret = session_settings(s, opts, err);
	if (ret)
		session_undo(s);
	return ret;
}

int session_enable(struct session *s, struct plan *plan, struct errbuf *err)
{
	unsigned int i;
	int ret;

	for (i = 0; i < plan->nr; i++) {
		ret = filter_set(s, &plan->event[i], err);
		if (ret)
			return ret;
	}
	for (i = 0; i < plan->nr; i++) {
		ret = session_switch(s, plan->event[i].system,
				     plan->event[i].name, true);
		if (ret)
			return errbuf_set(err, ret, "%s:%s: cannot enable: %s",
					  plan->event[i].system,
					  plan->event[i].name, strerror(-ret));
	}
	return 0;
}

int session_start(struct session *s)
{
	return instance_write(s, "tracing_on", "1");
}

void session_stop(struct session *s)
{
	instance_try(s, "tracing_on", "0");
	instance_try(s, "events/enable", "0");
}

/* ------------------------------------------------------------ while it runs */

static bool file_is_off(const struct session *s, const char *file)
{
	char path[PATH_MAX], line[16];

	return !instance_path(s, path, file) &&
	       !file_read_line(path, line, sizeof(line)) && line[0] == '0';
}

bool session_meddled(const struct session *s, const struct plan *plan,
		     char *what, size_t size)
{
	const struct plan_event *ev;
	char file[200];
	unsigned int i;

	if (file_is_off(s, "tracing_on")) {
		snprintf(what, size, "recording");
		return true;
	}
	for (i = 0; i < plan->nr; i++) {
		ev = &plan->event[i];
		if (event_path(ev, file, sizeof(file), "enable") ||
		    !file_is_off(s, file))
			continue;
		snprintf(what, size, "%s:%s", ev->system, ev->name);
		return true;
	}
	return false;
}

static uint64_t stats_value(const char *text, const char *key)
{
	size_t len = strlen(key);
	const char *p;

	for (p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : p)
		if (!strncmp(p, key, len) && p[len] == ':')
			return strtoull(p + len + 1, NULL, 10);
	return 0;
}

int session_stats(const struct session *s, unsigned int cpu,
		  struct session_stats *st)
{
	char file[64], path[PATH_MAX];
	struct buf text = {0};
	int ret;

	memset(st, 0, sizeof(*st));
	snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", cpu);
	ret = instance_path(s, path, file);
	if (!ret)
		ret = file_read(path, &text);
	if (!ret) {
		const char *t = (const char *)text.p;

		st->entries = stats_value(t, "entries");
		st->overrun = stats_value(t, "overrun");
		st->commit_overrun = stats_value(t, "commit overrun");
		st->dropped = stats_value(t, "dropped events");
		st->read = stats_value(t, "read events");
	}
	buf_free(&text);
	return ret;
}

/* ------------------------------------------------------------- undoing it */

/* The probes, then the instance that they belong to. */
static int remove_parts(const struct session *s)
{
	struct probe_group g;
	int ret = probe_group_of(&g, s->host, strrchr(s->dir, '/') + 1);

	if (!ret)
		ret = probe_group_remove(&g);
	if (ret || !rmdir(s->dir) || errno == ENOENT)
		return ret;
	return -errno;
}

int session_undo(struct session *s)
{
	const struct timespec wait = {.tv_nsec = 10000000};
	unsigned int i;
	int ret = 0;

	if (!s->dir[0] || access(s->dir, F_OK))
		goto out;
	session_stop(s);
	/*
	 * Busy while a reader has a file of it open.  After SIGKILL the pipe
	 * to the supervisor may close before the recorder's other files do.
	 */
	for (i = 0; i < 500; i++) {
		ret = remove_parts(s);
		if (ret != -EBUSY)
			break;
		nanosleep(&wait, NULL);
	}
out:
	if (s->lock_fd >= 0)
		close(s->lock_fd);
	s->lock_fd = -1;
	return ret;
}

bool session_is_ours(const char *name, int *pid)
{
	size_t len = strlen(SESSION_PREFIX);
	unsigned int nth;
	int used = 0;

	if (strncmp(name, SESSION_PREFIX, len))
		return false;
	if (sscanf(name + len, "%9d%n", pid, &used) != 1 || *pid <= 0)
		return false;
	name += len + (size_t)used;
	if (!*name)
		return true;
	return sscanf(name, "-%9u%n", &nth, &used) == 1 && !name[used];
}

/*
 * Did the process that has the pid now start after the instance was made?
 * Only needed in the moment between mkdir(2) and flock(2) of a live recorder,
 * and where locks do not work.
 */
static bool pid_is_younger(const struct host *h, int pid, const char *dir)
{
	uint64_t ticks, started_ms, made_ms, boot_ms;
	struct stat st;

	if (host_pid_start(h, pid, &ticks) || stat(dir, &st))
		return true;
	boot_ms =
		(clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME)) / 1000000;
	started_ms = boot_ms + ticks * 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
	made_ms = (uint64_t)st.st_ctim.tv_sec * 1000 +
		  (uint64_t)st.st_ctim.tv_nsec / 1000000;
	return started_ms > made_ms + 100;
}

bool session_is_dead(const struct host *h, const char *name)
{
	char dir[PATH_MAX + 64];
	bool dead = false;
	int pid, fd;

	if (!session_is_ours(name, &pid))
		return false;
	snprintf(dir, sizeof(dir), "%s/instances/%s", h->tracing, name);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		dead = pid_is_younger(h, pid, dir);
	close(fd);
	return dead;
}
