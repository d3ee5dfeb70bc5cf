/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.h - the verbs of mmcap, and how they speak */
#ifndef CAPTURE_MAIN_H
#define CAPTURE_MAIN_H

#include "formats/base.h"

enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_INCOMPLETE };

/* argv[0] is the program, argv[1] the verb.  They return the exit status. */
int record_main(int argc, char **argv);
int doctor_main(int argc, char **argv);
int list_main(int argc, char **argv);
int cleanup_main(int argc, char **argv);

/* "mmcap: TEXT", and the hint if there is one, on stderr. */
void complain(const struct errbuf *err);
void say(const char *fmt, ...) PRINTF(1, 2);

/*
 * Options of the verbs that have --root and --help only.  0, or an exit
 * status plus one.
 */
int plain_options(int argc, char **argv, const char *help, const char **root);

/* Checks that stdout took everything; status, or EXIT_FAILED. */
int close_stdout(int status);

#endif
