/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raw-input.c - files of raw pages and of format texts, for tools of tests */

/*
 * The kernel's ring buffer is kept as two kinds of files: the sub-buffers of a
 * CPU as they were read, and one text with every format file of that kernel.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/raw-input.h"

char *raw_load(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	struct buf b = {0};
	size_t n = 1;
	int ret = 0;

	if (!f)
		return NULL;
	while (!ret && n) {
		ret = buf_reserve(&b, (1 << 20) + 1);
		n = ret ? 0 : fread(b.p + b.len, 1, 1 << 20, f);
		b.len += n;
	}
	if (!ret && ferror(f))
		ret = -EIO;
	fclose(f);
	if (ret) {
		buf_free(&b);
		errno = -ret;
		return NULL;
	}
	b.p[b.len] = '\0';
	*len = b.len;
	return (char *)b.p;
}

bool raw_section_next(const char **at, struct raw_section *s)
{
	const char *name = strstr(*at, "=== "), *next;

	if (!name)
		return false;
	name += 4;
	s->text = strchr(name, '\n');
	if (!s->text || sscanf(name, "%63[^/\n]", s->system) != 1)
		return false;
	s->is_event = name[strlen(s->system)] == '/';
	s->text++;
	next = strstr(s->text, "=== ");
	s->len = next ? (size_t)(next - s->text) : strlen(s->text);
	*at = s->text + s->len;
	return true;
}
