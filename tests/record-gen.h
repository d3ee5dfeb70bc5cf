/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record-gen.h - formats of kernels, and records made by hand from them */
#ifndef TESTS_RECORD_GEN_H
#define TESTS_RECORD_GEN_H

#include "formats/tracefmt.h"

/* The first fields of every format text of these tests. */
#define COMMON                                                                 \
	"format:\n"                                                            \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"      \
	"\tsigned:0;\n"                                                        \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* A file below tests/data as a string, to be freed by the caller. */
char *record_text(const char *name);
struct tracefmt *record_book(bool big_endian);
/* Adds a format that must be right; its id. */
int record_format(struct tracefmt *f, const char *system, const char *text);

struct record {
	uint8_t bytes[512];
	size_t len;
	const char *text; /* its format */
	bool big_endian;
};

/* A record of the format with the common fields filled in. */
void record_begin(struct record *r, const char *text, int id, bool big_endian);
/* Puts the value where the text says that the field is. */
void record_put(struct record *r, const char *field, uint64_t v);
/* tracefmt_decode() of a copy of exactly its length. */
int record_decode(const struct tracefmt *f, const struct record *r,
		  struct mmt_event *ev, uint64_t *vals);
/* The field of that name, which must be there, and its place. */
const struct mmt_field *record_field(const struct mmt_schema *s,
				     const char *name, unsigned int *i);

#endif
