/* SPDX-License-Identifier: GPL-2.0-or-later */
/* readers.c - the readers of all CPUs, and what they saw together */

/*
 * The per_cpu directories of the instance name the CPUs, not the numbers of
 * those online: directories may have holes, and those of CPUs that were never
 * online answer ENODEV, which is an empty buffer.  Those are tried again while
 * we record, because a CPU that comes online gets its buffer then.
 */

#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "capture/readers.h"

static bool has_reader(const struct readers *rs, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < rs->nr; i++)
		if (rs->reader[i]->cpu == cpu)
			return true;
	return false;
}

static int readers_add(struct readers *rs, unsigned int cpu)
{
	struct reader **list, *r;
	int ret;

	ret = reader_open(&r, &rs->config, cpu);
	if (ret == -ENODEV || ret == -ENXIO) {
		rs->nr_offline++;
		return 0;
	}
	if (ret)
		return ret;
	list = reallocarray(rs->reader, rs->nr + 1, sizeof(*list));
	ret = list ? reader_start(r) : -ENOMEM;
	if (list)
		rs->reader = list;
	if (ret) {
		reader_free(r);
		return ret;
	}
	rs->reader[rs->nr++] = r;
	rs->nr_seen = rs->nr;
	return 0;
}

static int readers_scan(struct readers *rs)
{
	struct cpus dirs;
	unsigned int cpu;
	int ret;

	rs->nr_offline = 0;
	ret = cpus_read_dirs(&dirs, rs->config.session->dir);
	for (cpu = 0; cpu <= dirs.highest && !ret; cpu++)
		if (cpus_have(&dirs, cpu) && !has_reader(rs, cpu) &&
		    (!rs->cpus || cpus_have(rs->cpus, cpu)))
			ret = readers_add(rs, cpu);
	return ret;
}

/* Each thread adds 1 when its id is in the list of our own. */
static void wait_for_threads(struct readers *rs)
{
	struct pollfd pfd = {.fd = rs->config.note_fd, .events = POLLIN};
	uint64_t n, sum = 0;

	while (sum < rs->nr && poll(&pfd, 1, 1000) > 0)
		if (read(rs->config.note_fd, &n, sizeof(n)) == sizeof(n))
			sum += n;
}

int readers_start(struct readers *rs, struct errbuf *err)
{
	int ret;

	rs->config.own = &rs->own;
	rs->config.full = &rs->full;
	rs->config.stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	rs->config.note_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (rs->config.stop_fd < 0 || rs->config.note_fd < 0)
		return errbuf_set(err, -errno, "eventfd: %s", strerror(errno));
	own_pids_add(&rs->own, getpid());
	ret = readers_scan(rs);
	if (!ret && !rs->nr)
		ret = -ENODEV;
	if (ret)
		return errbuf_set(err, ret, "%s/per_cpu: %s",
				  rs->config.session->dir, strerror(-ret));
	wait_for_threads(rs);
	return 0;
}

int readers_rescan(struct readers *rs)
{
	return rs->nr_offline ? readers_scan(rs) : 0;
}

int readers_error(const struct readers *rs)
{
	unsigned int i;

	for (i = 0; i < rs->nr; i++)
		if (rs->reader[i]->error)
			return rs->reader[i]->error;
	return 0;
}

int readers_stop(struct readers *rs)
{
	uint64_t one = 1;
	unsigned int i;

	/* never read: every thread sees it */
	if (rs->nr && write(rs->config.stop_fd, &one, sizeof(one)) < 0)
		return -errno;
	for (i = 0; i < rs->nr; i++)
		reader_join(rs->reader[i]);
	return readers_error(rs);
}

int readers_describe(const struct readers *rs, struct buf *text)
{
	const struct reader *r;
	struct session_stats st;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < rs->nr && !ret; i++) {
		r = rs->reader[i];
		session_stats(rs->config.session, r->cpu, &st);
		ret = buf_printf(
			text,
			"cpu%u read %" PRIu64 " own %" PRIu64 " alien %" PRIu64
			" overrun %" PRIu64 " commit_overrun %" PRIu64
			" dropped %" PRIu64 " longest_gap_ns %" PRIu64 "\n",
			r->cpu, r->nr_read, r->nr_own, r->nr_alien, st.overrun,
			st.commit_overrun, st.dropped, r->longest_gap_ns);
	}
	return ret;
}

void readers_free(struct readers *rs)
{
	unsigned int i;

	for (i = 0; i < rs->nr; i++)
		reader_free(rs->reader[i]);
	free(rs->reader);
	rs->reader = NULL;
	rs->nr = 0;
	if (rs->config.stop_fd > 0)
		close(rs->config.stop_fd);
	if (rs->config.note_fd > 0)
		close(rs->config.note_fd);
	rs->config.stop_fd = 0;
	rs->config.note_fd = 0;
}

void readers_totals(const struct readers *rs, struct readers_totals *t)
{
	uint64_t nr_events, nr_lost, nr_gaps;
	const struct reader *r;
	unsigned int i;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < rs->nr; i++) {
		r = rs->reader[i];
		mmt_track_counts(r->track, &nr_events, &nr_lost, &nr_gaps);
		t->nr_events += nr_events;
		t->nr_lost += nr_lost;
		t->nr_gaps_uncounted += nr_gaps;
		t->nr_own += r->nr_own;
		t->nr_alien += r->nr_alien;
		t->longest_gap_ns = MAX(t->longest_gap_ns, r->longest_gap_ns);
		t->nr_cpus_lost += nr_lost || nr_gaps;
	}
}

uint64_t readers_hits(const struct readers *rs, int type)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < rs->nr; i++)
		sum += rs->reader[i]->hits[type];
	return sum;
}
