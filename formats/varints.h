/* SPDX-License-Identifier: GPL-2.0-or-later */
/* varints.h - many variable-length numbers at once */
#ifndef FORMATS_VARINTS_H
#define FORMATS_VARINTS_H

#include "formats/base.h"

/* Readable bytes that must follow the end of what varints_get() is given. */
#define VARINTS_PAD 16

/*
 * Takes nr numbers as varint_get() does, one by one, would.  Returns the byte
 * behind the last, NULL if they do not end before end.
 */
const uint8_t *varints_get(const uint8_t *p, const uint8_t *end, uint64_t *v,
			   unsigned int nr);

#endif
