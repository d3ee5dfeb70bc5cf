/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-group.h - our own group of dynamic events, and its removal */
#ifndef CAPTURE_PROBE_GROUP_H
#define CAPTURE_PROBE_GROUP_H

#include "capture/host.h"

#define PROBE_GROUP_PREFIX "mmcap_"

/*
 * One group of probes for each recorder, named after its instance: mmcap-12
 * has mmcap_12.  Probes of other groups are never touched.
 */
struct probe_group {
	const struct host *host;
	char name[48];
};

/* The group that belongs to this instance.  0 or -ENAMETOOLONG. */
int probe_group_of(struct probe_group *g, const struct host *h,
		   const char *instance);

/* As dynamic_events wants it, but for the group: "p:NAME SYMBOL ARGS". */
struct probe_text {
	const char *type; /* "p", "r", "r32", "e", "f", "t" */
	const char *name;
	const char *what; /* what is probed, and what is fetched */
};

/*
 * Defines an event; it is still off.  A negative errno, with the kernel's own
 * words for it where it has some.
 */
int probe_group_define(const struct probe_group *g,
		       const struct probe_text *probe, struct errbuf *err);

/*
 * Removes the group's events, from whatever state; they must be off.  0 if
 * none is left, -EBUSY if somebody uses one.
 */
int probe_group_remove(const struct probe_group *g);

#endif
