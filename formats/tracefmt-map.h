/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt-map.h - which kernel names stand for which kind and role */
#ifndef FORMATS_TRACEFMT_MAP_H
#define FORMATS_TRACEFMT_MAP_H

#include "formats/event.h"

/* MMT_OTHER for an event we have no meaning for. */
enum mmt_kind tracefmt_kind(const char *system, const char *name);

/*
 * The i-th name that kernels use for the field of this role, NULL behind the
 * last; every role has at least one.
 */
const char *tracefmt_role_field(enum mmt_kind kind, uint8_t role,
				unsigned int i);

/* Is an event of no use to its kind without this role? */
bool tracefmt_role_needed(uint8_t role);

#endif
