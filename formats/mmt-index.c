/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmt-index.c - payloads of the blocks that are not events */

#include "config.h"

#include <stdlib.h>

#include "formats/mmt-index.h"

/* Texts and metadata; blocks of events have their own limit. */
#define MAX_UNPACKED (64U << 20)

static int put_varints(struct buf *out, const uint64_t *v, unsigned int nr)
{
	if (buf_reserve(out, (size_t)nr * VARINT_MAX))
		return -ENOMEM;
	while (nr--)
		out->len =
			(size_t)(varint_put(out->p + out->len, *v++) - out->p);
	return 0;
}

static int get_varints(const uint8_t **p, const uint8_t *end, uint64_t *v,
		       unsigned int nr)
{
	while (nr--) {
		*p = varint_get(*p, end, v++);
		if (!*p)
			return -EBADMSG;
	}
	return 0;
}

int mmt_pack_bytes(struct packer *packer, struct buf *out, const void *p,
		   size_t len)
{
	struct buf packed = {0};
	int form, ret = -ENOMEM;

	if (len > MAX_UNPACKED)
		return -EFBIG;
	form = pack(packer, &packed, p, len);
	if (form >= 0) {
		uint64_t head[] = {(uint64_t)form, len};

		ret = put_varints(out, head, ARRAY_SIZE(head));
		if (!ret)
			ret = buf_append(out, packed.p, packed.len);
	}
	buf_free(&packed);
	return ret;
}

int mmt_unpack_bytes(struct buf *out, const uint8_t *p, size_t len)
{
	const uint8_t *end = p + len;
	struct packed in;
	uint64_t head[2];

	if (get_varints(&p, end, head, ARRAY_SIZE(head)) ||
	    head[0] > PACK_FILL || head[1] > MAX_UNPACKED)
		return -EBADMSG;
	out->len = 0;
	if (buf_reserve(out, head[1] + 1))
		return -ENOMEM;
	in = (struct packed){(int)head[0], p, (size_t)(end - p)};
	if (unpack(NULL, &in, out->p, head[1]))
		return -EBADMSG;
	out->len = head[1];
	out->p[out->len] = '\0';
	return 0;
}

/* ----------------------------------------------------------------- index */

int mmt_index_init(struct mmt_index *index, unsigned int nr_types)
{
	index->nr_types = nr_types;
	index->type_counts =
		calloc(MAX(nr_types, 1U), sizeof(*index->type_counts));
	return index->type_counts ? 0 : -ENOMEM;
}

void mmt_index_free(struct mmt_index *index)
{
	free(index->entry);
	free(index->type_counts);
	free(index->cpus.nr);
	memset(index, 0, sizeof(*index));
}

int mmt_index_add(struct mmt_index *index, const struct block_header *h,
		  uint64_t at)
{
	if (index->nr == index->cap) {
		unsigned int cap = index->cap * 2 + 64;
		void *grown =
			realloc(index->entry, cap * sizeof(*index->entry));

		if (!grown)
			return -ENOMEM;
		index->entry = grown;
		index->cap = cap;
	}
	index->entry[index->nr++] = (struct mmt_entry){.at = at, .header = *h};
	return 0;
}

/* Events per CPU of merged blocks; nothing if there are none. */
static int put_cpus(struct buf *out, const struct cpu_counts *cpus)
{
	uint64_t i, nr = 0;
	int ret;

	if (!cpus->nr)
		return 0;
	for (i = 0; i < cpus->end; i++)
		nr += cpus->nr[i] != 0;
	ret = put_varints(out, &nr, 1);
	for (i = 0; !ret && i < cpus->end; i++) {
		uint64_t v[] = {i, cpus->nr[i]};

		if (v[1])
			ret = put_varints(out, v, ARRAY_SIZE(v));
	}
	return ret;
}

