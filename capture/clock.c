/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - trace clocks: which there are, and what time it is there */

/*
 * trace_clock of tracefs lists what the kernel has.  Of that we take what
 * counts nanoseconds: the log's times have that unit.
 */

#include "config.h"

#include <stdio.h>

#include "capture/clock.h"

#define LIST_MAX       256
#define CLOCK_PATH_MAX (PATH_MAX + 16)

struct clock_name {
	const char *name;
	clockid_t id; /* -1: user space cannot read it */
};

/* The kernel's clocks that count nanoseconds. */
static const struct clock_name clocks[] = {
	{"mono", CLOCK_MONOTONIC},
	{"boot", CLOCK_BOOTTIME},
	{"mono_raw", CLOCK_MONOTONIC_RAW},
	{"tai", CLOCK_TAI},
	{"local", -1},
	{"global", -1},
	{"perf", -1},
};

static const struct clock_name *clock_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		if (!strcmp(clocks[i].name, name))
			return &clocks[i];
	return NULL;
}

/* trace_clock reads "[local] global counter ... mono": ours, or not? */
static bool clock_listed(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *p;

	for (p = list; *p; p += strcspn(p, " []\n")) {
		p += strspn(p, " []\n");
		if (strcspn(p, " []\n") == len && !strncmp(p, name, len))
			return true;
	}
	return false;
}

static int read_list(const struct host *h, char path[CLOCK_PATH_MAX],
		     char list[LIST_MAX])
{
	snprintf(path, CLOCK_PATH_MAX, "%s/trace_clock", h->tracing);
	return file_read_line(path, list, LIST_MAX);
}

int clock_check(const struct host *h, const char *clock, struct errbuf *err)
{
	const char *names[ARRAY_SIZE(clocks)], *near;
	char path[CLOCK_PATH_MAX], list[LIST_MAX];
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		names[i] = clocks[i].name;
	ret = read_list(h, path, list);
	if (ret)
		return errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
	if (clock_find(clock) && clock_listed(list, clock))
		return 0;
	if (clock_listed(list, clock))
		errbuf_set(err, -EINVAL,
			   "clock '%s' does not count nanoseconds", clock);
	else
		errbuf_set(err, -EINVAL, "no clock called '%s'", clock);
	near = nearest_name(clock, names, ARRAY_SIZE(names));
	if (near && strcmp(near, clock))
		errbuf_hint(err, "did you mean '%s'?", near);
	else
		errbuf_hint(err, "mono compares with user space, "
				 "boot counts suspend, too");
	return -EINVAL;
}

int clock_list(const struct host *h, char out[CLOCK_LIST_MAX])
{
	char path[CLOCK_PATH_MAX], list[LIST_MAX];
	unsigned int i;
	size_t len = 0;
	int ret;

	ret = read_list(h, path, list);
	if (ret)
		return ret;
	out[0] = '\0';
	for (i = 0; i < ARRAY_SIZE(clocks) && len < CLOCK_LIST_MAX; i++)
		if (clock_listed(list, clocks[i].name))
			len += (size_t)snprintf(out + len, CLOCK_LIST_MAX - len,
						"%s%s", len ? " " : "",
						clocks[i].name);
	return 0;
}

clockid_t clock_id(const char *clock)
{
	const struct clock_name *found = clock_find(clock);

	return found ? found->id : -1;
}

uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* The middle of the shortest of some intervals around a reading. */
int64_t clock_offset(clockid_t id)
{
	uint64_t before, wall, after, best = UINT64_MAX;
	int64_t offset = 0;
	unsigned int i;

	for (i = 0; i < 16; i++) {
		before = clock_ns(id);
		wall = clock_ns(CLOCK_REALTIME);
		after = clock_ns(id);
		if (after - before >= best)
			continue;
		best = after - before;
		offset = (int64_t)(wall - (before + best / 2));
	}
	return offset;
}
