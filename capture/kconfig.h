/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kconfig.h - configuration options that are known to change results */
#ifndef CAPTURE_KCONFIG_H
#define CAPTURE_KCONFIG_H

#include "capture/host.h"

/*
 * Appends "OPTION=y OPTION=n ..." for the options that matter, from
 * /boot/config-RELEASE or /proc/config.gz.  -ENOENT if there is neither.
 */
int kconfig_read(const struct host *h, struct buf *out);

/* One option: 'y', 'm', or 'n' if it is not set.  -ENOENT as above. */
int kconfig_get(const struct host *h, const char *option, char *value);

#define KCONFIG_VALUE_MAX 24

struct kconfig_value {
	const char *option;
	char value[KCONFIG_VALUE_MAX]; /* "y", "10"; "" if it is not set */
};

/*
 * Values of any kind, in one pass.  /proc/config.gz comes first, as a file in
 * /boot may be of another build with the same name.  Sets where to the file.
 * -ENOENT if there is none; if none can be read, or it is damaged, that.
 */
int kconfig_values(const struct host *h, struct kconfig_value *v,
		   unsigned int nr, char where[PATH_MAX], struct errbuf *err);

#endif
