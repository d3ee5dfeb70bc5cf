/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-tracedat.h - a trace.dat file, shared by the files that read it */
#ifndef FORMATS_IMPORT_TRACEDAT_H
#define FORMATS_IMPORT_TRACEDAT_H

#include "formats/import-pages.h"

/* The kernel's own limit is 8192 (NR_CPUS). */
#define DAT_MAX_CPUS    8192U
#define DAT_MAX_BUFFERS 256U

enum dat_codec { DAT_PLAIN, DAT_ZLIB, DAT_ZSTD };

/* Option numbers; those from 16 on are the numbers of sections as well. */
enum {
	DAT_DONE = 0,
	DAT_DATE = 1,
	DAT_CPUSTAT = 2,
	DAT_BUFFER = 3,
	DAT_TRACECLOCK = 4,
	DAT_UNAME = 5,
	DAT_OFFSET = 7,
	DAT_CPUCOUNT = 8,
	DAT_VERSION = 9,
	DAT_TIME_SHIFT = 12,
	DAT_TSC2NSEC = 14,
	DAT_HEADERS = 16,
	DAT_FTRACE = 17,
	DAT_FORMATS = 18,
	DAT_CMDLINES = 21,
	DAT_BUFFER_TEXT = 22,
	DAT_NR_SECTIONS = 24,
};

/* A place to read from that knows where it ends. */
struct dat_cur {
	const uint8_t *p;
	size_t len, at;
	uint64_t base; /* file offset of p, or of the section it came from */
	bool packed;   /* p was unpacked: at is no file offset */
	bool big_endian;
};

struct dat_cpu {
	unsigned int cpu;
	uint64_t at, len; /* in the file */
};

/* One ring buffer ("instance") in the file; "" is the top one. */
struct dat_buffer {
	char name[128];
	char clock[64];
	uint64_t at;
	uint64_t page_size; /* 0: as the file */
	bool is_text, packed;
	struct dat_cpu *cpus;
	unsigned int nr_cpus;
};

struct dat {
	struct import *im;
	const char *path;
	struct import_map map;
	struct import_book *book;
	struct import_pages pages;
	bool big_endian;
	unsigned int version, long_size;
	uint64_t page_size;   /* as the file says */
	uint64_t options_at;  /* v7: the first section of options */
	uint64_t options_end; /* v7: the last one that is whole */
	enum dat_codec codec;
	void *zstd;
	bool have_layout;
	uint64_t header_size; /* of a sub-buffer, by header_page; 0: unknown */
	uint64_t section[DAT_NR_SECTIONS];
	struct dat_buffer *buffers;
	unsigned int nr_buffers;
	uint64_t nr_looked; /* bytes, to find a buffer with events */
	/* options */
	char clock[64], version_text[64], release[80], machine[32];
	bool clock_follows; /* v6: its text stands behind the CPU table */
	bool have_date, have_tsc;
	int64_t date_ns;
	uint32_t nr_cpus;
	struct buf stats;            /* CPUSTAT texts */
	struct buf tasks;            /* saved_cmdlines */
	uint64_t lost[DAT_MAX_CPUS]; /* by the statistics */
};

/* -------------------------------------------------- reading with bounds */

struct dat_cur dat_cur_at(const struct dat *d, uint64_t at);
bool dat_num(struct dat_cur *cur, unsigned int size, uint64_t *v);
bool dat_bytes(struct dat_cur *cur, uint64_t len, const uint8_t **p);
/* A string with its NUL; NULL in a cut file. */
const char *dat_string(struct dat_cur *cur);
size_t dat_left(const struct dat_cur *cur);
/* Sets the error "FILE: cut in WHAT at offset N" and returns -EBADMSG. */
int dat_cut(const struct dat *d, const struct dat_cur *cur, const char *what);

/*
 * Unpacks len bytes to at most *out_len; *out_len is set to what came out.
 * -EBADMSG if the numbers cannot be true or the data are damaged.
 */
int dat_unpack(struct dat *d, const uint8_t *p, size_t len, uint8_t *out,
	       size_t *out_len);
/* Would len packed bytes ever give so many?  Bounds memory and time. */
bool dat_unpack_ok(const struct dat *d, uint64_t len, uint64_t out_len);

/* ------------------------------------------- what the parts have to say */

/* Texts: header_page and header_event, formats, saved_cmdlines. */
int dat_take_headers(struct dat *d, struct dat_cur *cur);
int dat_take_ftrace(struct dat *d, struct dat_cur *cur);
int dat_take_formats(struct dat *d, struct dat_cur *cur);
int dat_take_cmdlines(struct dat *d, struct dat_cur *cur);
/* One option but DAT_DONE and DAT_BUFFER. */
int dat_take_option(struct dat *d, unsigned int id, const uint8_t *p,
		    size_t len);
void dat_take_clock(char clock[64], const char *text, size_t len);
/* A new entry of d->buffers; NULL without memory (*ret) or if too many. */
struct dat_buffer *dat_buffer_new(struct dat *d, int *ret);

int dat_read_v6(struct dat *d, struct dat_cur *cur);
int dat_read_v7(struct dat *d, struct dat_cur *cur);
/* v7 whose last options are cut off: finds the buffer by its section. */
int dat_find_buffer(struct dat *d);

/* --------------------------------------------------------------- buffers */

int dat_choose(struct dat *d, const struct dat_buffer **chosen);
/* Lays d->pages out for this buffer. */
int dat_layout(struct dat *d, const struct dat_buffer *b, bool quiet);
/* Are there records? */
bool dat_has_events(struct dat *d, const struct dat_buffer *b);
/* Marks the events that occur; damage is left to the walk that imports. */
int dat_see_events(struct dat *d, const struct dat_buffer *b);
/* Imports all CPUs. */
int dat_take_buffer(struct dat *d, const struct dat_buffer *b);

int dat_write_meta(struct dat *d, const struct dat_buffer *b);
int dat_write_tasks(struct dat *d);
/* Fills d->lost from the statistics of this buffer. */
int dat_take_stats(struct dat *d, const struct dat_buffer *b);

#endif
