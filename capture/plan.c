/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - what this kernel has of what was asked for */

/*
 * A request is looked up as a set, then as a system, then as a name or glob
 * among the events that the kernel lists.  Each event is in the plan once,
 * whatever the number of requests that name it; a filter belongs to the
 * request and the last one wins.
 */

#include "config.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <tracefs.h>

#include "capture/catalog.h"
#include "capture/plan-probe.h"

/* --------------------------------------------------- what the kernel has */

static int names_add(struct event_names *names, char *name)
{
	char **list;

	if (!name)
		return -ENOMEM;
	list = reallocarray(names->name, names->nr + 2, sizeof(*list));
	if (!list) {
		free(name);
		return -ENOMEM;
	}
	names->name = list;
	list[names->nr++] = name;
	list[names->nr] = NULL;
	return 0;
}

/* One file has them all, in the form we want. */
static int names_read_list(struct event_names *names, const struct host *h)
{
	char path[PATH_MAX + 32], *line, *save;
	struct buf text = {0};
	int ret;

	snprintf(path, sizeof(path), "%s/available_events", h->tracing);
	ret = file_read(path, &text);
	if (ret)
		goto out;
	for (line = strtok_r((char *)text.p, "\n", &save); line && !ret;
	     line = strtok_r(NULL, "\n", &save))
		if (strchr(line, ':'))
			ret = names_add(names, strdup(line));
	if (!ret && !names->nr)
		ret = -ENODATA;
out:
	buf_free(&text);
	return ret;
}

/* Events of the "ftrace" system, and others without a switch, are left out. */
static bool can_enable(const struct host *h, const char *system,
		       const char *event)
{
	char path[PATH_MAX + 256];

	snprintf(path, sizeof(path), "%s/events/%s/%s/enable", h->tracing,
		 system, event);
	return !access(path, F_OK);
}

static int names_add_system(struct event_names *names, const struct host *h,
			    const char *system)
{
	char **events = tracefs_system_events(h->tracing, system);
	int i, ret = 0;
	char *name;

	for (i = 0; events && events[i] && !ret; i++) {
		if (!can_enable(h, system, events[i]))
			continue;
		if (asprintf(&name, "%s:%s", system, events[i]) < 0)
			name = NULL;
		ret = names_add(names, name);
	}
	tracefs_list_free(events);
	return ret;
}

/* Some hosts give out events/ only; walking it takes 20 times as long. */
static int names_walk(struct event_names *names, const struct host *h)
{
	char **systems = tracefs_event_systems(h->tracing);
	int i, ret = 0;

	for (i = 0; systems && systems[i] && !ret; i++)
		ret = names_add_system(names, h, systems[i]);
	tracefs_list_free(systems);
	return ret;
}

int event_names_read(struct event_names *names, const struct host *h)
{
	int ret;

	memset(names, 0, sizeof(*names));
	ret = names_read_list(names, h);
	if (ret && ret != -ENOMEM)
		ret = names_walk(names, h);
	if (ret)
		event_names_free(names);
	return ret;
}

void event_names_free(struct event_names *names)
{
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		free(names->name[i]);
	free(names->name);
	memset(names, 0, sizeof(*names));
}

static bool names_have(const struct event_names *names, const char *name)
{
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		if (!strcmp(names->name[i], name))
			return true;
	return false;
}

/* ---------------------------------------------------------------- adding */

int plan_add_event(struct plan *plan, const char *system, const char *name,
		   struct plan_event **evp)
{
	struct plan_event *ev;
	unsigned int i;

	for (i = 0; i < plan->nr; i++) {
		*evp = &plan->event[i];
		if (!strcmp((*evp)->system, system) &&
		    !strcmp((*evp)->name, name))
			return 0;
	}
	if (plan->nr == plan->cap) {
		plan->cap = plan->cap ? plan->cap * 2 : 64;
		ev = reallocarray(plan->event, plan->cap, sizeof(*ev));
		if (!ev)
			return -ENOMEM;
		plan->event = ev;
	}
	ev = &plan->event[plan->nr];
	memset(ev, 0, sizeof(*ev));
	if (strlen(system) >= sizeof(ev->system) ||
	    strlen(name) >= sizeof(ev->name))
		return -ENAMETOOLONG;
	strcpy(ev->system, system);
	strcpy(ev->name, name);
	plan->nr++;
	*evp = ev;
	return 0;
}

