/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-names.h - tables: functions and their arguments, names of fields */
#ifndef FORMATS_PROBE_NAMES_H
#define FORMATS_PROBE_NAMES_H

#include "formats/event.h"
#include "formats/probe.h"

/* An argument of a function: 1 is its first; 0 is what it returns. */
struct probe_place {
	uint8_t role;
	uint8_t nr;
	const char *name; /* as the kernel declares it */
};

#define PROBE_PLACES 5

/* What it means that this function is called, or returns. */
struct probe_function {
	const char *symbol;
	uint8_t type; /* enum probe_type */
	uint8_t kind;
	struct probe_place place[PROBE_PLACES]; /* ends with role 0 */
};

/* NULL if we know no meaning for it. */
const struct probe_function *probe_function(const struct probe_def *def);

/* Is an event of this kind of no use without the role? */
bool probe_role_needed(enum mmt_kind kind, uint8_t role);

/* Do people call an argument so that has this role in an event of this kind? */
bool probe_name_fits(enum mmt_kind kind, uint8_t role, const char *name);

/* Is it a name that numbers have, never addresses? */
bool probe_name_is_number(const char *name);
/* Is it a name that pointers have? */
bool probe_name_is_pointer(const char *name);

#endif
