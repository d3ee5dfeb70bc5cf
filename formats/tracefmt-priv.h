/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt-priv.h - a compiled decoder, for the files that make and run it */
#ifndef FORMATS_TRACEFMT_PRIV_H
#define FORMATS_TRACEFMT_PRIV_H

#include "formats/ids.h"
#include "formats/tracefmt.h"

/*
 * A number of size bytes at offset is read with one load and one shift: the
 * eight bytes that end where the field ends are loaded (common fields make
 * sure that there are that many before it), and the field is their upper part
 * in a little-endian machine's record, their lower part in a big-endian one.
 * (x ^ sign) - sign extends the sign without a branch.
 */
enum op_code { OP_NUMBER, OP_POINTER, OP_ABSENT, OP_CHARS, OP_DATA_LOC };

struct op {
	uint64_t sign;  /* the field's sign bit, 0 if it has none */
	uint16_t start; /* offset + size - 8: what is loaded */
	uint8_t shift;  /* 64 - 8 * size */
	uint8_t code;
	bool relative;   /* data_loc counts from the field's own end */
	uint16_t offset; /* of the field */
	uint16_t size;
};

struct tracefmt_decoder {
	struct mmt_schema schema;
	uint16_t type;
	uint16_t min_len;
	bool numbers_only;
	struct op op[MMT_MAX_FIELDS];
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
};

/* Has the text the form in which the kernel prints formats? */
bool tracefmt_is_format(const char *text);

#endif
