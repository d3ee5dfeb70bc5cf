/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader.c - one thread that empties the buffer of one CPU into the log */

/*
 * poll(2) honours the instance's buffer_percent and wakes us when half of the
 * buffer is full; read(2) does not, so it is only used non-blocking, a whole
 * sub-buffer at a time, until one comes back part filled: reading on would
 * mean chasing the writer event by event.  Records are decoded into the log's
 * columns in place; nothing is allocated and no call is made per event.
 *
 * Our own events.  A recorder that reads, writes and faults shows up in what
 * it measures.  Accesses and adds by our threads, and anything about the log
 * file, are left out here.  What the kernel does to others in our context (LRU
 * drains, reclaim, removals) is kept: hiding it with set_event_notrace_pid
 * would lose pages of the workload.
 */

#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "capture/reader.h"

/* A killed recorder loses at most this much of a quiet CPU. */
#define POLL_MS  1000
#define FLUSH_MS 10000
/* Sub-buffers between two looks at the size of the log. */
#define SIZE_LOOK 64

#define KIND(k) (1ULL << MMT_##k)

/* Kinds that tell what the task itself did. */
#define OWN_KINDS                                                         \
	(KIND(OTHER) | KIND(ADD) | KIND(READ) | KIND(FAULT) | KIND(MAP) | \
	 KIND(SYNC_RA) | KIND(ASYNC_RA))
/* Kinds that begin with device and inode. */
#define FILE_KINDS                                                         \
	(KIND(ADD) | KIND(REMOVE) | KIND(READ) | KIND(FAULT) | KIND(MAP) | \
	 KIND(SYNC_RA) | KIND(ASYNC_RA))

void own_pids_add(struct own_pids *own, int pid)
{
	unsigned int bit = (unsigned int)pid % OWN_PIDS, i;

	i = atomic_load(&own->nr);
	do
		if (i >= OWN_PIDS)
			return;
	while (!atomic_compare_exchange_weak(&own->nr, &i, i + 1));
	atomic_store(&own->pid[i], pid);
	atomic_fetch_or(&own->bits[bit / 64], 1ULL << bit % 64);
}

static bool event_is_own(const struct reader_config *c,
			 const struct mmt_event *ev, const uint64_t *vals)
{
	uint64_t kind = 1ULL << ev->kind;

	if (unlikely(own_pids_have(c->own, ev->pid)) && (kind & OWN_KINDS))
		return true;
	return (kind & FILE_KINDS) && unlikely(vals[ADD_INO] == c->out_ino) &&
	       vals[ADD_DEV] == c->out_dev;
}

/*
 * The kernel stores the number of lost records behind the data of a
 * sub-buffer, if there is room.  Where there was none we ask the counters;
 * they may already include records lost after this gap, which the next gap
 * must then not count again.
 */
static uint64_t gap_size(struct reader *r, uint64_t nr)
{
	struct session_stats st;

	if (nr != MMT_LOST_UNKNOWN && !r->estimated)
		return nr;
	if (session_stats(r->config->session, r->cpu, &st))
		return nr;
	r->estimated = true;
	st.overrun -= MIN(st.overrun, r->nr_lost);
	return MIN(nr, st.overrun);
}

static int reader_gap(struct reader *r, uint64_t time_ns, uint64_t nr)
{
	if (time_ns > r->last_ns)
		r->longest_gap_ns =
			MAX(r->longest_gap_ns, time_ns - r->last_ns);
	if (nr != MMT_LOST_UNKNOWN)
		r->nr_lost += nr;
	r->pending = true;
	return mmt_track_loss(r->track, time_ns, nr);
}

static int reader_records(struct reader *r, struct subbuf *sb)
{
	const struct reader_config *c = r->config;
	const uint8_t *record;
	struct mmt_event *ev;
	uint64_t *vals;
	int len;

	while ((len = subbuf_next(sb, &record)) > 0) {
		r->nr_read++;
		ev = mmt_track_slot(r->track, &vals);
		if (unlikely(!ev)) {
			r->nr_read--;
			return mmt_track_error(r->track);
		}
		if (unlikely(tracefmt_decode(c->fmt, record, (size_t)len, ev,
					     vals))) {
			r->nr_alien++;
			continue;
		}
		if (unlikely(event_is_own(c, ev, vals))) {
			r->nr_own++;
			continue;
		}
		ev->time_ns = sb->time_ns;
		ev->cpu = (uint16_t)r->cpu;
		r->hits[ev->type]++;
		mmt_track_commit(r->track);
	}
	r->last_ns = sb->time_ns;
	r->pending = true;
	return len;
}

