/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cleanup-main.c - mmcap cleanup: removes what dead recorders left */

/*
 * Every recorder has an instance named after its pid, and a lock on it for as
 * long as it lives.  An instance without either belongs to nobody.  Those of
 * live recorders and of other programs are left alone.
 */

#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/main.h"
#include "capture/session.h"

static const char help[] =
	"usage: mmcap cleanup [--root DIR]\n"
	"\n"
	"Removes tracing instances of recorders that were killed, and says\n"
	"which.  Nothing else is touched.\n";

/* 1 removed, 0 left alone, or a negative errno. */
static int clean_one(const struct host *h, const char *name)
{
	struct session s;
	int pid, ret;

	if (!session_is_ours(name, &pid))
		return 0;
	if (!session_is_dead(h, name)) {
		printf("kept %s: its recorder is running\n", name);
		return 0;
	}
	ret = session_named(&s, h, name);
	if (!ret)
		ret = session_undo(&s);
	if (ret) {
		say("%s: cannot be removed: %s", name, strerror(-ret));
		return ret;
	}
	printf("removed %s: its recorder is dead\n", name);
	return 1;
}

static int clean_all(const struct host *h)
{
	int ret, status = EXIT_DONE, nr_removed = 0;
	char path[PATH_MAX + 16];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/instances", h->tracing);
	dir = opendir(path);
	if (!dir) {
		say("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	while ((d = readdir(dir))) {
		ret = clean_one(h, d->d_name);
		if (ret < 0)
			status = EXIT_FAILED;
		else
			nr_removed += ret;
	}
	closedir(dir);
	if (!nr_removed && status == EXIT_DONE)
		puts("nothing to clean up");
	return close_stdout(status);
}

int cleanup_main(int argc, char **argv)
{
	struct errbuf err = {0};
	enum tracing_state state;
	struct host h;
	int ret;

	ret = plain_options(argc, argv, help, &h.root);
	if (ret)
		return ret - 1;
	if (host_find_tracing(&h, &state, &err)) {
		complain(&err);
		return EXIT_FAILED;
	}
	return clean_all(&h);
}
