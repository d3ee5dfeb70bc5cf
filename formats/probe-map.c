/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-map.c - what a probe on a function of the kernel means */

/*
 * An argument of a probe plays a role for one of three reasons, the surest
 * first: it is an argument of the function that can be nothing else; its author
 * calls it as such values are called; or it fetches from a folio or a mapping
 * what lies there.  Offsets are those of the structures on 64-bit machines
 * (Linux 6.1 to 7.3), and are believed only where the name says nothing.
 */

#include "config.h"

#include <ctype.h>
#include <stdio.h>

#include "formats/probe-map.h"
#include "formats/probe-names.h"

/* ------------------------------------------------------------ expressions */

/* How the n-th argument of a function is spelled; 0: what it returns. */
struct spelling {
	const char *name; /* of the declaration, or NULL */
	unsigned int nr;
};

/* Length of a spelling of the argument that stands at p; 0 if none does. */
static size_t argument_at(const char *p, struct spelling arg)
{
	/* registers of x86-64 and arm64 where a function begins */
	static const char *const regs[][2] = {
		{"%ax", "%x0"}, {"%di", "%x0"}, {"%si", "%x1"}, {"%dx", "%x2"},
		{"%cx", "%x3"}, {"%r8", "%x4"}, {"%r9", "%x5"},
	};
	char text[16];
	const char *spelled[4] = {text, arg.name};
	unsigned int i, nr = 2;

	if (arg.nr)
		snprintf(text, sizeof(text), "$arg%u", arg.nr);
	else
		snprintf(text, sizeof(text), "$retval");
	if (arg.nr < ARRAY_SIZE(regs)) {
		spelled[nr++] = regs[arg.nr][0];
		spelled[nr++] = regs[arg.nr][1];
	}
	for (i = 0; i < nr; i++) {
		size_t len = spelled[i] ? strlen(spelled[i]) : 0;

		if (len && !strncmp(p, spelled[i], len) &&
		    !isalnum((unsigned char)p[len]) && p[len] != '_')
			return len;
	}
	return 0;
}

/* Is expr the pattern, in which '@' stands for the argument? */
static bool expr_is(const char *expr, const char *pattern, struct spelling arg)
{
	for (; *pattern; pattern++) {
		size_t len = 1;

		if (*pattern == '@')
			len = argument_at(expr, arg);
		else if (*expr != *pattern)
			return false;
		if (!len)
			return false;
		expr += len;
	}
	return !*expr;
}

/* The same of a table's own expression, "+0($arg2)" or "vmf->pgoff". */
static bool expr_is_literal(const char *expr, const char *literal)
{
	const char *dollar = strstr(literal, "$arg");
	char pattern[64];

	if (!dollar || strlen(literal) >= sizeof(pattern))
		return !strcmp(expr, literal);
	snprintf(pattern, sizeof(pattern), "%.*s@%s", (int)(dollar - literal),
		 literal, dollar + 5);
	return expr_is(
		expr, pattern,
		(struct spelling){NULL, (unsigned int)(dollar[4] - '0')});
}

static bool place_is(const struct probe_place *place, const char *expr)
{
	if (place->nr == UINT8_MAX)
		return expr_is_literal(expr, place->name);
	return expr_is(expr, "@", (struct spelling){place->name, place->nr});
}

/* ------------------------------------------------------------------ roles */

/* What lies where in a folio and in a mapping, by offset and by member. */
static const struct {
	uint8_t role, of; /* role of the argument that it is fetched from */
	const char *pattern;
} fetches[] = {
	{MMT_PAGE_FLAGS, MMT_PFN, "+0(@)"},
	{MMT_PAGE_FLAGS, MMT_PFN, "@->flags"},
	{MMT_PAGE_FLAGS, MMT_PFN, "@->flags.f"},
	{MMT_MAPPING, MMT_PFN, "+24(@)"},
	{MMT_MAPPING, MMT_PFN, "@->mapping"},
	{MMT_INDEX, MMT_PFN, "+32(@)"},
	{MMT_INDEX, MMT_PFN, "@->index"},
	{MMT_SWAP, MMT_PFN, "+40(@)"},
	{MMT_SWAP, MMT_PFN, "@->private"},
	{MMT_MEMCG, MMT_PFN, "+56(@)"},
	{MMT_MEMCG, MMT_PFN, "@->memcg_data"},
	{MMT_INO, MMT_PFN, "+64(+0(+24(@)))"},
	{MMT_INO, MMT_PFN, "@->mapping->host->i_ino"},
	{MMT_DEV, MMT_PFN, "+16(+40(+0(+24(@))))"},
	{MMT_DEV, MMT_PFN, "@->mapping->host->i_sb->s_dev"},
	{MMT_INO, MMT_MAPPING, "+64(+0(@))"},
	{MMT_INO, MMT_MAPPING, "@->host->i_ino"},
	{MMT_DEV, MMT_MAPPING, "+16(+40(+0(@)))"},
	{MMT_DEV, MMT_MAPPING, "@->host->i_sb->s_dev"},
	{MMT_NEW_FLAGS, MMT_NEW_PFN, "+0(@)"},
};

