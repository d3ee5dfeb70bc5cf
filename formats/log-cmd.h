/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-cmd.h - what the verbs of mm-log share */
#ifndef FORMATS_LOG_CMD_H
#define FORMATS_LOG_CMD_H

#include <getopt.h>
#include <stdio.h>

#include "formats/import.h"
#include "formats/stream.h"
#include "formats/wrap.h"

#define LOG_PROGRAM "mm-log"
#define LOG_WIDTH   72

/* Exit status. */
enum { LOG_DONE, LOG_FAILED, LOG_USAGE, LOG_INCOMPLETE };

enum log_form { LOG_TEXT, LOG_CSV, LOG_JSON };

/* A command line; strings point into argv. */
struct log_options {
	const char *file;
	const char **event; /* -e, nr_events of them */
	unsigned int nr_events;
	const char *fields;      /* -F as typed, NULL: the form's own */
	const char *text;        /* --text: a name or a glob */
	uint64_t from_ns, to_ns; /* --time, since the first event; 0: end */
	enum log_form form;
	struct import_options import;
	const char *const *files; /* all that are named, nr_files of them */
	unsigned int nr_files;
	const char *out; /* -o, NULL: the verb's own */
	const char *key; /* --key: a file; NULL: drawn */
	bool pages, salvage, strict, overwrite, keep_note, help, version;
};

struct log_verb {
	const char *name;
	const char *help;
	const char *shorts; /* for getopt_long() */
	const struct option *longs;
	bool many; /* takes more than one file */
	/*
	 * Prints the result.  An exit status, or a negative errno with the
	 * reason in err.
	 */
	int (*run)(const struct log_options *o, FILE *out, struct errbuf *err);
};

extern const struct log_verb log_info_verb, log_check_verb, log_dump_verb,
	log_import_verb, log_repack_verb, log_anon_verb;

/* -EINVAL with the reason in err if it makes no sense, -ENOMEM. */
int log_options_parse(struct log_options *o, const struct log_verb *verb,
		      int argc, char **argv, struct errbuf *err);
void log_options_free(struct log_options *o);

/* ------------------------------------------------------------- log-print.c */

/*
 * Opens o->file.  With --salvage all of it is verified here, so that what is
 * missing can be said first.
 */
int log_open(struct mmt **logp, const struct log_options *o,
	     struct errbuf *err);

/* The status of a result from this log: --strict minds loss and damage. */
int log_status(const struct log_options *o, const struct mmt *log);

/* 0, or the error that writing to out met. */
int log_out_error(FILE *out);

/* "none", "12 records (0.004%) and 2 gaps of unknown size". */
int log_loss(struct buf *b, const struct mmt_counts *counts);

/* Why the log is not all of what happened; NULL if it is. */
const char *log_defect(const struct mmt_counts *counts);

/* units_escape() into b, of any length; a newline becomes "; ". */
int log_escape(struct buf *b, const char *text);

/* ------------------------------------------------------------- log-copy.c */

/* Options of the verbs that make a log from a log, for their tables. */
#define LOG_COPY_OPTIONS                                 \
	{"output", required_argument, NULL, 'o'},        \
		{"overwrite", no_argument, NULL, 'f'},   \
		{"level", required_argument, NULL, 'z'}, \
		{"salvage", no_argument, NULL, 's'},     \
		{"strict", no_argument, NULL, 'S'},      \
		{"help", no_argument, NULL, 'h'},        \
	{                                                \
		"version", no_argument, NULL, 'V'        \
	}
#define LOG_COPY_SHORTS ":o:fhV"

/* Looks at the output, then opens the log: 0, LOG_USAGE or an error. */
int log_copy_open(struct mmt **logp, const struct log_options *o,
		  const char *verb, struct errbuf *err);

/* Writes the copy; err may be left empty. */
typedef int log_fill_fn(void *data, struct mmt_writer *w, struct errbuf *err);

/*
 * Makes o->out with fill; level is that of the verb, 0: the log's own.  0, or
 * an error with its reason, and then there is no copy.
 */
int log_copy_write(const struct log_options *o, int level, log_fill_fn *fill,
		   void *data, struct errbuf *err);

#endif
