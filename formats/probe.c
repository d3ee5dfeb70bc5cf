/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe.c - takes one definition of a dynamic event apart */

/*
 * The grammar is that of the kernel's kernel/trace/trace_probe.c, trace_kprobe.c,
 * trace_eprobe.c and trace_fprobe.c; what these refuse, a kernel has never had.
 * The lines come out of files that anybody may have made: every part has its
 * bounds, and what is kept of a line has no kernel address in it.
 */

#include "config.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/probe.h"

#define BLANKS " \t\r\v\f"

/* What is left of a line. */
struct words {
	const char *p, *end;
};

static int PRINTF(2, 3) bad(struct errbuf *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	memset(err, 0, sizeof(*err));
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* The next word; false at the end of the line. */
static bool next_word(struct words *w, const char **word, size_t *len)
{
	while (w->p < w->end && strchr(BLANKS, *w->p))
		w->p++;
	*word = w->p;
	while (w->p < w->end && !strchr(BLANKS, *w->p))
		w->p++;
	*len = (size_t)(w->p - *word);
	return *len;
}

/* A word that fits, as a string. */
static bool copy(char *to, size_t size, const char *p, size_t len)
{
	if (len >= size)
		return false;
	memcpy(to, p, len);
	to[len] = '\0';
	return true;
}

/* A C identifier; the name of a group may have a '-' in it. */
static bool is_name(const char *p, bool group)
{
	if (!isalpha((unsigned char)*p) && *p != '_')
		return false;
	for (; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' &&
		    !(group && *p == '-'))
			return false;
	return true;
}

/* ------------------------------------------------------------- "p:GRP/NAME" */

/* Behind the colon: [GRP/][EVENT], with a dot for the slash if one likes. */
static int parse_name(struct probe_def *def, const char *p, size_t len,
		      struct errbuf *err)
{
	size_t group = 0;

	while (group < len && p[group] != '/' && p[group] != '.')
		group++;
	if (group < len) {
		if (!copy(def->group, sizeof(def->group), p, group) ||
		    !is_name(def->group, true))
			return bad(err, "the group is no name, or too long");
		p += group + 1;
		len -= group + 1;
	}
	if (!len)
		return 0;
	if (!copy(def->name, sizeof(def->name), p, len) ||
	    !is_name(def->name, false))
		return bad(err, "the event is no name, or too long");
	return 0;
}

/* The letter, r's most active ones, and the name. */
static int parse_head(struct probe_def *def, const char *p, size_t len,
		      struct errbuf *err)
{
	static const char *const groups[] = {
		[PROBE_ENTRY] = "kprobes",
		[PROBE_RETURN] = "kprobes",
		[PROBE_EVENT] = "eprobes",
		[PROBE_TRACEPOINT] = "tracepoints",
		[PROBE_FOREIGN] = "synthetic",
	};
	char letter = *p;
	size_t i = 1;

	switch (letter) {
	case 'p':
	case 'f':
		def->type = PROBE_ENTRY;
		break;
	case 'r':
		def->type = PROBE_RETURN;
		break;
	case 'e':
		def->type = PROBE_EVENT;
		break;
	case 't':
		def->type = PROBE_TRACEPOINT;
		break;
	case 's':
		def->type = PROBE_FOREIGN;
		break;
	default:
		return bad(err, "not a definition of a probe");
	}
	while ((letter == 'r' || letter == 'f') && i < len && i < 6 &&
	       isdigit((unsigned char)p[i]))
		i++;
	if (i < len && p[i] != ':')
		return bad(err, "not a definition of a probe");
	snprintf(def->group, sizeof(def->group), "%s",
		 letter == 'f' ? "fprobes" : groups[def->type]);
	return i < len ? parse_name(def, p + i + 1, len - i - 1, err) : 0;
}

/* ----------------------------------------------------------------- target */

/* Copies that a compiler makes of a function have the function's arguments. */
static void cut_suffix(struct probe_def *def)
{
	static const char *const suffixes[] = {".constprop.", ".isra.",
					       ".part.", ".llvm."};
	char *at = NULL, *p;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(suffixes); i++) {
		p = strstr(def->symbol, suffixes[i]);
		if (p && p > def->symbol && (!at || p < at))
			at = p;
	}
	if (!at || strlen(at) >= sizeof(def->suffix))
		return;
	strcpy(def->suffix, at);
	*at = '\0';
}

