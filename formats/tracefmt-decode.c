/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt-decode.c - runs a compiled decoder on a record */

#include "config.h"

#include <endian.h>

#include "formats/probe-map.h"
#include "formats/tracefmt-priv.h"

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
	loc = (uint32_t)op_number(f->big_endian, record, op);
	at = loc & 0xffff;
	if (op->code == OP_REL_LOC)
		at += op->offset + op->size;
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
			vals[i] = op_number(f->big_endian, record, op);
			break;
		case OP_POINTER:
			vals[i] = f->resolve(
				f->resolve_arg,
				op_number(f->big_endian, record, op));
			break;
		case OP_ABSENT:
			vals[i] = dec->schema.field[i].type == MMT_STRING
					  ? (uintptr_t) ""
					  : 0;
			break;
		case OP_FOLIO:
		case OP_TAGGED:
		case OP_UNTAGGED:
		case OP_SCRUBBED:
			vals[i] = tracefmt_probe_value(
				f, op, op_number(f->big_endian, record, op));
			break;
		default:
			vals[i] = (uintptr_t)load_string(f, record, len, op);
			if (!vals[i])
				return -EBADMSG;
		}
	}
	if (dec->guarded)
		probe_guard(vals);
	return 0;
}

/* Numbers, of which some are pointers that must not be kept. */
static __attribute__((noinline)) int decode_pointers(
	const struct tracefmt *f, const struct tracefmt_decoder *dec,
	const uint8_t *record, uint64_t *vals)
{
	unsigned int i;

	dec->numbers(dec->op, record, vals);
	for (i = 0; i < dec->nr_pointers; i++) {
		uint64_t *v = &vals[dec->pointer[i]];

		*v = f->resolve(f->resolve_arg, *v);
	}
	return 0;
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

static inline struct tracefmt_decoder *find(const struct tracefmt *f,
					    uint32_t id)
{
	return likely(id < f->nr_ids) ? f->by_id[id] : NULL;
}

/* Any record; the numbers of one that has nothing else come the fast way. */
static __attribute__((noinline)) int decode_any(const struct tracefmt *f,
						const uint8_t *record,
						size_t len,
						struct mmt_event *ev,
						uint64_t *vals)
{
	const struct tracefmt_decoder *dec;

	if (len < f->common.min_len || !f->have_common)
		return -EBADMSG;
	dec = find(f, load_u16(f, record + f->common.type));
	if (!dec)
		return -ENOENT;
	if (len < dec->min_len)
		return -EBADMSG;
	ev->type = dec->type;
	ev->kind = dec->kind;
	ev->nr = dec->nr_fields;
	ev->flags = record[f->common.flags];
	ev->preempt = record[f->common.preempt];
	ev->pid = (int32_t)load_u32(f, record + f->common.pid);
	ev->v = vals;
	return decode_mixed(f, dec, record, len, vals);
}

int tracefmt_decode(const struct tracefmt *f, const void *data, size_t len,
		    struct mmt_event *ev, uint64_t *vals)
{
	const struct tracefmt_decoder *dec;
	const uint8_t *record = data;

	if (unlikely(f->big_endian || len < f->common.min_len))
		return decode_any(f, record, len, ev, vals);
	dec = find(f, get_le16(record + f->common.type));
	if (unlikely(!dec || !dec->numbers || len < dec->min_len))
		return decode_any(f, record, len, ev, vals);
	ev->type = dec->type;
	ev->kind = dec->kind;
	ev->nr = dec->nr_fields;
	ev->flags = record[f->common.flags];
	ev->preempt = record[f->common.preempt];
	ev->pid = (int32_t)get_le32(record + f->common.pid);
	ev->v = vals;
	if (unlikely(dec->nr_pointers))
		return decode_pointers(f, dec, record, vals);
	return dec->numbers(dec->op, record, vals);
}
