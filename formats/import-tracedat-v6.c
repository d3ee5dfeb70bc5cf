/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tracedat-v6.c - trace.dat version 6: one part behind the other */

/*
 * header texts, ftrace formats, event formats, kallsyms, printk formats,
 * command lines, CPU count, options, CPU table, maybe the clock.  A further
 * buffer is an option that says where its own CPU table is.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/import-tracedat.h"

static int skip(struct dat *d, struct dat_cur *cur, const char *what)
{
	const uint8_t *p;
	uint64_t len;

	if (!dat_num(cur, 4, &len) || !dat_bytes(cur, len, &p))
		return dat_cut(d, cur, what);
	return 0;
}

static int take_buffer(struct dat *d, const uint8_t *p, size_t len)
{
	struct dat_cur cur = {.p = p, .len = len, .big_endian = d->big_endian};
	struct dat_buffer *b;
	const char *name;
	uint64_t at;
	int ret;

	if (!dat_num(&cur, 8, &at) || !(name = dat_string(&cur)))
		return import_damage(d->im, "%s: buffer option is too short",
				     d->path);
	b = dat_buffer_new(d, &ret);
	if (!b)
		return ret;
	b->at = at;
	snprintf(b->name, sizeof(b->name), "%s", name);
	return 0;
}

static int take_options(struct dat *d, struct dat_cur *cur)
{
	uint64_t id, len;
	const uint8_t *p;
	int ret = 0;

	while (!ret) {
		if (!dat_num(cur, 2, &id))
			return dat_cut(d, cur, "the options");
		if (id == DAT_DONE)
			return 0;
		if (!dat_num(cur, 4, &len) || !dat_bytes(cur, len, &p))
			return dat_cut(d, cur, "the options");
		if (id == DAT_BUFFER)
			ret = take_buffer(d, p, (size_t)len);
		else if (id < DAT_HEADERS)
			ret = dat_take_option(d, (unsigned int)id, p,
					      (size_t)len);
	}
	return ret;
}

/* Ten bytes say what comes next. */
static int take_tag(struct dat *d, struct dat_cur *cur, const char **tag)
{
	const uint8_t *p;

	if (!dat_bytes(cur, 10, &p))
		return dat_cut(d, cur, "the CPU table");
	*tag = (const char *)p;
	return 0;
}

static int take_cpus(struct dat *d, struct dat_cur *cur, struct dat_buffer *b,
		     uint64_t nr)
{
	unsigned int i;

	if (nr > DAT_MAX_CPUS)
		return errbuf_set(d->im->err, -EBADMSG,
				  "%s: CPU count %" PRIu64 " at offset %" PRIu64
				  " is larger than the file can hold",
				  d->path, nr, cur->base + cur->at);
	if (nr * 16 > dat_left(cur))
		return errbuf_set(d->im->err, -EBADMSG,
				  "%s: cut in the CPU table at offset %" PRIu64
				  ": %" PRIu64 " CPUs need %" PRIu64
				  " bytes, %zu are there",
				  d->path, cur->base + cur->at, nr, nr * 16,
				  dat_left(cur));
	b->cpus = calloc(nr ? nr : 1, sizeof(*b->cpus));
	if (!b->cpus)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		b->cpus[i].cpu = i;
		dat_num(cur, 8, &b->cpus[i].at);
		dat_num(cur, 8, &b->cpus[i].len);
	}
	b->nr_cpus = (unsigned int)nr;
	return 0;
}

/* From the tag on: "flyrecord" and the CPU table. */
static int take_table(struct dat *d, struct dat_cur *cur, struct dat_buffer *b,
		      uint64_t nr_cpus)
{
	const char *tag = "";
	int ret = take_tag(d, cur, &tag);

	if (ret)
		return ret;
	if (!memcmp(tag, "latency  ", 10)) {
		b->is_text = true;
		return 0;
	}
	if (memcmp(tag, "flyrecord", 10))
		return errbuf_set(d->im->err, -EBADMSG,
				  "%s: no CPU table at offset %" PRIu64,
				  d->path, cur->base + cur->at - 10);
	return take_cpus(d, cur, b, nr_cpus);
}

/* Old versions have the clock's line behind the table. */
static void take_late_clock(struct dat *d, struct dat_cur *cur)
{
	const uint8_t *p;
	uint64_t len;

	if (d->clock_follows && dat_num(cur, 8, &len) &&
	    dat_bytes(cur, len, &p) && len)
		dat_take_clock(d->clock, (const char *)p, (size_t)len);
}

/* A buffer of its own that cannot be read leaves the others. */
static int take_instance(struct dat *d, struct dat_buffer *b, uint64_t nr_cpus)
{
	struct dat_cur cur = dat_cur_at(d, b->at);
	int ret = take_table(d, &cur, b, nr_cpus);

	if (ret != -EBADMSG)
		return ret;
	*d->im->err = (struct errbuf){0};
	return import_damage(d->im,
			     "%s: buffer %s: its CPU table at offset "
			     "%" PRIu64 " cannot be read",
			     d->path, b->name, b->at);
}

static int take_buffers(struct dat *d, struct dat_cur *cur, uint64_t nr_cpus)
{
	const char *tag = "";
	struct dat_cur ahead = *cur;
	unsigned int i;
	int ret = take_tag(d, &ahead, &tag);

	if (ret)
		return ret;
	if (!memcmp(tag, "options  ", 10)) {
		*cur = ahead;
		ret = take_options(d, cur);
		if (ret)
			return ret;
		/* buffers may have more CPUs than the top one had */
		nr_cpus = MAX(nr_cpus, d->nr_cpus);
	}
	/* the top buffer was made first */
	ret = take_table(d, cur, &d->buffers[0], nr_cpus);
	if (ret)
		return ret;
	take_late_clock(d, cur);
	for (i = 1; !ret && i < d->nr_buffers; i++)
		ret = take_instance(d, &d->buffers[i], nr_cpus);
	if (!d->nr_cpus)
		d->nr_cpus = (uint32_t)nr_cpus;
	return ret;
}

int dat_read_v6(struct dat *d, struct dat_cur *cur)
{
	uint64_t nr_cpus;
	int ret;

	if (!dat_buffer_new(d, &ret))
		return ret;
	ret = dat_take_headers(d, cur);
	if (!ret)
		ret = dat_take_ftrace(d, cur);
	if (!ret)
		ret = dat_take_formats(d, cur);
	if (!ret)
		ret = skip(d, cur, "kallsyms");
	if (!ret)
		ret = skip(d, cur, "the printk formats");
	if (!ret)
		ret = dat_take_cmdlines(d, cur);
	if (ret)
		return ret;
	if (!dat_num(cur, 4, &nr_cpus))
		return dat_cut(d, cur, "the CPU count");
	return take_buffers(d, cur, nr_cpus);
}
