/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-info.c - mm-log info: the setup, the counts, the loss of a log */

/*
 * What people type by hand into a cover letter, and what reviewers ask for when
 * it is missing, stands first and in a form to paste.  Every fact that the log
 * has is printed, those that this version has no words for under their key.
 */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "formats/log-cmd.h"
#include "formats/units.h"

static const struct option longs[] = {
	{"salvage", no_argument, NULL, 's'},
	{"strict", no_argument, NULL, 'S'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static int heading(FILE *out, const char *text)
{
	static const char line[] = "--------------------";

	return fprintf(out, "%s\n%.*s\n", text, (int)strlen(text), line) < 0
		       ? -EIO
		       : 0;
}

/* ------------------------------------------------------------------ setup */

/* Where a line of a command or a note ends must be seen: "\n". */
static int escape(struct buf *b, const char *text)
{
	struct buf line = {0};
	size_t len;
	int ret = 0;

	for (; !ret && *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		line.len = 0;
		ret = buf_printf(&line, "%.*s", (int)len, text);
		if (!ret)
			ret = log_escape(b, (char *)line.p);
		if (!ret && text[len])
			ret = buf_printf(b, "\\n");
	}
	buf_free(&line);
	return ret;
}

/* "KEY: VALUE", wrapped. */
static int put_fact(FILE *out, const char *key, const char *value)
{
	struct buf k = {0}, v = {0};
	int ret = log_escape(&k, key);

	if (!ret)
		ret = escape(&v, *value ? value : "-");
	if (!ret)
		ret = wrap_print(out, "%s: %s", (char *)k.p, (char *)v.p);
	buf_free(&k);
	buf_free(&v);
	return ret;
}

/* A fact that may need more than one key for its words. */
typedef int (*words_fn)(struct buf *b, const struct mmt *log,
			const char *value);

static int kernel_words(struct buf *b, const struct mmt *log, const char *value)
{
	const char *machine = mmt_meta(log, "kernel.machine");
	const char *version = mmt_meta(log, "kernel.version");

	return buf_printf(b, "%s%s%s%s%s", value, machine ? " " : "",
			  machine ? machine : "", version ? ", " : "",
			  version ? version : "");
}

static int size_words(struct buf *b, const struct mmt *log, const char *value)
{
	char text[UNITS_MAX];
	uint64_t bytes;

	(void)log;
	if (units_parse_u64(value, &bytes))
		return buf_printf(b, "%s", value);
	return buf_printf(b, "%s", units_size(text, bytes));
}

static int limit_words(struct buf *b, const struct mmt *log, const char *value)
{
	const char *file;
	uint64_t bytes;
	int ret = size_words(b, log, value);

	if (ret || units_parse_u64(value, &bytes))
		return ret;
	file = mmt_meta(log, "memory.limit.file");
	return buf_printf(b, " (%s %s)", file ? file : "memory.max", value);
}

/* Remarks, one a line. */
static int list_words(struct buf *b, const struct mmt *log, const char *value)
{
	size_t len;
	int ret = 0;

	(void)log;
	for (; !ret && *value; value += len + (value[len] == '\n')) {
		len = strcspn(value, "\n");
		ret = buf_printf(b, "%s%.*s", b->len ? "; " : "", (int)len,
				 value);
	}
	return ret;
}

/* What the bits of lru_gen/enabled mean to a reader of a comparison. */
static int lru_gen_words(struct buf *b, const struct mmt *log,
			 const char *value)
{
	(void)log;
	if (!strcmp(value, "absent"))
		return buf_printf(b, "not in this kernel, classical LRU");
	if (strtoul(value, NULL, 0) & 1)
		return buf_printf(b, "on (%s)", value);
	return buf_printf(b, "off (%s), classical LRU", value);
}

/* When the first event was, by the wall clock. */
static int clock_words(struct buf *b, const struct mmt *log, const char *value)
{
	const char *offset = mmt_meta(log, "clock.offset_ns");
	const struct mmt_counts *counts = mmt_counts(log);
	char text[64];
	struct tm tm;
	time_t at;
	int ret = buf_printf(b, "%s", value);

	if (ret || !offset || !counts->nr_events)
		return ret;
	at = (time_t)(((int64_t)counts->first_ns + strtoll(offset, NULL, 10)) /
		      1000000000);
	if (!gmtime_r(&at, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		return 0;
	return buf_printf(b, ", first event %s UTC", text);
}

/* In the order of a cover letter. */
static const struct fact {
	const char *key, *label;
	words_fn words;
} facts[] = {
	{"kernel.release", "kernel", kernel_words},
	{"page.size", "page size", size_words},
	{"cpus", "CPUs", NULL},
	{"cpu.model", "CPU model", NULL},
	{"memory.total", "RAM", size_words},
	{"memory.max", "memory limit", limit_words},
	{"cgroup", "cgroup", NULL},
	{"lru_gen.enabled", "MGLRU", lru_gen_words},
	{"swap", "swap", NULL},
	{"hypervisor", "hypervisor", NULL},
	{"clock", "clock", clock_words},
	{"command", "command", NULL},
	{"note", "note", NULL},
	{"program.version", "recorded by", NULL},
	{"level", "level", NULL},
	{"capture.missing", "not captured", NULL},
	{"import.kind", "imported from", NULL},
	{"import.program", "imported by", NULL},
	{"import.notes", "import notes", list_words},
	{"import.damage", "missing in the source", list_words},
};

/* Told in the words for another fact. */
static bool told_with_another(const struct mmt *log, const char *key)
{
	static const char *const pairs[][2] = {
		{"kernel.machine", "kernel.release"},
		{"kernel.version", "kernel.release"},
		{"memory.limit.file", "memory.max"},
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pairs); i++)
		if (!strcmp(pairs[i][0], key))
			return mmt_meta(log, pairs[i][1]);
	return false;
}

static const struct fact *fact_of(const char *key)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(facts); i++)
		if (!strcmp(facts[i].key, key))
			return &facts[i];
	return NULL;
}

/* "probe.SYSTEM:NAME" stands with the events. */
static bool is_probe(const char *key)
{
	return !strncmp(key, "probe.", 6);
}

static int known_fact(FILE *out, const struct mmt *log, const struct fact *f)
{
	const char *value = mmt_meta(log, f->key);
	struct buf b = {0};
	int ret = 0;

	if (!value)
		return 0;
	if (f->words)
		ret = f->words(&b, log, value);
	if (!ret)
		ret = put_fact(out, f->label, f->words ? (char *)b.p : value);
	buf_free(&b);
	return ret;
}

/* Keys with no words of their own; of a repeated one the last stands. */
static int other_facts(FILE *out, const struct mmt *log)
{
	const char *key, *value;
	unsigned int i = 0;
	int ret = 0;

	while (!ret && mmt_meta_next(log, &i, &key, &value))
		if (!fact_of(key) && !is_probe(key) &&
		    !told_with_another(log, key) && mmt_meta(log, key) == value)
			ret = put_fact(out, key, value);
	return ret;
}

static int print_setup(FILE *out, const struct mmt *log)
{
	unsigned int i = 0, at = 0;
	const char *key, *value;
	int ret;

	/* a log of a test or an import may not know where it comes from */
	if (!mmt_meta_next(log, &at, &key, &value))
		return 0;
	ret = heading(out, "Setup");
	for (; !ret && i < ARRAY_SIZE(facts); i++)
		ret = known_fact(out, log, &facts[i]);
	if (!ret)
		ret = other_facts(out, log);
	fputc('\n', out);
	return ret;
}

/* ------------------------------------------------------------- recording */

static int print_damage(FILE *out, const struct mmt *log)
{
	const char *text;
	size_t pos = 0;
	int ret = 0;

	while (!ret && (text = mmt_damage_next(log, &pos)))
		ret = put_fact(out, "damage", text);
	return ret;
}

static int print_state(FILE *out, const struct mmt *log)
{
	const struct mmt_counts *counts = mmt_counts(log);
	struct buf b = {0};
	int ret = log_loss(&b, counts);

	if (!ret)
		ret = put_fact(out, "lost", (char *)b.p);
	buf_free(&b);
	if (ret)
		return ret;
	if (counts->damaged)
		return print_damage(out, log);
	return put_fact(out, "state",
			log_defect(counts) ? log_defect(counts) : "complete");
}

static int print_size(FILE *out, const struct mmt_counts *counts)
{
	char size[UNITS_MAX], each[32] = "-";

	if (counts->nr_events)
		snprintf(each, sizeof(each), "%.2f",
			 (double)counts->nr_bytes / (double)counts->nr_events);
	return wrap_print(
		out, "size: %s (%" PRIu64 " bytes), %s bytes per event",
		units_size(size, counts->nr_bytes), counts->nr_bytes, each);
}

static int print_recording(FILE *out, const struct mmt *log)
{
	const struct mmt_counts *c = mmt_counts(log);
	char length[UNITS_MAX];
	int ret = heading(out, "Recording");

	if (!ret)
		ret = put_fact(out, "file", mmt_path(log));
	if (!ret)
		ret = print_state(out, log);
	if (!ret)
		ret = print_size(out, c);
	if (!ret)
		ret = wrap_print(out, "duration: %s",
				 units_time(length, c->last_ns - c->first_ns));
	if (!ret)
		ret = wrap_print(out,
				 "events: %" PRIu64 " on %u CPU%s, in %" PRIu64
				 " blocks",
				 c->nr_events, c->nr_cpus,
				 c->nr_cpus == 1 ? "" : "s", c->nr_blocks);
	return ret;
}

/* ----------------------------------------------------------------- events */

struct row {
	const struct mmt_schema *schema;
	unsigned int type;
	uint64_t nr;
};

static int by_count(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr < y->nr ? 1 : -1;
	return x->type < y->type ? -1 : 1;
}

/* Where the line is too short, the end of the name tells more. */
static void put_row(FILE *out, const struct row *row, uint64_t all,
		    const int width[2])
{
	char share[UNITS_MAX], system[256], name[512], full[800];
	const char *kind = mmt_kind_name((enum mmt_kind)row->schema->kind);
	size_t len, room;
	int used;

	units_escape(system, sizeof(system), row->schema->system);
	units_escape(name, sizeof(name), row->schema->name);
	len = (size_t)snprintf(full, sizeof(full), "%s:%s", system, name);
	used = fprintf(out, "%*" PRIu64 " %6s %-*s ", width[0], row->nr,
		       units_share(share, row->nr, all), width[1], kind);
	room = LOG_WIDTH - (size_t)MAX(used, 0);
	if (len > room)
		fprintf(out, "...%s\n", full + len - room + 3);
	else
		fprintf(out, "%s\n", full);
}

/* The rows that are not 0, the largest first. */
static void put_rows(FILE *out, const struct row *row, unsigned int nr,
		     uint64_t all)
{
	int width[2] = {6, 4}, len;
	unsigned int i;

	for (i = 0; i < nr && row[i].nr; i++) {
		len = snprintf(NULL, 0, "%" PRIu64, row[i].nr);
		width[0] = MAX(width[0], len);
		len = (int)strlen(
			mmt_kind_name((enum mmt_kind)row[i].schema->kind));
		width[1] = MAX(width[1], len);
	}
	if (i)
		fprintf(out, "\n%*s %6s %-*s %s\n", width[0], "events", "share",
			width[1], "kind", "event");
	for (i = 0; i < nr && row[i].nr; i++)
		put_row(out, &row[i], all, width);
	fputc('\n', out);
}

static struct row *collect(const struct mmt *log, unsigned int *nr)
{
	const uint64_t *counts = mmt_type_counts(log);
	struct row *row = calloc(mmt_nr_types(log) + 1, sizeof(*row));
	unsigned int i;

	*nr = 0;
	for (i = 0; row && i < mmt_nr_types(log); i++) {
		/* loss has its own line above */
		if (mmt_schema(log, i)->kind == MMT_LOSS)
			continue;
		row[*nr].schema = mmt_schema(log, i);
		row[*nr].type = i;
		row[(*nr)++].nr = counts[i];
	}
	return row;
}

/* Types the recorder had enabled, or the log at least knows, and never saw. */
static int print_unseen(FILE *out, const struct row *row, unsigned int nr)
{
	struct buf b = {0};
	char safe[512];
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		if (row[i].nr)
			continue;
		ret = buf_printf(&b, "%s%s:", b.len ? ", " : "",
				 units_escape(safe, sizeof(safe),
					      row[i].schema->system));
		if (!ret)
			ret = buf_printf(&b, "%s",
					 units_escape(safe, sizeof(safe),
						      row[i].schema->name));
	}
	if (!ret && b.len)
		ret = wrap_print(out, "none of: %s", (char *)b.p);
	buf_free(&b);
	return ret;
}

