/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - tables as files in a directory, and their charts */

/*
 * That a file is whole or not there at all is the work of outdir.c.  Charts
 * are mm-plot's work: the one that was installed beside this program, else the
 * one in PATH; no shell is involved.
 */
#include "config.h"

#include <spawn.h>
#include <stdlib.h>
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

static char *file_name(const char *stem, const char *table)
{
	char *name;

	return asprintf(&name, "%s-%s.csv", stem, table) < 0 ? NULL : name;
}

int output_check(const struct outdir *dir, const char *stem, const char *table,
		 struct errbuf *err)
{
	char *name = file_name(stem, table);
	int ret;

	ret = name ? outdir_check(dir, name, err) : -ENOMEM;
	free(name);
	return ret;
}

static int write_csv(const void *t, FILE *out)
{
	return table_write_csv(t, out);
}

int output_csv(const struct outdir *dir, const char *stem,
	       const struct table *t, struct errbuf *err)
{
	char *name = file_name(stem, table_name(t));
	int ret;

	ret = name ? outdir_write(dir, name, write_csv, t, err) : -ENOMEM;
	free(name);
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

/* Exit status or -errno of mm-plot on the table at path csv. */
static int draw(const char *program, const struct outdir *dir, const char *stem,
		const char *csv)
{
	return run_plot((char *[]){(char *)program, "-o", dir->path, "--stem",
				   (char *)stem, "--", (char *)csv, NULL});
}

int output_plot(const struct outdir *dir, const char *stem, const char *table,
		struct errbuf *err)
{
	char *name = file_name(stem, table), *csv = NULL;
	char program[4096];
	int ret = -ENOMEM;

	if (name)
		csv = outdir_path(dir, name);
	if (!csv)
		goto out;
	plot_program(program, sizeof(program));
	ret = draw(program, dir, stem, csv);
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
out:
	free(csv);
	free(name);
	return ret;
}
