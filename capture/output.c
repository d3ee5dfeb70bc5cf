/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - may the log be created here? */

/*
 * Asked before anything is changed on the machine.  The writer creates the
 * file with O_EXCL and O_NOFOLLOW later, so nothing is decided by this look;
 * it only makes the message come early.
 */

#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "capture/output.h"

static int check_existing(const char *path, mode_t mode, bool force,
			  struct errbuf *err)
{
	if (S_ISCHR(mode) || !strcmp(path, "-")) {
		errbuf_set(err, -EINVAL, "%s: a log is binary and needs a file",
			   path);
		errbuf_hint(err, "name one with -o FILE");
		return -EINVAL;
	}
	if (!S_ISREG(mode))
		return errbuf_set(err, -EINVAL, "%s: not a regular file", path);
	if (!force) {
		errbuf_set(err, -EEXIST, "%s: %s", path, strerror(EEXIST));
		errbuf_hint(err, "-f replaces it, -o FILE names another");
		return -EEXIST;
	}
	return 0;
}

int output_check(const char *path, bool force, struct errbuf *err)
{
	char dir[PATH_MAX], *slash;
	struct stat st;

	if (!strcmp(path, "-"))
		return check_existing(path, 0, force, err);
	if (!lstat(path, &st)) {
		int ret = check_existing(path, st.st_mode, force, err);

		if (ret)
			return ret;
	}
	if (strlen(path) >= sizeof(dir))
		return errbuf_set(err, -ENAMETOOLONG, "%s: %s", path,
				  strerror(ENAMETOOLONG));
	strcpy(dir, path);
	slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	else
		strcpy(dir, ".");
	if (!access(dir, W_OK | X_OK))
		return 0;
	errbuf_set(err, -errno, "%s: %s", path, strerror(errno));
	errbuf_hint(err, "-o FILE puts the log elsewhere");
	return -EACCES;
}

void output_identity(const char *path, uint64_t *dev, uint64_t *ino)
{
	struct stat st;

	*dev = *ino = 0;
	if (lstat(path, &st))
		return;
	*dev = (uint64_t)major(st.st_dev) << DEV_MINOR_BITS | minor(st.st_dev);
	*ino = st.st_ino;
}
