/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-main.c - mm-log: what is in a log, is it whole, all of it as text */

/*
 * Finds the verb, reads its command line, lets it print its result, and says
 * what went wrong.  Only this file exits; it and the report of an import are
 * all that writes to standard error.
 */

#include "config.h"

#include <signal.h>
#include <stdlib.h>

#include "formats/log-cmd.h"
#include "formats/outfile.h"
#include "formats/units.h"

static const struct log_verb *const verbs[] = {
	&log_info_verb,   &log_check_verb,  &log_dump_verb,
	&log_import_verb, &log_repack_verb, &log_anon_verb,
};

static const char help[] =
	"usage: mm-log VERB [OPTION...] FILE\n"
	"\n"
	"Shows what is in a log that mmcap recorded, or makes a log of what\n"
	"another program recorded.\n"
	"\n"
	"  info   setup to paste into a mail, counts, loss, snapshots\n"
	"  check  verifies every byte: exit 0 sound, 3 usable but not\n"
	"         complete, 1 not usable\n"
	"  dump   events or pages as text, CSV or JSON\n"
	"  import a log from trace.dat, text traces, raw pages, CSV, keys\n"
	"  repack the same log in its smallest form, to be kept\n"
	"  anon   a copy that names nobody, to be shared\n"
	"\n"
	"  -h, --help     this text; mm-log VERB --help: that verb's options\n"
	"  -V, --version  the version\n"
	"\n"
	"FILE may be -, standard input.  Exit status: 0 done, 1 failed,\n"
	"2 usage, 3 incomplete.\n";

static void say(const struct errbuf *err)
{
	fprintf(stderr, LOG_PROGRAM ": %s\n", err->text);
	if (*err->hint)
		fprintf(stderr, "hint: %s\n", err->hint);
}

/* What was printed is a result only if it got out. */
static int finish_output(int status)
{
	int error = log_out_error(stdout);

	if (fflush(stdout) && !error)
		error = -errno;
	if (!error || error == -EPIPE)
		return status;
	fprintf(stderr, LOG_PROGRAM ": standard output: %s\n",
		strerror(-error));
	return LOG_FAILED;
}

static int print_version(void)
{
	puts(LOG_PROGRAM " (mmcap) " PACKAGE_VERSION);
	return finish_output(LOG_DONE);
}

static int usage_error(const char *fact, const char *word)
{
	const char *names[ARRAY_SIZE(verbs)], *near = NULL;
	struct errbuf err;
	char safe[128];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		names[i] = verbs[i]->name;
	if (word && *word != '-')
		near = nearest_name(word, names, i);
	errbuf_set(&err, -EINVAL, "%s%s", fact,
		   word ? units_escape(safe, sizeof(safe), word) : "");
	if (near)
		errbuf_hint(&err, "did you mean " LOG_PROGRAM " %s?", near);
	else
		errbuf_hint(
			&err,
			"verbs are info, check, dump, import, repack, anon; " LOG_PROGRAM
			" --help says more");
	say(&err);
	return LOG_USAGE;
}

static int run_verb(const struct log_verb *verb, int argc, char **argv)
{
	struct errbuf err = {0};
	struct log_options o;
	int ret = log_options_parse(&o, verb, argc, argv, &err);

	if (ret) {
		say(&err);
		ret = ret == -EINVAL ? LOG_USAGE : LOG_FAILED;
	} else if (o.version) {
		ret = print_version();
	} else if (o.help) {
		fputs(verb->help, stdout);
		ret = finish_output(LOG_DONE);
	} else {
		ret = verb->run(&o, stdout, &err);
		/* a failed write is told once, by finish_output() */
		if (*err.text && !ferror(stdout))
			say(&err);
		ret = finish_output(ret < 0 ? LOG_FAILED : ret);
	}
	log_options_free(&o);
	return ret;
}

/* The signal still ends the program, and its parent sees that it did. */
static void on_signal(int signo)
{
	outfile_clean();
	raise(signo);
}

static void set_signals(void)
{
	static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	struct sigaction sa = {.sa_handler = on_signal}, old;
	unsigned int i;

	sa.sa_flags = SA_RESETHAND;
	sigfillset(&sa.sa_mask);
	for (i = 0; i < ARRAY_SIZE(ending); i++)
		/* what nohup has ignored stays so */
		if (!sigaction(ending[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(ending[i], &sa, NULL);
	/* a file past its limit is a failed write: EFBIG */
	signal(SIGXFSZ, SIG_IGN);
	/* "mm-log dump | head" ends here, whatever the parent ignores */
	signal(SIGPIPE, SIG_DFL);
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	unsigned int i;

	set_signals();
	if (!word)
		return usage_error("no verb", NULL);
	if (!strcmp(word, "-h") || !strcmp(word, "--help") ||
	    !strcmp(word, "help")) {
		fputs(help, stdout);
		return finish_output(LOG_DONE);
	}
	if (!strcmp(word, "-V") || !strcmp(word, "--version"))
		return print_version();
	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(word, verbs[i]->name))
			return run_verb(verbs[i], argc - 1, argv + 1);
	return usage_error(*word == '-' ? "unknown option " : "unknown verb ",
			   word);
}
