/* SPDX-License-Identifier: GPL-2.0-or-later */
/* option.h - what is wrong with an option, in the same words everywhere */
#ifndef FORMATS_OPTION_H
#define FORMATS_OPTION_H

#include <getopt.h>

#include "formats/base.h"

/*
 * After getopt_long() with opterr = 0 gave '?' or ':' (opt): says which word
 * is unknown, lacks a value or takes none.  The hint names the nearest option
 * of the table, else help, as "mm-log info --help lists the options".
 * Returns -EINVAL.
 */
int option_error(const struct option *longs, int opt, char **argv,
		 const char *help, struct errbuf *err);

#endif
