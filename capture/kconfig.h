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

#endif
