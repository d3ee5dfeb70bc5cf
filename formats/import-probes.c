/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-probes.c - definitions of probes that come beside a recording */

/*
 * A recording has the events of probes, but not what they were set on.  The
 * kernel tells that in kprobe_events and dynamic_events, of which people keep a
 * copy: named by --probes, or by --formats as a file, or beside the event
 * formats in a directory.  What is not a definition in them is told; the event
 * it was meant for then stays a custom one.
 */

#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/import-frame.h"
#include "formats/units.h"

/* The files of tracefs that have definitions; the first has them all. */
static const char *const files[] = {"dynamic_events", "kprobe_events",
				    "uprobe_events"};

struct source {
	struct import *im;
	char name[IMPORT_NAME_MAX];
};

static int tell_bad(void *arg, unsigned int line, const char *cause)
{
	const struct source *s = arg;

	return import_note(s->im, "%s: line %u: %s; it is not used", s->name,
			   line, cause);
}

/* Adds the definitions of one file; their number, or an error. */
static int load_file(struct import *im, const char *path)
{
	struct source s = {.im = im};
	struct import_map map;
	const char *name;
	int ret = import_map(&map, path, im->err);

	if (ret)
		return ret;
	name = import_name(s.name, path);
	if (name != s.name)
		snprintf(s.name, sizeof(s.name), "%s", name);
	ret = probes_add(&im->probes, (const char *)map.p, map.len, tell_bad,
			 &s);
	import_unmap(&map);
	return ret;
}

bool import_is_probes(const char *path)
{
	struct import_map map;
	struct errbuf err;
	bool is;

	if (import_is_dir(path) || import_map(&map, path, &err))
		return false;
	is = map.len && probes_is_text((const char *)map.p, map.len);
	import_unmap(&map);
	return is;
}

static int load_dir(struct import *im, const char *dir)
{
	char path[PATH_MAX];
	unsigned int i;
	int ret, nr = 0;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		if (snprintf(path, sizeof(path), "%s/%s", dir, files[i]) >=
			    (int)sizeof(path) ||
		    access(path, R_OK))
			continue;
		ret = load_file(im, path);
		if (ret < 0)
			return ret;
		nr += ret;
	}
	return nr;
}

/* What is no definition may be event formats, which raw pages need. */
static int load_formats(struct import *im, const char *path)
{
	char name[IMPORT_NAME_MAX];
	int ret = 0;

	if (import_is_dir(path))
		ret = load_dir(im, path);
	else if (access(path, R_OK))
		return errbuf_set(im->err, -errno, "%s: %s",
				  import_name(name, path), strerror(errno));
	else if (import_is_probes(path))
		ret = load_file(im, path);
	if (ret || !strcmp(im->report->kind, import_raw.name))
		return ret;
	return import_note(im,
			   "%s has no definition of a probe, and is not used",
			   import_name(name, path));
}

int import_probes_load(struct import *im)
{
	const char *path = im->options->probes;
	char name[IMPORT_NAME_MAX];
	int ret = 0;

	if (im->options->formats)
		ret = load_formats(im, im->options->formats);
	if (ret < 0 || !path)
		return MIN(ret, 0);
	ret = load_file(im, path);
	if (ret)
		return MIN(ret, 0);
	errbuf_set(im->err, -EINVAL, "%s: no definition of a probe in it",
		   import_name(name, path));
	errbuf_hint(im->err, "a copy of kprobe_events or dynamic_events of "
			     "the traced kernel");
	return -EINVAL;
}

int import_put_probe(struct import *im, const struct mmt_schema *schema,
		     const struct probe_def *def)
{
	char key[160];

	/* a probe of user space is of files that are nobody's business */
	if (def->type == PROBE_FOREIGN)
		return 0;
	snprintf(key, sizeof(key), "probe.%s:%s", schema->system, schema->name);
	return mmt_writer_meta(im->writer, key, def->text);
}