static int print_notes(FILE *out, const struct row *row, unsigned int nr)
{
	struct buf b = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		if (!*row[i].schema->note)
			continue;
		b.len = 0;
		ret = buf_printf(&b, "note on %s", row[i].schema->name);
		if (!ret)
			ret = put_fact(out, (char *)b.p, row[i].schema->note);
	}
	buf_free(&b);
	return ret;
}

/* What probes were set on, in the order of the rows. */
static int print_probes(FILE *out, const struct mmt *log, const struct row *row,
			unsigned int nr)
{
	struct buf key = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		const struct mmt_schema *s = row[i].schema;
		const char *text;

		key.len = 0;
		ret = buf_printf(&key, "probe.%s:%s", s->system, s->name);
		text = ret ? NULL : mmt_meta(log, (char *)key.p);
		if (text)
			ret = put_fact(out, "defined", text);
	}
	buf_free(&key);
	return ret;
}

static int print_events(FILE *out, const struct mmt *log)
{
	unsigned int nr;
	struct row *row = collect(log, &nr);
	int ret = 0;

	if (!row)
		return -ENOMEM;
	qsort(row, nr, sizeof(*row), by_count);
	put_rows(out, row, nr, mmt_counts(log)->nr_events);
	ret = print_unseen(out, row, nr);
	if (!ret)
		ret = print_notes(out, row, nr);
	if (!ret)
		ret = print_probes(out, log, row, nr);
	free(row);
	return ret;
}

