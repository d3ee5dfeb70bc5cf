/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz-subbuf.c - raw sub-buffers, decoded by the formats of a real kernel */

/*
 * The first byte is the machine: bit 0 big-endian, bit 1 a commit word of 4
 * bytes.  The rest is a sub-buffer.  FUZZ_FORMATS names a file of formats,
 * each behind a line "=== SYSTEM/EVENT".
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats/subbuf.h"
#include "formats/tracefmt.h"
#include "tests/fuzz/fuzz.h"

#define MARK "=== "

static struct tracefmt *books[2]; /* by big_endian */

static void add_format(const char *name, size_t len, const char *text,
		       size_t text_len)
{
	size_t system_len = strcspn(name, "/");
	char system[64];
	struct errbuf err;
	unsigned int i;

	if (system_len >= len || system_len >= sizeof(system))
		return; /* header_page */
	snprintf(system, sizeof(system), "%.*s", (int)system_len, name);
	for (i = 0; i < 2; i++)
		if (tracefmt_add(books[i], system, text, text_len, &err) < 0)
			abort();
}

static void add_formats(char *all)
{
	char *p, *next;

	for (p = strstr(all, MARK); p; p = next) {
		char *name = p + strlen(MARK), *body = strchr(name, '\n');

		if (!body)
			break;
		next = strstr(body, MARK);
		add_format(name, (size_t)(body - name), body + 1,
			   next ? (size_t)(next - body - 1) : strlen(body + 1));
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	FILE *in = fopen(FUZZ_FORMATS, "r");
	char *all = NULL;
	size_t cap = 0;

	(void)argc;
	(void)argv;
	if (!in || tracefmt_new(&books[0], false, 8) ||
	    tracefmt_new(&books[1], true, 8) ||
	    getdelim(&all, &cap, '\0', in) <= 0) {
		perror(FUZZ_FORMATS);
		exit(1);
	}
	add_formats(all);
	free(all);
	fclose(in);
	return 0;
}

static void decode(const struct tracefmt *book, const uint8_t *record,
		   size_t len)
{
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev = {0};
	const struct mmt_schema *schema;
	unsigned int i;

	if (tracefmt_decode(book, record, len, &ev, vals))
		return;
	schema = tracefmt_schema(book, get_le16(record));
	for (i = 0; i < ev.nr; i++)
		fuzz_sum += schema && i < schema->nr_fields &&
					    schema->field[i].type == MMT_STRING
				    ? strlen(mmt_event_string(&ev, i))
				    : ev.v[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct subbuf_layout layout = {8, 8, 16, false};
	const uint8_t *record;
	struct subbuf sb;
	uint8_t *page;
	int len;

	if (!size)
		return 0;
	layout.big_endian = data[0] & 1;
	if (data[0] & 2) {
		layout.commit_size = 4;
		layout.data_offset = 12;
	}
	/* its own piece of memory, so that every byte too far is seen */
	page = malloc(size);
	if (!page)
		return 0;
	memcpy(page, data + 1, size - 1);
	if (!subbuf_begin(&sb, &layout, page, size - 1))
		while ((len = subbuf_next(&sb, &record)) > 0) {
			if (record < page || record + len > page + size - 1)
				abort();
			decode(books[layout.big_endian], record, (size_t)len);
		}
	free(page);
	return 0;
}
