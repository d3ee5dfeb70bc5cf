/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter.h - the kernel's filter of an event, and what is wrong with it */
#ifndef CAPTURE_FILTER_H
#define CAPTURE_FILTER_H

#include "capture/session.h"

/*
 * Sets the event's filter in the instance, if the plan has one.  A refusal
 * comes with the kernel's words and, if it is a field that the event does not
 * have, with those that it has.
 */
int filter_set(const struct session *s, const struct plan_event *ev,
	       struct errbuf *err);

#endif
