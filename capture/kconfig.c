/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kconfig.c - configuration options that are known to change results */

/*
 * Two kernels that differ in one of these cannot be compared without saying
 * so: debugging options cost time in reclaim, PAGE_IDLE_FLAG narrows the
 * reference bits of MGLRU.  zlib's gzgets() reads plain files as well.
 */

#include "config.h"

#include <stdio.h>
#include <sys/utsname.h>

#include <zlib.h>

#include "capture/kconfig.h"

static const char *const options[] = {
	"LRU_GEN",
	"LRU_GEN_ENABLED",
	"LRU_GEN_STATS",
	"LRU_GEN_WALKS_MMU",
	"PAGE_IDLE_FLAG",
	"NUMA",
	"TRANSPARENT_HUGEPAGE",
	"READ_ONLY_THP_FOR_FS",
	"ZSWAP",
	"DAMON",
	"PREEMPT",
	"PREEMPT_RT",
	"DEBUG_LIST",
	"LIST_HARDENED",
	"DEBUG_VM",
	"DEBUG_PAGEALLOC",
	"PAGE_OWNER",
	"PAGE_POISONING",
	"SLUB_DEBUG_ON",
	"DEBUG_KMEMLEAK",
	"KASAN",
	"KCSAN",
	"KFENCE",
	"UBSAN",
	"PROVE_LOCKING",
	"LOCK_STAT",
	"DEBUG_ATOMIC_SLEEP",
	"FUNCTION_TRACER",
};

static gzFile config_open(const struct host *h)
{
	char path[PATH_MAX];
	struct utsname uts;
	gzFile gz = NULL;

	if (!uname(&uts) && !host_path(h, path, "/boot/config-%s", uts.release))
		gz = gzopen(path, "re");
	if (!gz && !host_path(h, path, "/proc/config.gz"))
		gz = gzopen(path, "re");
	return gz;
}

/* Sets value if the line sets the option. */
static bool line_sets(const char *line, const char *option, char *value)
{
	size_t len = strlen(option);

	if (strncmp(line, "CONFIG_", 7) || strncmp(line + 7, option, len) ||
	    line[7 + len] != '=')
		return false;
	*value = line[8 + len];
	return true;
}

int kconfig_get(const struct host *h, const char *option, char *value)
{
	char line[512];
	gzFile gz;

	gz = config_open(h);
	if (!gz)
		return -ENOENT;
	*value = 'n';
	while (gzgets(gz, line, sizeof(line)))
		if (line_sets(line, option, value))
			break;
	gzclose(gz);
	return 0;
}

int kconfig_read(const struct host *h, struct buf *out)
{
	char line[512], is[ARRAY_SIZE(options)];
	unsigned int i;
	int ret = 0;
	gzFile gz;

	gz = config_open(h);
	if (!gz)
		return -ENOENT;
	memset(is, 'n', sizeof(is));
	while (gzgets(gz, line, sizeof(line)))
		for (i = 0; i < ARRAY_SIZE(options); i++)
			if (line_sets(line, options[i], &is[i]))
				break;
	gzclose(gz);
	for (i = 0; i < ARRAY_SIZE(options) && !ret; i++)
		ret = buf_printf(out, "%s%s=%c", i ? " " : "", options[i],
				 is[i]);
	return ret;
}
