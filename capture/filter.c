/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter.c - the kernel's filter of an event, and what is wrong with it */

/*
 * The kernel parses filters; after a refusal its complaint is in the same
 * file.  The fields that a filter can use stand in the event's format.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "capture/filter.h"

#define FIELDS_MAX 160 /* of a hint; an event has a handful */

static int event_file(const struct session *s, const struct plan_event *ev,
		      const char *file, char out[PATH_MAX])
{
	int n = snprintf(out, PATH_MAX, "%s/events/%s/%s/%s", s->dir,
			 ev->system, ev->name, file);

	return n < 0 || n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

static int read_event_file(const struct session *s, const struct plan_event *ev,
			   const char *file, struct buf *text)
{
	char path[PATH_MAX];
	int ret = event_file(s, ev, file, path);

	return ret ? ret : file_read(path, text);
}

/* The name in "TYPE NAME[16]", which is cut up; NULL if there is none. */
static char *field_name(char *declaration)
{
	char *end = declaration + strlen(declaration), *name;

	name = strrchr(declaration, '[');
	if (name && end[-1] == ']')
		*name = '\0';
	name = strrchr(declaration, ' ');
	return name && name[1] ? name + 1 : NULL;
}

/* "i_ino, s_dev, common_pid" of a format text, which is cut up. */
static void list_fields(char *format, char out[FIELDS_MAX])
{
	char *line, *save, *name;
	size_t len = 0;

	for (line = strtok_r(format, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		line += strspn(line, " \t");
		if (strncmp(line, "field:", 6))
			continue;
		line[strcspn(line, ";")] = '\0';
		name = field_name(line + 6);
		/* the pid is the one of the common fields that people use */
		if (!name || (!strncmp(name, "common_", 7) &&
			      strcmp(name, "common_pid")))
			continue;
		if (len + strlen(name) + sizeof(", ...") >= FIELDS_MAX) {
			sprintf(out + len, ", ...");
			return;
		}
		len += (size_t)sprintf(out + len, "%s%s", len ? ", " : "",
				       name);
	}
}

static void hint_fields(const struct session *s, const struct plan_event *ev,
			struct errbuf *err)
{
	char fields[FIELDS_MAX] = "";
	struct buf text = {0};

	if (!read_event_file(s, ev, "format", &text))
		list_fields((char *)text.p, fields);
	buf_free(&text);
	if (fields[0])
		errbuf_hint(
			err,
			"fields of %s: %s; a filter must fit every event of its -e",
			ev->name, fields);
}

/* The kernel's words; "" if it has none. */
static void read_complaint(const struct session *s, const struct plan_event *ev,
			   char *out, size_t size)
{
	static const char mark[] = "parse_error: ";
	struct buf text = {0};
	char *p = NULL;

	out[0] = '\0';
	if (!read_event_file(s, ev, "filter", &text))
		p = strstr((char *)text.p, mark);
	if (p) {
		p += strlen(mark);
		snprintf(out, size, "%.*s", (int)strcspn(p, "\n"), p);
	}
	buf_free(&text);
}

static int say_filter(const struct session *s, const struct plan_event *ev,
		      int ret, struct errbuf *err)
{
	char complaint[80];

	read_complaint(s, ev, complaint, sizeof(complaint));
	errbuf_set(err, ret, "%s:%s: filter '%s': %s%s%s", ev->system, ev->name,
		   ev->filter, complaint, complaint[0] ? ": " : "",
		   strerror(-ret));
	if (strstr(complaint, "Field not found"))
		hint_fields(s, ev, err);
	else if (complaint[0])
		errbuf_hint(err, "a filter must fit every event of its -e");
	return ret;
}

int filter_set(const struct session *s, const struct plan_event *ev,
	       struct errbuf *err)
{
	char path[PATH_MAX];
	int ret;

	if (!ev->filter)
		return 0;
	ret = event_file(s, ev, "filter", path);
	if (!ret)
		ret = file_write(path, ev->filter);
	return ret ? say_filter(s, ev, ret, err) : 0;
}