/* The search for the roles' arguments. */
struct search {
	struct probe_map *map;
	const struct probe_def *def;
	const struct probe_function *function;
	const uint8_t *roles;
	bool used[PROBE_MAX_ARGS];
};

/* Text has no number, and a few bits of a word are not the word. */
static bool is_plain(const struct probe_arg *arg)
{
	return !strstr(arg->type, "str") && !strchr(arg->type, '[') &&
	       *arg->type != 'b' && *arg->type != '%' &&
	       strcmp(arg->type, "char");
}

static void assign(struct search *s, unsigned int i, unsigned int arg)
{
	s->map->arg[i] = (int16_t)arg;
	s->used[arg] = true;
}

static int role_index(const struct search *s, uint8_t role)
{
	unsigned int i;

	for (i = 0; i < s->map->nr_roles; i++)
		if (s->roles[i] == role)
			return (int)i;
	return -1;
}

static void assign_places(struct search *s)
{
	const struct probe_place *place = s->function->place;
	unsigned int n, a;
	int i;

	for (n = 0; n < PROBE_PLACES && place[n].role; n++) {
		i = role_index(s, place[n].role);
		for (a = 0; i >= 0 && s->map->arg[i] < 0 && a < s->def->nr_args;
		     a++)
			if (!s->used[a] && is_plain(&s->def->arg[a]) &&
			    place_is(&place[n], s->def->arg[a].expr))
				assign(s, (unsigned int)i, a);
	}
}

static void assign_names(struct search *s)
{
	unsigned int i, a;

	for (i = 0; i < s->map->nr_roles; i++)
		for (a = 0; s->map->arg[i] < 0 && a < s->def->nr_args; a++)
			if (!s->used[a] && is_plain(&s->def->arg[a]) &&
			    probe_name_fits((enum mmt_kind)s->map->kind,
					    s->roles[i], s->def->arg[a].name))
				assign(s, i, a);
}

/* The function's argument of a role, to see what is fetched from it. */
static bool source_of(const struct search *s, uint8_t role,
		      struct spelling *arg, const char **literal)
{
	const struct probe_place *place = s->function->place;
	unsigned int n;

	for (n = 0; n < PROBE_PLACES && place[n].role; n++) {
		if (place[n].role != role ||
		    !strcmp(place[n].name ? place[n].name : "", "$pfn"))
			continue;
		*arg = (struct spelling){place[n].name, place[n].nr};
		*literal = place[n].nr == UINT8_MAX ? place[n].name : NULL;
		return true;
	}
	return false;
}

static void assign_fetches(struct search *s)
{
	struct spelling from;
	const char *literal;
	unsigned int n, a;
	int i;

	for (n = 0; n < ARRAY_SIZE(fetches); n++) {
		i = role_index(s, fetches[n].role);
		if (i < 0 || s->map->arg[i] >= 0 ||
		    !source_of(s, fetches[n].of, &from, &literal))
			continue;
		/* an event's own field has one spelling, "$folio" */
		if (literal)
			from = (struct spelling){literal, PROBE_MAX_ARGS};
		for (a = 0; s->map->arg[i] < 0 && a < s->def->nr_args; a++)
			if (!s->used[a] && is_plain(&s->def->arg[a]) &&
			    expr_is(s->def->arg[a].expr, fetches[n].pattern,
				    from))
				assign(s, (unsigned int)i, a);
	}
}

/* ----------------------------------------------------------------- values */

static bool is_frame(const struct probe_map *map, const struct probe_arg *arg)
{
	return map->kind == MMT_LOOK_AROUND || !strcmp(arg->name, "pfn") ||
	       !strcmp(arg->expr, "$pfn");
}

static enum probe_value value_of(const struct probe_map *map, uint8_t role,
				 const struct probe_arg *arg)
{
	switch (role) {
	case MMT_PFN:
	case MMT_NEW_PFN:
		return is_frame(map, arg) ? PROBE_NUMBER : PROBE_FOLIO;
	case MMT_MAPPING:
		return PROBE_TAGGED;
	case MMT_MEMCG:
	case MMT_TARGET:
		return PROBE_UNTAGGED;
	case MMT_INO:
	case MMT_SWAP:
	case MMT_CGROUP:
		return PROBE_SCRUBBED;
	case MMT_LRUVEC:
	case MMT_CALLER:
	case MMT_PGDAT:
		return PROBE_POINTER;
	}
	return PROBE_NUMBER;
}

