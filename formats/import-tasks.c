/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tasks.c - lines of the text "tasks", from names that others wrote */

#include "config.h"

#include <inttypes.h>

#include "formats/import-frame.h"
#include "formats/units.h"

#define NAME_MAX_BYTES 63 /* a true one has 15 */

int import_task_line(struct buf *out, int64_t tid, int64_t tgid,
		     const char *comm, size_t len)
{
	char name[NAME_MAX_BYTES + 1], escaped[4 * sizeof(name)];
	size_t i;

	len = MIN(len, (size_t)NAME_MAX_BYTES);
	for (i = 0; i < len; i++)
		/* a NUL would end the name, and the text */
		name[i] = comm[i] ? comm[i] : ' ';
	name[len] = '\0';
	units_escape(escaped, sizeof(escaped), name);
	return buf_printf(out, "%" PRId64 " %" PRId64 " %s\n", tid, tgid,
			  escaped);
}