static bool take_number(const char *p, uint64_t *v)
{
	char *end;

	if (!isdigit((unsigned char)*p))
		return false;
	errno = 0;
	*v = strtoull(p, &end, 0);
	return !*end && !errno;
}

/* "[MOD:]SYM[+offs][%return]", an address, or a path of a program. */
static int parse_symbol(struct probe_def *def, char *word, struct errbuf *err)
{
	char *colon = strchr(word, ':'), *plus;
	size_t len = strlen(word);

	if (*word == '/') {
		def->type = PROBE_FOREIGN;
		if (!strcmp(def->group, "kprobes"))
			strcpy(def->group, "uprobes");
		return 0;
	}
	if (len > 7 && !strcmp(word + len - 7, "%return")) {
		def->type = PROBE_RETURN;
		word[len - 7] = '\0';
	}
	if (colon) {
		*colon = '\0';
		if (!*word ||
		    !copy(def->module, sizeof(def->module), word, strlen(word)))
			return bad(err, "the module is no name");
		word = colon + 1;
	}
	if (isdigit((unsigned char)*word))
		return take_number(word, &def->offset)
			       ? 0
			       : bad(err, "the address is no number");
	plus = strchr(word, '+');
	if (plus) {
		*plus = '\0';
		if (!take_number(plus + 1, &def->offset))
			return bad(err, "the offset is no number");
	}
	if (!*word ||
	    !copy(def->symbol, sizeof(def->symbol), word, strlen(word)))
		return bad(err, "no symbol of possible length");
	cut_suffix(def);
	return 0;
}

static int parse_event(struct probe_def *def, char *word, struct errbuf *err)
{
	char *sep = strpbrk(word, "./");

	if (!sep)
		return bad(err, "no event as SYSTEM.EVENT");
	*sep++ = '\0';
	if (!is_name(word, true) || !is_name(sep, false) ||
	    !copy(def->system, sizeof(def->system), word, strlen(word)) ||
	    !copy(def->symbol, sizeof(def->symbol), sep, strlen(sep)))
		return bad(err, "no event as SYSTEM.EVENT");
	return 0;
}

/* The kernel's own name for an event without one. */
static int default_name(struct probe_def *def, bool fprobe, struct errbuf *err)
{
	bool ret = def->type == PROBE_RETURN;
	char name[256], *p;

	if (*def->name || def->type == PROBE_FOREIGN)
		return 0;
	if (def->type == PROBE_EVENT || def->type == PROBE_TRACEPOINT)
		snprintf(name, sizeof(name), "%s", def->symbol);
	else if (fprobe)
		snprintf(name, sizeof(name), "%s%s__%s", def->symbol,
			 def->suffix, ret ? "exit" : "entry");
	else if (*def->symbol)
		snprintf(name, sizeof(name), "%c_%s%s_%llu", ret ? 'r' : 'p',
			 def->symbol, def->suffix,
			 (unsigned long long)def->offset);
	else
		snprintf(name, sizeof(name), "%c_0x%llx", ret ? 'r' : 'p',
			 (unsigned long long)def->offset);
	for (p = name; *p; p++)
		if (!isalnum((unsigned char)*p))
			*p = '_';
	if (copy(def->name, sizeof(def->name), name, strlen(name)))
		return 0;
	return bad(err, "its event's name is too long");
}

static int parse_target(struct probe_def *def, const char *p, size_t len,
			struct errbuf *err)
{
	char word[256];

	if (!copy(word, sizeof(word), p, len))
		return bad(err, "its function is longer than 255 bytes");
	if (def->type == PROBE_FOREIGN)
		return 0;
	if (def->type == PROBE_EVENT)
		return parse_event(def, word, err);
	return parse_symbol(def, word, err);
}

/* -------------------------------------------------------------- arguments */

/*
 * Without a name an argument is called as its variable, if it is nothing but
 * one, else by its number.
 */
static void arg_default_name(struct probe_arg *arg, unsigned int i)
{
	if (!is_name(arg->expr, false) ||
	    !copy(arg->name, sizeof(arg->name), arg->expr, strlen(arg->expr)))
		snprintf(arg->name, sizeof(arg->name), "arg%u", i + 1);
}

