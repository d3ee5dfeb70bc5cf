/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-pages.c - mm-log dump --pages: the page stream, line by line */

/*
 * What the engines are given, in words: accesses with their source, adds with
 * demand or readahead, removals with their cause, loss.  The CSV form has the
 * columns that an access trace may have.
 */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include <json-c/json.h>

#include "formats/log-dump.h"
#include "formats/pages.h"

static const char *const ops[] = {
	[PAGE_ACCESS] = "access",
	[PAGE_ADD] = "add",
	[PAGE_REMOVE] = "remove",
	[PAGE_LOSS] = "loss",
};

static const char *detail_of(uint8_t op, uint8_t detail)
{
	static const char *const sources[] = {
		[PAGE_READ] = "read",
		[PAGE_FAULT] = "fault",
		[PAGE_FAULT_AROUND] = "fault-around",
	};
	static const char *const demands[] = {
		[PAGE_DEMAND_UNKNOWN] = "unknown",
		[PAGE_DEMAND] = "demand",
		[PAGE_READAHEAD] = "readahead",
	};
	static const char *const causes[] = {
		[PAGE_RECLAIM] = "reclaim",
		[PAGE_TRUNCATE] = "truncate",
		[PAGE_INVALIDATE] = "invalidate",
		[PAGE_UNKNOWN] = "unknown",
	};

	switch (op) {
	case PAGE_ACCESS:
		return detail < ARRAY_SIZE(sources) ? sources[detail] : "-";
	case PAGE_ADD:
		return detail < ARRAY_SIZE(demands) ? demands[detail] : "-";
	case PAGE_REMOVE:
		return detail < ARRAY_SIZE(causes) ? causes[detail] : "-";
	}
	return "-";
}

static const char *flags_of(uint8_t flags)
{
	static const char *const names[] = {"-", "head", "miss", "head+miss"};

	return names[flags & (PAGE_HEAD | PAGE_MISS)];
}

/* One entry of a batch, as all forms need it. */
struct line {
	const struct page_batch *b;
	unsigned int i;
	struct page_id id;
	bool has_order;
};

static void put_text(FILE *out, const struct line *l)
{
	const struct page_batch *b = l->b;
	unsigned int i = l->i;

	fprintf(out, "%" PRIu64 ".%09u [%03u] %d %s",
		b->time_ns[i] / 1000000000,
		(unsigned int)(b->time_ns[i] % 1000000000), b->cpu[i],
		b->pid[i], ops[b->op[i]]);
	if (b->op[i] == PAGE_LOSS) {
		if (b->page[i] == MMT_LOST_UNKNOWN)
			fputs(" nr_lost=unknown\n", out);
		else
			fprintf(out, " nr_lost=%" PRIu64 "\n", b->page[i]);
		return;
	}
	fprintf(out, " %s dev=%u:%u ino=%" PRIu64 " index=%" PRIu64,
		detail_of(b->op[i], b->detail[i]), DEV_MAJOR(l->id.dev),
		DEV_MINOR(l->id.dev), l->id.ino, l->id.index);
	if (l->has_order)
		fprintf(out, " order=%u", b->order[i]);
	else
		fputs(" order=-", out);
	fprintf(out, " flags=%s\n", flags_of(b->flags[i]));
}

static void put_csv(FILE *out, const struct line *l)
{
	const struct page_batch *b = l->b;
	unsigned int i = l->i;

	fprintf(out, "%" PRIu64 ",%u,%d,%s,", b->time_ns[i], b->cpu[i],
		b->pid[i], ops[b->op[i]]);
	if (b->op[i] == PAGE_LOSS) {
		fputs(",,,,,,", out);
		if (b->page[i] != MMT_LOST_UNKNOWN)
			fprintf(out, "%" PRIu64, b->page[i]);
		fputc('\n', out);
		return;
	}
	fprintf(out, "%s,%u:%u,%" PRIu64 ",%" PRIu64 ",",
		detail_of(b->op[i], b->detail[i]), DEV_MAJOR(l->id.dev),
		DEV_MINOR(l->id.dev), l->id.ino, l->id.index);
	if (l->has_order)
		fprintf(out, "%u", b->order[i]);
	fprintf(out, ",%s,\n", b->flags[i] ? flags_of(b->flags[i]) : "");
}

