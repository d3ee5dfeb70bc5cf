/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - mmcap: verbs, help, messages */

/*
 * Finds the verb; everything else is in VERB-main.c.  Results go to stdout,
 * everything else to stderr, as "mmcap: object: fact".
 */

#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/main.h"
#include "formats/option.h"
#include "formats/units.h"

static const char help[] =
	"usage: mmcap VERB [OPTION...]\n"
	"\n"
	"  record   record mm events of the kernel into a log\n"
	"  doctor   what this kernel can give, and why not more\n"
	"  list     event sets, events, and what each analysis needs\n"
	"  cleanup  remove what dead recorders left, nothing else\n"
	"\n"
	"  -h, --help     this text; after a verb, its options\n"
	"  -V, --version  the version\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage, 3 incomplete (--strict).\n";

static const struct {
	const char *name;
	int (*main)(int argc, char **argv);
} verbs[] = {
	{"record", record_main},
	{"doctor", doctor_main},
	{"list", list_main},
	{"cleanup", cleanup_main},
};

void complain(const struct errbuf *err)
{
	fprintf(stderr, "mmcap: %s\n", err->text);
	if (err->hint[0])
		fprintf(stderr, "hint: %s\n", err->hint);
}

void say(const char *fmt, ...)
{
	va_list ap;

	fputs("mmcap: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int close_stdout(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	say("standard output: %s", strerror(errno));
	return EXIT_FAILED;
}

int plain_options(int argc, char **argv, const char *text, const char **root)
{
	static const struct option longopts[] = {
		{"root", required_argument, NULL, 'r'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	struct errbuf err = {0};
	char hint[64], safe[128];
	int opt;

	*root = "";
	opterr = 0;
	optind = 2;
	while ((opt = getopt_long(argc, argv, "+:h", longopts, NULL)) != -1) {
		switch (opt) {
		case 'r':
			*root = optarg;
			break;
		case 'h':
			fputs(text, stdout);
			return close_stdout(EXIT_DONE) + 1;
		default:
			snprintf(hint, sizeof(hint),
				 "'mmcap %s --help' shows all options",
				 argv[1]);
			option_error(longopts, opt, argv, hint, &err);
			complain(&err);
			return EXIT_USAGE + 1;
		}
	}
	if (optind == argc)
		return 0;
	say("unexpected argument '%s'",
	    units_escape(safe, sizeof(safe), argv[optind]));
	return EXIT_USAGE + 1;
}

static int say_verb(const char *verb)
{
	const char *names[ARRAY_SIZE(verbs)], *near;
	unsigned int i;
	char safe[128];

	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		names[i] = verbs[i].name;
	say("unknown verb '%s'", units_escape(safe, sizeof(safe), verb));
	near = nearest_name(verb, names, ARRAY_SIZE(names));
	if (near)
		fprintf(stderr, "hint: did you mean '%s'?\n", near);
	else
		fputs("hint: 'mmcap --help' shows all\n", stderr);
	return EXIT_USAGE;
}

/* What begins with a dash where a verb is due. */
static int about_main(int argc, char **argv)
{
	static const struct option longopts[] = {
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0},
	};
	struct errbuf err = {0};
	int opt;

	opterr = 0;
	opt = getopt_long(argc, argv, "+hV", longopts, NULL);
	switch (opt) {
	case 'h':
		fputs(help, stdout);
		return close_stdout(EXIT_DONE);
	case 'V':
		puts("mmcap " PACKAGE_VERSION);
		return close_stdout(EXIT_DONE);
	case -1:
		return say_verb(argv[1]);
	}
	option_error(longopts, opt, argv, "'mmcap --help' shows all", &err);
	complain(&err);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc < 2) {
		fputs("mmcap: a verb is missing\n"
		      "hint: 'mmcap --help' shows all\n",
		      stderr);
		return EXIT_USAGE;
	}
	if (*argv[1] == '-')
		return about_main(argc, argv);
	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].main(argc, argv);
	return say_verb(argv[1]);
}
