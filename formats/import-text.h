/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text.h - parts of the reader of text traces */
#ifndef FORMATS_IMPORT_TEXT_H
#define FORMATS_IMPORT_TEXT_H

#include "formats/ids.h"
#include "formats/import.h"
#include "formats/probe-map.h"
#include "formats/vmemmap.h"

/* Bytes of the input, which stays in memory to the end. */
struct span {
	const char *p;
	size_t len;
};

static inline bool span_is(struct span s, const char *text)
{
	return s.len == strlen(text) && !memcmp(s.p, text, s.len);
}

static inline bool span_same(struct span a, struct span b)
{
	return a.len == b.len && !memcmp(a.p, b.p, a.len);
}

static inline bool text_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What a byte may be part of. */
#define TEXT_IN_NAME 1 /* of an event */
#define TEXT_IN_KEY  2 /* of a field */
extern const uint8_t text_bytes[256];

static inline const char *text_skip(const char *p, const char *end,
				    uint8_t what)
{
	while (p < end && text_bytes[(uint8_t)*p] & what)
		p++;
	return p;
}

static inline const char *text_skip_blanks(const char *p, const char *end)
{
	while (p < end && text_is_blank(*p))
		p++;
	return p;
}

/* ------------------------------------------------------------------ head */

#define TEXT_MAX_CPU 8191 /* the kernel's largest NR_CPUS is 8192 */

/* "COMM-PID (TGID) [CPU] FLAGS TIME: EVENT: " in any dialect. */
struct text_head {
	struct span buffer; /* "NAME:" before it, of trace-cmd report */
	struct span comm;
	struct span system; /* of perf script, else empty */
	struct span name;
	const char *payload; /* behind the event's colon */
	uint64_t time_ns;
	int32_t pid, tgid; /* tgid -1: not said */
	uint32_t cpu;
	uint8_t flags, preempt;
	bool no_cpu;     /* perf script without the column */
	bool whole_time; /* no fraction: a clock without a known unit */
};

bool text_head_parse(struct text_head *h, const char *line, const char *end);
/* Does an event begin here, even if the line is broken behind the CPU? */
bool text_head_begins(const char *line, const char *end);

/* What a line is that has no event. */
enum text_line {
	TEXT_OTHER,
	TEXT_EMPTY,
	TEXT_COMMENT, /* '#' first, or a line that trace-cmd adds */
	TEXT_CHAIN,   /* a frame of a call chain */
	TEXT_LOSS,
};

struct text_loss {
	struct span buffer;
	uint32_t cpu;
	uint64_t nr; /* MMT_LOST_UNKNOWN */
};

/* loss is filled for TEXT_LOSS. */
enum text_line text_line_kind(const char *line, const char *end,
			      struct text_loss *loss);

/* ---------------------------------------------------------------- fields */

struct text_pair {
	struct span key, val;
};

struct text_pairs {
	unsigned int nr;
	bool words;    /* something was neither name nor value */
	bool too_many; /* pairs were left out */
	struct text_pair pair[MMT_MAX_FIELDS];
};

void text_pairs_parse(struct text_pairs *ps, const struct text_head *h,
		      const char *end);

/* What generic values of a field look like; the largest wins. */
enum text_class {
	TEXT_NOTHING,
	TEXT_UNSIGNED,
	TEXT_SIGNED,
	TEXT_POINTER,
	TEXT_STRING,
};

/* Class and number of a generic value. */
enum text_class text_number(struct span val, uint64_t *v);

/* How a field gets its value. */
enum text_op {
	TEXT_ABSENT,
	TEXT_NUM,
	TEXT_HEX,
	TEXT_DEV,
	TEXT_OFS,
	TEXT_OFS_LAST,
	TEXT_LRU,
	TEXT_LRU_FLAGS,
	TEXT_REASON,
	TEXT_ID,
	TEXT_TEXT,
	/* of probes: see enum probe_value */
	TEXT_FOLIO,
	TEXT_TAGGED,
	TEXT_UNTAGGED,
	TEXT_SCRUBBED,
};

struct text_field {
	uint8_t op;   /* enum text_op */
	uint8_t pair; /* of the line */
};

/* One set of names of one event, in their order: a schema. */
struct text_shape {
	struct text_shape *next;
	struct text_event *event;
	struct mmt_schema schema;
	struct text_field field[MMT_MAX_FIELDS];
	struct span key[MMT_MAX_FIELDS];
	uint8_t class[MMT_MAX_FIELDS]; /* enum text_class */
	unsigned int nr_keys;
	int learn[2];  /* keys of a folio's address and its frame, or -1 */
	int type;      /* in the log */
	bool bad;      /* a field is missing that its kind needs */
	bool no_order; /* taken as 0 */
	bool guarded;  /* probe_guard() is needed */
	uint64_t nr_matched;
};

struct text_event {
	struct text_event *next;
	char system[48], name[80];
	size_t name_len;
	uint8_t kind;
	const struct probe_def *def; /* of a probe, if it is known */
	struct text_shape *shapes, *last;
	uint64_t nr_matched, nr_failed, nr_words, nr_too_many;
};

