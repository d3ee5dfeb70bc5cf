/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text-unwrap.c - undoes what a mail does to a text trace */

/*
 * Quote marks are taken off; then every line up to the next head of an event
 * belongs to the last one, until an empty line.  Mail programs break lines at
 * a blank, some within a word.  Which it was shows from the words on both
 * sides, since a payload has a '=' in every word but few: a rest of a value
 * has none, and a beginning of a name has none.  Each break that is taken to
 * be within a word is listed, for it is a guess.
 */
#include "config.h"

#include <inttypes.h>

#include "formats/import-text.h"
#include "formats/units.h"

#define MAX_LISTED 100
#define MAX_EVENT  (64U << 10) /* bytes of one, joined */

static struct span line_at(const char *p, const char *end, const char **next)
{
	const char *eol = memchr(p, '\n', (size_t)(end - p));

	*next = eol ? eol + 1 : end;
	if (!eol)
		eol = end;
	if (eol > p && eol[-1] == '\r')
		eol--;
	return (struct span){p, (size_t)(eol - p)};
}

/* Takes off "> > >". */
static struct span unquote(struct span s)
{
	size_t i = 0, end = 0;

	while (i < s.len && (s.p[i] == '>' || s.p[i] == ' '))
		if (s.p[i++] == '>')
			end = i;
	/* the one blank behind the mark is the mail's, the rest is ours */
	if (end && end < s.len && s.p[end] == ' ')
		end++;
	return (struct span){s.p + end, s.len - end};
}

static struct span first_word(struct span s)
{
	size_t len = 0;

	while (s.len && text_is_blank(*s.p)) {
		s.p++;
		s.len--;
	}
	while (len < s.len && !text_is_blank(s.p[len]))
		len++;
	return (struct span){s.p, len};
}

/* The last word of the n bytes before end; before: what is left of it. */
static struct span last_word(struct span s, struct span *before)
{
	const char *end = s.p + s.len, *p;

	while (end > s.p && text_is_blank(end[-1]))
		end--;
	for (p = end; p > s.p && !text_is_blank(p[-1]);)
		p--;
	*before = (struct span){s.p, (size_t)(p - s.p)};
	return (struct span){p, (size_t)(end - p)};
}

static bool has(struct span s, char c)
{
	return s.len && memchr(s.p, c, s.len);
}

static bool all_digits(struct span s)
{
	size_t i;

	for (i = 0; i < s.len && text_is_digit(s.p[i]);)
		i++;
	return i == s.len && s.len > 0;
}

enum join { JOIN_BLANK, JOIN_GLUE, JOIN_GUESS };

/* Both sides are words without '='. */
static enum join join_plain(struct span a, struct span b, struct span before)
{
	struct span rest, key = last_word(before, &rest);

	/* "404859" "5.842992:" is one time, "[007]" "...." are two words */
	if (all_digits(a) && text_is_digit(*b.p) && has(b, ':') &&
	    !span_is(key, "dev") && !span_is(key, "ino"))
		return JOIN_GUESS;
	if (span_is(key, "ino") && !span_is(b, "ino"))
		return JOIN_GUESS;
	return JOIN_BLANK;
}

static enum join join_how(struct span a, struct span b, struct span before)
{
	struct span rest, key = last_word(before, &rest);

	if (!a.len || !b.len)
		return JOIN_BLANK;
	if (a.p[a.len - 1] == '=')
		return has(b, '=') ? JOIN_BLANK : JOIN_GLUE;
	if (a.p[a.len - 1] == '|' || *b.p == '|')
		return JOIN_GLUE;
	if (a.p[a.len - 1] == ':' || has(b, ':'))
		return has(a, '=') || has(b, '=') ? JOIN_BLANK
						  : join_plain(a, b, before);
	if (has(a, '='))
		return has(b, '=') ? JOIN_BLANK : JOIN_GUESS;
	if (!has(b, '='))
		return join_plain(a, b, before);
	/* a whole value of "dev 8:1 ino 1f" before a pair, or half a name */
	return span_is(key, "ino") || span_is(key, "dev") ? JOIN_BLANK
							  : JOIN_GUESS;
}