static int plan_add(struct plan *plan, const char *name, const char *filter,
		    bool required)
{
	const char *colon = strchr(name, ':');
	struct plan_event *ev;
	char system[64];
	int ret;

	snprintf(system, sizeof(system), "%.*s", (int)(colon - name), name);
	ret = plan_add_event(plan, system, colon + 1, &ev);
	if (ret)
		return ret;
	ev->required |= required;
	if (filter)
		ev->filter = filter;
	return 0;
}

int plan_miss(struct plan *plan, const char *name)
{
	plan->nr_missing++;
	return buf_printf(&plan->missing, "%s%s", plan->missing.len ? ", " : "",
			  name);
}

static int say_required(const struct catalog_set *set,
			const struct catalog_row *row, struct errbuf *err)
{
	struct utsname uts;

	if (uname(&uts))
		uts.release[0] = '\0';
	errbuf_set(err, -EOPNOTSUPP,
		   "set '%s' needs %s, which this kernel (%s) lacks", set->name,
		   row->names[0], uts.release);
	if (row->since[0])
		errbuf_hint(err,
			    "Linux %s has it; 'mmcap doctor' shows "
			    "what works here",
			    row->since);
	else
		errbuf_hint(err, "'mmcap doctor' shows what works here");
	return -EOPNOTSUPP;
}

static int plan_add_row(struct plan *plan, const struct event_names *names,
			const struct catalog_set *set,
			const struct catalog_row *row,
			const struct plan_request *req)
{
	bool required = row->required & set->bit;
	unsigned int i;

	for (i = 0; i < CATALOG_NAMES && row->names[i]; i++)
		if (names_have(names, row->names[i]))
			return plan_add(plan, row->names[i], req->filter,
					required);
	if (required)
		return -EOPNOTSUPP;
	return plan->missing.len &&
			       strstr((char *)plan->missing.p, row->names[0])
		       ? 0
		       : plan_miss(plan, row->names[0]);
}

static int plan_add_set(struct plan *plan, const struct event_names *names,
			const struct catalog_set *set,
			const struct plan_request *req, struct errbuf *err)
{
	const struct catalog_row *row;
	unsigned int i;
	int ret;

	for (i = 0; i < catalog_nr_rows; i++) {
		row = &catalog_rows[i];
		if (!((row->required | row->optional) & set->bit))
			continue;
		ret = plan_add_row(plan, names, set, row, req);
		if (ret == -EOPNOTSUPP)
			return say_required(set, row, err);
		if (ret)
			return ret;
	}
	return 0;
}

/* Is name what the user means: its system, its event, both, or a glob? */
static bool name_matches(const char *name, const char *what)
{
	const char *event = strchr(name, ':') + 1;
	size_t len = strlen(what);

	if (strpbrk(what, "*?["))
		return !fnmatch(what, strchr(what, ':') ? name : event, 0);
	return !strcmp(name, what) || !strcmp(event, what) ||
	       (!strncmp(name, what, len) && name[len] == ':');
}

/* What the user may have meant: sets, systems, events. */
static int say_unknown(const struct event_names *names, const char *what,
		       struct errbuf *err)
{
	unsigned int i, nr = 0, max = catalog_nr_sets + 2 * names->nr;
	const char **list = calloc(max, sizeof(*list));
	const char *near = NULL;
	char system[64];

	for (i = 0; list && i < catalog_nr_sets; i++)
		list[nr++] = catalog_sets[i].name;
	for (i = 0; list && i < names->nr; i++)
		list[nr++] = strchr(what, ':')
				     ? names->name[i]
				     : strchr(names->name[i], ':') + 1;
	if (list)
		near = nearest_name(what, list, nr);
	errbuf_set(err, -ENOENT, "no event or set called '%s'", what);
	for (i = 0; !near && i < names->nr; i++) {
		const char *one = system;

		snprintf(system, sizeof(system), "%.*s",
			 (int)strcspn(names->name[i], ":"), names->name[i]);
		if (nearest_name(what, &one, 1))
			near = system;
	}
	if (near)
		errbuf_hint(err,
			    "did you mean '%s'?  "
			    "'mmcap list' shows all",
			    near);
	else
		errbuf_hint(err, "'mmcap list' shows all");
	free(list);
	return -ENOENT;
}

