/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - kernel counters and the tasks that exist, as texts of the log */
#ifndef CAPTURE_SNAPSHOT_H
#define CAPTURE_SNAPSHOT_H

#include "capture/host.h"
#include "capture/session.h"
#include "formats/mmt.h"

/* vmstat and meminfo as they are now. */
int snapshot_counters(const struct host *h, const struct session *s,
		      struct mmt_writer *w);
/* "tasks": a line "TID TGID COMM" for every thread, COMM escaped. */
int snapshot_tasks(const struct host *h, const struct session *s,
		   struct mmt_writer *w);

#endif
