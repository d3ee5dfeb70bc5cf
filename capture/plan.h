/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.h - what this kernel has of what was asked for */
#ifndef CAPTURE_PLAN_H
#define CAPTURE_PLAN_H

#include "capture/host.h"
#include "formats/mmt.h"
#include "formats/tracefmt.h"

/* One -e: a set, a system, system:event, an event, a glob. */
struct plan_request {
	const char *what;
	const char *filter; /* NULL: none */
};

struct plan_event {
	char system[48];
	char name[80];
	const char *filter;
	bool required; /* by a set that was asked for */
	int id;        /* the kernel's */
	int type;      /* the log's */
};

/* One -e that defines an event: see plan-probe.h. */
struct plan_probe {
	char type[8];
	char name[80];
	char *what;
	const char *filter;
};

struct plan {
	struct plan_event *event;
	unsigned int nr;
	unsigned int cap;
	struct buf missing; /* "system:event, ..." that sets would use */
	unsigned int nr_missing;
	struct plan_probe *probe;
	unsigned int nr_probes;
	struct probes definitions; /* of them, once they are defined */
};

/* Every "system:event" that can be switched on; names end with a NULL. */
struct event_names {
	char **name;
	unsigned int nr;
};
int event_names_read(struct event_names *names, const struct host *h);
void event_names_free(struct event_names *names);

/*
 * Resolves the requests (none: all) against what the kernel has.  -ENOENT if
 * a name is unknown, -EOPNOTSUPP if a required event is missing: both before
 * anything was touched.
 */
int plan_make(struct plan *plan, const struct host *h,
	      const struct plan_request *req, unsigned int nr_req,
	      struct errbuf *err);
void plan_free(struct plan *plan);

/* Compiles the decoders.  An optional event that fails goes to missing. */
int plan_compile(struct plan *plan, const struct host *h, struct tracefmt *fmt,
		 struct errbuf *err);
/* Hands the schemas to the log. */
int plan_declare(struct plan *plan, struct tracefmt *fmt, struct mmt_writer *w);

/* Adds an event, or finds it if it is in the plan.  0, or a negative errno. */
int plan_add_event(struct plan *plan, const char *system, const char *name,
		   struct plan_event **evp);
/* Compiles one decoder; system is what the log calls the event's. */
int plan_compile_event(struct plan_event *ev, const struct host *h,
		       const char *system, struct tracefmt *fmt,
		       struct errbuf *err);

/* Adds a name to plan->missing. */
int plan_miss(struct plan *plan, const char *name);

#endif