static int get_cpus(struct cpu_counts *cpus, const uint8_t *p,
		    const uint8_t *limit)
{
	uint64_t nr, v[2];
	int ret = 0;

	if (p == limit)
		return 0;
	if (get_varints(&p, limit, &nr, 1))
		return -EBADMSG;
	while (!ret && nr--) {
		if (get_varints(&p, limit, v, ARRAY_SIZE(v)) ||
		    v[0] > UINT16_MAX)
			return -EBADMSG;
		ret = cpu_counts_add(cpus, (uint16_t)v[0], v[1]);
	}
	return ret;
}

/*
 * varint blocks; per block kind, CPU, offset minus the end of the one before,
 * payload bytes, events, first time, last minus first (zigzag), number;
 * varint types; events of each; lost records; gaps of unknown size;
 * if there are merged blocks, varint CPUs, per CPU its number and events.
 */
int mmt_index_put(struct buf *out, const struct mmt_index *index)
{
	uint64_t end = 0, nr = index->nr;
	unsigned int i;
	int ret = put_varints(out, &nr, 1);

	for (i = 0; !ret && i < index->nr; i++) {
		const struct mmt_entry *e = &index->entry[i];
		const struct block_header *h = &e->header;
		uint64_t v[] = {h->kind,
				h->cpu,
				e->at - end,
				h->len,
				h->nr_events,
				h->first_ns,
				zigzag(h->last_ns - h->first_ns),
				h->seq};

		ret = put_varints(out, v, ARRAY_SIZE(v));
		end = e->at + BLOCK_HEADER_LEN + h->len;
	}
	nr = index->nr_types;
	if (!ret)
		ret = put_varints(out, &nr, 1);
	if (!ret)
		ret = put_varints(out, index->type_counts, index->nr_types);
	if (!ret)
		ret = put_varints(out, &index->nr_lost, 1);
	if (!ret)
		ret = put_varints(out, &index->nr_gaps_uncounted, 1);
	return ret ? ret : put_cpus(out, &index->cpus);
}

/*
 * Blocks lie one behind the other below end_max, so that no more of them are
 * believed than the file has room for.
 */
static int get_entry(struct mmt_index *index, const uint8_t **p,
		     const uint8_t *limit, uint64_t *end, uint64_t end_max)
{
	struct block_header h = {0};
	uint64_t v[8], at;

	if (get_varints(p, limit, v, ARRAY_SIZE(v)) || v[0] > UINT16_MAX ||
	    v[1] > UINT16_MAX || v[3] > BLOCK_MAX_PAYLOAD ||
	    v[4] > block_max_events((unsigned int)v[0]) ||
	    v[2] > end_max - *end)
		return -EBADMSG;
	at = *end + v[2];
	if (BLOCK_HEADER_LEN + v[3] > end_max - at)
		return -EBADMSG;
	h.kind = (uint16_t)v[0];
	h.cpu = (uint16_t)v[1];
	h.len = (uint32_t)v[3];
	h.nr_events = (uint32_t)v[4];
	h.first_ns = v[5];
	h.last_ns = v[5] + unzigzag(v[6]);
	h.seq = v[7];
	*end = at + BLOCK_HEADER_LEN + h.len;
	return mmt_index_add(index, &h, at);
}

int mmt_index_get(struct mmt_index *index, const struct buf *raw,
		  uint64_t file_size)
{
	const uint8_t *p = raw->p, *limit = p + raw->len;
	uint64_t nr, end = 0;
	int ret = get_varints(&p, limit, &nr, 1);

	/* an entry takes eight bytes or more */
	if (ret || nr > raw->len / 8)
		return -EBADMSG;
	while (!ret && nr--)
		ret = get_entry(index, &p, limit, &end, file_size);
	if (!ret)
		ret = get_varints(&p, limit, &nr, 1);
	if (!ret && nr > MMT_MAX_SCHEMAS)
		ret = -EBADMSG;
	if (!ret)
		ret = mmt_index_init(index, (unsigned int)nr);
	if (!ret)
		ret = get_varints(&p, limit, index->type_counts,
				  index->nr_types);
	if (!ret)
		ret = get_varints(&p, limit, &index->nr_lost, 1);
	if (!ret)
		ret = get_varints(&p, limit, &index->nr_gaps_uncounted, 1);
	return ret ? ret : get_cpus(&index->cpus, p, limit);
}

