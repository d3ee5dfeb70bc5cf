/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - tables as files in a directory, and their charts */

/*
 * A table is written under a temporary name and renamed when it is whole, so
 * that a full disk leaves the former one, and a link that somebody put in the
 * way is replaced, never followed.  Charts are mm-plot's work: the one that
 * was installed beside this program, else the one in PATH; no shell is
 * involved.
 */
#include "config.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyze/output.h"
#include "formats/units.h"

extern char **environ;

static int output_error(const char *path, int ret, struct errbuf *err)
{
	char safe[384];

	return errbuf_set(err, ret, "%s: %s",
			  units_escape(safe, sizeof(safe), path),
			  strerror(-ret));
}

static unsigned int env_id(const char *name)
{
	const char *text = getenv(name);
	uint64_t v;

	if (!text || units_parse_u64(text, &v) || v >= UINT32_MAX)
		return (unsigned int)-1;
	return (unsigned int)v;
}

/* Under sudo the result belongs to the user who typed the command. */
static int give_to_user(int fd)
{
	unsigned int uid = env_id("SUDO_UID");

	if (geteuid() || uid == (unsigned int)-1)
		return 0;
	return fchown(fd, uid, env_id("SUDO_GID")) ? -errno : 0;
}

static int give_dir(const char *dir)
{
	int fd, ret;

	fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = give_to_user(fd);
	close(fd);
	return ret;
}

int output_dir(const char *dir, struct errbuf *err)
{
	struct stat st;
	int ret;

	if (!mkdir(dir, 0777))
		ret = give_dir(dir);
	else if (errno != EEXIST)
		ret = -errno;
	else if (stat(dir, &st))
		ret = -errno;
	else
		ret = S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
	return ret ? output_error(dir, ret, err) : 0;
}

/* Writes, closes, and says whether all of it reached the file. */
static int write_and_close(const struct table *t, int fd)
{
	FILE *out = fdopen(fd, "w");
	int ret;

	if (!out) {
		ret = -errno;
		close(fd);
		return ret;
	}
	ret = table_write_csv(t, out);
	if (!ret && (fflush(out) || ferror(out)))
		ret = errno ? -errno : -EIO;
	if (fclose(out) && !ret)
		ret = -errno;
	return ret;
}

static int write_renamed(const struct table *t, char *temp, const char *path)
{
	int fd, ret;

	fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = give_to_user(fd);
	if (ret)
		close(fd);
	else
		ret = write_and_close(t, fd);
	if (!ret && rename(temp, path))
		ret = -errno;
	if (ret)
		unlink(temp);
	return ret;
}

int output_csv(const struct table *t, const char *dir, const char *stem,
	       struct errbuf *err)
{
	char *path = NULL, *temp = NULL;
	int ret = -ENOMEM;

	if (asprintf(&path, "%s/%s-%s.csv", dir, stem, table_name(t)) < 0)
		path = NULL;
	else if (asprintf(&temp, "%s/.%s-%s.XXXXXX", dir, stem, table_name(t)) <
		 0)
		temp = NULL;
	if (path && temp) {
		ret = write_renamed(t, temp, path);
		if (ret)
			output_error(path, ret, err);
	}
	free(temp);
	free(path);
	return ret;
}

/* mm-plot where it is installed, or built; or its name, to search in PATH. */
static void plot_program(char *path, size_t size)
{
	static const char *const places[] = {"mm-plot", "../plot/mm-plot"};
	ssize_t len = readlink("/proc/self/exe", path, size);
	unsigned int i;
	char *end;

	if (len > 0 && (size_t)len < size - 32) {
		path[len] = '\0';
		end = strrchr(path, '/');
		for (i = 0; end && i < ARRAY_SIZE(places); i++) {
			strcpy(end + 1, places[i]);
			if (!access(path, X_OK))
				return;
		}
	}
	strcpy(path, places[0]);
}

/* Its words go to stderr: stdout may be a table.  Exit status or -errno. */
static int run_plot(char *const argv[])
{
	posix_spawn_file_actions_t actions;
	int ret, status;
	pid_t pid;

	ret = posix_spawn_file_actions_init(&actions);
	if (ret)
		return -ret;
	ret = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO,
					       STDOUT_FILENO);
	if (!ret)
		ret = posix_spawnp(&pid, argv[0], &actions, NULL, argv,
				   environ);
	posix_spawn_file_actions_destroy(&actions);
	if (ret)
		return -ret;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int output_plot(const char *dir, const char *stem, const char *table,
		struct errbuf *err)
{
	char program[4096], *csv;
	int ret;

	if (asprintf(&csv, "%s/%s-%s.csv", dir, stem, table) < 0)
		return -ENOMEM;
	plot_program(program, sizeof(program));
	ret = run_plot((char *[]){program, "-o", (char *)dir, "--stem",
				  (char *)stem, "--", csv, NULL});
	if (ret == -ENOENT) {
		errbuf_set(err, ret,
			   "mm-plot: not beside this program, not in PATH");
		errbuf_hint(
			err,
			"the tables are written; draw them elsewhere with mm-plot");
	} else if (ret < 0) {
		output_error(program, ret, err);
	} else if (ret) {
		ret = errbuf_set(err, -EIO, "mm-plot: %s: no chart (exit %d)",
				 csv, ret);
	}
	free(csv);
	return ret;
}
