/* SPDX-License-Identifier: GPL-2.0-or-later */
/* column.h - the columns of a block of events, and how values are coded */
#ifndef FORMATS_COLUMN_H
#define FORMATS_COLUMN_H

#include "formats/event.h"

/*
 * Payload of a block of events:
 *
 *   varint number of types, then per type: varint type, varint events
 *   varint number of runs, then per run: varint events (<= 4096)
 *   the columns, as columns.h says
 *
 * A column's id is one of these, or COLUMN_FIELD(type, field):
 */
enum {
	COLUMN_TYPE,      /* varint type */
	COLUMN_TIME_WIDE, /* zigzag varint: steps that fit no two bytes */
	COLUMN_PID,       /* zigzag varint, minus the event before */
	COLUMN_FLAGS,     /* byte, xor that type's event before */
	COLUMN_PREEMPT,   /* byte, xor that type's event before */
	COLUMN_FILE_DEV,  /* dictionary of the block's files, in order of */
	COLUMN_FILE_INO, /* appearance: zigzag varint, minus the entry before */
	COLUMN_STRINGS,  /* the block's strings, each with its NUL */
	COLUMN_NR_COMMON
};

#define COLUMN_FIELD(type, field) (16U + (type)*64U + (field))

/*
 * An event's step of time is its time minus that of the event before; of the
 * first, minus 0.  How long a step is depends on what was done, so that a step
 * is with its event's type: the high byte of two, and the low one.  A high
 * byte of TIME_ESCAPE stands for a step that is too long or backwards: it has
 * no low byte, and is the next one in COLUMN_TIME_WIDE.
 */
enum {
	TYPE_TIME_HIGH = MMT_MAX_FIELDS,
	TYPE_TIME_LOW,
	TYPE_COLUMNS /* those of a type: its fields, and these two */
};

#define TIME_ESCAPE 255
#define TIME_WIDE   ((uint64_t)TIME_ESCAPE << 8) /* steps below are narrow */

/*
 * Within a run the values of one type's field stand together, in the order of
 * their events, types in ascending order.  How a field is coded follows from
 * its role and type alone:
 *
 *   device, inode, index of a kind that begins with these three: no column
 *   for the inode; the device's column has the file's number in the
 *   dictionary, zigzag, minus that of this type's event before; the index is
 *   zigzag, minus (this type's last index in that file + 1), first: - 0
 *   last index: zigzag, minus the index
 *   string: varint, its number among the block's strings
 *   absent: no column
 *   else: zigzag varint, minus this type's value before; first: - 0
 */

/*
 * Last indexes of a block, files times keyed types: a coder ends the block
 * below this, a decoder refuses more, so that no input takes all memory.
 */
#define MAX_INDEXES (12U << 20)

/* Does the kind begin with device, inode, index? */
static inline bool column_is_keyed(const struct mmt_schema *schema)
{
	return schema->nr_fields >= 3 && schema->field[0].role == MMT_DEV &&
	       schema->field[1].role == MMT_INO &&
	       schema->field[2].role == MMT_INDEX;
}

enum column_coding {
	CODING_NONE,
	CODING_DELTA,
	CODING_LAST_INDEX,
	CODING_STRING
};

/* How field i of a type is coded, from field 3 on if it is keyed. */
static inline enum column_coding column_coding(const struct mmt_schema *schema,
					       unsigned int i)
{
	const struct mmt_field *field = &schema->field[i];

	if (field->type == MMT_ABSENT)
		return CODING_NONE;
	if (field->type == MMT_STRING)
		return CODING_STRING;
	if (field->role == MMT_LAST_INDEX && column_is_keyed(schema))
		return CODING_LAST_INDEX;
	return CODING_DELTA;
}

#endif
