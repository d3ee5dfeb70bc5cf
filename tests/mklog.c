/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mklog.c - test tool: makes a log from text on standard input */

/*
 * usage: mklog OUT.mmt < TEXT
 *
 *   # comment
 *   meta KEY VALUE                  a pair for the header
 *   text NAME TIME_NS LINE          a named text; \n in LINE ends a line
 *   no KIND...                      the log has no such kinds
 *   with KIND...                    it has these: access, those of probes
 *   killed                          close without end and index
 *   TIME_NS CPU PID KIND VALUE...   by the kind's roles; dev as MAJOR:MINOR
 *   TIME_NS CPU 0 loss NR           NR may be "unknown"
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats/mmt.h"

#define MAX_CPUS 256

static struct mmt_writer *writer;
static struct mmt_track *tracks[MAX_CPUS];
static int types[MMT_NR_KINDS];
static bool left_out[MMT_NR_KINDS], started;
static unsigned int line_nr;

static void fail(const char *what)
{
	fprintf(stderr, "mklog: line %u: %s\n", line_nr, what);
	exit(1);
}

static int kind_named(const char *name)
{
	int i;

	for (i = 0; i < MMT_NR_KINDS; i++)
		if (!strcmp(mmt_kind_name((enum mmt_kind)i), name))
			return i;
	fail(name);
	return 0;
}

/* Schemas of all kinds but those left out; then events may follow. */
static void start(void)
{
	struct mmt_schema s;
	const uint8_t *roles;
	unsigned int i, f;

	for (i = MMT_OTHER + 1; i < MMT_NR_KINDS; i++) {
		if (i == MMT_LOSS || left_out[i])
			continue;
		memset(&s, 0, sizeof(s));
		snprintf(s.system, sizeof(s.system), "mklog");
		snprintf(s.name, sizeof(s.name), "%s",
			 mmt_kind_name((enum mmt_kind)i));
		s.kind = (uint8_t)i;
		s.nr_fields = (uint8_t)mmt_kind_roles((enum mmt_kind)i, &roles);
		for (f = 0; f < s.nr_fields; f++) {
			s.field[f].role = roles[f];
			s.field[f].type = roles[f] == MMT_COMM ? MMT_STRING
							       : MMT_UNSIGNED;
			s.field[f].size = 8;
			snprintf(s.field[f].name, sizeof(s.field[f].name),
				 "v%u", f);
		}
		types[i] = mmt_writer_schema(writer, &s);
		if (types[i] < 0)
			fail("schema");
	}
	if (mmt_writer_start(writer))
		fail("start");
	started = true;
}

static uint64_t value(const struct mmt_field *field, const char *word)
{
	char *end;
	uint64_t v;

	if (field->type == MMT_STRING)
		return (uintptr_t)word;
	v = strtoull(word, &end, 0);
	if (*end == ':')
		v = v << DEV_MINOR_BITS | strtoull(end + 1, &end, 0);
	if (*end)
		fail(word);
	return v;
}

static void put_loss(struct mmt_track *t, uint64_t time_ns, const char *word)
{
	uint64_t nr = MMT_LOST_UNKNOWN;

	if (word && strcmp(word, "unknown"))
		nr = strtoull(word, NULL, 0);
	if (mmt_track_loss(t, time_ns, nr))
		fail("loss");
}

static void put_event(const char *time, char **save)
{
	const char *cpu = strtok_r(NULL, " \n", save);
	const char *pid = strtok_r(NULL, " \n", save);
	const char *name = strtok_r(NULL, " \n", save);
	struct mmt_schema s;
	const uint8_t *roles;
	struct mmt_event *ev;
	uint64_t *vals;
	unsigned int c, f;
	int kind;

	if (!name)
		fail("too few words");
	kind = kind_named(name);
	c = (unsigned int)atoi(cpu);
	if (c >= MAX_CPUS)
		fail("CPU");
	if (!tracks[c] && mmt_track_open(&tracks[c], writer, c))
		fail("track");
	if (kind == MMT_LOSS) {
		put_loss(tracks[c], strtoull(time, NULL, 0),
			 strtok_r(NULL, " \n", save));
		return;
	}
	ev = mmt_track_slot(tracks[c], &vals);
	if (!ev)
		fail("slot");
	ev->time_ns = strtoull(time, NULL, 0);
	ev->pid = atoi(pid);
	ev->kind = (uint8_t)kind;
	ev->type = (uint16_t)types[kind];
	ev->flags = ev->preempt = 0;
	ev->nr = (uint8_t)mmt_kind_roles((enum mmt_kind)kind, &roles);
	for (f = 0; f < ev->nr; f++) {
		const char *word = strtok_r(NULL, " \n", save);

		s.field[0].type =
			roles[f] == MMT_COMM ? MMT_STRING : MMT_UNSIGNED;
		if (!word)
			fail("too few values");
		vals[f] = value(&s.field[0], word);
	}
	mmt_track_commit(tracks[c]);
}

static void put_text(char **save)
{
	const char *name = strtok_r(NULL, " \n", save);
	const char *time = strtok_r(NULL, " \n", save);
	char *line = strtok_r(NULL, "\n", save), *from, *to;

	if (!line)
		fail("text");
	for (from = to = line; *from; from++, to++) {
		if (from[0] == '\\' && from[1] == 'n') {
			*to = '\n';
			from++;
		} else {
			*to = *from;
		}
	}
	if (mmt_writer_text(writer, name, strtoull(time, NULL, 0), line,
			    (size_t)(to - line)))
		fail("text");
}

int main(int argc, char **argv)
{
	char line[4096], *save, *word;
	struct errbuf err = {0};
	int killed = 0, kind;

	/* no kernel has it; nobody has set probes */
	for (kind = MMT_ACCESS; kind < MMT_NR_KINDS; kind++)
		left_out[kind] = true;
	if (argc != 2)
		return 2;
	if (mmt_writer_create(&writer, argv[1], MMT_OVERWRITE, &err)) {
		fprintf(stderr, "mklog: %s\n", err.text);
		return 1;
	}
	while (fgets(line, sizeof(line), stdin)) {
		line_nr++;
		word = strtok_r(line, " \n", &save);
		if (!word || *word == '#')
			continue;
		if (!strcmp(word, "meta")) {
			word = strtok_r(NULL, " \n", &save);
			mmt_writer_meta(writer, word,
					strtok_r(NULL, "\n", &save));
		} else if (!strcmp(word, "no")) {
			while ((word = strtok_r(NULL, " \n", &save)))
				left_out[kind_named(word)] = true;
		} else if (!strcmp(word, "with")) {
			while ((word = strtok_r(NULL, " \n", &save)))
				left_out[kind_named(word)] = false;
		} else if (!strcmp(word, "killed")) {
			killed = -ECANCELED;
		} else {
			if (!started)
				start();
			if (!strcmp(word, "text"))
				put_text(&save);
			else
				put_event(word, &save);
		}
	}
	if (!started)
		start();
	if (mmt_writer_finish(writer, killed, &err) != killed) {
		fprintf(stderr, "mklog: %s\n", err.text);
		return 1;
	}
	return 0;
}
