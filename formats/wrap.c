/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wrap.c - sentences in lines of 72 columns */

#include "config.h"

#include <stdlib.h>

#include "formats/wrap.h"

#define INDENT "  "

/* The words of text, which is cut up. */
static void put_words(FILE *out, char *text)
{
	const size_t first = strlen(INDENT);
	size_t used = 0, len, n;
	char *word, *rest;

	for (word = strtok_r(text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		for (len = strlen(word); len; word += n, len -= n) {
			n = MIN(len, WRAP_WIDTH - first);
			if (used && used + 1 + n > WRAP_WIDTH) {
				fputs("\n" INDENT, out);
				used = first;
			} else if (used) {
				fputc(' ', out);
				used++;
			}
			fprintf(out, "%.*s", (int)n, word);
			used += n;
		}
	}
	fputc('\n', out);
}

int wrap_vprint(FILE *out, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		return -ENOMEM;
	put_words(out, text);
	free(text);
	return 0;
}

int wrap_print(FILE *out, const char *fmt, ...)
{
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = wrap_vprint(out, fmt, ap);
	va_end(ap);
	return ret;
}
