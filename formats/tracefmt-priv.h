/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt-priv.h - a compiled decoder, for the files that make and run it */
#ifndef FORMATS_TRACEFMT_PRIV_H
#define FORMATS_TRACEFMT_PRIV_H

#include <endian.h>

#include "formats/ids.h"
#include "formats/probe.h"
#include "formats/tracefmt.h"
#include "formats/vmemmap.h"

/*
 * A number of size bytes at offset is read with one load and one shift: the
 * eight bytes that end where the field ends are loaded (common fields make
 * sure that there are that many before it), and the field is their upper part
 * in a little-endian machine's record, their lower part in a big-endian one.
 * (x ^ sign) - sign extends the sign without a branch.
 */
enum op_code {
	OP_NUMBER,
	OP_POINTER,
	OP_ABSENT,
	OP_CHARS,
	OP_DATA_LOC,
	OP_REL_LOC, /* as a data_loc that counts from the field's own end */
	/* of probes: see enum probe_value */
	OP_FOLIO,
	OP_TAGGED,
	OP_UNTAGGED,
	OP_SCRUBBED,
};

struct op {
	uint64_t sign;  /* the field's sign bit, 0 if it has none */
	uint16_t start; /* offset + size - 8: what is loaded */
	uint8_t shift;  /* 64 - 8 * size */
	uint8_t code;
	uint16_t offset; /* of the field */
	uint16_t size;
};

/* The field as a number. */
static inline uint64_t op_number(bool big_endian, const uint8_t *record,
				 const struct op *op)
{
	uint64_t v;

	memcpy(&v, record + op->start, sizeof(v));
	v = big_endian ? be64toh(v) << op->shift : le64toh(v);
	v >>= op->shift;
	return (v ^ op->sign) - op->sign;
}

/* Reads the fields of a record as numbers; returns 0. */
typedef int (*tracefmt_numbers)(const struct op *op, const uint8_t *record,
				uint64_t *vals);

/* The best for this machine; NULL if there is none for so many fields. */
tracefmt_numbers tracefmt_numbers_of(unsigned int nr_fields);

/* Events have two pointers at most; more are read field by field. */
#define TRACEFMT_POINTERS 4

/* What decoding needs stands first, in as few cache lines as it takes. */
struct tracefmt_decoder {
	tracefmt_numbers numbers; /* NULL: field by field */
	uint16_t min_len;
	uint16_t type;
	uint8_t kind, nr_fields; /* as in the schema */
	uint8_t nr_pointers;     /* of the numbers */
	uint8_t pointer[TRACEFMT_POINTERS];
	struct op op[MMT_MAX_FIELDS];
	struct mmt_schema schema;
	const struct probe_def *def; /* of a probe, if it is known */
	bool guarded;                /* probe_guard() is needed */
	bool addresses;              /* a number may be one of the kernel */
	bool learns; /* it has a folio's address and its frame */
	struct op learn_folio, learn_pfn;
};

/* Where the fields common to all events are. */
struct common {
	uint16_t type, flags, preempt, pid;
	uint16_t min_len;
};

struct tracefmt {
	struct tep_handle *tep;
	bool big_endian;
	bool have_common;
	struct common common;
	struct tracefmt_decoder **by_id;
	unsigned int nr_ids;
	uint64_t (*resolve)(void *arg, uint64_t pointer);
	void *resolve_arg;
	struct ids ids;
	const struct probes *probes;
	struct vmemmap vmemmap;
};

struct tep_event;
struct tep_format_field;

/* Has the text the form in which the kernel prints formats? */
bool tracefmt_is_format(const char *text);

/* Fills the op and the type of the value; false if we cannot keep it. */
bool tracefmt_compile_field(const struct tep_format_field *field, struct op *op,
			    struct mmt_field *out);
/* Adds "WHAT NAME" to the schema's note. */
void tracefmt_note(struct mmt_schema *schema, const char *what,
		   const char *name);

/* ------------------------------------------------------ tracefmt-probe.c */

/* Lays out an event that was defined as dec->def says. */
void tracefmt_compile_probe(struct tracefmt_decoder *dec,
			    const struct tep_event *event);
/* Finds the fields that tell where struct pages lie, if it has them. */
void tracefmt_compile_learn(struct tracefmt_decoder *dec,
			    const struct tep_event *event);
/* The value of an op of probes. */
uint64_t tracefmt_probe_value(const struct tracefmt *f, const struct op *op,
			      uint64_t v);

#endif
