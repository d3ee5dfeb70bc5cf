/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-rows.c - the lines of mm-log dump: text, CSV, JSON */

/*
 * Text is for eyes and grep: time, CPU, pid, event, and field=value words.
 * CSV and JSON have whole nanoseconds, so that no reader rounds them, and a
 * missing value is an empty cell, or null.  Loss is a line in each of them.
 */

#include "config.h"

#include <inttypes.h>

#include <json-c/json.h>

#include "formats/log-dump.h"
#include "formats/units.h"

/* ------------------------------------------------------------------ head */

static int json_line(FILE *out, struct json_object *o)
{
	const char *text = json_object_to_json_string_ext(
		o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);

	if (!text)
		return -ENOMEM;
	fputs(text, out);
	fputc('\n', out);
	return 0;
}

static void json_text(struct json_object *o, const char *key, const char *text)
{
	char safe[1024];

	json_object_object_add(
		o, key,
		json_object_new_string(units_escape(safe, sizeof(safe), text)));
}

static int head_json(const struct mmt *log, const char *kernel, FILE *out)
{
	const struct mmt_counts *c = mmt_counts(log);
	struct json_object *o = json_object_new_object(), *list;
	const char *text;
	size_t pos = 0;
	int ret;

	if (!o)
		return -ENOMEM;
	json_object_object_add(o, "kind", json_object_new_string("log"));
	json_text(o, "file", mmt_path(log));
	json_text(o, "kernel", kernel);
	json_object_object_add(o, "events",
			       json_object_new_uint64(c->nr_events));
	json_object_object_add(o, "lost", json_object_new_uint64(c->nr_lost));
	json_object_object_add(o, "gaps_uncounted",
			       json_object_new_uint64(c->nr_gaps_uncounted));
	json_object_object_add(o, "complete",
			       json_object_new_boolean(c->complete));
	list = json_object_new_array();
	while (list && (text = mmt_damage_next(log, &pos)))
		json_object_array_add(list, json_object_new_string(text));
	json_object_object_add(o, "damage", list);
	ret = json_line(out, o);
	json_object_put(o);
	return ret;
}

int dump_head(const struct log_options *o, const struct mmt *log, FILE *out,
	      const char *table)
{
	const struct mmt_counts *counts = mmt_counts(log);
	const char *kernel = mmt_meta(log, "kernel.release"), *text;
	char safe[1024], path[4096];
	struct buf loss = {0};
	size_t pos = 0;
	int ret;

	if (!kernel || !*kernel)
		kernel = "unknown";
	if (o->form == LOG_JSON)
		return head_json(log, kernel, out);
	ret = log_loss(&loss, counts);
	if (ret)
		return ret;
	if (o->form == LOG_CSV)
		fprintf(out,
			"# " LOG_PROGRAM " " PACKAGE_VERSION " table %s/1\n",
			table);
	fprintf(out,
		"# %s: kernel %s sampling none events %" PRIu64 " lost %s\n",
		units_escape(path, sizeof(path), mmt_path(log)),
		units_escape(safe, sizeof(safe), kernel), counts->nr_events,
		(char *)loss.p);
	while ((text = mmt_damage_next(log, &pos)))
		fprintf(out, "# damage: %s\n", text);
	if (!counts->damaged && log_defect(counts))
		fprintf(out, "# incomplete: %s\n", log_defect(counts));
	buf_free(&loss);
	return 0;
}

void dump_names(struct dump *d)
{
	unsigned int i;

	if (d->o->form == LOG_JSON || !d->nr_columns)
		return;
	if (d->o->form == LOG_TEXT)
		fputs("# ", d->out);
	for (i = 0; i < d->nr_columns; i++) {
		if (i)
			fputc(d->o->form == LOG_CSV ? ',' : ' ', d->out);
		if (d->o->form == LOG_CSV)
			dump_csv_text(d->out, d->column[i].name);
		else
			fputs(d->column[i].name, d->out);
	}
	fputc('\n', d->out);
}

/* ------------------------------------------------------------------ text */

static void text_value(FILE *out, const struct dump_value *value)
{
	switch (value->is) {
	case DUMP_NONE:
		fputc('-', out);
		break;
	case DUMP_UNSIGNED:
		fprintf(out, value->hex ? "0x%" PRIx64 : "%" PRIu64, value->v);
		break;
	case DUMP_SIGNED:
		fprintf(out, "%" PRId64, (int64_t)value->v);
		break;
	case DUMP_TEXT:
		fputs(*value->text ? value->text : "\"\"", out);
		break;
	}
}

