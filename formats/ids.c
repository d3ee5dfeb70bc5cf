/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ids.c - dense numbers in place of kernel addresses */

#include "config.h"

#include <stdlib.h>

#include "formats/ids.h"

void ids_init(struct ids *ids)
{
	memset(ids, 0, sizeof(*ids));
	pthread_mutex_init(&ids->lock, NULL);
}

void ids_destroy(struct ids *ids)
{
	free(ids->key);
	free(ids->id);
	pthread_mutex_destroy(&ids->lock);
}

static int ids_grow(struct ids *ids)
{
	size_t size = ids->size ? ids->size * 2 : 256;
	uint64_t *key = calloc(size, sizeof(*key));
	uint64_t *id = calloc(size, sizeof(*id));
	size_t i, at;

	if (!key || !id) {
		free(key);
		free(id);
		return -ENOMEM;
	}
	for (i = 0; i < ids->size; i++) {
		if (!ids->key[i])
			continue;
		for (at = hash_u64(ids->key[i]) & (size - 1); key[at];)
			at = (at + 1) & (size - 1);
		key[at] = ids->key[i];
		id[at] = ids->id[i];
	}
	free(ids->key);
	free(ids->id);
	ids->key = key;
	ids->id = id;
	ids->size = size;
	return 0;
}

uint64_t ids_get(void *arg, uint64_t pointer)
{
	struct ids *ids = arg;
	uint64_t id = UINT64_MAX;
	size_t at;

	if (!pointer)
		return 0;
	pthread_mutex_lock(&ids->lock);
	if (ids->nr * 2 >= ids->size && ids_grow(ids))
		goto out;
	at = hash_u64(pointer) & (ids->size - 1);
	while (ids->key[at] && ids->key[at] != pointer)
		at = (at + 1) & (ids->size - 1);
	if (!ids->key[at]) {
		ids->key[at] = pointer;
		ids->id[at] = ++ids->nr;
	}
	id = ids->id[at];
out:
	pthread_mutex_unlock(&ids->lock);
	return id;
}
