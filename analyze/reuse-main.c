/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reuse-main.c - mm-reuse: reuse distance and miss-ratio curves */

/*
 * Ties the engine to the command line that all analyzers share.  A log without
 * access events is refused: adds and removals tell what was inserted, not what
 * was used, and a hit ratio guessed from them would be wrong.
 */
#include "config.h"

#include "analyze/reuse.h"
#include "analyze/runs.h"
#include "formats/units.h"

static int engine_new(void **engine, const struct run *run, struct errbuf *err)
{
	struct reuse *r;
	char path[256];
	int ret;

	if (!pages_has_accesses(run->log)) {
		units_escape(path, sizeof(path), mmt_path(run->log));
		errbuf_set(
			err, -ENODATA,
			"%s: has no access events (adds and removals are not accesses)",
			path);
		errbuf_hint(
			err,
			"mm-refault works from adds and removals: mm-refault %s",
			path);
		return -ENODATA;
	}
	ret = reuse_new(&r, run_page_size(run));
	if (!ret)
		*engine = r;
	return ret;
}

static int engine_batch(void *engine, const struct page_batch *batch)
{
	return reuse_batch(engine, batch);
}

static int engine_end(void *engine, const struct run *run)
{
	(void)run;
	reuse_end(engine);
	return 0;
}

static uint64_t engine_counted(const void *engine)
{
	return reuse_accesses(engine);
}

static void engine_free(void *engine)
{
	reuse_free(engine);
}

static const struct analysis reuse_analysis = {
	.program = REUSE_PROGRAM,
	.synopsis =
		"Exact reuse distance and miss-ratio curve of page-cache accesses.",
	.tables = reuse_tables,
	.engine_new = engine_new,
	.engine_batch = engine_batch,
	.engine_end = engine_end,
	.engine_free = engine_free,
	.engine_counted = engine_counted,
	.counts = "access",
	.note = reuse_note,
	.print_report = reuse_print_report,
};

int main(int argc, char **argv)
{
	return analysis_main(&reuse_analysis, argc, argv);
}
