/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kind-schema.h - an event type that has the fields of a kind, and no others */
#ifndef TESTS_KIND_SCHEMA_H
#define TESTS_KIND_SCHEMA_H

#include <stdio.h>

#include "formats/event.h"

static inline struct mmt_schema kind_schema(const char *system,
					    enum mmt_kind kind)
{
	struct mmt_schema s = {.kind = (uint8_t)kind};
	const uint8_t *roles;
	unsigned int i;

	snprintf(s.system, sizeof(s.system), "%s", system);
	snprintf(s.name, sizeof(s.name), "%s", mmt_kind_name(kind));
	s.nr_fields = (uint8_t)mmt_kind_roles(kind, &roles);
	for (i = 0; i < s.nr_fields; i++) {
		s.field[i].role = roles[i];
		s.field[i].type = MMT_UNSIGNED;
		s.field[i].size = 8;
		snprintf(s.field[i].name, sizeof(s.field[i].name), "%s",
			 mmt_role_name(roles[i]));
	}
	return s;
}

#endif
