/* SPDX-License-Identifier: GPL-2.0-or-later */
/* supervisor.c - a child that undoes our changes if the recorder is killed */

/*
 * The child sleeps in read(2) on a pipe.  A byte means that the recorder has
 * undone everything by itself; the end of the pipe means that it died, and
 * the child removes the instance.  It leads a session of its own and blocks
 * the signals of the terminal, so that Ctrl-C does not take it first.
 */

#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/supervisor.h"

static void supervise(int fd, const struct session *s)
{
	struct session copy = *s;
	sigset_t all;
	ssize_t n;
	char c;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	/* nobody shall wait for our copy of his pipe */
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	do
		n = read(fd, &c, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		session_undo(&copy);
	_exit(0);
}

int supervisor_start(struct supervisor *sv, const struct session *s)
{
	int fds[2];

	sv->pid = -1;
	sv->fd = -1;
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	sv->pid = fork();
	if (sv->pid < 0) {
		int ret = -errno;

		close(fds[0]);
		close(fds[1]);
		return ret;
	}
	if (!sv->pid) {
		close(fds[1]);
		supervise(fds[0], s);
	}
	close(fds[0]);
	sv->fd = fds[1];
	return 0;
}

void supervisor_end(struct supervisor *sv)
{
	ssize_t n;

	if (sv->pid <= 0)
		return;
	do
		n = write(sv->fd, "", 1);
	while (n < 0 && errno == EINTR);
	close(sv->fd);
	while (waitpid(sv->pid, NULL, 0) < 0 && errno == EINTR)
		;
	sv->pid = -1;
	sv->fd = -1;
}