/* ------------------------------------------------------------------ texts */

/* Counts the texts of each name, in the order in which names appear. */
struct name_count {
	char *name;
	unsigned int nr;
};

static int count_name(struct name_count **list, unsigned int *nr,
		      const char *name)
{
	struct name_count *grown;
	unsigned int i;

	for (i = 0; i < *nr; i++)
		if (!strcmp((*list)[i].name, name))
			break;
	if (i == *nr) {
		grown = realloc(*list, (*nr + 1) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		*list = grown;
		grown[i].nr = 0;
		grown[i].name = strdup(name);
		if (!grown[i].name)
			return -ENOMEM;
		++*nr;
	}
	(*list)[i].nr++;
	return 0;
}

static int print_texts(FILE *out, struct mmt *log, struct errbuf *err)
{
	struct name_count *list = NULL;
	unsigned int nr = 0, pos = 0, i;
	struct buf line = {0};
	struct mmt_text text;
	int ret;

	while (!(ret = mmt_text_next(log, &pos, &text, err)) && text.name) {
		ret = count_name(&list, &nr, text.name);
		if (ret)
			break;
	}
	if (!ret && nr)
		ret = buf_printf(&line, "texts: ");
	for (i = 0; !ret && i < nr; i++) {
		ret = log_escape(&line, list[i].name);
		if (!ret)
			ret = buf_printf(&line, " %u%s", list[i].nr,
					 i + 1 < nr ? ", " : "");
	}
	if (!ret && nr)
		ret = wrap_print(out, "%s", (char *)line.p);
	for (i = 0; i < nr; i++)
		free(list[i].name);
	free(list);
	buf_free(&line);
	return ret;
}

static int info(const struct log_options *o, FILE *out, struct errbuf *err)
{
	struct mmt *log;
	int ret = log_open(&log, o, err);

	if (ret)
		return ret;
	ret = print_setup(out, log);
	if (!ret)
		ret = print_recording(out, log);
	if (!ret)
		ret = print_events(out, log);
	if (!ret)
		ret = print_texts(out, log, err);
	if (ret == -ENOMEM)
		errbuf_set(err, ret, "%s: out of memory", mmt_path(log));
	if (!ret)
		ret = log_status(o, log);
	mmt_close(log);
	return ret;
}

const struct log_verb log_info_verb = {
	.name = "info",
	.help = "usage: mm-log info [OPTION...] FILE\n"
		"\n"
		"Prints the setup of the recording, what was lost, how many\n"
		"events of which type there are, and which texts.\n"
		"\n"
		"      --salvage  read what is whole of a damaged log\n"
		"      --strict   exit with 3 if anything is lost or missing\n"
		"  -h, --help     this text\n"
		"  -V, --version  the version\n",
	.shorts = ":hV",
	.longs = longs,
	.run = info,
};
