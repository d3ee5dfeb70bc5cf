/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - may the log be created here? */
#ifndef CAPTURE_OUTPUT_H
#define CAPTURE_OUTPUT_H

#include "formats/base.h"

/* Looks, touches nothing.  0 or a negative errno with the reason. */
int output_check(const char *path, bool force, struct errbuf *err);
/* The file as events name it: kernel device number and inode; 0 if unknown. */
void output_identity(const char *path, uint64_t *dev, uint64_t *ino);

#endif