/* --------------------------------------------------------------- schemas */

static int put_string(struct buf *out, const char *s)
{
	return buf_append(out, s, strlen(s) + 1);
}

static int get_string(char *s, size_t size, const uint8_t **p,
		      const uint8_t *end)
{
	const uint8_t *nul = memchr(*p, 0, (size_t)(end - *p));

	if (!nul || (size_t)(nul - *p) >= size)
		return -EBADMSG;
	memcpy(s, *p, (size_t)(nul - *p) + 1);
	*p = nul + 1;
	return 0;
}

/* system, name, note: strings; kind, fields; per field name, type, role,
 * size */
int mmt_schema_put(struct buf *out, const struct mmt_schema *s)
{
	uint64_t head[] = {s->kind, s->nr_fields};
	unsigned int i;
	int ret = put_string(out, s->system);

	if (!ret)
		ret = put_string(out, s->name);
	if (!ret)
		ret = put_string(out, s->note);
	if (!ret)
		ret = put_varints(out, head, ARRAY_SIZE(head));
	for (i = 0; !ret && i < s->nr_fields; i++) {
		const struct mmt_field *f = &s->field[i];
		uint64_t v[] = {f->type, f->role, f->size};

		ret = put_string(out, f->name);
		if (!ret)
			ret = put_varints(out, v, ARRAY_SIZE(v));
	}
	return ret;
}

static int get_field(struct mmt_field *f, const uint8_t **p, const uint8_t *end)
{
	uint64_t v[3];

	if (get_string(f->name, sizeof(f->name), p, end) ||
	    get_varints(p, end, v, ARRAY_SIZE(v)) || v[0] > MMT_ID ||
	    v[1] > UINT8_MAX || v[2] > UINT8_MAX)
		return -EBADMSG;
	f->type = (uint8_t)v[0];
	/* a role of a later minor version is a name only */
	f->role = v[1] < MMT_NR_ROLES ? (uint8_t)v[1] : MMT_NO_ROLES;
	f->size = (uint8_t)v[2];
	/* no coding of a number may end up where a string's pointer is read */
	if (f->type == MMT_STRING && f->role != MMT_NO_ROLES &&
	    f->role != MMT_COMM)
		return -EBADMSG;
	return 0;
}

/* Engines rely on a kind's values: they must be there, in order. */
static bool kind_holds(const struct mmt_schema *s)
{
	const uint8_t *roles;
	unsigned int i, nr = mmt_kind_roles(s->kind, &roles);

	if (s->nr_fields < nr)
		return false;
	for (i = 0; i < nr; i++)
		if (s->field[i].role != roles[i] ||
		    (roles[i] == MMT_COMM) != (s->field[i].type == MMT_STRING))
			return false;
	return true;
}

int mmt_schema_get(struct mmt_schema *s, const uint8_t **p, const uint8_t *end)
{
	uint64_t head[2];
	unsigned int i;

	memset(s, 0, sizeof(*s));
	if (get_string(s->system, sizeof(s->system), p, end) ||
	    get_string(s->name, sizeof(s->name), p, end) ||
	    get_string(s->note, sizeof(s->note), p, end) ||
	    get_varints(p, end, head, ARRAY_SIZE(head)) ||
	    head[0] > UINT8_MAX || head[1] > MMT_MAX_FIELDS)
		return -EBADMSG;
	/* a kind of a later minor version can still be dumped */
	s->kind = head[0] < MMT_NR_KINDS ? (uint8_t)head[0] : MMT_OTHER;
	s->nr_fields = (uint8_t)head[1];
	for (i = 0; i < s->nr_fields; i++)
		if (get_field(&s->field[i], p, end))
			return -EBADMSG;
	return kind_holds(s) ? 0 : -EBADMSG;
}