static int plan_add_request(struct plan *plan, const struct event_names *names,
			    const struct plan_request *req, struct errbuf *err)
{
	const struct catalog_set *set = catalog_find_set(req->what);
	bool found = false;
	unsigned int i;
	int ret;

	if (set)
		return plan_add_set(plan, names, set, req, err);
	if (plan_probe_is(req->what))
		return plan_probe_add(plan, req, err);
	for (i = 0; i < names->nr; i++) {
		if (!name_matches(names->name[i], req->what))
			continue;
		found = true;
		ret = plan_add(plan, names->name[i], req->filter, false);
		if (ret)
			return ret;
	}
	return found ? 0 : say_unknown(names, req->what, err);
}

int plan_make(struct plan *plan, const struct host *h,
	      const struct plan_request *req, unsigned int nr_req,
	      struct errbuf *err)
{
	static const struct plan_request everything = {"all", NULL};
	struct event_names names;
	unsigned int i;
	int ret;

	memset(plan, 0, sizeof(*plan));
	err->text[0] = '\0';
	ret = event_names_read(&names, h);
	if (!nr_req) {
		req = &everything;
		nr_req = 1;
	}
	for (i = 0; i < nr_req && !ret; i++)
		ret = plan_add_request(plan, &names, &req[i], err);
	if (!ret && plan->nr >= MMT_MAX_SCHEMAS)
		ret = errbuf_set(err, -E2BIG,
				 "%u events match, a log holds at most %d",
				 plan->nr, MMT_MAX_SCHEMAS - 1);
	if (ret && !err->text[0])
		errbuf_set(err, ret, "events: %s", strerror(-ret));
	if (ret)
		plan_free(plan);
	event_names_free(&names);
	return ret;
}

void plan_free(struct plan *plan)
{
	free(plan->event);
	plan_probes_free(plan);
	buf_free(&plan->missing);
	memset(plan, 0, sizeof(*plan));
}

/* -------------------------------------------------------------- decoders */

int plan_compile_event(struct plan_event *ev, const struct host *h,
		       const char *system, struct tracefmt *fmt,
		       struct errbuf *err)
{
	char path[PATH_MAX + 160];
	struct buf text = {0};
	int ret;

	snprintf(path, sizeof(path), "%s/events/%s/%s/format", h->tracing,
		 ev->system, ev->name);
	ret = file_read(path, &text);
	if (ret)
		errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
	else
		ret = tracefmt_add(fmt, system, (char *)text.p, text.len, err);
	buf_free(&text);
	ev->id = ret;
	return ret < 0 ? ret : 0;
}

int plan_compile(struct plan *plan, const struct host *h, struct tracefmt *fmt,
		 struct errbuf *err)
{
	char name[160];
	unsigned int i, kept = 0;
	int ret;

	for (i = 0; i < plan->nr; i++) {
		struct plan_event *ev = &plan->event[i];

		ret = plan_compile_event(ev, h, ev->system, fmt, err);
		if (ret && ev->required)
			return ret;
		if (ret) {
			snprintf(name, sizeof(name), "%s:%s", ev->system,
				 ev->name);
			ret = plan_miss(plan, name);
			if (ret)
				return errbuf_set(err, ret, "events: %s",
						  strerror(-ret));
			continue;
		}
		if (kept != i)
			plan->event[kept] = *ev;
		kept++;
	}
	plan->nr = kept;
	if (!kept && !plan->nr_probes)
		return errbuf_set(err, -ENOENT,
				  "no event here has a format we can read");
	return 0;
}

int plan_declare(struct plan *plan, struct tracefmt *fmt, struct mmt_writer *w)
{
	struct plan_event *ev;
	unsigned int i;
	int ret;

	for (i = 0; i < plan->nr; i++) {
		ev = &plan->event[i];
		ret = mmt_writer_schema(w, tracefmt_schema(fmt, ev->id));
		if (ret < 0)
			return ret;
		ev->type = ret;
		ret = tracefmt_set_type(fmt, ev->id, (uint16_t)ret);
		if (ret)
			return ret;
	}
	return 0;
}
