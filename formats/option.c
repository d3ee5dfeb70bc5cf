/* SPDX-License-Identifier: GPL-2.0-or-later */
/* option.c - what is wrong with an option, in the same words everywhere */

/*
 * getopt_long() finds the fault, but its own messages name no way out.  It
 * tells a bad letter in optopt; a bad word is the last one that it took; of a
 * word with a value that it must not have, optopt is what the word stands for.
 */

#include "config.h"

#include <stdio.h>

#include "formats/option.h"
#include "formats/units.h"

#define MAX_OPTIONS 48

/* The option whose value is too much; NULL if that is not the fault. */
static const char *valueless(const struct option *longs, const char *word)
{
	size_t len;

	if (strncmp(word, "--", 2) || !strchr(word, '='))
		return NULL;
	len = strcspn(word + 2, "=");
	for (; longs->name; longs++)
		if (longs->has_arg == no_argument && longs->val == optopt &&
		    !strncmp(longs->name, word + 2, len))
			return longs->name;
	return NULL;
}

static void hint_nearest(const struct option *longs, const char *word,
			 const char *help, struct errbuf *err)
{
	const char *names[MAX_OPTIONS], *near = NULL;
	unsigned int nr = 0;
	char typed[64];

	if (!strncmp(word, "--", 2)) {
		snprintf(typed, sizeof(typed), "%.*s",
			 (int)strcspn(word + 2, "="), word + 2);
		for (; longs->name && nr < MAX_OPTIONS; longs++)
			names[nr++] = longs->name;
		near = nearest_name(typed, names, nr);
	}
	if (near)
		errbuf_hint(err, "did you mean --%s?", near);
	else
		errbuf_hint(err, "%s", help);
}

int option_error(const struct option *longs, int opt, char **argv,
		 const char *help, struct errbuf *err)
{
	char letter[3] = {'-', (char)optopt, '\0'}, safe[128];
	const char *word = argv[optind - 1];
	const char *name = opt == '?' ? valueless(longs, word) : NULL;

	if (name) {
		errbuf_set(err, -EINVAL, "option --%s takes no value", name);
		errbuf_hint(err, "%s", help);
		return -EINVAL;
	}
	/* of "-xq" the word is not yet behind us */
	if (optopt > 0 && optopt < 256 &&
	    (opt == '?' || strncmp(word, "--", 2)))
		word = letter;
	units_escape(safe, sizeof(safe), word);
	if (opt == ':') {
		errbuf_set(err, -EINVAL, "option %s needs a value", safe);
		errbuf_hint(err, "%s", help);
		return -EINVAL;
	}
	errbuf_set(err, -EINVAL, "option %s is unknown", safe);
	hint_nearest(longs, word, help, err);
	return -EINVAL;
}
