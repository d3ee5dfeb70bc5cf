/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dict.c - files and strings of a block, numbered in order of appearance */

#include "config.h"

#include <stdlib.h>

#include <xxhash.h>

#include "formats/dict.h"

static uint64_t file_hash(const struct file_key *key)
{
	return hash_u64(key->ino ^ key->dev << 32);
}

/* Doubles array and slots; the caller puts the entries back into slots. */
static int grow(void **array, size_t item, uint32_t *cap, uint32_t **slot,
		uint32_t *nr_slots)
{
	uint32_t want = *cap ? *cap * 2 : 64;
	void *grown = realloc(*array, want * item);
	uint32_t *slots = calloc(want * 2, sizeof(*slots));

	if (grown)
		*array = grown;
	if (!grown || !slots) {
		free(slots);
		return -ENOMEM;
	}
	free(*slot);
	*slot = slots;
	*nr_slots = want * 2;
	*cap = want;
	return 0;
}

static void slot_put(uint32_t *slot, uint32_t nr_slots, uint64_t hash,
		     uint32_t nr)
{
	uint32_t at = (uint32_t)hash & (nr_slots - 1);

	while (slot[at])
		at = (at + 1) & (nr_slots - 1);
	slot[at] = nr + 1;
}

static int files_grow(struct files *f)
{
	uint32_t i;

	if (grow((void **)&f->key, sizeof(*f->key), &f->cap, &f->slot,
		 &f->nr_slots))
		return -ENOMEM;
	for (i = 0; i < f->nr; i++)
		slot_put(f->slot, f->nr_slots, file_hash(&f->key[i]), i);
	return 0;
}

int files_get(struct files *f, const struct file_key *key, uint32_t *nr)
{
	uint64_t hash = file_hash(key);
	uint32_t at;

	if (f->nr == f->cap && files_grow(f))
		return -ENOMEM;
	at = (uint32_t)hash & (f->nr_slots - 1);
	while (f->slot[at]) {
		const struct file_key *k = &f->key[f->slot[at] - 1];

		if (k->ino == key->ino && k->dev == key->dev) {
			*nr = f->slot[at] - 1;
			return 0;
		}
		at = (at + 1) & (f->nr_slots - 1);
	}
	f->key[f->nr] = *key;
	f->slot[at] = f->nr + 1;
	*nr = f->nr++;
	return 0;
}

void files_clear(struct files *f)
{
	if (f->slot && f->nr)
		memset(f->slot, 0, f->nr_slots * sizeof(*f->slot));
	f->nr = 0;
}

void files_free(struct files *f)
{
	free(f->key);
	free(f->slot);
	memset(f, 0, sizeof(*f));
}

static const char *string_at(const struct strings *s, uint32_t nr)
{
	return (const char *)s->bytes.p + s->start[nr];
}

static int strings_grow(struct strings *s)
{
	uint32_t i;

	if (grow((void **)&s->start, sizeof(*s->start), &s->cap, &s->slot,
		 &s->nr_slots))
		return -ENOMEM;
	for (i = 0; i < s->nr; i++)
		slot_put(s->slot, s->nr_slots,
			 XXH64(string_at(s, i), strlen(string_at(s, i)), 0), i);
	return 0;
}

int strings_get(struct strings *s, const char *text, uint32_t *nr)
{
	size_t len = strlen(text);
	uint32_t at;

	if (s->nr == s->cap && strings_grow(s))
		return -ENOMEM;
	at = (uint32_t)XXH64(text, len, 0) & (s->nr_slots - 1);
	for (; s->slot[at]; at = (at + 1) & (s->nr_slots - 1)) {
		if (!strcmp(string_at(s, s->slot[at] - 1), text)) {
			*nr = s->slot[at] - 1;
			return 0;
		}
	}
	s->start[s->nr] = (uint32_t)s->bytes.len;
	if (buf_append(&s->bytes, text, len + 1))
		return -ENOMEM;
	s->slot[at] = s->nr + 1;
	*nr = s->nr++;
	return 0;
}

void strings_clear(struct strings *s)
{
	if (s->slot && s->nr)
		memset(s->slot, 0, s->nr_slots * sizeof(*s->slot));
	s->nr = 0;
	s->bytes.len = 0;
}

void strings_free(struct strings *s)
{
	buf_free(&s->bytes);
	free(s->start);
	free(s->slot);
	memset(s, 0, sizeof(*s));
}