#define TEXT_EVENT_SLOTS 1024
#define TEXT_MAX_SHAPES  1000 /* the log has MMT_MAX_SCHEMAS */

struct text_shapes {
	struct text_event *slot[TEXT_EVENT_SLOTS];
	struct text_event *last;
	unsigned int nr_events, nr_shapes;
	const struct probes *probes;
};

/* The event of a head; created if asked for; NULL: no room or no memory. */
struct text_event *text_event_get(struct text_shapes *t,
				  const struct text_head *h, bool create);
struct text_shape *text_shape_find(struct text_event *e,
				   const struct text_pairs *ps);
struct text_shape *text_shape_new(struct text_shapes *t, struct text_event *e,
				  const struct text_pairs *ps);
/* Learns from the values of one line what the fields hold. */
void text_shape_learn(struct text_shape *s, const struct text_pairs *ps);
/* Makes the schema of everything learnt; frames: are they known, too? */
void text_shape_compile(struct text_shape *s, bool frames);
void text_shapes_free(struct text_shapes *t);

/* What values need besides their text, and what was odd about them. */
struct text_values {
	unsigned int page_shift;
	uint64_t nr_unaligned, nr_wrapped, nr_cut;
	uint64_t all_ofs; /* OR of all offsets */
	char first_unaligned[72], first_wrapped[72];
	struct ids ids;
	struct vmemmap vmemmap;
	char strings[MMT_MAX_FIELDS][MMT_MAX_STRING];
};

/* Learns where the struct pages lie, if the line tells. */
void text_values_learn(struct text_values *tv, const struct text_shape *s,
		       const struct text_pairs *ps);
/* 0, or -EBADMSG if a value is not what its place needs. */
int text_shape_values(const struct text_shape *s, const struct text_pairs *ps,
		      struct text_values *tv, uint64_t *vals);

/* ------------------------------------------------ import-text-probe.c */

int text_key_find(const struct text_shape *s, const char *key);
void text_note(struct mmt_schema *schema, const char *what, const char *name);
/* Makes the schema of an event that was defined as s->event->def says. */
void text_compile_probe(struct text_shape *s, bool frames);

/* ----------------------------------------------------------------- tasks */

struct text_task {
	int32_t pid, tgid;
	struct span comm;
};

struct text_tasks {
	struct text_task *task;
	uint32_t *slot; /* open hashing: number + 1 */
	uint32_t nr, cap, nr_slots;
	uint32_t recent[256]; /* number + 1 of the last task by pid */
};

int text_tasks_add(struct text_tasks *t, const struct text_head *h);
/* Appends "TID TGID COMM" lines; TGID is -1 where the text does not say. */
int text_tasks_put(const struct text_tasks *t, struct buf *out);
void text_tasks_free(struct text_tasks *t);

/* --------------------------------------------------------------- reading */

struct text_file {
	const char *path;
	struct import_map map;
	struct buf joined;   /* instead of map, of --unwrap */
	const char *p, *end; /* the text */
	bool whole;          /* the current line has its newline */
	bool cut;            /* the last line was, and was dropped */
	bool has_header;
	uint64_t nr_announced, nr_written; /* by the header */
	uint64_t nr_marked;                /* lost, by marks in the text */
	uint64_t nr_lines, nr_heads, nr_failed;
	uint64_t nr_owed; /* lost, by the header, and in no mark */
};

struct text_buffer {
	struct span name;
	uint64_t nr;
};

#define TEXT_MAX_BUFFERS 64

struct text_cpu {
	uint64_t nr_lost; /* before its next event */
	bool lost_unknown;
	uint64_t last_ns;
};

struct text_reader {
	struct import *im;
	struct text_file *files;
	struct text_shapes shapes;
	struct text_tasks tasks;
	struct text_values values;
	struct text_cpu *cpus;   /* TEXT_MAX_CPU + 1 */
	unsigned int nr_pending; /* CPUs with losses not yet written */
	struct text_buffer buffer[TEXT_MAX_BUFFERS];
	unsigned int nr_buffers;
	struct span release; /* of the kernel */
	uint64_t nr_cpus;    /* that the text says */
	uint64_t first_ns, last_ns;
	uint64_t nr_lines, nr_events, nr_failed_lines, nr_chain, nr_broken;
	uint64_t nr_back, nr_whole_time, nr_no_cpu, nr_far_cpus;
	uint64_t nr_no_room, nr_other_buffer;
};

/* Both passes over a file. */
int text_learn(struct text_reader *r, struct text_file *f);
int text_emit(struct text_reader *r, struct text_file *f);
/* Losses behind the last event of their CPU. */
int text_emit_rest(struct text_reader *r);
/* Everything that is to be said at the end. */
int text_report(struct text_reader *r);

/* ---------------------------------------------------------------- unwrap */

struct text_unwrap {
	struct buf out;
	struct import *im;
	const char *path;
	uint64_t nr_joins, nr_guesses, nr_prose;
};

/* Undoes quoting and line breaks of a mail.  0, -ENOMEM. */
int text_unwrap(struct text_unwrap *u, const char *p, const char *end);

#endif
