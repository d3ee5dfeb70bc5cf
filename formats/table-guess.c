/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-guess.c - what kind of number a text is, if it is one */

/*
 * A scanner for -?DIGITS[.DIGITS][e[+-]DIGITS] and nothing else: no blanks, no
 * hex, no inf, no decimal comma, whatever the locale is.
 */
#include "config.h"

#include "formats/table-cells.h"
#include "formats/units.h"

static const char *skip_digits(const char *s)
{
	while (*s >= '0' && *s <= '9')
		s++;
	return s;
}

static enum table_type guess_whole(const char *text)
{
	bool negative = *text == '-';
	uint64_t v;

	/* Beyond 64 bits the text is kept, and the number is approximate. */
	if (units_parse_u64(text + negative, &v))
		return TABLE_REAL;
	if (!negative)
		return TABLE_U64;
	return v <= (uint64_t)INT64_MAX + 1 ? TABLE_S64 : TABLE_REAL;
}

enum table_type table_guess(const char *text, unsigned int *decimals)
{
	const char *s = text + (*text == '-'), *end;

	*decimals = 0;
	end = skip_digits(s);
	if (end == s)
		return TABLE_TEXT;
	if (!*end)
		return guess_whole(text);
	if (*end == '.') {
		s = end + 1;
		end = skip_digits(s);
		if (end == s)
			return TABLE_TEXT;
		*decimals = (unsigned int)(end - s);
	}
	if (*end == 'e' || *end == 'E') {
		s = end + 1;
		s += *s == '+' || *s == '-';
		end = skip_digits(s);
		if (end == s)
			return TABLE_TEXT;
	}
	return *end ? TABLE_TEXT : TABLE_REAL;
}
