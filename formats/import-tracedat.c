/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tracedat.c - trace-cmd's trace.dat, versions 6 and 7 */

/*
 * The container is read by our own code, with every number checked against the
 * file (trace-cmd.dat.v6(5), trace-cmd.dat.v7(5)); the event formats in it are
 * compiled like those of a running kernel, and the sub-buffers decoded like
 * those of a live trace.
 */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include <zstd.h>

#include "formats/import-tracedat.h"
#include "formats/units.h"

#define MAGIC     "\x17\x08\x44tracing"
#define MAGIC_LEN 10

/*
 * With so many formats the file has those of events that were not enabled as
 * well: then only what occurs is registered, so that the log does not claim
 * that the rest was traced.
 */
#define MANY_FORMATS 256

static bool tracedat_detect(const uint8_t *head, size_t len, const char *path)
{
	(void)path;
	return len >= MAGIC_LEN && !memcmp(head, MAGIC, MAGIC_LEN);
}

static int not_ours(const struct dat *d)
{
	const char *what = "not a trace.dat";

	if (d->map.len && d->map.len < MAGIC_LEN &&
	    !memcmp(d->map.p, MAGIC, d->map.len))
		return errbuf_set(d->im->err, -EBADMSG,
				  "%s: cut in the first header at offset %zu",
				  d->path, d->map.len);
	if (!d->map.len)
		what = "empty file";
	else if (d->map.len >= 8 && !memcmp(d->map.p, "PERFILE2", 8))
		what = "perf.data, not trace.dat";
	return errbuf_set(d->im->err, -EINVAL, "%s: %s", d->path, what);
}

/* Magic, version, byte order, size of long, page size. */
static int read_head(struct dat *d, struct dat_cur *cur)
{
	const char *version;
	const uint8_t *p;
	char safe[32];

	*cur = dat_cur_at(d, 0);
	if (!tracedat_detect(cur->p, cur->len, d->path))
		return not_ours(d);
	cur->at = MAGIC_LEN;
	version = dat_string(cur);
	if (!version)
		return dat_cut(d, cur, "the version");
	if (strcmp(version, "6") && strcmp(version, "7"))
		return errbuf_set(d->im->err, -EPROTO,
				  "%s: trace.dat v%s; I read 6 and 7", d->path,
				  units_escape(safe, sizeof(safe), version));
	d->version = (unsigned int)(*version - '0');
	if (!dat_bytes(cur, 2, &p))
		return dat_cut(d, cur, "the first header");
	d->big_endian = p[0] == 1;
	d->long_size = p[1];
	if (p[0] > 1 || (p[1] != 4 && p[1] != 8))
		return errbuf_set(d->im->err, -EBADMSG,
				  "%s: byte order %u or size of long %u at "
				  "offset %zu is impossible",
				  d->path, p[0], p[1], cur->at - 2);
	cur->big_endian = d->big_endian;
	if (!dat_num(cur, 4, &d->page_size))
		return dat_cut(d, cur, "the first header");
	return 0;
}

/* --------------------------------------------------- sizes of sub-buffers */

/* header_page is missing: as all kernels of that word size have it. */
static int default_layout(struct dat *d, bool quiet)
{
	d->pages.layout = (struct subbuf_layout){
		8, d->long_size, 8 + d->long_size, d->big_endian};
	if (quiet)
		return 0;
	return import_damage(d->im,
			     "%s: no header_page; its usual layout is "
			     "assumed",
			     d->path);
}

/*
 * The text of header_page is the kernel's own word on the top buffer.  Another
 * buffer may have sub-buffers of its own size.
 */