/* Sets *full if the writer had already left this sub-buffer. */
static int reader_page(struct reader *r, size_t size, bool *full)
{
	struct subbuf sb;
	int ret;

	ret = subbuf_begin(&sb, &r->config->layout, r->page, size);
	if (!ret) {
		*full = (size_t)(sb.end - r->page) > size / 4 * 3;
		if (sb.missed)
			ret = reader_gap(r, sb.time_ns,
					 gap_size(r, sb.nr_lost));
	}
	if (!ret)
		ret = reader_records(r, &sb);
	/* not ours to interpret: a gap, and the next sub-buffer goes on */
	if (ret == -EBADMSG) {
		r->nr_alien++;
		ret = reader_gap(r, MAX(r->last_ns, sb.time_ns),
				 MMT_LOST_UNKNOWN);
	}
	return ret;
}

static void reader_note(const struct reader *r)
{
	uint64_t one = 1;

	/* an eventfd that is full is as good as one more */
	if (write(r->config->note_fd, &one, sizeof(one)) < 0)
		return;
}

static void look_at_size(const struct reader *r)
{
	const struct reader_config *c = r->config;

	if (!c->max_bytes || mmt_writer_bytes(c->writer) < c->max_bytes)
		return;
	if (!atomic_exchange(c->full, true))
		reader_note(r);
}

/* Reads sub-buffers until one is part filled, or, at the end, all of them. */
static int reader_drain(struct reader *r, bool last)
{
	size_t size = r->config->session->subbuf_size;
	bool full = true;
	unsigned int nr;
	ssize_t n;
	int ret;

	for (nr = 1; full || last; nr++) {
		n = read(r->fd, r->page, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (!n || (n < 0 && (errno == EAGAIN || errno == ENODEV)))
			break;
		if (n < 0)
			return -errno;
		ret = reader_page(r, (size_t)n, &full);
		if (ret)
			return ret;
		if (!(nr % SIZE_LOOK))
			look_at_size(r);
	}
	look_at_size(r);
	return 0;
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static int reader_flush(struct reader *r)
{
	uint64_t now = now_ms();

	if (!r->pending || now - r->flushed_ms < FLUSH_MS)
		return 0;
	r->pending = false;
	r->flushed_ms = now;
	return mmt_track_flush(r->track);
}

static void *reader_run(void *arg)
{
	struct reader *r = arg;
	struct pollfd fds[2] = {
		{.fd = r->config->stop_fd, .events = POLLIN},
		{.fd = r->fd, .events = POLLIN},
	};
	int ret = 0;

	own_pids_add(r->config->own, gettid());
	reader_note(r);
	r->flushed_ms = now_ms();
	while (!ret && !(fds[0].revents & POLLIN)) {
		if (poll(fds, 2, POLL_MS) < 0 && errno != EINTR) {
			ret = -errno;
			break;
		}
		/* a CPU that went offline: its last events, then patience */
		if (fds[1].revents & (POLLERR | POLLNVAL | POLLHUP))
			fds[1].fd = -1;
		ret = reader_drain(r, fds[0].revents & POLLIN);
		if (!ret)
			ret = reader_flush(r);
	}
	r->error = ret;
	if (ret)
		reader_note(r);
	return NULL;
}

int reader_open(struct reader **rp, const struct reader_config *config,
		unsigned int cpu)
{
	char path[PATH_MAX + 64];
	struct reader *r;
	int ret;

	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->config = config;
	r->cpu = cpu;
	r->last_ns = session_now(config->session);
	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw",
		 config->session->dir, cpu);
	r->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (r->fd < 0) {
		ret = -errno;
		goto err_free;
	}
	ret = -ENOMEM;
	r->hits = calloc(MMT_MAX_SCHEMAS, sizeof(*r->hits));
	r->page = malloc(config->session->subbuf_size);
	if (r->hits && r->page)
		ret = mmt_track_open(&r->track, config->writer, cpu);
	if (ret)
		goto err_free;
	*rp = r;
	return 0;

err_free:
	reader_free(r);
	return ret;
}

int reader_start(struct reader *r)
{
	return -pthread_create(&r->thread, NULL, reader_run, r);
}

/*
 * What the counters know and the gaps did not say: records that were dropped
 * within a write, or after the last sub-buffer; records that somebody else
 * took out of our buffer.  Smaller counters than what we have read mean that
 * somebody cleared the buffer: then nobody knows.
 */
static int reader_reconcile(struct reader *r)
{
	const struct session *s = r->config->session;
	struct session_stats st;
	uint64_t total;

	if (session_stats(s, r->cpu, &st))
		return 0;
	if (st.read < r->nr_read)
		return reader_gap(r, session_now(s), MMT_LOST_UNKNOWN);
	total = st.overrun + st.commit_overrun + st.dropped + st.entries +
		(st.read - r->nr_read);
	if (total <= r->nr_lost)
		return 0;
	return reader_gap(r, session_now(s), total - r->nr_lost);
}

void reader_join(struct reader *r)
{
	int ret;

	pthread_join(r->thread, NULL);
	/* after an error, too: what is still in the buffer is lost then */
	ret = reader_reconcile(r);
	if (!ret)
		ret = mmt_track_flush(r->track);
	if (!r->error)
		r->error = ret;
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r->hits);
	free(r->page);
	free(r);
}
