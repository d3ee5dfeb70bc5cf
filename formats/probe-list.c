/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-list.c - all definitions of a recording, found by their event */

/*
 * An event may have several probes, as the kernel allows; that its kind then
 * depends on which of them hit, no record says.  Such a definition is marked,
 * and nothing is made of its event.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include <xxhash.h>

#include "formats/probe.h"

static unsigned int slot_of(const struct probes *ps, const char *name)
{
	return (unsigned int)XXH64(name, strlen(name), 0) & (ps->nr_slots - 1);
}

static void enter(struct probes *ps, unsigned int i)
{
	unsigned int at = slot_of(ps, ps->def[i].name);

	while (ps->slot[at])
		at = (at + 1) & (ps->nr_slots - 1);
	ps->slot[at] = i + 1;
}

static int grow(struct probes *ps)
{
	unsigned int nr_slots = ps->nr_slots ? ps->nr_slots * 2 : 128, i;
	struct probe_def *def;
	unsigned int *slot;

	def = realloc(ps->def, nr_slots / 2 * sizeof(*def));
	if (!def)
		return -ENOMEM;
	ps->def = def;
	slot = calloc(nr_slots, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	free(ps->slot);
	ps->slot = slot;
	ps->nr_slots = nr_slots;
	for (i = 0; i < ps->nr; i++)
		enter(ps, i);
	return 0;
}

/* All definitions of this name in turn: start with *at = 0; NULL at the end. */
static struct probe_def *next_named(const struct probes *ps, const char *name,
				    unsigned int *at)
{
	unsigned int i;

	while (ps->nr_slots &&
	       (i = ps->slot[(slot_of(ps, name) + *at) & (ps->nr_slots - 1)])) {
		++*at;
		if (!strcmp(ps->def[i - 1].name, name))
			return &ps->def[i - 1];
	}
	return NULL;
}

static struct probe_def *find_exact(const struct probes *ps, const char *group,
				    const char *name)
{
	struct probe_def *def;
	unsigned int at = 0;

	while ((def = next_named(ps, name, &at)))
		if (!strcmp(def->group, group))
			return def;
	return NULL;
}

const struct probe_def *probes_find(const struct probes *ps, const char *group,
				    const char *name)
{
	const struct probe_def *def, *other;
	unsigned int at = 0;

	if (group)
		return find_exact(ps, group, name);
	def = next_named(ps, name, &at);
	other = def ? next_named(ps, name, &at) : NULL;
	return other ? NULL : def;
}

/* Takes the definition over; what is known already is freed. */
static int put(struct probes *ps, struct probe_def *def)
{
	struct probe_def *known = find_exact(ps, def->group, def->name);
	int ret = 0;

	if (known) {
		known->several |= strcmp(known->text, def->text) != 0;
		probe_def_free(def);
		return 0;
	}
	if (ps->nr == PROBE_MAX_DEFS)
		ret = -ENOSPC;
	else if (ps->nr * 2 >= ps->nr_slots)
		ret = grow(ps);
	if (ret) {
		probe_def_free(def);
		return ret;
	}
	ps->def[ps->nr] = *def;
	enter(ps, ps->nr++);
	return 0;
}

int probes_add(struct probes *ps, const char *text, size_t len,
	       int (*bad)(void *arg, unsigned int line, const char *cause),
	       void *arg)
{
	const char *end = text + len, *nl;
	struct probe_def def;
	struct errbuf err;
	unsigned int line;
	int nr = 0, ret = 0;

	for (line = 1; !ret && text < end; line++, text = nl + 1) {
		nl = memchr(text, '\n', (size_t)(end - text));
		if (!nl)
			nl = end;
		ret = probe_parse(&def, text, (size_t)(nl - text), &err);
		if (!ret) {
			ret = put(ps, &def);
			nr++;
			if (ret == -ENOSPC)
				return bad(arg, line, "too many definitions")
					       ?: nr;
			continue;
		}
		probe_def_free(&def);
		if (ret == -ENOENT)
			ret = 0;
		else if (ret == -EINVAL)
			ret = bad(arg, line, err.text);
	}
	return ret ? ret : nr;
}

void probes_free(struct probes *ps)
{
	unsigned int i;

	for (i = 0; i < ps->nr; i++)
		probe_def_free(&ps->def[i]);
	free(ps->def);
	free(ps->slot);
	memset(ps, 0, sizeof(*ps));
}

bool probes_is_text(const char *text, size_t len)
{
	const char *end = text + len, *nl;
	struct probe_def def;
	struct errbuf err;
	int ret = -ENOENT;

	for (; ret == -ENOENT && text < end; text = nl + 1) {
		nl = memchr(text, '\n', (size_t)(end - text));
		if (!nl)
			nl = end;
		ret = probe_parse(&def, text, (size_t)(nl - text), &err);
		probe_def_free(&def);
	}
	return !ret;
}
