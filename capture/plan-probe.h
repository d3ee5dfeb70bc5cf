/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan-probe.h - the dynamic events of a plan */
#ifndef CAPTURE_PLAN_PROBE_H
#define CAPTURE_PLAN_PROBE_H

#include "capture/plan.h"
#include "capture/session.h"

/* What a log calls the system of our probes, whatever the recorder's pid. */
#define PLAN_PROBE_SYSTEM "mmcap"

/* Is this -e a definition, "p:NAME SYMBOL ARGS", and no name of an event? */
bool plan_probe_is(const char *what);

/* Takes a definition apart and keeps it.  -EINVAL with the reason. */
int plan_probe_add(struct plan *plan, const struct plan_request *req,
		   struct errbuf *err);

/*
 * Defines the probes in the session's group and compiles their formats: from
 * here on they are events of the plan.  The first one that the kernel refuses
 * is an error; what was defined is removed with the session.
 */
int plan_probes_define(struct plan *plan, const struct session *s,
		       struct tracefmt *fmt, struct errbuf *err);

/* Hands the definitions to the log. */
int plan_probes_declare(const struct plan *plan, struct mmt_writer *w);

/* "L0" to "L2": what the plan's events take of a kernel. */
const char *plan_level(const struct plan *plan);

void plan_probes_free(struct plan *plan);

#endif
