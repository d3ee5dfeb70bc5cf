/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wrap.h - sentences in lines of 72 columns */
#ifndef FORMATS_WRAP_H
#define FORMATS_WRAP_H

#include <stdarg.h>
#include <stdio.h>

#include "formats/base.h"

#define WRAP_WIDTH 72

/*
 * Prints the words with one blank between them; lines after the first begin
 * with two blanks, a word longer than a line goes on in the next.  0 or
 * -ENOMEM.
 */
int wrap_vprint(FILE *out, const char *fmt, va_list ap);
int wrap_print(FILE *out, const char *fmt, ...) PRINTF(2, 3);

#endif
