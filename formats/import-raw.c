/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-raw.c - raw sub-buffers, a file a CPU, with their format files */

/*
 * The files are what per_cpu/cpuN/trace_pipe_raw gave.  The formats are one
 * text with a line "=== system/event" before each format file ("header_page"
 * may be among them), or a directory with system/event.format or
 * system/event/format, or system.event.format, and maybe header_page.  The
 * machine is taken to be a little-endian one; sizes are those of the formats.
 */

#include "config.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "formats/import-frame.h"
#include "formats/import-pages.h"

/* A format file of a kernel is a few KiB. */
#define MAX_FORMAT (1U << 20)
#define MAX_DEPTH  3

struct raw {
	struct import *im;
	const char *formats;
	struct import_book *book;
	struct import_pages pages;
	bool have_layout;
	uint64_t header_size;
};

/*
 * Little is distinctive in a sub-buffer: how many bytes it has, with two flags.
 * The frame asks only if formats were given.
 */
static bool raw_detect(const uint8_t *head, size_t len, const char *path)
{
	uint32_t commit;

	(void)path;
	if (len < 4096)
		return false;
	commit = get_le32(head + 8) & ~(3U << 30);
	return get_le64(head) && commit && commit <= 65520 && !(commit & 3);
}

static int take_layout(struct raw *r, const char *text, size_t len)
{
	struct errbuf err;
	int ret = subbuf_layout_parse(&r->pages.layout, text, len, &err);

	if (ret)
		return errbuf_set(r->im->err, ret, "%s: %s", r->formats,
				  err.text);
	r->have_layout = true;
	r->header_size = import_header_size(text, len);
	return 0;
}

/* -------------------------------------------------------- one text for all */

/* name: "system/event" or "header_page", up to the end of its line. */
static int take_section(struct raw *r, const char *name, size_t name_len,
			const char *text, size_t len)
{
	const char *slash = memchr(name, '/', name_len);
	char system[48];

	if (name_len >= 11 && !memcmp(name, "header_page", 11))
		return take_layout(r, text, len);
	if (!slash || (size_t)(slash - name) >= sizeof(system))
		return 0;
	snprintf(system, sizeof(system), "%.*s", (int)(slash - name), name);
	return import_book_add(r->book, system, text, len);
}

static const char *next_head(const char *p, const char *end)
{
	while (p < end) {
		const char *nl;

		if (end - p > 4 && !memcmp(p, "=== ", 4))
			return p;
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			break;
		p = nl + 1;
	}
	return end;
}

static int take_one_text(struct raw *r)
{
	struct import_map map;
	const char *p, *end, *nl, *next;
	int ret = import_map(&map, r->formats, r->im->err);

	if (ret)
		return ret;
	p = (const char *)map.p;
	end = p + map.len;
	for (p = next_head(p, end); !ret && p < end; p = next) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			break;
		next = next_head(nl + 1, end);
		ret = take_section(r, p + 4, (size_t)(nl - p) - 4, nl + 1,
				   (size_t)(next - nl - 1));
	}
	import_unmap(&map);
	return ret;
}

/* ------------------------------------------------------------- a directory */

static int take_file(struct raw *r, const char *path, const char *system)
{
	struct import_map map;
	int ret = import_map(&map, path, r->im->err);

	if (ret)
		return ret;
	if (map.len > MAX_FORMAT)
		ret = import_note(r->im, "%s is too long for a format", path);
	else if (!system)
		ret = take_layout(r, (const char *)map.p, map.len);
	else
		ret = import_book_add(r->book, system, (const char *)map.p,
				      map.len);
	import_unmap(&map);
	return ret;
}

static bool ends_in(const char *name, const char *tail)
{
	size_t len = strlen(name), n = strlen(tail);

	return len > n && !strcmp(name + len - n, tail);
}

/* The last part of a path. */
static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "format" lies in system/event, "event.format" in system. */
static int system_of(char system[48], const char *dir, const char *name)
{
	const char *dot = strchr(name, '.');
	char parent[PATH_MAX];

	if (dot && strcmp(dot, ".format")) {
		snprintf(system, 48, "%.*s", (int)MIN(dot - name, 47), name);
		return 0;
	}
	snprintf(parent, sizeof(parent), "%s", dir);
	if (!dot && strrchr(parent, '/'))
		*strrchr(parent, '/') = '\0';
	snprintf(system, 48, "%.47s", last_part(parent));
	return 0;
}

static int take_dir(struct raw *r, const char *dir, unsigned int depth);

static int take_entry(struct raw *r, const char *dir, const char *name,
		      unsigned int depth)
{
	char path[PATH_MAX], system[48];
	struct stat st;

	if (*name == '.' || snprintf(path, sizeof(path), "%s/%s", dir, name) >=
				    (int)sizeof(path))
		return 0;
	if (stat(path, &st))
		return errbuf_set(r->im->err, -errno, "%s: %s", path,
				  strerror(errno));
	if (S_ISDIR(st.st_mode))
		return depth < MAX_DEPTH ? take_dir(r, path, depth + 1) : 0;
	if (!S_ISREG(st.st_mode))
		return 0;
	if (!strcmp(name, "header_page"))
		return take_file(r, path, NULL);
	if (strcmp(name, "format") && !ends_in(name, ".format"))
		return 0;
	system_of(system, dir, name);
	return take_file(r, path, system);
}

static int take_dir(struct raw *r, const char *dir, unsigned int depth)
{
	struct dirent **entry = NULL;
	int i, nr, ret = 0;

	nr = scandir(dir, &entry, NULL, alphasort);
	if (nr < 0)
		return errbuf_set(r->im->err, -errno, "%s: %s", dir,
				  strerror(errno));
	for (i = 0; i < nr; i++) {
		if (!ret)
			ret = take_entry(r, dir, entry[i]->d_name, depth);
		free(entry[i]);
	}
	free(entry);
	return ret;
}

