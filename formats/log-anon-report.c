/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-anon-report.c - what mm-log anon says of its copy */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "formats/log-anon.h"
#include "formats/units.h"

/* "WHAT: NAME, NAME", nothing if there are no names. */
static int put_names(FILE *out, const char *what, const struct strings *names)
{
	struct buf line = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < names->nr && !ret; i++) {
		ret = buf_printf(&line, "%s", i ? ", " : "");
		if (!ret)
			ret = log_escape(&line, (const char *)names->bytes.p +
							names->start[i]);
	}
	if (!ret && names->nr)
		ret = wrap_print(out, "%s: %s", what, (char *)line.p);
	buf_free(&line);
	return ret;
}

static int put_replaced(FILE *out, const struct anon_copy *c)
{
	static const char *const what[ANON_NR_KINDS][2] = {
		{"task name", "task names"},
		{"name of a file or another text",
		 "names of files and other texts"},
		{"name of a cgroup", "names of cgroups"},
		{"host name", "host names"},
		{"boot id", "boot ids"},
		{"command line", "command lines"},
		{"filter", "filters"},
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ANON_NR_KINDS && !ret; i++) {
		uint32_t nr = c->anon.seen[i].nr;

		if (nr)
			ret = wrap_print(out, "replaced: %" PRIu32 " %s", nr,
					 what[i][nr != 1]);
	}
	if (!ret && c->anon.addresses.nr)
		ret = wrap_print(out, "replaced: %zu kernel address%s",
				 c->anon.addresses.nr,
				 c->anon.addresses.nr == 1 ? "" : "es");
	return ret;
}

static int put_remains(FILE *out, const struct anon_copy *c)
{
	static const char *const always[] = {
		"all times, and with clock.offset_ns the time of day",
		"thread ids, CPUs, device and inode numbers, offsets in files, page frames, sizes",
		"names of events and of their fields",
	};
	unsigned int i;
	int ret = put_names(out, "remains: names of kernel threads",
			    &c->anon.kernel);

	if (!ret)
		ret = put_names(out, "remains: facts", &c->kept_facts);
	if (!ret)
		ret = put_names(out, "remains: texts", &c->kept_texts);
	for (i = 0; i < ARRAY_SIZE(always) && !ret; i++)
		ret = wrap_print(out, "remains: %s", always[i]);
	return ret;
}

static int put_head(FILE *out, const struct anon_copy *c)
{
	struct buf from = {0}, to = {0};
	struct stat st = {0};
	char size[UNITS_MAX];
	int ret = log_escape(&from, mmt_path(c->log));

	if (!ret)
		ret = log_escape(&to, c->o->out);
	if (!ret && !stat(c->o->out, &st))
		units_size(size, (uint64_t)st.st_size);
	else
		units_size(size, 0);
	if (!ret)
		ret = wrap_print(out, "%s: %" PRIu64 " events", (char *)from.p,
				 c->nr_events);
	if (!ret && log_defect(mmt_counts(c->log)))
		ret = wrap_print(out, "incomplete: %s",
				 log_defect(mmt_counts(c->log)));
	if (!ret)
		ret = wrap_print(out, "written: %s, %s", (char *)to.p, size);
	buf_free(&from);
	buf_free(&to);
	return ret;
}

int anon_report(FILE *out, const struct anon_copy *c)
{
	int ret = put_head(out, c);

	if (!ret)
		ret = put_replaced(out, c);
	if (!ret)
		ret = put_names(out, "left out", &c->dropped);
	if (!ret && c->nr_bad_tasks)
		ret = wrap_print(out,
				 "left out: %" PRIu64 " line%s of the text "
				 "tasks that name%s no task",
				 c->nr_bad_tasks,
				 c->nr_bad_tasks == 1 ? "" : "s",
				 c->nr_bad_tasks == 1 ? "s" : "");
	if (!ret)
		ret = put_remains(out, c);
	if (ret)
		return ret;
	return wrap_print(out, "key: %s",
			  c->o->key ? "from a file; keep it to yourself"
				    : "drawn for this copy, kept nowhere");
}
