/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-group.c - our own group of dynamic events, and its removal */

/*
 * Every probe of the machine is a line of one file, dynamic_events.  A line
 * that is written to it adds one, "-:GROUP/NAME" removes one, and opening the
 * file with O_TRUNC removes those of all users: so it is only ever appended
 * to.  Which lines are ours the group says; it is read back for the removal,
 * so that it works in a process that did not define them.
 */

#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/probe-group.h"

static int tracing_path(const struct host *h, char out[PATH_MAX],
			const char *file)
{
	int n = snprintf(out, PATH_MAX, "%s/%s", h->tracing, file);

	return n < 0 || n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

int probe_group_of(struct probe_group *g, const struct host *h,
		   const char *instance)
{
	size_t i;

	if (strlen(instance) >= sizeof(g->name))
		return -ENAMETOOLONG;
	g->host = h;
	/* a group's name is an identifier */
	for (i = 0; instance[i]; i++)
		g->name[i] = instance[i] == '-' ? '_' : instance[i];
	g->name[i] = '\0';
	return 0;
}

/* One command in one write, as the kernel wants it. */
static int append(const struct host *h, const char *command)
{
	ssize_t n, len = (ssize_t)strlen(command);
	char path[PATH_MAX];
	int fd, ret = tracing_path(h, path, "dynamic_events");

	if (ret)
		return ret;
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = write(fd, command, (size_t)len);
	if (n != len)
		ret = n < 0 ? -errno : -EIO;
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

/*
 * The last entry of error_log, "[   12.345678] trace_kprobe: error: TEXT", or
 * "".  The command, and a mark under the place of the error, follow it there.
 */
static void last_error(const struct host *h, char *out, size_t size)
{
	struct buf text = {0};
	char path[PATH_MAX], *line, *save;

	out[0] = '\0';
	if (!tracing_path(h, path, "error_log") && !file_read(path, &text))
		for (line = strtok_r((char *)text.p, "\n", &save); line;
		     line = strtok_r(NULL, "\n", &save))
			if (line[0] == '[' && strstr(line, "error: "))
				snprintf(out, size, "%s", line);
	buf_free(&text);
}

int probe_group_define(const struct probe_group *g,
		       const struct probe_text *probe, struct errbuf *err)
{
	char before[192], after[192];
	const char *words;
	struct buf command = {0};
	int ret = buf_printf(&command, "%s:%s/%s %s\n", probe->type, g->name,
			     probe->name, probe->what);

	/* an old entry must not be taken for the reason of a new failure */
	last_error(g->host, before, sizeof(before));
	if (!ret)
		ret = append(g->host, (char *)command.p);
	buf_free(&command);
	if (!ret)
		return 0;
	last_error(g->host, after, sizeof(after));
	words = strstr(after, "error: ");
	return errbuf_set(err, ret, "probe %s: %s", probe->name,
			  words && strcmp(before, after)
				  ? words + strlen("error: ")
				  : strerror(-ret));
}

/* "r32:GROUP/NAME ...": its name, if the group is ours; NULL else. */
static char *own_name(const struct probe_group *g, char *line)
{
	size_t len = strlen(g->name);
	char *p = strchr(line, ':');

	if (!p || strncmp(p + 1, g->name, len) || p[1 + len] != '/')
		return NULL;
	p += 2 + len;
	p[strcspn(p, " \t")] = '\0';
	return p;
}

static int remove_one(const struct probe_group *g, const char *name)
{
	char command[160];
	int n = snprintf(command, sizeof(command), "-:%s/%s\n", g->name, name);

	if (n < 0 || (size_t)n >= sizeof(command))
		return -ENAMETOOLONG;
	return append(g->host, command);
}

int probe_group_remove(const struct probe_group *g)
{
	struct buf text = {0};
	char path[PATH_MAX], *line, *save, *name;
	int ret = tracing_path(g->host, path, "dynamic_events"), one;

	if (!ret)
		ret = file_read(path, &text);
	/* a kernel without the file has no probe of ours */
	if (ret == -ENOENT || ret == -ENODEV)
		ret = 0;
	else if (!ret)
		for (line = strtok_r((char *)text.p, "\n", &save); line;
		     line = strtok_r(NULL, "\n", &save)) {
			name = own_name(g, line);
			one = name ? remove_one(g, name) : 0;
			ret = ret ? ret : one;
		}
	buf_free(&text);
	return ret;
}