static int take_formats(struct raw *r)
{
	struct stat st;
	int ret;

	if (!r->formats) {
		errbuf_set(r->im->err, -EINVAL,
			   "raw sub-buffers need the formats of their kernel");
		errbuf_hint(r->im->err, "--formats FILE|DIR");
		return -EINVAL;
	}
	if (stat(r->formats, &st))
		return errbuf_set(r->im->err, -errno, "%s: %s", r->formats,
				  strerror(errno));
	ret = S_ISDIR(st.st_mode) ? take_dir(r, r->formats, 0)
				  : take_one_text(r);
	if (!ret && !r->book->nr_formats) {
		ret = errbuf_set(r->im->err, -EINVAL,
				 "%s: no event format in it", r->formats);
		if (import_is_probes(r->formats))
			errbuf_hint(r->im->err,
				    "--probes FILE for the definitions of "
				    "probes, --formats for event formats");
	}
	return ret;
}

/* ---------------------------------------------------------------- the data */

/* The number behind the last "cpu" of the name, else the order given. */
static unsigned int cpu_of(const char *path, unsigned int i)
{
	const char *p = last_part(path), *at = NULL;
	unsigned long cpu;

	for (; (p = strstr(p, "cpu")); p += 3)
		if (isdigit((unsigned char)p[3]))
			at = p + 3;
	if (!at)
		return i;
	cpu = strtoul(at, NULL, 10);
	return (unsigned int)MIN(cpu, UINT16_MAX);
}

/* Two files of one CPU would be two clocks in one track. */
static int check_cpus(const struct raw *r)
{
	const char *const *paths = r->im->paths;
	unsigned int i, j, cpu;

	for (i = 0; i < r->im->nr_paths; i++) {
		cpu = cpu_of(paths[i], i);
		for (j = 0; j < i; j++)
			if (cpu_of(paths[j], j) == cpu)
				return errbuf_set(r->im->err, -EINVAL,
						  "%s: CPU %u again, it is "
						  "in %s as well",
						  paths[i], cpu, paths[j]);
	}
	return 0;
}

/* Marks the events that occur, for the book. */
static int see_input(struct raw *r, unsigned int i)
{
	struct import_map map;
	int ret = import_map(&map, r->im->paths[i], r->im->err);

	if (ret)
		return ret;
	import_pages_look(&r->pages, map.p, map.len, true);
	import_unmap(&map);
	return 0;
}

static int take_input(struct raw *r, unsigned int i)
{
	const char *path = r->im->paths[i];
	struct import_place place = {.path = path};
	struct import_map map;
	int ret = import_map(&map, path, r->im->err);

	if (ret)
		return ret;
	place.start = map.p;
	import_pages_begin(&r->pages, cpu_of(path, i));
	ret = import_pages_take(&r->pages, map.p, map.len, &place);
	if (!ret)
		ret = import_pages_end(&r->pages);
	import_unmap(&map);
	return ret;
}

static int take_size(struct raw *r)
{
	uint64_t size = r->header_size;

	if (!r->have_layout) {
		r->pages.layout = (struct subbuf_layout){8, 8, 16, false};
		size = 4096;
	}
	if (!import_subbuf_size_ok(&r->pages.layout, size))
		return errbuf_set(r->im->err, -EINVAL,
				  "%s: header_page has sub-buffers of "
				  "%" PRIu64 " bytes",
				  r->formats, size);
	r->pages.size = (size_t)size;
	return 0;
}

static int write_meta(struct raw *r)
{
	const char *clock = r->im->options->clock;
	unsigned int shift = r->book->page_shift;
	int ret = import_put_page_size(r->im, shift ? 1ULL << shift : 0);

	if (!ret && !shift && !r->im->options->page_size)
		ret = import_note(r->im, "page size: not stated");
	if (!ret)
		ret = import_note(r->im, "kernel: not stated");
	if (ret)
		return ret;
	return clock ? mmt_writer_meta(r->im->writer, "clock", clock)
		     : import_note(r->im, "clock: not stated");
}

static int take_all(struct raw *r)
{
	unsigned int i;
	int ret = import_book_new(&r->book, r->im, "formats", false, 8);

	if (ret)
		return ret;
	r->book->path = r->formats;
	r->pages.im = r->im;
	r->pages.book = r->book;
	ret = take_formats(r);
	if (!ret)
		ret = take_size(r);
	if (!ret)
		ret = check_cpus(r);
	for (i = 0; !ret && i < r->im->nr_paths; i++)
		ret = see_input(r, i);
	if (!ret)
		ret = import_book_register(r->book, false);
	if (!ret)
		ret = write_meta(r);
	if (!ret)
		ret = mmt_writer_start(r->im->writer);
	for (i = 0; !ret && i < r->im->nr_paths; i++)
		ret = take_input(r, i);
	return ret ? ret : import_book_report(r->book);
}

static int raw_run(struct import *im)
{
	struct raw *r = calloc(1, sizeof(*r));
	int ret = -ENOMEM;

	if (r) {
		r->im = im;
		r->formats = im->options->formats;
		ret = take_all(r);
		import_book_free(r->book);
		free(r);
	}
	if (ret == -ENOMEM)
		errbuf_set(im->err, ret, "out of memory");
	return ret;
}

const struct importer import_raw = {
	.name = "raw",
	.what = "sub-buffers of trace_pipe_raw, a file a CPU (--formats)",
	.detect = raw_detect,
	.run = raw_run,
};
