/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt-check.c - is a text an event format as the kernel prints them? */

/*
 * libtraceevent follows null pointers where a declaration breaks off, and
 * formats come out of files that anybody may have made.  So it is given only
 * texts of the form that the kernel prints (f_show() in
 * kernel/trace/trace_events.c):
 *
 *   name: NAME
 *   ID: NUMBER
 *   format:
 *   <tab>field:TYPE NAME;<tab>offset:N;<tab>size:N;<tab>signed:N;
 *
 * with empty lines in between, and "print fmt:" behind the fields.
 */

#include "config.h"

#include <ctype.h>
#include <stdlib.h>

#include "formats/tracefmt-priv.h"

#define BLANK  " \t"
#define DIGITS "0123456789"
/* Type and name; the longest of any kernel has about 90 bytes. */
#define MAX_DECLARATION 256

/*
 * A declaration of len bytes: printable, at least two words, and whatever is
 * opened is closed again, one pair of square brackets after the other.
 */
static bool is_declaration(const char *p, size_t len)
{
	unsigned int square = 0, round = 0, quotes = 0;
	const char *end = p + len, *word = p;

	if (!len || len > MAX_DECLARATION || *p == '[' || isblank(*p))
		return false;
	for (; p < end; p++) {
		if (!isprint((unsigned char)*p) || *p == '\\')
			return false;
		square += *p == '[';
		round += *p == '(';
		quotes += *p == '"';
		if ((*p == ']' && !square--) || (*p == ')' && !round--) ||
		    square > 1)
			return false;
		if (*p == ' ')
			word = p;
	}
	return !square && !round && quotes % 2 == 0 && *word == ' ' &&
	       (isalnum((unsigned char)word[1]) || word[1] == '_');
}

/* Moves *p behind blanks, the key, a number of a few digits, and ";". */
static bool skip_number(const char **p, const char *key)
{
	size_t n;

	*p += strspn(*p, BLANK);
	if (strncmp(*p, key, strlen(key)))
		return false;
	*p += strlen(key);
	*p += **p == '-';
	n = strspn(*p, DIGITS);
	*p += n;
	return n && n <= 9 && *(*p)++ == ';';
}

static bool is_field(const char *p, const char *end)
{
	size_t len;

	p += strspn(p, BLANK);
	if (strncmp(p, "field:", 6))
		return false;
	p += 6;
	len = strcspn(p, ";\n");
	if (p[len] != ';' || !is_declaration(p, len))
		return false;
	p += len + 1;
	if (!skip_number(&p, "offset:") || !skip_number(&p, "size:"))
		return false;
	p += strspn(p, BLANK);
	/* kernels before 2.6.33 do not say it */
	if (*p == 's' && !skip_number(&p, "signed:"))
		return false;
	return p + strspn(p, BLANK) == end;
}

/* "KEY VALUE" with a word, or a number, and nothing else. */
static bool is_pair(const char *p, const char *end, const char *key,
		    bool number)
{
	size_t n = strlen(key);

	if (strncmp(p, key, n))
		return false;
	p += n;
	p += strspn(p, BLANK);
	n = number ? strspn(p, DIGITS) : strcspn(p, BLANK "\n");
	if (!n || (number && n > 9))
		return false;
	for (key = p; key < p + n; key++)
		if (!isalnum((unsigned char)*key) && !strchr("_-.", *key))
			return false;
	return p + n + strspn(p + n, BLANK) == end;
}

bool tracefmt_is_format(const char *text)
{
	enum { NAME, ID, FORMAT, FIELDS } want = NAME;
	const char *end;

	for (; *text; text = end + (*end == '\n')) {
		end = text + strcspn(text, "\n");
		if (text + strspn(text, BLANK) == end)
			continue;
		if (want == FIELDS && !strncmp(text, "print fmt:", 10))
			return true;
		if (want == NAME && is_pair(text, end, "name:", false))
			want = ID;
		else if (want == ID && is_pair(text, end, "ID:", true))
			want = FORMAT;
		else if (want == FORMAT && !strncmp(text, "format:", 7) &&
			 text + 7 + strspn(text + 7, BLANK) == end)
			want = FIELDS;
		else if (want != FIELDS || !is_field(text, end))
			return false;
	}
	return want == FIELDS;
}
