/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols-limits.c - functions that are there, and closed to probes */

/*
 * There are two kinds.  The blacklist of kprobes has what a kprobe itself runs
 * through.  And the probes of tracefs refuse, unless the kernel was built with
 * KPROBE_EVENTS_ON_NOTRACE, what the function tracer cannot trace; these are
 * more than one would think, as "inline" in the kernel's source includes
 * "notrace": the copy that is there because it was not inlined is closed.
 *
 * Both are a help: without them the kernel still refuses the probe, in words
 * that are harder to read.  So what cannot be read is a note, and no error.
 */

#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/kconfig.h"
#include "capture/symbols-priv.h"

#define BLACKLIST "/sys/kernel/debug/kprobes/blacklist"
#define TRACEABLE "available_filter_functions"

static void add_note(struct symbols *s, const char *what, int ret)
{
	size_t len = strlen(s->note);

	snprintf(s->note + len, sizeof(s->note) - len, "%s%s not known: %s",
		 len ? "; " : "", what, strerror(-ret));
}

static void close_symbol(struct symbol *sym, enum symbol_state state)
{
	sym->state = state;
	free(sym->name);
	sym->name = NULL;
	sym->addr = 0;
	sym->shifted = false;
	sym->partial = false;
}

/* -------------------------------------------------------------- blacklist */

struct range {
	uint64_t start;
	uint64_t end; /* behind it */
	char *name;
};

/* "0xffffffff81a00000-0xffffffff81a00190\tname [module]", cut in place. */
static int range_parse(struct range *r, char *text, size_t len)
{
	char *p = text;

	if (strlen(text) != len || !isxdigit((unsigned char)*p))
		return -EBADMSG;
	errno = 0;
	r->start = strtoull(p, &p, 16);
	if (errno || *p++ != '-' || !isxdigit((unsigned char)*p))
		return -EBADMSG;
	r->end = strtoull(p, &p, 16);
	if (errno || (*p && *p != '\t' && *p != ' '))
		return -EBADMSG;
	r->name = p + strspn(p, "\t ");
	r->name[strcspn(r->name, "\t ")] = '\0';
	return 0;
}

/* With hidden addresses, there is the name. */
static void blacklist_apply(struct symbols *s, const struct range *r)
{
	struct symbol *sym;
	unsigned int i;
	bool named;

	for (i = 0; i < s->nr; i++) {
		sym = &s->entries[i].sym;
		if (!symbol_usable(sym))
			continue;
		named = !strcmp(sym->name, r->name);
		if (!named &&
		    (!sym->addr || sym->addr < r->start || sym->addr >= r->end))
			continue;
		symbol_reason_set(sym, "on the kernel's blacklist of kprobes");
		if (!named) {
			symbol_reason_add(sym, ", in the range of ");
			symbol_reason_add(sym, r->name);
		}
		close_symbol(sym, SYMBOL_BLACKLISTED);
	}
}

static int blacklist_scan(struct symbols *s, FILE *f)
{
	char *text = NULL;
	struct range r;
	size_t cap = 0;
	ssize_t len;
	int ret = 0;

	while (!ret && (len = getline(&text, &cap, f)) >= 0) {
		ret = range_parse(&r, text, symbols_chomp(text, len));
		if (!ret)
			blacklist_apply(s, &r);
	}
	if (!ret && ferror(f))
		ret = -EIO;
	free(text);
	return ret;
}

static void blacklist_read(struct symbols *s, const struct host *h)
{
	char path[PATH_MAX];
	FILE *f = NULL;
	int ret;

	ret = host_path(h, path, BLACKLIST);
	if (!ret) {
		f = fopen(path, "re");
		ret = f ? blacklist_scan(s, f) : -errno;
	}
	if (f)
		fclose(f);
	if (ret)
		add_note(s, "the blacklist of kprobes is", ret);
}

/* ---------------------------------------------------------------- notrace */

/* Another copy of the same name may be traceable: the whole name counts. */
static void mark_traceable(const struct symbols *s, const char *want,
			   const char *name)
{
	struct entry *e = symbols_find(s, want);

	if (e && symbol_usable(&e->sym) && !strcmp(e->sym.name, name))
		e->traceable = true;
}

/* "name", "name [module]" */
static int traceable_scan(struct symbols *s, FILE *f)
{
	char want[128], *text = NULL;
	unsigned int nr = 0;
	size_t cap = 0;
	int ret = 0;

	while (getline(&text, &cap, f) >= 0) {
		text[strcspn(text, " \t\n")] = '\0';
		nr += *text != '\0';
		mark_traceable(s, text, text);
		/* a copy of what was asked for */
		snprintf(want, sizeof(want), "%.*s", (int)strcspn(text, "."),
			 text);
		if (strchr(text, '.'))
			mark_traceable(s, want, text);
	}
	if (ferror(f))
		ret = -EIO;
	else if (!nr)
		ret = -ENODATA;
	free(text);
	return ret;
}

static void close_untraceable(struct symbols *s)
{
	struct entry *e;
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		e = &s->entries[i];
		if (!symbol_usable(&e->sym) || e->traceable)
			continue;
		symbol_reason_set(&e->sym,
				  "%.80s is notrace, as inline functions are",
				  e->sym.name);
		close_symbol(&e->sym, SYMBOL_NOTRACE);
	}
}

/* A kernel without the function tracer has no such file, and no such limit. */
static void traceable_read(struct symbols *s, const struct host *h)
{
	char path[PATH_MAX + 64], on_notrace;
	FILE *f;
	int ret;

	if (!*h->tracing ||
	    (!kconfig_get(h, "KPROBE_EVENTS_ON_NOTRACE", &on_notrace) &&
	     on_notrace == 'y'))
		return;
	snprintf(path, sizeof(path), "%s/" TRACEABLE, h->tracing);
	f = fopen(path, "re");
	if (!f) {
		if (errno != ENOENT)
			add_note(s, "what is notrace is", -errno);
		return;
	}
	ret = traceable_scan(s, f);
	if (ret)
		add_note(s, "what is notrace is", ret);
	else
		close_untraceable(s);
	fclose(f);
}

void symbols_read_limits(struct symbols *s, const struct host *h)
{
	blacklist_read(s, h);
	traceable_read(s, h);
}
