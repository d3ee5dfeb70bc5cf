/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gnuplot.c - runs gnuplot on a script */

/*
 * No shell is involved, the user's gnuplotrc is not read (-d), and the picture
 * comes over stdout, because gnuplot takes an output name that begins with |
 * for a command.  Both outputs go to memory files: no pipe to drain, and
 * nothing on disk until the picture is known to be whole.
 */
#include "config.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot/gnuplot.h"

#define MAX_IMAGE (64UL << 20)

extern char **environ;

static int spawn(pid_t *pid, const char *script, const char *format,
		 const int *fd)
{
	char *argv[] = {(char *)"gnuplot", (char *)"-d",   (char *)"-c",
			(char *)script,    (char *)format, NULL};
	posix_spawn_file_actions_t actions;
	int ret;

	ret = posix_spawn_file_actions_init(&actions);
	if (ret)
		return -ret;
	ret = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
					       O_RDONLY, 0);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&actions, fd[0], 1);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&actions, fd[1], 2);
	if (!ret)
		ret = posix_spawnp(pid, "gnuplot", &actions, NULL, argv,
				   environ);
	posix_spawn_file_actions_destroy(&actions);
	return -ret;
}

static int collect(int fd, struct buf *out)
{
	struct stat st;
	ssize_t n;
	int ret;

	if (fstat(fd, &st))
		return -errno;
	if ((uint64_t)st.st_size > MAX_IMAGE)
		return -EFBIG;
	ret = buf_reserve(out, (size_t)st.st_size + 1);
	if (ret)
		return ret;
	n = pread(fd, out->p + out->len, (size_t)st.st_size, 0);
	if (n < 0)
		return -errno;
	out->len += (size_t)n;
	out->p[out->len] = '\0';
	return 0;
}

static int check_status(int status, const struct buf *image, struct errbuf *err)
{
	if (WIFSIGNALED(status))
		return errbuf_set(err, -EIO, "gnuplot: killed by signal %d",
				  WTERMSIG(status));
	if (WEXITSTATUS(status))
		return errbuf_set(err, -EIO, "gnuplot: exit status %d",
				  WEXITSTATUS(status));
	if (!image->len)
		return errbuf_set(err, -EIO, "gnuplot: drew nothing");
	return 0;
}

static int run(const char *script, const char *format, const int *fd,
	       int *status)
{
	pid_t pid;
	int ret;

	ret = spawn(&pid, script, format, fd);
	if (ret)
		return ret;
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

int gnuplot_draw(const char *script, const char *format, struct buf *image,
		 struct buf *messages, struct errbuf *err)
{
	int ret, status = 0, fd[2];

	fd[0] = memfd_create("gnuplot-stdout", MFD_CLOEXEC);
	fd[1] = memfd_create("gnuplot-stderr", MFD_CLOEXEC);
	ret = fd[0] < 0 || fd[1] < 0 ? -errno : 0;
	if (!ret)
		ret = run(script, format, fd, &status);
	if (!ret)
		ret = collect(fd[0], image);
	if (!ret)
		ret = collect(fd[1], messages);
	if (ret)
		errbuf_set(err, ret, "gnuplot: %s", strerror(-ret));
	else
		ret = check_status(status, image, err);
	if (fd[0] >= 0)
		close(fd[0]);
	if (fd[1] >= 0)
		close(fd[1]);
	return ret;
}
