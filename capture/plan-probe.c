/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan-probe.c - the dynamic events of a plan */

/*
 * A probe is given as the kernel wants it, but without a group: that is the
 * recorder's own.  Its event exists only once it is defined, in the kernel's
 * tracefs as mmcap_PID:NAME, in the log as mmcap:NAME; the definition goes
 * into the log and tells readers of it, as it tells our decoder, what the
 * event means.
 */

#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/plan-probe.h"
#include "capture/probe-group.h"

/* Length of "p", "r32", "e" ...: 0 if it is none. */
static size_t type_len(const char *what)
{
	size_t len = 1;

	if (!what[0] || !strchr("preft", what[0]))
		return 0;
	while (isdigit((unsigned char)what[len]))
		len++;
	return what[len] == ':' || isblank((unsigned char)what[len]) ? len : 0;
}

bool plan_probe_is(const char *what)
{
	size_t len = type_len(what);

	/* "p:x y": a system called p has no events with blanks */
	return len && strpbrk(what + len, " \t");
}

static int refuse(const char *what, const char *why, struct errbuf *err)
{
	errbuf_set(err, -EINVAL, "-e '%s': %s", what, why);
	errbuf_hint(err, "as 'p:NAME FUNCTION ARG=$arg1:x64 ...'; see "
			 "kprobetrace in the kernel's documentation");
	return -EINVAL;
}

/* The part behind type and name. */
static const char *target_of(const char *what)
{
	const char *p = what + strcspn(what, " \t");

	return p + strspn(p, " \t");
}

static int keep(struct plan *plan, const struct plan_request *req,
		const struct probe_def *def)
{
	struct plan_probe *grown, *probe;
	size_t len = type_len(req->what);

	grown = reallocarray(plan->probe, plan->nr_probes + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	plan->probe = grown;
	probe = &grown[plan->nr_probes];
	memset(probe, 0, sizeof(*probe));
	snprintf(probe->type, sizeof(probe->type), "%.*s", (int)len, req->what);
	snprintf(probe->name, sizeof(probe->name), "%s", def->name);
	probe->what = strdup(target_of(req->what));
	probe->filter = req->filter;
	if (!probe->what)
		return -ENOMEM;
	plan->nr_probes++;
	return 0;
}

static bool is_known(const struct plan *plan, const char *name)
{
	unsigned int i;

	for (i = 0; i < plan->nr_probes; i++)
		if (!strcmp(plan->probe[i].name, name))
			return true;
	return false;
}

int plan_probe_add(struct plan *plan, const struct plan_request *req,
		   struct errbuf *err)
{
	struct errbuf why = {0};
	struct probe_def def;
	int ret = probe_parse(&def, req->what, strlen(req->what), &why);

	if (ret == -ENOMEM)
		errbuf_set(err, ret, "out of memory");
	else if (ret)
		ret = refuse(req->what,
			     ret == -ENOENT ? "nothing to probe" : why.text,
			     err);
	else if (*def.group && strchr(req->what, '/') &&
		 strchr(req->what, '/') < target_of(req->what))
		ret = refuse(req->what, "its group is the recorder's own", err);
	else if (!*def.name)
		ret = refuse(req->what, "it needs a name", err);
	else if (is_known(plan, def.name))
		ret = refuse(req->what, "its name is taken", err);
	else if (type_len(req->what) >= sizeof(plan->probe->type))
		ret = refuse(req->what, "that many instances are too many",
			     err);
	else if (keep(plan, req, &def))
		ret = errbuf_set(err, -ENOMEM, "out of memory");
	probe_def_free(&def);
	return ret;
}

/* --------------------------------------------------------------- defining */

static int no_bad_line(void *arg, unsigned int line, const char *cause)
{
	(void)arg;
	(void)line;
	(void)cause;
	return -EINVAL;
}

/* What the event of each probe will mean, under the name it has in the log. */
static int explain(struct plan *plan, struct tracefmt *fmt)
{
	struct buf text = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < plan->nr_probes && !ret; i++)
		ret = buf_printf(&text, "%s:" PLAN_PROBE_SYSTEM "/%s %s\n",
				 plan->probe[i].type, plan->probe[i].name,
				 plan->probe[i].what);
	if (!ret)
		ret = probes_add(&plan->definitions, (char *)text.p, text.len,
				 no_bad_line, NULL);
	buf_free(&text);
	if (ret >= 0)
		tracefmt_probes(fmt, &plan->definitions);
	return MIN(ret, 0);
}

/* The event of a probe that is defined now. */
static int compile(struct plan *plan, const struct probe_group *g,
		   const struct plan_probe *probe, struct tracefmt *fmt,
		   struct errbuf *err)
{
	struct plan_event *ev;
	int ret = plan_add_event(plan, g->name, probe->name, &ev);

	if (ret)
		return errbuf_set(err, ret, "probe %s: %s", probe->name,
				  strerror(-ret));
	ev->required = true;
	ev->filter = probe->filter;
	return plan_compile_event(ev, g->host, PLAN_PROBE_SYSTEM, fmt, err);
}

int plan_probes_define(struct plan *plan, const struct session *s,
		       struct tracefmt *fmt, struct errbuf *err)
{
	struct probe_group g;
	unsigned int i;
	int ret;

	if (!plan->nr_probes)
		return 0;
	ret = probe_group_of(&g, s->host, strrchr(s->dir, '/') + 1);
	if (!ret)
		ret = explain(plan, fmt);
	if (ret)
		return errbuf_set(err, ret, "probes: %s", strerror(-ret));
	for (i = 0; i < plan->nr_probes && !ret; i++) {
		const struct plan_probe *probe = &plan->probe[i];
		const struct probe_text text = {probe->type, probe->name,
						probe->what};

		ret = probe_group_define(&g, &text, err);
		if (!ret)
			ret = compile(plan, &g, probe, fmt, err);
	}
	return ret;
}

int plan_probes_declare(const struct plan *plan, struct mmt_writer *w)
{
	const struct probe_def *def;
	char key[160];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < plan->nr_probes && !ret; i++) {
		def = probes_find(&plan->definitions, PLAN_PROBE_SYSTEM,
				  plan->probe[i].name);
		snprintf(key, sizeof(key), "probe." PLAN_PROBE_SYSTEM ":%s",
			 plan->probe[i].name);
		if (def)
			ret = mmt_writer_meta(w, key, def->text);
	}
	return ret;
}

const char *plan_level(const struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->nr_probes; i++)
		if (!strchr("et", plan->probe[i].type[0]))
			return "L2";
	return plan->nr_probes ? "L1" : "L0";
}

void plan_probes_free(struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->nr_probes; i++)
		free(plan->probe[i].what);
	free(plan->probe);
	probes_free(&plan->definitions);
}
