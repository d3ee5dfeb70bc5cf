/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernelfacts.c - prints what capture/ finds out about the kernel of a tree */

/*
 * usage: kernelfacts ROOT [WHAT...]
 *
 * WHAT is "TYPE.PATH" (offset and size), "enum:TYPE:NAME", "func:NAME",
 * "arg:FUNC:WHAT", "expand:FUNC:SPEC", "symbol:NAME" (what to probe, and the
 * reason), "layout", "how", "flags", or "calibrate", which reads observations
 * and tells, too, at which other places the generation could be.  What cannot be answered is the reason, behind "no: ".
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/pageflags-cal.h"
#include "capture/pageflags.h"
#include "capture/symbols.h"

/* shifts of a field of three bits */
#define NR_PLACES 62

static struct host host;
static struct kbtf *types;
static struct symbols *symbols;
static struct pageflags flags;
static struct errbuf err;

static void say_no(void)
{
	printf("no: %s\n", err.text);
}

static void member(const char *path)
{
	struct kbtf_member m;

	if (kbtf_member(types, path, &m, &err))
		say_no();
	else
		printf("%" PRIu64 " %" PRIu64 "\n", m.offset, m.size);
}

/* "TYPE:NAME" */
static void constant(const char *what)
{
	char type[64];
	int64_t v;

	snprintf(type, sizeof(type), "%.*s", (int)strcspn(what, ":"), what);
	if (kbtf_enum(types, type, what + strcspn(what, ":") + 1, &v, &err))
		say_no();
	else
		printf("%" PRId64 "\n", v);
}

static void function(const char *name)
{
	static const char *const kinds[] = {"void", "bool", "int", "pointer",
					    "other"};
	struct kbtf_func f;

	if (kbtf_func(types, name, &f, &err))
		say_no();
	else
		printf("%u arguments, %s of %u\n", f.nr_args, kinds[f.ret],
		       f.ret_size);
}

/* "FUNC:WHAT" */
static void argument(const char *what)
{
	char func[64];
	int n;

	snprintf(func, sizeof(func), "%.*s", (int)strcspn(what, ":"), what);
	n = kbtf_arg(types, func, what + strcspn(what, ":") + 1, &err);
	if (n < 0)
		say_no();
	else
		printf("%d\n", n);
}

/* Those of all questions, in one go. */
static int load_symbols(char **whats)
{
	const char *want[256];
	unsigned int nr = 0;
	int ret;

	for (; *whats && nr < ARRAY_SIZE(want); whats++)
		if (!strncmp(*whats, "symbol:", 7))
			want[nr++] = *whats + 7;
	ret = symbols_load(&symbols, &host, want, nr, &err);
	if (!ret && *symbols_note(symbols))
		fprintf(stderr, "kernelfacts: %s\n", symbols_note(symbols));
	return ret;
}

static void symbol(const char *name)
{
	const struct symbol *sym;

	sym = symbols ? symbols_get(symbols, name) : NULL;
	if (!sym)
		say_no();
	else
		printf("%s: %s\n", sym->name ? sym->name : "-", sym->reason);
}

/* "FUNC:SPEC", without FUNC for an event */
static void expand(const char *what)
{
	const char *spec = what + strcspn(what, ":") + 1;
	struct buf text = {0};
	char func[64];

	snprintf(func, sizeof(func), "%.*s", (int)strcspn(what, ":"), what);
	if (kbtf_expand(types, &text, spec, *func ? func : NULL, &err) < 0)
		say_no();
	else
		printf("%s\n", (char *)text.p);
	buf_free(&text);
}

static void layout(void)
{
	struct buf text = {0};

	if (!pageflags_text(&flags, &text))
		printf("%s\n", (char *)text.p);
	buf_free(&text);
}

static void bits(void)
{
	unsigned int i;

	for (i = 0; i < NR_PAGEFLAG; i++)
		if (flags.bit[i] >= 0)
			printf("%s%s %d", i ? " " : "",
			       pageflags_name((enum pageflag)i) + 3,
			       flags.bit[i]);
	printf("\n");
}

static bool hex(const char *text, uint64_t *v)
{
	return sscanf(text, "%" SCNx64, v) == 1;
}

/* "PFN BEFORE AFTER EVICTED", where - is not known. */
static bool read_obs(struct pageflags_obs *obs)
{
	char pfn[32], before[32], after[32], evicted[32];

	if (scanf("%31s %31s %31s %31s", pfn, before, after, evicted) != 4 ||
	    !hex(pfn, &obs->pfn))
		return false;
	obs->evictable = hex(after, &obs->after);
	obs->has_before = hex(before, &obs->before);
	obs->has_evicted = hex(evicted, &obs->evicted);
	return true;
}

/* The kernel's layout, and what if the generation were elsewhere. */
static void calibrate(void)
{
	static struct pageflags_cal real, cal[NR_PLACES];
	static struct pageflags pretended[NR_PLACES];
	struct pageflags_obs obs;
	struct buf text = {0};
	unsigned int i;

	pageflags_cal_init(&real, &flags);
	for (i = 0; i < NR_PLACES; i++) {
		pretended[i] = flags;
		pretended[i].gen.shift = (uint8_t)i;
		pageflags_cal_init(&cal[i], &pretended[i]);
	}
	while (read_obs(&obs)) {
		pageflags_cal_feed(&real, &obs);
		for (i = 0; i < NR_PLACES; i++)
			pageflags_cal_feed(&cal[i], &obs);
	}
	if (!pageflags_cal_text(&real, &text))
		printf("%s\n", (char *)text.p);
	buf_free(&text);
	printf("of all places:");
	for (i = 0; i < NR_PLACES; i++)
		if (pageflags_cal_verdict(&cal[i]) != PAGEFLAGS_MISFITS)
			printf(" %u", i);
	printf("\n");
}

static void answer(const char *what)
{
	if (!strncmp(what, "enum:", 5))
		constant(what + 5);
	else if (!strncmp(what, "func:", 5))
		function(what + 5);
	else if (!strncmp(what, "arg:", 4))
		argument(what + 4);
	else if (!strncmp(what, "expand:", 7))
		expand(what + 7);
	else if (!strncmp(what, "symbol:", 7))
		symbol(what + 7);
	else if (strchr(what, '.') && types)
		member(what);
	else if (!types || pageflags_load(&flags, &host, types, &err))
		say_no();
	else if (!strcmp(what, "layout"))
		layout();
	else if (!strcmp(what, "how"))
		printf("%s\n", flags.how);
	else if (!strcmp(what, "flags"))
		bits();
	else if (!strcmp(what, "calibrate"))
		calibrate();
}

int main(int argc, char **argv)
{
	enum tracing_state state;
	int i;

	if (argc < 2) {
		fprintf(stderr, "usage: kernelfacts ROOT [WHAT...]\n");
		return 2;
	}
	host.root = argv[1];
	if (host_find_tracing(&host, &state, &err))
		*host.tracing = '\0';
	if (kbtf_open(&types, &host, &err))
		types = NULL;
	for (i = 2; i < argc; i++) {
		if (!symbols && !strncmp(argv[i], "symbol:", 7) &&
		    load_symbols(argv + i))
			symbols = NULL;
		answer(argv[i]);
	}
	symbols_free(symbols);
	kbtf_close(types);
	return fflush(stdout) ? 1 : 0;
}
