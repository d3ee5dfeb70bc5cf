/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ids.h - dense numbers in place of kernel addresses */
#ifndef FORMATS_IDS_H
#define FORMATS_IDS_H

#include <pthread.h>

#include "formats/base.h"

/* Pointers seen, each with its number: open hashing, 0 is free. */
struct ids {
	pthread_mutex_t lock;
	uint64_t *key;
	uint64_t *id;
	size_t size, nr;
};

void ids_init(struct ids *ids);
void ids_destroy(struct ids *ids);

/*
 * The number of a pointer, from 1 in order of appearance; 0 stays 0.  Without
 * memory it is UINT64_MAX, never the address.  arg is a struct ids; any
 * thread may call.
 */
uint64_t ids_get(void *arg, uint64_t pointer);

#endif
