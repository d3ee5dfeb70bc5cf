/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tracedat-options.c - trace.dat: what its options say */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/import-tracedat.h"

/* The bytes of an option as a string, cut to the size of the field. */
static void text_of(char *to, size_t size, const uint8_t *p, size_t len)
{
	snprintf(to, size, "%.*s", (int)MIN(len, size - 1), (const char *)p);
}

/* "local [mono] boot" or "mono". */
void dat_take_clock(char clock[64], const char *text, size_t len)
{
	char line[256];
	const char *p;

	text_of(line, sizeof(line), (const uint8_t *)text, len);
	p = strchr(line, '[');
	p = p ? p + 1 : line;
	snprintf(clock, 64, "%.*s", (int)MIN(strcspn(p, " \n\t[]"), 63U), p);
}

/* "Linux HOST RELEASE MACHINE"; the host's name is nobody's business. */
static int take_uname(struct dat *d, const uint8_t *p, size_t len)
{
	char text[256];

	text_of(text, sizeof(text), p, len);
	if (sscanf(text, "%*s %*s %79s %31s", d->release, d->machine) == 2)
		return 0;
	d->release[0] = '\0';
	return import_note(d->im, "uname is not as expected and left out");
}

/* A number in text, maybe of 0x; times are stored as text. */
static bool number(const uint8_t *p, size_t len, int64_t *v)
{
	char text[64], *end;

	text_of(text, sizeof(text), p, len);
	errno = 0;
	*v = strtoll(text, &end, 0);
	return end != text && !errno;
}

static int take_date(struct dat *d, const uint8_t *p, size_t len)
{
	int64_t us;

	if (!number(p, len, &us) ||
	    __builtin_mul_overflow(us, (int64_t)1000, &d->date_ns))
		return import_note(d->im, "the date option is no number");
	d->have_date = true;
	return 0;
}

static int take_offset(struct dat *d, const uint8_t *p, size_t len)
{
	int64_t ns;

	if (!number(p, len, &ns))
		return import_note(d->im, "the time offset is no number");
	d->pages.add_ns = (int64_t)((uint64_t)d->pages.add_ns + (uint64_t)ns);
	return import_note(
		d->im, "times have the offset of the file added: %" PRId64, ns);
}

static int take_tsc(struct dat *d, const uint8_t *p, size_t len)
{
	struct dat_cur cur = {.p = p, .len = len, .big_endian = d->big_endian};
	uint64_t mult, shift;

	if (!dat_num(&cur, 4, &mult) || !dat_num(&cur, 4, &shift) || !mult ||
	    shift > 63)
		return import_damage(d->im,
				     "%s: factors from tsc to ns are "
				     "impossible",
				     d->path);
	d->pages.mult = (uint32_t)mult;
	d->pages.shift = (uint32_t)shift;
	return import_note(d->im,
			   "times are tsc cycles made nanoseconds: "
			   "* %" PRIu64 " >> %" PRIu64,
			   mult, shift);
}

static int take_cpu_count(struct dat *d, const uint8_t *p, size_t len)
{
	struct dat_cur cur = {.p = p, .len = len, .big_endian = d->big_endian};
	uint64_t nr;

	if (!dat_num(&cur, 4, &nr) || nr > DAT_MAX_CPUS)
		return import_damage(d->im, "%s: CPU count is impossible",
				     d->path);
	d->nr_cpus = (uint32_t)nr;
	return 0;
}

/* The text of per_cpu stats, one option a CPU. */
static int take_stats(struct dat *d, const uint8_t *p, size_t len)
{
	int ret = buf_append(&d->stats, p, strnlen((const char *)p, len));

	return ret ? ret : buf_append(&d->stats, "\n", 1);
}

static int take_section(struct dat *d, unsigned int id, const uint8_t *p,
			size_t len)
{
	struct dat_cur cur = {.p = p, .len = len, .big_endian = d->big_endian};
	uint64_t at;

	if (!dat_num(&cur, 8, &at))
		return import_damage(d->im, "%s: option %u is too short",
				     d->path, id);
	d->section[id] = at;
	return 0;
}

int dat_take_option(struct dat *d, unsigned int id, const uint8_t *p,
		    size_t len)
{
	switch (id) {
	case DAT_DATE:
		return take_date(d, p, len);
	case DAT_CPUSTAT:
		return take_stats(d, p, len);
	case DAT_TRACECLOCK:
		if (len)
			dat_take_clock(d->clock, (const char *)p,
				       strnlen((const char *)p, len));
		d->clock_follows = true;
		return 0;
	case DAT_UNAME:
		return take_uname(d, p, len);
	case DAT_OFFSET:
		return take_offset(d, p, len);
	case DAT_CPUCOUNT:
		return take_cpu_count(d, p, len);
	case DAT_VERSION:
		text_of(d->version_text, sizeof(d->version_text), p, len);
		return 0;
	case DAT_TIME_SHIFT:
		return import_note(d->im,
				   "the times of this guest were to be fitted "
				   "to its host's; they are left as recorded");
	case DAT_TSC2NSEC:
		return take_tsc(d, p, len);
	case DAT_HEADERS:
	case DAT_FTRACE:
	case DAT_FORMATS:
	case DAT_CMDLINES:
		return take_section(d, id, p, len);
	default:
		/* hooks, memory maps, guests: nothing of it is in a log */
		return 0;
	}
}

