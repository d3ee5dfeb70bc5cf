/* SPDX-License-Identifier: GPL-2.0-or-later */
/* supervisor.h - a child that undoes our changes if the recorder is killed */
#ifndef CAPTURE_SUPERVISOR_H
#define CAPTURE_SUPERVISOR_H

#include <sys/types.h>

#include "capture/session.h"

struct supervisor {
	pid_t pid;
	int fd; /* its end closes with us, whatever ends us */
};

/* Forks it, before anything is changed.  0 or -errno. */
int supervisor_start(struct supervisor *sv, const struct session *s);
/* Tells it that everything is undone, and waits for its end. */
void supervisor_end(struct supervisor *sv);

#endif
