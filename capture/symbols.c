/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.c - which functions of this kernel a probe can be put on */

/*
 * A function of the source may be in kallsyms under its own name, as a copy
 * that the compiler made for some callers (.constprop, .isra; .llvm is a
 * static one that LTO renamed), several times (a static function of that name
 * in two files), or not at all (inlined).  .cold and .part are pieces of a
 * function, __pfx_ and __cfi_ the padding in front of one: no entry points.
 * We take what is there once and refuse the rest with the reason, as a probe
 * on the wrong copy would not fail but record something else.
 *
 * The kernel has some 150 000 symbols and we ask for a hundred, so the names
 * asked for are sorted and each line of the file is looked up among them.
 */

#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/symbols-priv.h"

#define KALLSYMS "/proc/kallsyms"
/* more copies than this are counted, not kept */
#define MAX_COPIES 16
/* KSYM_NAME_LEN is 512; a line has an address and a module besides */
#define MAX_LINE 1024

static int entry_cmp(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->sym.want, y->sym.want);
}

struct entry *symbols_find(const struct symbols *s, const char *name)
{
	struct entry key = {.sym.want = name};

	return s->nr ? bsearch(&key, s->entries, s->nr, sizeof(key), entry_cmp)
		     : NULL;
}

/* --------------------------------------------------------------- kallsyms */

struct line {
	uint64_t addr;
	char type;
	char *name;
	char *module;
};

/* "ffffffff81234560 t name\t[module]", without its end; cut in place. */
static int line_parse(struct line *l, char *text, size_t len)
{
	char *p = text, *end;

	if (len > MAX_LINE || strlen(text) != len ||
	    !isxdigit((unsigned char)*p))
		return -EBADMSG;
	errno = 0;
	l->addr = strtoull(p, &p, 16);
	if (errno || p[0] != ' ' || !p[1] || p[2] != ' ')
		return -EBADMSG;
	l->type = p[1];
	l->name = p + 3;
	l->module = NULL;
	end = l->name + strcspn(l->name, " \t");
	p = end + strspn(end, " \t");
	if (end == l->name || (*p && *p != '['))
		return -EBADMSG;
	if (*p) {
		l->module = p + 1;
		p = strchr(p, ']');
		if (!p)
			return -EBADMSG;
		*p = '\0';
	}
	*end = '\0';
	return 0;
}

/* Code that kprobes can find; "bpf" and "__builtin__*" are no modules. */
static bool line_is_function(const struct line *l)
{
	if (!strchr("tTwW", l->type))
		return false;
	return !l->module || (strcmp(l->module, "bpf") &&
			      strncmp(l->module, "__builtin__", 11));
}

/* The suffixes of copies that are the whole function, one or more. */
static bool is_copy_suffix(const char *p)
{
	static const char *const known[] = {".constprop.", ".isra.", ".llvm."};
	unsigned int i;
	size_t len;

	while (*p) {
		for (i = 0; i < ARRAY_SIZE(known); i++)
			if (!strncmp(p, known[i], strlen(known[i])))
				break;
		if (i == ARRAY_SIZE(known))
			return false;
		p += strlen(known[i]);
		len = strspn(p, "0123456789");
		if (!len)
			return false;
		p += len;
	}
	return true;
}

static void copy_free(struct copy *c)
{
	free(c->name);
	free(c->module);
	memset(c, 0, sizeof(*c));
}

static int copy_set(struct copy *c, const struct line *l, bool exact)
{
	c->exact = exact;
	c->name = strdup(l->name);
	if (!c->name)
		return -ENOMEM;
	if (l->module) {
		c->module = strdup(l->module);
		if (!c->module)
			return -ENOMEM;
	}
	c->addr = l->addr;
	return 0;
}

static int entry_add(struct entry *e, const struct line *l, bool exact)
{
	if (!e->copies) {
		e->copies = calloc(MAX_COPIES, sizeof(*e->copies));
		if (!e->copies)
			return -ENOMEM;
	}
	e->nr_copies++;
	e->nr_exact += exact;
	if (e->nr_kept == MAX_COPIES) {
		/* the one that decides must be among those kept */
		if (!exact || e->nr_exact > 1)
			return 0;
		copy_free(&e->copies[--e->nr_kept]);
	}
	return copy_set(&e->copies[e->nr_kept++], l, exact);
}

