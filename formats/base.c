/* SPDX-License-Identifier: GPL-2.0-or-later */
/* base.c - growable bytes, errors in words, nearest names */

#include "config.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/base.h"

int errbuf_set(struct errbuf *err, int ret, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return ret;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	err->hint[0] = '\0';
	return ret;
}

void errbuf_hint(struct errbuf *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return;
	va_start(ap, fmt);
	vsnprintf(err->hint, sizeof(err->hint), fmt, ap);
	va_end(ap);
}

int buf_reserve(struct buf *b, size_t extra)
{
	size_t cap = b->cap ? b->cap : 256;
	uint8_t *p;

	if (extra > SIZE_MAX / 2 - b->len)
		return -ENOMEM;
	if (b->len + extra <= b->cap)
		return 0;
	while (cap < b->len + extra)
		cap += cap / 2;
	p = realloc(b->p, cap);
	if (!p)
		return -ENOMEM;
	b->p = p;
	b->cap = cap;
	return 0;
}

int buf_append(struct buf *b, const void *p, size_t len)
{
	int ret = buf_reserve(b, len);

	if (ret)
		return ret;
	if (len)
		memcpy(b->p + b->len, p, len);
	b->len += len;
	return 0;
}

int buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int len, ret;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		return -EINVAL;
	ret = buf_reserve(b, (size_t)len + 1);
	if (ret)
		return ret;
	va_start(ap, fmt);
	vsnprintf((char *)b->p + b->len, (size_t)len + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)len;
	return 0;
}

int buf_put_varint(struct buf *b, uint64_t v)
{
	if (buf_reserve(b, VARINT_MAX))
		return -ENOMEM;
	b->len = (size_t)(varint_put(b->p + b->len, v) - b->p);
	return 0;
}

void buf_free(struct buf *b)
{
	free(b->p);
	memset(b, 0, sizeof(*b));
}

/*
 * Edits (insert, delete, replace, swap of neighbours) that lead from a to b,
 * or a number above any limit if one of them is long (Damerau 1964, the
 * restricted form).
 */
static unsigned int edits(const char *a, const char *b)
{
	enum { LONGEST = 80 };
	unsigned int d[3][LONGEST + 1];
	unsigned int la = (unsigned int)strlen(a);
	unsigned int lb = (unsigned int)strlen(b);
	unsigned int i, j, cost;

	if (la > LONGEST || lb > LONGEST)
		return 1000;
	for (j = 0; j <= lb; j++)
		d[0][j] = j;
	for (i = 1; i <= la; i++) {
		unsigned int *row = d[i % 3], *up = d[(i + 2) % 3];

		row[0] = i;
		for (j = 1; j <= lb; j++) {
			cost = tolower((unsigned char)a[i - 1]) !=
			       tolower((unsigned char)b[j - 1]);
			row[j] = MIN(MIN(up[j], row[j - 1]) + 1,
				     up[j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], d[(i + 1) % 3][j - 2] + 1);
		}
	}
	return d[la % 3][lb];
}

const char *nearest_name(const char *typed, const char *const *names,
			 unsigned int nr)
{
	unsigned int limit = 1 + (unsigned int)strlen(typed) / 4;
	const char *best = NULL;
	unsigned int i, n;

	for (i = 0; i < nr; i++) {
		n = edits(typed, names[i]);
		if (n <= limit) {
			best = names[i];
			if (!n)
				break;
			limit = n - 1;
		}
	}
	return best;
}
