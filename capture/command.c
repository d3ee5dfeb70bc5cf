/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.c - the command whose run is recorded */

/*
 * The child is forked early, while we have one thread and have changed
 * nothing, and waits for a byte.  A second pipe is closed by a successful
 * exec and brings errno otherwise.
 */

#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/command.h"

static int say_not_run(const char *name, int error, struct errbuf *err)
{
	errbuf_set(err, -error, "%s: %s", name, strerror(error));
	return error == ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_EXEC;
}

static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return access(path, X_OK) ? errno : 0;
}

/* execvp(3)'s search: the first that works, else EACCES before ENOENT. */
int command_check(const char *name, struct errbuf *err)
{
	const char *p = getenv("PATH");
	char path[PATH_MAX];
	int error, worst = ENOENT;
	size_t len;

	if (strchr(name, '/')) {
		error = check_file(name);
		return error ? say_not_run(name, error, err) : 0;
	}
	if (!p)
		p = "/bin:/usr/bin";
	for (;; p += len + 1) {
		len = strcspn(p, ":");
		snprintf(path, sizeof(path), "%.*s/%s", len ? (int)len : 1,
			 len ? p : ".", name);
		error = check_file(path);
		if (!error)
			return 0;
		if (error == EACCES)
			worst = EACCES;
		if (!p[len])
			break;
	}
	return say_not_run(name, worst, err);
}

static void command_child(char **argv, const sigset_t *mask, int go_fd,
			  int exec_fd)
{
	int error;
	char c;

	if (read(go_fd, &c, 1) != 1)
		_exit(COMMAND_NO_LOG);
	/* handlers do not survive exec, ignored signals do */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	error = errno;
	if (write(exec_fd, &error, sizeof(error)) < 0)
		_exit(COMMAND_NO_LOG);
	_exit(error == ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_EXEC);
}

int command_fork(struct command *c, char **argv, const sigset_t *mask,
		 int close_fd)
{
	int go[2], ex[2], ret;

	memset(c, 0, sizeof(*c));
	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(ex, O_CLOEXEC)) {
		ret = -errno;
		goto err_go;
	}
	c->pid = fork();
	if (c->pid < 0) {
		ret = -errno;
		goto err_exec;
	}
	if (!c->pid) {
		close(go[1]);
		close(ex[0]);
		if (close_fd >= 0)
			close(close_fd);
		command_child(argv, mask, go[0], ex[1]);
	}
	close(go[0]);
	close(ex[1]);
	c->go_fd = go[1];
	c->exec_fd = ex[0];
	c->running = true;
	return 0;

err_exec:
	close(ex[0]);
	close(ex[1]);
err_go:
	close(go[0]);
	close(go[1]);
	return ret;
}

int command_release(struct command *c, const char *name, struct errbuf *err)
{
	int error = 0;
	ssize_t n;

	n = write(c->go_fd, "", 1);
	close(c->go_fd);
	if (n == 1)
		do
			n = read(c->exec_fd, &error, sizeof(error));
		while (n < 0 && errno == EINTR);
	close(c->exec_fd);
	if (n == (ssize_t)sizeof(error)) {
		command_ended(c, true);
		return say_not_run(name, error, err);
	}
	return 0;
}

bool command_ended(struct command *c, bool wait)
{
	pid_t pid;

	if (!c->running)
		return true;
	do
		pid = waitpid(c->pid, &c->status, wait ? 0 : WNOHANG);
	while (pid < 0 && errno == EINTR);
	if (pid)
		c->running = false;
	return !c->running;
}

int command_exit_status(const struct command *c)
{
	if (WIFSIGNALED(c->status))
		return 128 + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}

void command_cancel(struct command *c)
{
	if (c->pid <= 0)
		return;
	close(c->go_fd);
	close(c->exec_fd);
	command_ended(c, true);
	c->pid = 0;
}