/* The same line may be what two names asked for: "x" and "x.isra.0". */
static int line_offer(struct symbols *s, struct line *l)
{
	char *dot = strchr(l->name, '.');
	struct entry *e;
	int ret = 0;

	if (!line_is_function(l))
		return 0;
	e = symbols_find(s, l->name);
	if (e)
		ret = entry_add(e, l, true);
	if (ret || !dot || !is_copy_suffix(dot))
		return ret;
	*dot = '\0';
	e = symbols_find(s, l->name);
	*dot = '.';
	return e ? entry_add(e, l, false) : 0;
}

size_t symbols_chomp(char *text, ssize_t len)
{
	if (len > 0 && text[len - 1] == '\n')
		text[--len] = '\0';
	return (size_t)len;
}

static int kallsyms_scan(struct symbols *s, FILE *f, const char *path,
			 struct errbuf *err)
{
	uint64_t nr = 0;
	char *text = NULL;
	size_t cap = 0;
	struct line l;
	ssize_t len;
	int ret = 0;

	errno = 0;
	while (!ret && (len = getline(&text, &cap, f)) >= 0) {
		nr++;
		ret = line_parse(&l, text, symbols_chomp(text, len));
		if (ret)
			errbuf_set(err, ret, "%s: line %" PRIu64 " is damaged",
				   path, nr);
		else
			ret = line_offer(s, &l);
		if (ret == -ENOMEM)
			errbuf_set(err, ret, "%s: %s", path, strerror(ENOMEM));
		errno = 0;
	}
	if (!ret && (ferror(f) || errno)) {
		ret = errno ? -errno : -EIO;
		errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
	} else if (!ret && !nr) {
		ret = errbuf_set(err, -ENODATA, "%s: has no symbols", path);
	}
	free(text);
	return ret;
}

static int kallsyms_read(struct symbols *s, const struct host *h,
			 struct errbuf *err)
{
	char path[PATH_MAX];
	FILE *f;
	int ret;

	ret = host_path(h, path, KALLSYMS);
	if (ret)
		return errbuf_set(err, ret, "%s: %s", h->root, strerror(-ret));
	f = fopen(path, "re");
	if (!f) {
		ret = -errno;
		errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
		if (ret == -ENOENT)
			errbuf_hint(err,
				    "it needs CONFIG_KALLSYMS in the kernel");
		return ret;
	}
	ret = kallsyms_scan(s, f, path, err);
	fclose(f);
	return ret;
}

/* ---------------------------------------------------------------- verdict */

bool symbol_reason_add(struct symbol *sym, const char *text)
{
	size_t len = strlen(sym->reason);

	if (len + strlen(text) > SYMBOL_REASON_MAX)
		return false;
	strcpy(sym->reason + len, text);
	return true;
}

void symbol_reason_set(struct symbol *sym, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(sym->reason, sizeof(sym->reason), fmt, ap);
	va_end(ap);
}

/* Adds what fits, or "and more" in the room that is kept for it. */
static bool reason_list(struct symbol *sym, const char *text)
{
	static const char more[] = " and more";

	if (strlen(sym->reason) + strlen(text) + strlen(more) >
	    SYMBOL_REASON_MAX)
		text = more;
	symbol_reason_add(sym, text);
	return text != more;
}

static void list_copies(struct entry *e)
{
	unsigned int i;
	char text[64];

	for (i = 0; i < e->nr_kept; i++) {
		const struct copy *c = &e->copies[i];

		/* with an exact name, the kernel looks at those alone */
		if (e->nr_exact && !c->exact)
			continue;
		snprintf(text, sizeof(text), " %016" PRIx64 "%.24s", c->addr,
			 c->name + strlen(e->sym.want));
		if (!reason_list(&e->sym, text))
			return;
	}
	if (e->nr_copies > e->nr_kept)
		symbol_reason_add(&e->sym, " and more");
}