/* "[NAME=]EXPR[:TYPE]"; a colon within brackets or @MOD:SYM is the expr's. */
static int parse_arg(struct probe_arg *arg, unsigned int i, const char *p,
		     size_t len, struct errbuf *err)
{
	const char *equal = memchr(p, '=', len);
	char *colon;

	if (equal) {
		size_t n = (size_t)(equal - p);

		if (!copy(arg->name, sizeof(arg->name), p, n) ||
		    !is_name(arg->name, false))
			return bad(err, "the name of argument %u is none",
				   i + 1);
		p += n + 1;
		len -= n + 1;
	}
	if (!len || len > 512)
		return bad(err, "argument %u is %s", i + 1,
			   len ? "too long" : "empty");
	arg->expr = strndup(p, len);
	if (!arg->expr)
		return -ENOMEM;
	colon = strrchr(arg->expr, ':');
	if (colon && !strchr(colon, ')')) {
		*colon++ = '\0';
		if (!*colon ||
		    !copy(arg->type, sizeof(arg->type), colon, strlen(colon)))
			return bad(err, "the type of argument %u is none",
				   i + 1);
	}
	if (!*arg->expr)
		return bad(err, "argument %u is empty", i + 1);
	if (!equal)
		arg_default_name(arg, i);
	return 0;
}

static int parse_args(struct probe_def *def, struct words *w,
		      struct errbuf *err)
{
	const char *word;
	size_t len;
	int ret = 0;

	while (!ret && next_word(w, &word, &len)) {
		struct probe_arg *grown;

		if (def->type == PROBE_EVENT && len == 2 &&
		    !memcmp(word, "if", 2))
			break;
		if (def->nr_args == PROBE_MAX_ARGS)
			return bad(err, "more than %d arguments",
				   PROBE_MAX_ARGS);
		grown = realloc(def->arg, (def->nr_args + 1) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		def->arg = grown;
		memset(&grown[def->nr_args], 0, sizeof(*grown));
		def->nr_args++;
		ret = parse_arg(&grown[def->nr_args - 1], def->nr_args - 1,
				word, len, err);
	}
	return ret;
}

/* ------------------------------------------------------------------- line */

/* Runs of hexadecimal digits that can be an address are masked. */
static void hide_addresses(char *text)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	size_t len;

	for (; *(text += strcspn(text, digits)); text += len) {
		len = strspn(text, digits);
		if (len >= 8)
			memset(text, 'x', len);
	}
}

/* The line with single blanks, and nothing that a terminal would obey. */
static char *plain_text(const char *p, const char *end)
{
	char *text = malloc((size_t)(end - p) + 1), *to = text;
	struct words w = {p, end};
	const char *word;
	size_t len, i;

	if (!text)
		return NULL;
	while (next_word(&w, &word, &len)) {
		if (to > text)
			*to++ = ' ';
		for (i = 0; i < len; i++)
			*to++ = isgraph((unsigned char)word[i]) ? word[i] : '?';
	}
	*to = '\0';
	hide_addresses(text);
	return text;
}

int probe_parse(struct probe_def *def, const char *line, size_t len,
		struct errbuf *err)
{
	const char *end = memchr(line, '#', len), *head, *word;
	struct words w = {line, end ? end : line + len};
	size_t head_len;
	int ret;

	memset(def, 0, sizeof(*def));
	memset(err, 0, sizeof(*err));
	if (len > PROBE_MAX_LINE)
		return bad(err, "the line is longer than %d bytes",
			   PROBE_MAX_LINE);
	if (memchr(line, '\0', len))
		return bad(err, "not a text");
	if (!next_word(&w, &head, &head_len) || *head == '-' || *head == '!')
		return -ENOENT;
	ret = parse_head(def, head, head_len, err);
	if (ret)
		return ret;
	if (!next_word(&w, &word, &len))
		return bad(err, "no function or event");
	ret = parse_target(def, word, len, err);
	if (!ret)
		ret = default_name(def, *head == 'f', err);
	/* what others take is not an argument of ours */
	if (!ret && def->type != PROBE_FOREIGN)
		ret = parse_args(def, &w, err);
	if (ret)
		return ret;
	def->text = plain_text(line, end ? end : w.end);
	return def->text ? 0 : -ENOMEM;
}

void probe_def_free(struct probe_def *def)
{
	unsigned int i;

	for (i = 0; i < def->nr_args; i++)
		free(def->arg[i].expr);
	free(def->arg);
	free(def->text);
	memset(def, 0, sizeof(*def));
}