static void add_u64(struct json_object *o, const char *key, uint64_t v)
{
	json_object_object_add(o, key, json_object_new_uint64(v));
}

static void add_text(struct json_object *o, const char *key, const char *text)
{
	json_object_object_add(o, key, json_object_new_string(text));
}

static void add_page(struct json_object *o, const struct line *l)
{
	const struct page_batch *b = l->b;
	unsigned int i = l->i;
	char dev[32];

	snprintf(dev, sizeof(dev), "%u:%u", DEV_MAJOR(l->id.dev),
		 DEV_MINOR(l->id.dev));
	add_text(o, "detail", detail_of(b->op[i], b->detail[i]));
	add_text(o, "dev", dev);
	add_u64(o, "ino", l->id.ino);
	add_u64(o, "index", l->id.index);
	if (l->has_order)
		add_u64(o, "order", b->order[i]);
	json_object_object_add(
		o, "head",
		json_object_new_boolean(!!(b->flags[i] & PAGE_HEAD)));
	json_object_object_add(
		o, "miss",
		json_object_new_boolean(!!(b->flags[i] & PAGE_MISS)));
}

static int put_json(FILE *out, const struct line *l)
{
	struct json_object *o = json_object_new_object();
	const struct page_batch *b = l->b;
	unsigned int i = l->i;
	const char *text;

	if (!o)
		return -ENOMEM;
	add_u64(o, "time_ns", b->time_ns[i]);
	add_u64(o, "cpu", b->cpu[i]);
	json_object_object_add(o, "pid", json_object_new_int64(b->pid[i]));
	add_text(o, "op", ops[b->op[i]]);
	if (b->op[i] != PAGE_LOSS)
		add_page(o, l);
	else if (b->page[i] != MMT_LOST_UNKNOWN)
		add_u64(o, "nr_lost", b->page[i]);
	else
		json_object_object_add(o, "nr_lost", NULL);
	text = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);
	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(o);
	return text ? 0 : -ENOMEM;
}

static int put_batch(const struct log_options *o, const struct pages *p,
		     const struct page_batch *b, FILE *out)
{
	struct line l = {.b = b};
	int ret = 0;

	for (l.i = 0; !ret && l.i < b->nr; l.i++) {
		l.has_order =
			b->op[l.i] == PAGE_ADD || b->op[l.i] == PAGE_REMOVE;
		if (b->op[l.i] != PAGE_LOSS)
			pages_id(p, b->page[l.i], &l.id);
		if (o->form == LOG_JSON)
			ret = put_json(out, &l);
		else if (o->form == LOG_CSV)
			put_csv(out, &l);
		else
			put_text(out, &l);
	}
	return ret ? ret : log_out_error(out);
}

static int put_all(const struct log_options *o, struct pages *p, FILE *out,
		   struct errbuf *err)
{
	struct page_batch *b = malloc(sizeof(*b));
	int ret;

	if (!b)
		return -ENOMEM;
	while ((ret = pages_next(p, b, err)) > 0) {
		ret = put_batch(o, p, b, out);
		if (ret)
			break;
	}
	free(b);
	return ret;
}

int dump_pages(const struct log_options *o, struct mmt *log,
	       const struct mmt_select *select, FILE *out, struct errbuf *err)
{
	struct pages *p;
	int ret = pages_open(&p, log, select, err);

	if (ret)
		return ret;
	ret = dump_head(o, log, out, "pages");
	if (o->form == LOG_CSV)
		fputs("time_ns,cpu,pid,op,detail,dev,ino,index,order,flags,"
		      "nr_lost\n",
		      out);
	if (!ret)
		ret = put_all(o, p, out, err);
	pages_close(p);
	return ret;
}
