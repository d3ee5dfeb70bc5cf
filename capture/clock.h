/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - trace clocks: which there are, and what time it is there */
#ifndef CAPTURE_CLOCK_H
#define CAPTURE_CLOCK_H

#include <time.h>

#include "capture/host.h"

#define CLOCK_LIST_MAX 80

/* Is the clock one that this kernel has and that counts nanoseconds? */
int clock_check(const struct host *h, const char *clock, struct errbuf *err);

/* Those that clock_check() takes, in one line.  0 or -errno. */
int clock_list(const struct host *h, char out[CLOCK_LIST_MAX]);

/* Of a name that clock_check() takes; -1: user space cannot read it. */
clockid_t clock_id(const char *clock);

uint64_t clock_ns(clockid_t id);
/* Add this to the clock to get nanoseconds since 1970. */
int64_t clock_offset(clockid_t id);

#endif