static int list_guess(struct text_unwrap *u, uint64_t line_nr, struct span a,
		      struct span b)
{
	char left[41], right[41], l[4 * sizeof(left)], r[4 * sizeof(right)];
	size_t n = MIN(a.len, sizeof(left) - 1);

	if (u->nr_guesses++ == MAX_LISTED)
		return import_note(u->im,
				   "%s: more joins within a word, not listed",
				   u->path);
	if (u->nr_guesses > MAX_LISTED)
		return 0;
	memcpy(left, a.p + a.len - n, n);
	left[n] = '\0';
	n = MIN(b.len, sizeof(right) - 1);
	memcpy(right, b.p, n);
	right[n] = '\0';
	return import_note(u->im,
			   "%s: line %" PRIu64
			   ": joined within a word, a guess: %s + %s",
			   u->path, line_nr, units_escape(l, sizeof(l), left),
			   units_escape(r, sizeof(r), right));
}

/* Appends a line to the event that began at byte start of the output. */
static int join_line(struct text_unwrap *u, size_t start, struct span s,
		     uint64_t line_nr)
{
	struct span all = {(char *)u->out.p + start, u->out.len - start};
	struct span before, a = last_word(all, &before), b = first_word(s);
	bool blank = all.len && text_is_blank(all.p[all.len - 1]);
	enum join how = blank ? JOIN_GLUE : join_how(a, b, before);
	int ret = 0;

	u->nr_joins++;
	if (how == JOIN_GUESS)
		ret = list_guess(u, line_nr, a, b);
	if (!ret && how == JOIN_BLANK)
		ret = buf_append(&u->out, " ", 1);
	if (!ret)
		ret = buf_append(&u->out, b.p, (size_t)(s.p + s.len - b.p));
	return ret;
}

/* "COMM-PID", and the CPU is on the next line */
static bool ends_in_pid(struct span s)
{
	struct span before, a = last_word(s, &before);
	size_t n = a.len;

	while (n && text_is_digit(a.p[n - 1]))
		n--;
	return n && n < a.len && a.p[n - 1] == '-';
}

static bool begins_event(struct span s, struct span next)
{
	struct span cpu = first_word(next);

	if (!s.len)
		return false;
	return text_head_begins(s.p, s.p + s.len) ||
	       (ends_in_pid(s) && cpu.len >= 5 && *cpu.p == '[' &&
		cpu.p[cpu.len - 1] == ']');
}

/* Lines that stand for themselves. */
static bool is_own_line(struct span s)
{
	struct text_loss loss;

	switch (text_line_kind(s.p, s.p + s.len, &loss)) {
	case TEXT_COMMENT:
	case TEXT_CHAIN:
	case TEXT_LOSS:
		return true;
	default:
		return false;
	}
}

int text_unwrap(struct text_unwrap *u, const char *p, const char *end)
{
	struct span s, peek;
	const char *next, *after;
	bool in_event = false;
	uint64_t line_nr = 0;
	size_t start = 0;
	int ret = 0;

	for (; !ret && p < end; p = next) {
		line_nr++;
		s = unquote(line_at(p, end, &next));
		peek = unquote(line_at(next, end, &after));
		if (in_event && !begins_event(s, peek) && s.len &&
		    u->out.len - start < MAX_EVENT && !is_own_line(s)) {
			ret = join_line(u, start, s, line_nr);
			continue;
		}
		if (in_event)
			ret = buf_append(&u->out, "\n", 1);
		in_event = begins_event(s, peek);
		start = u->out.len;
		if (ret)
			break;
		if (in_event)
			ret = buf_append(&u->out, s.p, s.len);
		else if (s.len && is_own_line(s))
			ret = buf_append(&u->out, s.p, s.len)
				      ?: buf_append(&u->out, "\n", 1);
		else
			u->nr_prose += s.len > 0;
	}
	if (!ret && in_event)
		ret = buf_append(&u->out, "\n", 1);
	return ret;
}
