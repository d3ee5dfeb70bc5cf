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

/* "CONFIG_NAME=VALUE": true, and the value is copied. */
static bool line_gives(const char *line, struct kconfig_value *v)
{
	size_t len = strlen(v->option);

	if (strncmp(line, "CONFIG_", 7) || strncmp(line + 7, v->option, len) ||
	    line[7 + len] != '=')
		return false;
	snprintf(v->value, sizeof(v->value), "%s", line + 8 + len);
	v->value[strcspn(v->value, "\n")] = '\0';
	return true;
}

/* gzgets() stops at an error as it does at the end. */
static int values_scan(gzFile gz, struct kconfig_value *v, unsigned int nr)
{
	unsigned int i, nr_options = 0;
	char line[512];
	int err = Z_OK;

	for (i = 0; i < nr; i++)
		v[i].value[0] = '\0';
	while (gzgets(gz, line, sizeof(line))) {
		nr_options += !strncmp(line, "CONFIG_", 7);
		for (i = 0; i < nr && !line_gives(line, &v[i]); i++)
			;
	}
	gzerror(gz, &err);
	if (err == Z_ERRNO)
		return errno ? -errno : -EIO;
	/* zlib hands anything through that is not compressed */
	return (err == Z_OK || err == Z_STREAM_END) && nr_options ? 0
								  : -EBADMSG;
}

/* The file can be opened, and all of it be read. */
static int values_read(const char *path, struct kconfig_value *v,
		       unsigned int nr, struct errbuf *err)
{
	gzFile gz;
	int ret;

	errno = 0;
	gz = gzopen(path, "re");
	if (!gz) {
		ret = errno ? -errno : -ENOMEM;
		return errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
	}
	ret = values_scan(gz, v, nr);
	/* a stream that was cut is seen at the close only */
	if (gzclose(gz) == Z_BUF_ERROR && !ret)
		ret = -EBADMSG;
	if (ret == -EBADMSG)
		errbuf_set(err, ret, "%s: is damaged", path);
	else if (ret)
		errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
	return ret;
}

int kconfig_values(const struct host *h, struct kconfig_value *v,
		   unsigned int nr, char where[PATH_MAX], struct errbuf *err)
{
	struct utsname uts;
	struct errbuf boot;
	int ret, ret_boot;

	ret = host_path(h, where, "/proc/config.gz");
	if (ret)
		return errbuf_set(err, ret, "%s: %s", h->root, strerror(-ret));
	ret = values_read(where, v, nr, err);
	if (!ret || uname(&uts) ||
	    host_path(h, where, "/boot/config-%s", uts.release))
		return ret;
	ret_boot = values_read(where, v, nr, &boot);
	if (!ret_boot)
		return 0;
	/* of two, the one that is there */
	if (ret == -ENOENT && ret_boot == -ENOENT)
		return errbuf_set(err, ret,
				  "no /proc/config.gz, no /boot/config-%s",
				  uts.release);
	if (ret == -ENOENT)
		*err = boot;
	return ret == -ENOENT ? ret_boot : ret;
}