struct dat_buffer *dat_buffer_new(struct dat *d, int *ret)
{
	struct dat_buffer *grown;

	*ret = 0;
	if (d->nr_buffers == DAT_MAX_BUFFERS) {
		*ret = import_damage(d->im,
				     "%s: more than %u buffers; the rest is "
				     "left out",
				     d->path, DAT_MAX_BUFFERS);
		return NULL;
	}
	grown = realloc(d->buffers, (d->nr_buffers + 1) * sizeof(*grown));
	if (!grown) {
		*ret = -ENOMEM;
		return NULL;
	}
	d->buffers = grown;
	memset(&grown[d->nr_buffers], 0, sizeof(*grown));
	return &grown[d->nr_buffers++];
}

/* --------------------------------------------------------------- results */

static int meta(struct dat *d, const char *key, const char *value)
{
	return *value ? mmt_writer_meta(d->im->writer, key, value) : 0;
}

/* The base page: as the kernel prints it, else as the file says. */
static int meta_page_size(struct dat *d, const struct dat_buffer *b)
{
	uint64_t printed =
		d->book->page_shift ? 1ULL << d->book->page_shift : 0;
	int ret = 0;

	(void)b;
	if (printed && printed != d->page_size)
		ret = import_note(d->im,
				  "page size: the file says %" PRIu64
				  ", its event formats %" PRIu64
				  "; the latter is used",
				  d->page_size, printed);
	if (!printed)
		printed = import_subbuf_size_ok(&d->pages.layout, d->page_size)
				  ? d->page_size
				  : d->pages.size;
	return ret ? ret : import_put_page_size(d->im, printed);
}

static int meta_clock(struct dat *d, const struct dat_buffer *b)
{
	const char *said = d->im->options->clock;
	const char *clock = *b->clock ? b->clock : d->clock;
	char text[24];
	int ret = 0;

	if (!*clock)
		clock = said ? said : "";
	else if (said && strcmp(said, clock))
		ret = import_note(d->im, "clock: the file says %s, not %s",
				  clock, said);
	if (!*clock)
		ret = import_note(d->im, "clock: not stated");
	if (!ret)
		ret = meta(d, "clock", clock);
	if (ret || !d->have_date)
		return ret;
	snprintf(text, sizeof(text), "%" PRId64, d->date_ns);
	return meta(d, "clock.offset_ns", text);
}

int dat_write_meta(struct dat *d, const struct dat_buffer *b)
{
	char text[96];
	int ret = meta(d, "kernel.release", d->release);

	if (!ret)
		ret = meta(d, "kernel.machine", d->machine);
	if (!ret && *d->version_text) {
		snprintf(text, sizeof(text), "trace-cmd %s", d->version_text);
		ret = meta(d, "program.version", text);
	}
	if (!ret && d->nr_cpus) {
		snprintf(text, sizeof(text), "%" PRIu32, d->nr_cpus);
		ret = meta(d, "cpus", text);
	}
	if (!ret)
		ret = meta_page_size(d, b);
	return ret ? ret : meta_clock(d, b);
}

/* The number behind "NAME: " at the start of a line, or 0. */
static uint64_t stat_value(const char *line, const char *name)
{
	size_t len = strlen(name);

	return strncmp(line, name, len) ? 0 : strtoull(line + len, NULL, 10);
}

/* The end of the line "KEY VALUE" that stands at p, if VALUE is this one. */
static bool stat_is(const char *p, size_t len, const char *key,
		    const char *value)
{
	size_t n = strlen(key);

	return len >= n && len - n == strlen(value) && !memcmp(p, key, n) &&
	       !memcmp(p + n, value, len - n);
}

/*
 * "Buffer: NAME" stands before the statistics of a buffer but the top one,
 * "CPU: N" before those of a CPU.
 */
int dat_take_stats(struct dat *d, const struct dat_buffer *b)
{
	bool mine = !*b->name;
	uint64_t cpu = UINT64_MAX;
	const char *p;
	int ret = buf_append(&d->stats, "", 1);

	for (p = (const char *)d->stats.p; !ret && *p;) {
		size_t len = strcspn(p, "\n");

		if (!strncmp(p, "Buffer: ", 8)) {
			mine = stat_is(p, len, "Buffer: ", b->name);
			cpu = UINT64_MAX;
		} else if (!strncmp(p, "CPU: ", 5)) {
			cpu = mine ? strtoull(p + 5, NULL, 10) : UINT64_MAX;
		} else if (cpu < DAT_MAX_CPUS) {
			d->lost[cpu] += stat_value(p, "overrun: ") +
					stat_value(p, "commit overrun: ") +
					stat_value(p, "dropped events: ");
		}
		p += len + (p[len] == '\n');
	}
	return ret;
}
