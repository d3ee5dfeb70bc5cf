/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz-probes.c - definitions of probes, and events that they are said to have */

/*
 * Every definition that is taken is mapped; then a format is made of its
 * arguments, as a kernel would print it, and a record decoded by both.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats/probe-map.h"
#include "formats/tracefmt.h"
#include "tests/fuzz/fuzz.h"

static int tell(void *arg, unsigned int line, const char *cause)
{
	(void)arg;
	if (!line || !*cause)
		abort();
	return 0;
}

static void check_map(const struct probe_def *def)
{
	struct probe_map map;
	const uint8_t *roles;
	unsigned int i, nr;

	probe_map(&map, def);
	nr = mmt_kind_roles((enum mmt_kind)map.kind, &roles);
	if (map.nr_roles != nr)
		abort();
	for (i = 0; i < nr; i++)
		if (map.arg[i] >= (int)def->nr_args)
			abort();
	for (i = 0; i < nr && map.kind != MMT_OTHER; i++)
		if (map.arg[i] >= 0)
			probe_map_lacks(&map, def, i);
	if (!def->text || strlen(map.note) >= sizeof(map.note))
		abort();
}

/* A format with a word of 64 bits for each argument. */
static int make_format(struct buf *b, const struct probe_def *def)
{
	unsigned int i, nr = MIN(def->nr_args, 60U);
	int ret;

	ret = buf_printf(
		b,
		"name: %s\nID: 9\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n",
		def->name);
	for (i = 0; !ret && i < nr; i++)
		ret = buf_printf(
			b, "\tfield:u64 %s;\toffset:%u;\tsize:8;\tsigned:0;\n",
			def->arg[i].name, 16 + 8 * i);
	return ret;
}

static void decode(struct tracefmt *book, int id)
{
	const struct mmt_schema *schema = tracefmt_schema(book, id);
	uint64_t vals[MMT_MAX_FIELDS], record[64];
	struct mmt_event ev = {0};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(record); i++)
		record[i] = 0xffff888000000000ULL + 64 * i;
	put_le16(record, 9);
	tracefmt_learn(book, record, sizeof(record));
	tracefmt_settle(book);
	if (tracefmt_decode(book, record, sizeof(record), &ev, vals))
		abort();
	if (ev.kind != schema->kind || ev.nr != schema->nr_fields)
		abort();
	for (i = 0; i < ev.nr; i++)
		fuzz_sum += ev.v[i];
}

static void compile(const struct probes *ps, const struct probe_def *def)
{
	struct tracefmt *book;
	struct buf text = {0};
	struct errbuf err;
	int id;

	if (tracefmt_new(&book, false, 8))
		return;
	tracefmt_probes(book, ps);
	if (!make_format(&text, def)) {
		id = tracefmt_add(book, def->group, (char *)text.p, text.len,
				  &err);
		if (id == 9)
			decode(book, id);
	}
	tracefmt_free(book);
	buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct probes ps = {0};
	char *text = malloc(size + 1);
	unsigned int i;

	if (!text)
		return 0;
	memcpy(text, data, size);
	fuzz_sum += probes_is_text(text, size);
	if (probes_add(&ps, text, size, tell, NULL) < 0)
		abort();
	for (i = 0; i < ps.nr; i++) {
		if (ps.def[i].type != PROBE_FOREIGN &&
		    probes_find(&ps, ps.def[i].group, ps.def[i].name) !=
			    &ps.def[i])
			abort();
		check_map(&ps.def[i]);
		/* making a book for each takes its time */
		if (i < 4)
			compile(&ps, &ps.def[i]);
	}
	probes_free(&ps);
	free(text);
	return 0;
}
