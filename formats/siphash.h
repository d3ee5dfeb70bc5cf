/* SPDX-License-Identifier: GPL-2.0-or-later */
/* siphash.h - a keyed hash that tells nothing of its key or its input */
#ifndef FORMATS_SIPHASH_H
#define FORMATS_SIPHASH_H

#include "formats/base.h"

#define SIPHASH_KEY_LEN 16

uint64_t siphash(const uint8_t key[SIPHASH_KEY_LEN], const void *p, size_t len);

#endif
