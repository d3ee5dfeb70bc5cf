/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - the command whose run is recorded */
#ifndef CAPTURE_COMMAND_H
#define CAPTURE_COMMAND_H

#include <signal.h>
#include <sys/types.h>

#include "formats/base.h"

#define COMMAND_NO_LOG    125 /* as env(1): our own failure */
#define COMMAND_NOT_EXEC  126
#define COMMAND_NOT_FOUND 127

struct command {
	pid_t pid;   /* <= 0: there is none */
	int go_fd;   /* a byte lets it run */
	int exec_fd; /* brings the errno of a failed exec */
	bool running;
	int status; /* of wait(2), once it has ended */
};

/* Can argv[0] be run?  0, or COMMAND_NOT_* with the reason in err. */
int command_check(const char *name, struct errbuf *err);

/*
 * Forks the child, which waits: so it exists before the recording and is
 * fork-free of our threads.  mask: the signals that it shall have blocked;
 * close_fd is not left open in it.
 */
int command_fork(struct command *c, char **argv, const sigset_t *mask,
		 int close_fd);
/* Lets it run.  0, or COMMAND_NOT_* if exec failed. */
int command_release(struct command *c, const char *name, struct errbuf *err);
/* Has it ended?  Never blocks unless told to wait. */
bool command_ended(struct command *c, bool wait);
/* What a shell would call its status. */
int command_exit_status(const struct command *c);
/* Drops a child that was never let run. */
void command_cancel(struct command *c);

#endif