static void text_event(struct dump *d, const struct mmt_event *ev)
{
	const struct mmt_schema *s = mmt_schema(d->log, ev->type);
	struct dump_value value;
	unsigned int f;
	char label[300];

	fprintf(d->out, "%" PRIu64 ".%09u [%03u] %d %s",
		ev->time_ns / 1000000000,
		(unsigned int)(ev->time_ns % 1000000000), ev->cpu, ev->pid,
		d->event[ev->type]);
	for (f = 0; f < ev->nr; f++) {
		dump_label(label, sizeof(label), &s->field[f]);
		fprintf(d->out, " %s=", label);
		dump_get_field(d, ev, f, &value);
		text_value(d->out, &value);
	}
	fputc('\n', d->out);
}

static void text_columns(struct dump *d, const struct mmt_event *ev)
{
	struct dump_value value;
	unsigned int i;

	for (i = 0; i < d->nr_columns; i++) {
		if (i)
			fputc(' ', d->out);
		dump_get(d, ev, &d->column[i], &value);
		text_value(d->out, &value);
	}
	fputc('\n', d->out);
}

/* Where the columns would not tell loss from an event. */
static void loss_comment(struct dump *d, const struct mmt_event *ev)
{
	fputs("# ", d->out);
	text_event(d, ev);
}

/* ------------------------------------------------------------------- CSV */

void dump_csv_text(FILE *out, const char *text)
{
	size_t len = strlen(text);
	bool quotes = strpbrk(text, ",\"") || *text == ' ' || *text == '#' ||
		      (len && text[len - 1] == ' ');

	if (quotes)
		fputc('"', out);
	/* a spreadsheet takes such a text for a formula */
	if (*text && strchr("=+-@'", *text))
		fputc('\'', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	if (quotes)
		fputc('"', out);
}

static void csv_columns(struct dump *d, const struct mmt_event *ev)
{
	struct dump_value value;
	unsigned int i;

	for (i = 0; i < d->nr_columns; i++) {
		if (i)
			fputc(',', d->out);
		dump_get(d, ev, &d->column[i], &value);
		if (value.is == DUMP_TEXT)
			dump_csv_text(d->out, value.text);
		else if (value.is == DUMP_SIGNED)
			fprintf(d->out, "%" PRId64, (int64_t)value.v);
		else if (value.is == DUMP_UNSIGNED)
			fprintf(d->out, "%" PRIu64, value.v);
	}
	fputc('\n', d->out);
}

/* ------------------------------------------------------------------ JSON */

static void json_value(struct json_object *o, const char *key,
		       const struct dump_value *value)
{
	struct json_object *v = NULL;

	if (value->is == DUMP_TEXT)
		v = json_object_new_string(value->text);
	else if (value->is == DUMP_SIGNED)
		v = json_object_new_int64((int64_t)value->v);
	else if (value->is == DUMP_UNSIGNED)
		v = json_object_new_uint64(value->v);
	json_object_object_add(o, key, v);
}

static void json_all(struct dump *d, const struct mmt_event *ev,
		     struct json_object *o)
{
	static const struct dump_column first[] = {
		{(char *)"time_ns", DUMP_TIME_NS, NULL},
		{(char *)"cpu", DUMP_CPU, NULL},
		{(char *)"pid", DUMP_PID, NULL},
		{(char *)"kind", DUMP_KIND, NULL},
		{(char *)"event", DUMP_EVENT, NULL},
	};
	const struct mmt_schema *s = mmt_schema(d->log, ev->type);
	struct dump_value value;
	char label[300];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(first); i++) {
		dump_get(d, ev, &first[i], &value);
		json_value(o, first[i].name, &value);
	}
	for (i = 0; i < ev->nr; i++) {
		dump_label(label, sizeof(label), &s->field[i]);
		dump_get_field(d, ev, i, &value);
		json_value(o, label, &value);
	}
}

static int json_event(struct dump *d, const struct mmt_event *ev)
{
	struct json_object *o = json_object_new_object();
	struct dump_value value;
	unsigned int i;
	int ret;

	if (!o)
		return -ENOMEM;
	if (!d->nr_columns || (ev->kind == MMT_LOSS && !d->loss_is_row)) {
		json_all(d, ev, o);
	} else {
		for (i = 0; i < d->nr_columns; i++) {
			dump_get(d, ev, &d->column[i], &value);
			json_value(o, d->column[i].name, &value);
		}
	}
	ret = json_line(d->out, o);
	json_object_put(o);
	return ret;
}

int dump_event(struct dump *d, const struct mmt_event *ev)
{
	if (d->o->form == LOG_JSON)
		return json_event(d, ev);
	if (ev->kind == MMT_LOSS && !d->loss_is_row)
		loss_comment(d, ev);
	else if (d->o->form == LOG_CSV)
		csv_columns(d, ev);
	else if (d->nr_columns)
		text_columns(d, ev);
	else
		text_event(d, ev);
	return 0;
}
