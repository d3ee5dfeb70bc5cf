/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz-table.c - a CSV table of any bytes: read, then written in all forms */

#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "formats/table.h"
#include "tests/fuzz/fuzz.h"

static void write_all(const struct table *t)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return;
	table_write_csv(t, out);
	table_write_json(t, out);
	table_write_text(t, out);
	fclose(out);
	/* whatever is in a table, what is printed is printable */
	while (len--)
		if ((text[len] < 32 && text[len] != '\n') || text[len] == 127)
			abort();
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = fuzz_file(data, size);
	char path[FUZZ_PATH_MAX];
	struct errbuf err = {0};
	struct table *t;

	if (!table_read_csv(&t, fuzz_path(path, fd), &err)) {
		write_all(t);
		table_free(t);
	} else if (!*err.text) {
		abort();
	}
	close(fd);
	return 0;
}
