/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe.h - definitions of dynamic events, as kprobe_events has them */
#ifndef FORMATS_PROBE_H
#define FORMATS_PROBE_H

#include "formats/base.h"

/*
 * A line of kprobe_events or dynamic_events (Documentation/trace/kprobetrace,
 * eprobetrace, fprobetrace of the kernel):
 *
 *   p[:[GRP/][EVENT]] [MOD:]SYM[+offs]|ADDR [ARGS]
 *   r[MAX][:[GRP/][EVENT]] [MOD:]SYM[+0] [ARGS]
 *   f[:[GRP/][EVENT]] SYM[%return] [ARGS]
 *   t[:[GRP/][EVENT]] TRACEPOINT [ARGS]
 *   e[:[GRP/][EVENT]] SYS.EVENT|SYS/EVENT [ARGS] [if FILTER]
 */
enum probe_type {
	PROBE_ENTRY,      /* p, f: where a function begins, or within it */
	PROBE_RETURN,     /* r, f with %return */
	PROBE_EVENT,      /* e: a tracepoint's record */
	PROBE_TRACEPOINT, /* t: a tracepoint's arguments */
	PROBE_FOREIGN,    /* of user space, synthetic: nothing of the kernel */
};

#define PROBE_MAX_LINE  8192 /* the kernel takes 4096 */
#define PROBE_MAX_ARGS  128  /* so does it */
#define PROBE_MAX_DEFS  8192
#define PROBE_NAME_MAX  48
#define PROBE_EVENT_MAX 80

/* NAME=EXPR:TYPE; without a name it has the one that the kernel gives it. */
struct probe_arg {
	char name[PROBE_NAME_MAX];
	char type[24]; /* "" if it is not said: a long in hexadecimal */
	char *expr;
};

struct probe_def {
	enum probe_type type;
	char group[PROBE_NAME_MAX], name[PROBE_EVENT_MAX];
	char system[PROBE_NAME_MAX]; /* PROBE_EVENT: of its event */
	char module[64];
	char symbol[128]; /* function or event; "" for an address */
	char suffix[64];  /* ".constprop.0": cut off from symbol */
	uint64_t offset;  /* in the function */
	bool several;     /* defined again in another way */
	unsigned int nr_args;
	struct probe_arg *arg;
	char *text; /* as it was given, printable, without addresses */
};

/*
 * Takes one line apart; to be freed by probe_def_free(), also on an error.
 * -ENOENT: empty, a comment, or one that removes; -EINVAL: err says why.
 */
int probe_parse(struct probe_def *def, const char *line, size_t len,
		struct errbuf *err);
void probe_def_free(struct probe_def *def);

/* All definitions of a recording.  Zeroed, there are none. */
struct probes {
	struct probe_def *def;
	unsigned int nr;
	unsigned int *slot; /* by name: number + 1 */
	unsigned int nr_slots;
};

/*
 * Adds the definitions of a text.  Lines that are none are told to bad(), whose
 * error ends it.  Returns how many lines were definitions, or -errno.
 */
int probes_add(struct probes *ps, const char *text, size_t len,
	       int (*bad)(void *arg, unsigned int line, const char *cause),
	       void *arg);
void probes_free(struct probes *ps);

/*
 * The definition of an event; NULL if it is not known.  Without a group, which
 * texts do not have, only if one group alone has an event of this name.
 */
const struct probe_def *probes_find(const struct probes *ps, const char *group,
				    const char *name);

/* Does a text begin with a definition, behind comments and empty lines? */
bool probes_is_text(const char *text, size_t len);

#endif
