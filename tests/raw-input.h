/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raw-input.h - files of raw pages and of format texts, for tools of tests */
#ifndef TESTS_RAW_INPUT_H
#define TESTS_RAW_INPUT_H

#include "formats/base.h"

/* All of a file with a NUL behind it, to be freed; NULL: errno says why. */
char *raw_load(const char *path, size_t *len);

/* One format file among others in one text. */
struct raw_section {
	char system[64]; /* "header_page" for that file */
	bool is_event;
	const char *text;
	size_t len;
};

/*
 * The section behind *at in a text where each begins with a line
 * "=== system/event"; moves *at on.  false at the end.
 */
bool raw_section_next(const char **at, struct raw_section *s);

#endif