int dat_layout(struct dat *d, const struct dat_buffer *b, bool quiet)
{
	uint64_t size = b->page_size ? b->page_size : d->page_size;
	const struct subbuf_layout *layout = &d->pages.layout;
	bool ok, header_ok;
	int ret = 0;

	if (!d->have_layout)
		ret = default_layout(d, quiet);
	ok = import_subbuf_size_ok(layout, size);
	header_ok = import_subbuf_size_ok(layout, d->header_size);
	if (header_ok && (!ok || (!*b->name && size != d->header_size))) {
		if (!quiet && !ret)
			ret = import_damage(d->im,
					    "%s: page size %" PRIu64
					    " is bad; header_page says "
					    "%" PRIu64 ", which is used",
					    d->path, size, d->header_size);
		size = d->header_size;
	} else if (!ok) {
		return errbuf_set(d->im->err, -EBADMSG,
				  "%s: bad page size %" PRIu64, d->path, size);
	}
	d->pages.size = (size_t)size;
	return ret;
}

/* ---------------------------------------------------------------- import */

static int read_container(struct dat *d)
{
	struct dat_cur cur;
	int ret = read_head(d, &cur);

	if (ret)
		return ret;
	ret = import_book_new(&d->book, d->im, d->path, d->big_endian,
			      d->long_size);
	if (ret)
		return ret;
	d->pages.im = d->im;
	d->pages.book = d->book;
	return d->version == 6 ? dat_read_v6(d, &cur) : dat_read_v7(d, &cur);
}

static int take_events(struct dat *d, const struct dat_buffer *b)
{
	bool only_seen = d->book->nr_formats > MANY_FORMATS;
	int ret = dat_layout(d, b, false);

	if (!ret)
		ret = dat_see_events(d, b);
	if (!ret)
		ret = import_book_register(d->book, only_seen);
	if (!ret)
		ret = dat_write_meta(d, b);
	if (!ret)
		ret = mmt_writer_start(d->im->writer);
	if (!ret)
		ret = dat_write_tasks(d);
	if (!ret)
		ret = dat_take_stats(d, b);
	if (!ret)
		ret = dat_take_buffer(d, b);
	return ret ? ret : import_book_report(d->book);
}

static void dat_free(struct dat *d)
{
	unsigned int i;

	for (i = 0; i < d->nr_buffers; i++)
		free(d->buffers[i].cpus);
	free(d->buffers);
	import_book_free(d->book);
	ZSTD_freeDCtx(d->zstd);
	buf_free(&d->stats);
	buf_free(&d->tasks);
	import_unmap(&d->map);
	free(d);
}

/* What is wrong with a file without a single event. */
static int no_event(const struct dat *d)
{
	const struct buf *damage = &d->im->report->damage;
	const uint8_t *nl;

	nl = damage->len ? memchr(damage->p, '\n', damage->len) : NULL;
	if (nl)
		return errbuf_set(d->im->err, -ENODATA,
				  "%s: no event could be read: %.*s", d->path,
				  (int)(nl - damage->p), (char *)damage->p);
	return errbuf_set(d->im->err, -ENODATA,
			  "%s: no event data up to its end at offset %zu",
			  d->path, d->map.len);
}

static int tracedat_run(struct import *im)
{
	const struct dat_buffer *b;
	struct dat *d;
	int ret;

	if (im->nr_paths != 1)
		return errbuf_set(im->err, -EINVAL,
				  "%s: one trace.dat at a time (another "
				  "machine's pages are other pages)",
				  im->paths[1]);
	d = calloc(1, sizeof(*d));
	if (!d)
		return errbuf_set(im->err, -ENOMEM, "out of memory");
	d->im = im;
	d->path = im->paths[0];
	ret = import_map(&d->map, d->path, im->err);
	if (!ret)
		ret = read_container(d);
	if (!ret)
		ret = dat_choose(d, &b);
	if (!ret)
		ret = take_events(d, b);
	if (!ret && !d->pages.nr_events)
		ret = no_event(d);
	if (ret == -ENOMEM)
		errbuf_set(im->err, ret, "%s: out of memory", d->path);
	dat_free(d);
	return ret;
}

const struct importer import_tracedat = {
	.name = "tracedat",
	.what = "trace-cmd's trace.dat, version 6 or 7",
	.detect = tracedat_detect,
	.run = tracedat_run,
};
