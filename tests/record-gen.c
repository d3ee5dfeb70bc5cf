/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record-gen.c - formats of kernels, and records made by hand from them */

/*
 * A record is laid out by looking the place of a field up in the format text,
 * value by value, with a plain scanner that shares nothing with the compiler
 * under test.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/record-gen.h"

/* What libtraceevent leaks over a text it cannot parse is not ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so";
}

char *record_text(const char *name)
{
	const char *top = getenv("top_srcdir");
	char path[512], *text = calloc(1, 1 << 18);
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/data/%s", top ? top : ".", name);
	f = fopen(path, "r");
	if (!f || !text)
		fail_msg("%s cannot be read", path);
	assert_true(fread(text, 1, (1 << 18) - 1, f) > 0);
	fclose(f);
	return text;
}

struct tracefmt *record_book(bool big_endian)
{
	struct tracefmt *f;

	assert_int_equal(tracefmt_new(&f, big_endian, 8), 0);
	return f;
}

int record_format(struct tracefmt *f, const char *system, const char *text)
{
	struct errbuf err = {0};
	int id = tracefmt_add(f, system, text, strlen(text), &err);

	if (id < 0)
		fail_msg("%s: %s", system, err.text);
	return id;
}

void record_put(struct record *r, const char *field, uint64_t v)
{
	unsigned int offset, size, i;
	char what[80];
	const char *at;

	snprintf(what, sizeof(what), " %s;", field);
	at = strstr(r->text, what);
	if (!at)
		fail_msg("no field %s", field);
	assert_int_equal(sscanf(at + strlen(what), "\toffset:%u;\tsize:%u;",
				&offset, &size),
			 2);
	for (i = 0; i < size; i++)
		r->bytes[offset + (r->big_endian ? size - 1 - i : i)] =
			(uint8_t)(v >> 8 * i);
	r->len = MAX(r->len, offset + size);
}

void record_begin(struct record *r, const char *text, int id, bool big_endian)
{
	memset(r, 0, sizeof(*r));
	memset(r->bytes, 0xa5, sizeof(r->bytes));
	r->text = text;
	r->big_endian = big_endian;
	record_put(r, "common_type", (uint64_t)id);
	record_put(r, "common_flags", 0x18);
	record_put(r, "common_preempt_count", 3);
	record_put(r, "common_pid", 4321);
}

int record_decode(const struct tracefmt *f, const struct record *r,
		  struct mmt_event *ev, uint64_t *vals)
{
	/* at the very end of its memory: a sanitizer sees any step beyond */
	uint8_t *exact = malloc(r->len ? r->len : 1);
	int ret;

	assert_non_null(exact);
	memcpy(exact, r->bytes, r->len);
	ret = tracefmt_decode(f, exact, r->len, ev, vals);
	free(exact);
	return ret;
}

const struct mmt_field *record_field(const struct mmt_schema *s,
				     const char *name, unsigned int *i)
{
	for (*i = 0; *i < s->nr_fields; ++*i)
		if (!strcmp(s->field[*i].name, name))
			return &s->field[*i];
	fail_msg("%s: no field %s", s->name, name);
	return NULL;
}