static void set_duplicate(struct entry *e)
{
	unsigned int nr = e->nr_exact ? e->nr_exact : e->nr_copies;
	bool hidden = !e->copies[0].addr;

	e->sym.state = SYMBOL_DUPLICATE;
	symbol_reason_set(&e->sym, "%u functions of this name%s", nr,
			  hidden ? " (their addresses are hidden)" : ":");
	if (!hidden)
		list_copies(e);
}

/* Takes over the strings of the copy. */
static void set_found(struct entry *e, struct copy *c)
{
	struct symbol *sym = &e->sym;

	sym->name = c->name;
	sym->module = c->module;
	c->name = NULL;
	c->module = NULL;
	sym->addr = c->addr;
	sym->state = c->exact ? SYMBOL_FOUND : SYMBOL_COPY;
	sym->shifted = strchr(sym->name, '.') != NULL;
	sym->partial = c->exact && e->nr_copies > 1;

	if (sym->state == SYMBOL_COPY)
		symbol_reason_set(sym, "only as %.60s", sym->name);
	else
		symbol_reason_set(sym, "found");
	if (sym->module) {
		symbol_reason_add(sym, ", in module ");
		symbol_reason_add(sym, sym->module);
	}
	if (sym->shifted)
		symbol_reason_add(sym, ": arguments may be shifted");
	if (sym->partial)
		symbol_reason_add(sym, "; calls of its copies are not seen");
}

static void entry_judge(struct entry *e)
{
	unsigned int i = 0;

	if (!e->nr_copies) {
		e->sym.state = SYMBOL_MISSING;
		symbol_reason_set(
			&e->sym,
			"no such symbol (inlined or not in this kernel)");
		return;
	}
	if (e->nr_exact > 1 || (!e->nr_exact && e->nr_copies > 1)) {
		set_duplicate(e);
		return;
	}
	while (e->copies[i].exact != (e->nr_exact == 1))
		i++;
	set_found(e, &e->copies[i]);
}

/* ---------------------------------------------------------------- objects */

static void copies_free(struct entry *e)
{
	while (e->nr_kept)
		copy_free(&e->copies[--e->nr_kept]);
	free(e->copies);
	e->copies = NULL;
}

void symbols_free(struct symbols *s)
{
	unsigned int i;

	if (!s)
		return;
	for (i = 0; i < s->nr; i++) {
		copies_free(&s->entries[i]);
		free(s->entries[i].sym.name);
		free(s->entries[i].sym.module);
	}
	free(s->entries);
	free(s);
}

/* Sorted, each name once. */
static int set_wanted(struct symbols *s, const char *const *want,
		      unsigned int nr)
{
	unsigned int i;

	s->entries = calloc(nr ? nr : 1, sizeof(*s->entries));
	if (!s->entries)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		s->entries[i].sym.want = want[i];
	qsort(s->entries, nr, sizeof(*s->entries), entry_cmp);
	for (i = 0; i < nr; i++)
		if (!s->nr || entry_cmp(&s->entries[s->nr - 1], &s->entries[i]))
			s->entries[s->nr++] = s->entries[i];
	return 0;
}

int symbols_load(struct symbols **out, const struct host *h,
		 const char *const *want, unsigned int nr, struct errbuf *err)
{
	struct symbols *s = calloc(1, sizeof(*s));
	unsigned int i;
	int ret;

	ret = s ? set_wanted(s, want, nr) : -ENOMEM;
	if (ret) {
		errbuf_set(err, ret, "symbols: %s", strerror(-ret));
		goto err_free;
	}
	ret = kallsyms_read(s, h, err);
	if (ret)
		goto err_free;
	for (i = 0; i < s->nr; i++) {
		entry_judge(&s->entries[i]);
		copies_free(&s->entries[i]);
	}
	symbols_read_limits(s, h);
	*out = s;
	return 0;

err_free:
	symbols_free(s);
	return ret;
}

const struct symbol *symbols_get(const struct symbols *s, const char *want)
{
	const struct entry *e = symbols_find(s, want);

	return e ? &e->sym : NULL;
}

const char *symbols_note(const struct symbols *s)
{
	return s->note;
}
