/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt-decode.c - runs a compiled decoder on a record */

#include "config.h"

#include <endian.h>

#include "formats/tracefmt-priv.h"

static inline uint64_t load_number(bool big_endian, const uint8_t *record,
				   const struct op *op)
{
	uint64_t v;

	memcpy(&v, record + op->start, sizeof(v));
	v = big_endian ? be64toh(v) << op->shift : le64toh(v);
	v >>= op->shift;
	return (v ^ op->sign) - op->sign;
}

static const char *bounded(const uint8_t *p, size_t len)
{
	/* a kernel string always has its NUL; one that has not is not shown */
	return memchr(p, 0, MIN(len, MMT_MAX_STRING)) ? (const char *)p : "";
}

/* NULL if the string would lie outside of its record. */
static const char *load_string(const struct tracefmt *f, const uint8_t *record,
			       size_t len, const struct op *op)
{
	uint32_t loc, at;

	if (op->code == OP_CHARS)
		return bounded(record + op->offset, op->size);
	loc = (uint32_t)load_number(f->big_endian, record, op);
	at = (loc & 0xffff) + (op->relative ? op->offset + op->size : 0U);
	if (at > len || (loc >> 16) > len - at)
		return NULL;
	return bounded(record + at, loc >> 16);
}

static int decode_mixed(const struct tracefmt *f,
			const struct tracefmt_decoder *dec,
			const uint8_t *record, size_t len, uint64_t *vals)
{
	unsigned int i;

	for (i = 0; i < dec->schema.nr_fields; i++) {
		const struct op *op = &dec->op[i];

		switch (op->code) {
		case OP_NUMBER:
			vals[i] = load_number(f->big_endian, record, op);
			break;
		case OP_POINTER:
			vals[i] = f->resolve(
				f->resolve_arg,
				load_number(f->big_endian, record, op));
			break;
		case OP_ABSENT:
			vals[i] = dec->schema.field[i].type == MMT_STRING
					  ? (uintptr_t) ""
					  : 0;
			break;
		default:
			vals[i] = (uintptr_t)load_string(f, record, len, op);
			if (!vals[i])
				return -EBADMSG;
		}
	}
	return 0;
}

static inline void decode_numbers(const struct tracefmt_decoder *dec,
				  const uint8_t *record, uint64_t *vals)
{
	const struct op *op = dec->op, *end = op + dec->schema.nr_fields;

	for (; op < end; op++)
		*vals++ = load_number(false, record, op);
}

static inline uint32_t load_u16(const struct tracefmt *f, const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return f->big_endian ? be16toh(v) : le16toh(v);
}

static inline uint32_t load_u32(const struct tracefmt *f, const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return f->big_endian ? be32toh(v) : le32toh(v);
}

int tracefmt_decode(const struct tracefmt *f, const void *data, size_t len,
		    struct mmt_event *ev, uint64_t *vals)
{
	const struct tracefmt_decoder *dec;
	const uint8_t *record = data;
	uint32_t id;

	if (unlikely(len < f->common.min_len || !f->have_common))
		return -EBADMSG;
	id = load_u16(f, record + f->common.type);
	dec = id < f->nr_ids ? f->by_id[id] : NULL;
	if (unlikely(!dec))
		return -ENOENT;
	if (unlikely(len < dec->min_len))
		return -EBADMSG;

	ev->type = dec->type;
	ev->kind = dec->schema.kind;
	ev->nr = dec->schema.nr_fields;
	ev->flags = record[f->common.flags];
	ev->preempt = record[f->common.preempt];
	ev->pid = (int32_t)load_u32(f, record + f->common.pid);
	ev->v = vals;
	if (unlikely(!dec->numbers_only))
		return decode_mixed(f, dec, record, len, vals);
	decode_numbers(dec, record, vals);
	return 0;
}
