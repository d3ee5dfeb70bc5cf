/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refault-main.c - mm-refault: refault distance, demand, cause of removal */

/*
 * Ties the engine to the command line that all analyzers share.  A log that
 * lacks adds or removals is refused; one without reclaim or access events is
 * analyzed as far as it goes, and the report says what is missing.
 */
#include "config.h"

#include "analyze/refault.h"
#include "analyze/runs.h"
#include "formats/units.h"

static int refuse(const struct run *run, const char *what, struct errbuf *err)
{
	char path[256];

	units_escape(path, sizeof(path), mmt_path(run->log));
	errbuf_set(err, -ENODATA,
		   "%s: has no events of pages %s the page cache", path, what);
	errbuf_hint(err, "record them with: mmcap record -e refault");
	return -ENODATA;
}

static int engine_new(void **engine, const struct run *run, struct errbuf *err)
{
	const struct mmt *log = run->log;
	struct refault *r;
	bool accesses;
	int ret;

	if (!mmt_has_kind(log, MMT_ADD))
		return refuse(run, "entering", err);
	if (!mmt_has_kind(log, MMT_REMOVE))
		return refuse(run, "leaving", err);
	accesses =
		mmt_has_kind(log, MMT_ACCESS) ||
		(mmt_has_kind(log, MMT_READ) && mmt_has_kind(log, MMT_FAULT));
	ret = refault_new(&r, run_page_size(run), pages_has_reclaim(log),
			  accesses);
	if (!ret)
		*engine = r;
	return ret;
}

static int engine_batch(void *engine, const struct page_batch *batch)
{
	return refault_batch(engine, batch);
}

static int engine_end(void *engine, const struct run *run)
{
	(void)run;
	refault_end(engine);
	return 0;
}

static uint64_t engine_counted(const void *engine)
{
	const struct refault *r = engine;

	return r->nr_adds + refault_removals(r);
}

static void engine_free(void *engine)
{
	refault_free(engine);
}

static const struct analysis refault_analysis = {
	.program = REFAULT_PROGRAM,
	.synopsis =
		"Pages that come back after reclaim: distance, demand, cause.",
	.tables = refault_tables,
	.engine_new = engine_new,
	.engine_batch = engine_batch,
	.engine_end = engine_end,
	.engine_free = engine_free,
	.engine_counted = engine_counted,
	.counts = "page added or removed",
	.note = refault_note,
	.print_report = refault_print_report,
};

int main(int argc, char **argv)
{
	return analysis_main(&refault_analysis, argc, argv);
}
