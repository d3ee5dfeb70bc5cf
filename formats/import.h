/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import.h - foreign recordings become a log */
#ifndef FORMATS_IMPORT_H
#define FORMATS_IMPORT_H

#include <stdio.h>

#include "formats/mmt.h"
#include "formats/probe.h"

/* What the user said about the input; zeroed: nothing. */
struct import_options {
	const char *from; /* name of an importer; NULL: detect */
	const char
		*formats;   /* --formats FILE|DIR: event formats, probe texts */
	const char *probes; /* --probes FILE: definitions of probes */
	const char *clock;  /* --clock NAME, if the input does not say */
	const char *buffer; /* --buffer NAME: one of several in the input */
	uint64_t page_size; /* --page-size N, if the input does not say; or 0 */
	bool unwrap;        /* --unwrap: text came through a mail */
	int level;          /* --level N: zstd level of the log; 0: default */
};

/* How one event type fared. */
struct import_event {
	char name[128]; /* system:name */
	uint64_t nr_matched, nr_failed;
};

/*
 * What an import did, for its report and its exit status.  Nothing that was
 * left out is silent: it is in nr_failed, in a note or in damage.
 */
struct import_report {
	const char *kind; /* name of the importer used */
	struct import_event *event;
	unsigned int nr_events_types;
	uint64_t nr_matched, nr_failed;
	/* in the log */
	uint64_t nr_events, nr_lost, nr_gaps_uncounted, nr_bytes;
	char first_failed[256]; /* text: the first line that failed, escaped */
	struct buf notes;       /* lines, each with its newline */
	struct buf damage;      /* the same: cut, checksum, impossible number */
	unsigned int nr_notes, nr_damages; /* also of those left out of them */
	bool damaged;
	bool empty; /* the input is whole and says that nothing happened */
};

/* State shared by an importer and the frame. */
struct import {
	const struct import_options *options;
	const char *const *paths; /* inputs; "-" is standard input */
	unsigned int nr_paths;
	struct mmt_writer *writer;
	struct import_report *report;
	struct errbuf *err;
	struct probes probes;      /* that the options name */
	struct mmt_track **tracks; /* by CPU; import_track() */
	unsigned int nr_tracks;
	/* for import_count(): numbers of events + 1 by hash, and the last */
	uint32_t *slot;
	uint32_t nr_slots, last;
};

/*
 * One kind of input.  run() adds meta and schemas, starts the writer, appends
 * events; the frame creates and finishes the writer.  It returns 0, or a
 * negative errno with im->err set when nothing can be used; partial use of a
 * damaged input is 0 with report->damaged.
 */
struct importer {
	const char *name; /* "tracedat", "text", ... */
	const char *what; /* for --help: one line */
	/* Could this be it?  head has the first bytes of the first input. */
	bool (*detect)(const uint8_t *head, size_t len, const char *path);
	int (*run)(struct import *im);
};

extern const struct importer import_tracedat, import_text, import_raw,
	import_csv, import_keys64, import_oracle_general;

/* The importers, NULL at the end, in the order of detection. */
extern const struct importer *const importers[];

/*
 * Imports to the file out, or, if out is NULL, to a file without a name that
 * *logp then reads.  flags as for mmt_writer_create().  An input from which
 * no event could be read is -ENODATA.
 */
int import_run(struct mmt **logp, const char *out, unsigned int flags,
	       const struct import_options *options, const char *const *paths,
	       unsigned int nr_paths, struct import_report *report,
	       struct errbuf *err);
void import_report_free(struct import_report *report);

/*
 * Opens what may be a log or a recording that is imported first; then
 * report->kind says what it was.  flags as for mmt_open(): of a damaged
 * recording is used what is whole with MMT_SALVAGE, else it is -EBADMSG.
 */
int import_open(struct mmt **logp, const char *path, unsigned int flags,
		const struct import_options *options,
		struct import_report *report, struct errbuf *err);

/*
 * Is --from a kind that there is, can pages have this size?  0 or -EINVAL, with
 * a hint.
 */
int import_check_options(const struct import_options *options,
			 struct errbuf *err);

/* ------------------------------------------------ for importers only */

/* Puts the definition of an event's probe into the log's header. */
int import_put_probe(struct import *im, const struct mmt_schema *schema,
		     const struct probe_def *def);
/*
 * Puts page.size into the log's header: what the input states (0: nothing),
 * else what the options say, or nothing.  -EINVAL if the two differ.
 */
int import_put_page_size(struct import *im, uint64_t stated);
/* Says that times are places in the stream: clock "order". */
int import_put_order(struct import *im);
/* The track of a CPU, opened on first use; NULL without memory. */
struct mmt_track *import_track(struct import *im, unsigned int cpu);
/* Counts one event of this name, matched or failed. */
int import_count(struct import *im, const char *system, const char *name,
		 bool matched, uint64_t nr);
int import_note(struct import *im, const char *fmt, ...) PRINTF(2, 3);
int import_damage(struct import *im, const char *fmt, ...) PRINTF(2, 3);

/*
 * A whole input in memory, mapped or read ("-"); import_unmap() releases it.
 */
struct import_map {
	const uint8_t *p;
	size_t len;
	bool mapped;
};
int import_map(struct import_map *map, const char *path, struct errbuf *err);
void import_unmap(struct import_map *map);

#endif
