/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-map.h - what a probe on a function of the kernel means */
#ifndef FORMATS_PROBE_MAP_H
#define FORMATS_PROBE_MAP_H

#include "formats/event.h"
#include "formats/probe.h"

/* How what an argument fetched becomes a value of an event. */
enum probe_value {
	PROBE_NUMBER,
	PROBE_POINTER,  /* an address: a dense id */
	PROBE_FOLIO,    /* of a folio or page: its frame, or an id */
	PROBE_TAGGED,   /* 4 * id + the two low bits */
	PROBE_UNTAGGED, /* id of the address without its low bits */
	PROBE_SCRUBBED, /* a number; what looks like an address is 0 */
};

/*
 * A file's inode is fetched through pointers that other folios do not have, and
 * private is a swap entry or a pointer: what comes out may be an address.
 */
static inline uint64_t probe_scrub(uint64_t v)
{
	return v >= 0xff00000000000000ULL && v < (uint64_t)-4095 ? 0 : v;
}

/* Device and inode of a folio that is no file's are not what they seem. */
static inline void probe_guard(uint64_t *vals)
{
	if (!vals[FOLIO_MAPPING] || vals[FOLIO_MAPPING] & 3)
		vals[FOLIO_DEV] = vals[FOLIO_INO] = 0;
}

struct probe_map {
	uint8_t kind; /* enum mmt_kind; MMT_OTHER if it has no meaning here */
	uint8_t nr_roles;
	int16_t arg[MMT_MAX_FIELDS];   /* the one of each role; -1: none */
	uint8_t value[PROBE_MAX_ARGS]; /* enum probe_value of each argument */
	bool guarded;                  /* probe_guard() is needed */
	bool addresses; /* one taken as a number may be a kernel address */
	char note[160]; /* what was assumed, or why it is MMT_OTHER; or "" */
};

/*
 * Finds the kind of the function, and the arguments that its roles need: by
 * their place among the function's own, by name, by what they fetch.
 */
void probe_map(struct probe_map *map, const struct probe_def *def);

/*
 * The same after it turned out that the event does not have the field of a
 * role: an event of no kind if it cannot do without.
 */
void probe_map_lacks(struct probe_map *map, const struct probe_def *def,
		     unsigned int i);

/* Does every kernel's probe have this field, whatever its definition? */
bool probe_own_field(const char *name);

#endif
