/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz-formats.c - format texts of a kernel, and a record decoded by them */

#include "config.h"

#include <stdlib.h>

#include "formats/subbuf.h"
#include "formats/tracefmt.h"
#include "tests/fuzz/fuzz.h"

/* A record of as many bytes as there are; what it decodes to is anything. */
static void decode(const struct tracefmt *book, int id,
		   const struct mmt_schema *schema)
{
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event ev = {0};
	uint8_t *record;
	size_t len;
	unsigned int i;

	for (len = 8; len <= 512; len *= 2) {
		record = malloc(len);
		if (!record)
			return;
		memset(record, 0x5a, len);
		put_le16(record, (uint16_t)id);
		if (!tracefmt_decode(book, record, len, &ev, vals))
			for (i = 0; i < ev.nr; i++)
				fuzz_sum += schema->field[i].type == MMT_STRING
						    ? strlen(mmt_event_string(
							      &ev, i))
						    : ev.v[i];
		free(record);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const systems[] = {"filemap", "pagemap", "vmscan",
					      "kprobes"};
	struct subbuf_layout layout;
	struct tracefmt *book;
	struct errbuf err;
	char *text;
	int id;

	if (!size)
		return 0;
	text = malloc(size);
	if (!text || tracefmt_new(&book, data[0] & 4, data[0] & 8 ? 4 : 8)) {
		free(text);
		return 0;
	}
	memcpy(text, data + 1, size - 1);
	subbuf_layout_parse(&layout, text, size - 1, &err);
	id = tracefmt_add(book, systems[data[0] & 3], text, size - 1, &err);
	if (id >= 0) {
		const struct mmt_schema *schema = tracefmt_schema(book, id);

		if (!schema)
			abort();
		decode(book, id, schema);
	}
	tracefmt_free(book);
	free(text);
	return 0;
}
