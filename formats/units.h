/* SPDX-License-Identifier: GPL-2.0-or-later */
/* units.h - sizes, times and shares: read what users type, print what we say */
#ifndef FORMATS_UNITS_H
#define FORMATS_UNITS_H

#include "formats/base.h"

/* "64K", "2M", "1G", "1GiB", "4096": powers of 1024.  0 or -EINVAL/-ERANGE. */
int units_parse_size(const char *text, uint64_t *bytes);
/* "30", "1.5s", "10m", "1h", "250ms", "3us", "7ns": default seconds. */
int units_parse_time(const char *text, uint64_t *ns);
/* A whole decimal number, nothing behind it. */
int units_parse_u64(const char *text, uint64_t *v);

#define UNITS_MAX 32
/* "268.4 MiB"; "0 B".  Returns out. */
char *units_size(char out[UNITS_MAX], uint64_t bytes);
/* "312 ms", "3.1 us". */
char *units_time(char out[UNITS_MAX], uint64_t ns);
/* "12.8%"; "-" when the whole is 0. */
char *units_share(char out[UNITS_MAX], uint64_t part, uint64_t whole);
/* "-5.61%"; "new" from 0 to something, "0.00%" from 0 to 0. */
char *units_delta(char out[UNITS_MAX], double base, double value);

/*
 * Makes foreign text (comm, path, label) safe to print: control bytes and
 * bytes >= 127 become \xNN, a backslash \\.  Returns out, cut at size.
 */
char *units_escape(char *out, size_t size, const char *text);

#endif