/* Has it room for an address of a 64-bit kernel, and may it be one? */
static bool is_wide(const struct probe_arg *arg)
{
	return is_plain(arg) && (!*arg->type || strstr(arg->type, "64") ||
				 !strncmp(arg->type, "symbol", 6));
}

/* What plays no role is kept; what is an address by its name, as an id. */
static enum probe_value rest_value(struct probe_map *map,
				   const struct probe_arg *arg)
{
	if (!is_wide(arg))
		return PROBE_NUMBER;
	if (!strcmp(arg->type, "symbol") || probe_name_is_pointer(arg->name))
		return PROBE_POINTER;
	if (probe_name_is_number(arg->name))
		return PROBE_SCRUBBED;
	map->addresses = true;
	return PROBE_NUMBER;
}

static void set_values(struct probe_map *map, const struct probe_def *def,
		       const uint8_t *roles)
{
	unsigned int a, i;

	map->addresses = false;
	for (a = 0; a < def->nr_args; a++) {
		for (i = 0; i < map->nr_roles; i++)
			if (map->arg[i] == (int)a)
				break;
		map->value[a] =
			i < map->nr_roles
				? (uint8_t)value_of(map, roles[i], &def->arg[a])
				: (uint8_t)rest_value(map, &def->arg[a]);
	}
}

/* -------------------------------------------------------------------- map */

/* "NAME of FUNCTION: no argument is its ROLE" */
static void leave(struct probe_map *map, const struct probe_def *def,
		  const char *why)
{
	const char *kind = mmt_kind_name((enum mmt_kind)map->kind);

	if (map->kind == MMT_OTHER)
		kind = "probe";
	snprintf(map->note, sizeof(map->note),
		 "%s at %.40s%.20s: %.60s, kept as other", kind, def->symbol,
		 def->suffix, why);
	map->kind = MMT_OTHER;
	map->nr_roles = 0;
	map->guarded = false;
	set_values(map, def, NULL);
}

static void leave_lacking(struct probe_map *map, const struct probe_def *def,
			  uint8_t role)
{
	char why[64];

	snprintf(why, sizeof(why), "field %s is missing", mmt_role_name(role));
	leave(map, def, why);
}

/* Arguments are where they are said to be only where the function begins. */
static bool is_at_begin(const struct probe_def *def)
{
	unsigned int a;

	if (!def->offset || def->type != PROBE_ENTRY)
		return true;
	/* the kernel refuses $arg elsewhere; its own entry may be in front */
	for (a = 0; a < def->nr_args; a++)
		if (strstr(def->arg[a].expr, "$arg"))
			return true;
	return false;
}

static void find_roles(struct probe_map *map, const struct probe_def *def,
		       const struct probe_function *function)
{
	struct search s = {.map = map, .def = def, .function = function};
	unsigned int i;

	map->kind = function->kind;
	map->nr_roles =
		(uint8_t)mmt_kind_roles((enum mmt_kind)map->kind, &s.roles);
	assign_places(&s);
	assign_names(&s);
	assign_fetches(&s);
	set_values(map, def, s.roles);
	for (i = 0; i < map->nr_roles; i++)
		if (map->arg[i] < 0 &&
		    probe_role_needed((enum mmt_kind)map->kind, s.roles[i])) {
			leave_lacking(map, def, s.roles[i]);
			return;
		}
	i = FOLIO_MAPPING;
	map->guarded = map->nr_roles > i && s.roles[i] == MMT_MAPPING &&
		       map->arg[i] >= 0;
	if (*def->suffix)
		snprintf(map->note, sizeof(map->note),
			 "%.40s%.20s: taken to have the arguments of %.40s",
			 def->symbol, def->suffix, def->symbol);
}

void probe_map(struct probe_map *map, const struct probe_def *def)
{
	const struct probe_function *function = probe_function(def);
	unsigned int i;

	memset(map, 0, sizeof(*map));
	for (i = 0; i < ARRAY_SIZE(map->arg); i++)
		map->arg[i] = -1;
	set_values(map, def, NULL);
	if (!function)
		return;
	if (def->several)
		leave(map, def, "the event has several definitions");
	else if (!is_at_begin(def))
		leave(map, def, "not where the function begins");
	else
		find_roles(map, def, function);
}

void probe_map_lacks(struct probe_map *map, const struct probe_def *def,
		     unsigned int i)
{
	const uint8_t *roles;

	mmt_kind_roles((enum mmt_kind)map->kind, &roles);
	map->arg[i] = -1;
	map->guarded &= roles[i] != MMT_MAPPING;
	if (probe_role_needed((enum mmt_kind)map->kind, roles[i]))
		leave_lacking(map, def, roles[i]);
	else
		set_values(map, def, roles);
}

bool probe_own_field(const char *name)
{
	return !strncmp(name, "__probe_", 8);
}
