/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text-fields.c - the printed fields of an event, and their values */

/*
 * A payload is taken as "NAME=VALUE" pairs; a value goes on to the next name,
 * since task names and flags have blanks in them.  "dev 8:1 ino 1f" of the
 * page-cache events and the sentences of the slab events are read, too.  What
 * is neither is reported, not kept: it may be a kernel address.
 */
#include "config.h"

#include <stdio.h>

#include "formats/import-text.h"

/* ----------------------------------------------------------------- pairs */

/* Ends the value of the last pair at p. */
static void pair_close(struct text_pairs *ps, const char *p)
{
	struct span *val;

	if (!ps->nr)
		return;
	val = &ps->pair[ps->nr - 1].val;
	while (p > val->p && (text_is_blank(p[-1]) || p[-1] == ','))
		p--;
	val->len = (size_t)(p - val->p);
}

static bool pair_open(struct text_pairs *ps, struct span key, const char *val)
{
	if (ps->nr == MMT_MAX_FIELDS) {
		ps->too_many = true;
		return false;
	}
	ps->pair[ps->nr].key = key;
	ps->pair[ps->nr++].val = (struct span){val, 0};
	return true;
}

static bool ends_with(struct span s, const char *end)
{
	size_t len = strlen(end);

	return s.len >= len && !memcmp(s.p + s.len - len, end, len);
}

/* May this name follow a task's name, which can look like a pair itself? */
static bool follows_comm(struct span key)
{
	return ends_with(key, "pid") || ends_with(key, "comm") ||
	       ends_with(key, "prio") || span_is(key, "clone_flags") ||
	       span_is(key, "oom_score_adj");
}

static bool in_comm(const struct text_pairs *ps, struct span key)
{
	const struct text_pair *last;

	if (!ps->nr)
		return false;
	last = &ps->pair[ps->nr - 1];
	return key.p - last->val.p <= 16 && ends_with(last->key, "comm") &&
	       !follows_comm(key);
}

/* "dev 8:1 ino 1f": two names without a '=' */
static bool is_bare_key(const struct text_pairs *ps, struct span key)
{
	if (span_is(key, "dev"))
		return !ps->nr;
	return span_is(key, "ino") && ps->nr &&
	       span_is(ps->pair[ps->nr - 1].key, "dev");
}

static void pairs_scan(struct text_pairs *ps, const char *p, const char *end)
{
	struct span key;
	const char *q;

	while ((p = text_skip_blanks(p, end)) < end) {
		q = text_skip(p, end, TEXT_IN_KEY);
		key = (struct span){p, (size_t)(q - p)};
		if (q < end && q > p && !text_is_digit(*p) && *p != '-' &&
		    key.len < sizeof(((struct mmt_field *)0)->name) &&
		    ((*q == '=' && !in_comm(ps, key)) ||
		     (text_is_blank(*q) && is_bare_key(ps, key)))) {
			pair_close(ps, p);
			q++;
			if (q[-1] != '=')
				q = text_skip_blanks(q, end);
			if (!pair_open(ps, key, q))
				return;
		} else if (!ps->nr) {
			ps->words = true;
		}
		p = memchr(q, ' ', (size_t)(end - q));
		if (!p)
			break;
	}
	pair_close(ps, end);
}

/*
 * mm_shrink_slab_start and _end are sentences: "SHRINKER+0x0/0x210 POINTER:
 * nid: 0 objects to shrink 1402 gfp_flags ...": each number behind its words.
 */
static const struct {
	const char *words, *name;
} slab_words[] = {
	{"nid: ", "nid"},
	{"objects to shrink ", "nr_objects_to_shrink"},
	{"gfp_flags ", "gfp_flags"},
	{"cache items ", "cache_items"},
	{"delta ", "delta"},
	{"total_scan ", "total_scan"},
	{"priority ", "priority"},
	{"unused scan count ", "unused_scan"},
	{"new scan count ", "new_scan"},
	{"last shrinker return val ", "retval"},
};

static void pairs_scan_slab(struct text_pairs *ps, const char *p,
			    const char *end)
{
	const char *q = memchr(p, '+', (size_t)(end - p));
	unsigned int i;

	if (q && q < end && pair_open(ps, (struct span){"shrink", 6}, p))
		ps->pair[0].val.len = (size_t)(q - p);
	for (i = 0; i < ARRAY_SIZE(slab_words); i++) {
		const char *words = slab_words[i].words;
		const char *name = slab_words[i].name;
		size_t len = strlen(words);

		q = memmem(p, (size_t)(end - p), words, len);
		if (!q ||
		    !pair_open(ps, (struct span){name, strlen(name)}, q + len))
			continue;
		for (q += len; q < end && !text_is_blank(*q);)
			q++;
		pair_close(ps, q);
	}
}

/* What a program wrote into the trace: one text, whatever it looks like. */
static bool is_mark(struct span name)
{
	return span_is(name, "tracing_mark_write") || span_is(name, "print") ||
	       span_is(name, "bprint") || span_is(name, "bputs");
}

void text_pairs_parse(struct text_pairs *ps, const struct text_head *h,
		      const char *end)
{
	const char *p = text_skip_blanks(h->payload, end);

	ps->nr = 0;
	ps->words = false;
	ps->too_many = false;
	if (h->name.len > 14 && !memcmp(h->name.p, "mm_shrink_slab", 14))
		pairs_scan_slab(ps, p, end);
	else if (is_mark(h->name) && pair_open(ps, (struct span){"buf", 3}, p))
		pair_close(ps, end);
	else
		pairs_scan(ps, p, end);
}

/* --------------------------------------------------------------- numbers */

/* A digit's value and one more. */
static const uint8_t hex_digits[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

static bool take_hex(struct span s, uint64_t *v)
{
	uint64_t sum = 0;
	uint8_t digit;
	size_t i;

	if (s.len > 2 && s.p[0] == '0' && s.p[1] == 'x')
		s = (struct span){s.p + 2, s.len - 2};
	if (!s.len || s.len > 16)
		return false;
	for (i = 0; i < s.len; i++) {
		digit = hex_digits[(uint8_t)s.p[i]];
		if (!digit)
			return false;
		sum = sum << 4 | (uint64_t)(digit - 1);
	}
	*v = sum;
	return true;
}

static bool take_dec(struct span s, uint64_t *v)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < s.len && i < 19; i++) {
		if (!text_is_digit(s.p[i]))
			return false;
		sum = sum * 10 + (uint64_t)(s.p[i] - '0');
	}
	for (; i < s.len; i++) {
		if (!text_is_digit(s.p[i]) ||
		    __builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(s.p[i] - '0'), &sum))
			return false;
	}
	*v = sum;
	return s.len > 0;
}

static bool take_signed(struct span s, uint64_t *v)
{
	if (s.len < 2 || *s.p != '-')
		return take_dec(s, v);
	if (!take_dec((struct span){s.p + 1, s.len - 1}, v) || *v > 1ULL << 63)
		return false;
	*v = 0 - *v;
	return true;
}

/*
 * Addresses of 64-bit kernels, with five levels of page tables, too; small
 * negative numbers lie above.  %p prints 16 digits without 0x.
 */
#define KERNEL_FIRST  0xff00000000000000ULL
#define KERNEL_LAST   0xfffffffffffff000ULL
#define KERNEL_SIGNED 0xffffff0000000000ULL /* above, a number is likelier */

static enum text_class class_of(uint64_t v, bool negative)
{
	if (v >= KERNEL_FIRST && v < (negative ? KERNEL_SIGNED : KERNEL_LAST))
		return TEXT_POINTER;
	return negative ? TEXT_SIGNED : TEXT_UNSIGNED;
}

enum text_class text_number(struct span val, uint64_t *v)
{
	if (!val.len)
		return TEXT_STRING;
	if (*val.p == '-')
		return take_signed(val, v) ? class_of(*v, true) : TEXT_STRING;
	if (val.len == 16 && take_hex(val, v))
		return TEXT_POINTER;
	if (take_dec(val, v))
		return class_of(*v, false);
	if (val.len < 3 || val.p[0] != '0' || val.p[1] != 'x' ||
	    !take_hex(val, v))
		return TEXT_STRING;
	return class_of(*v, false);
}

/* ---------------------------------------------------------------- values */

static bool take_dev(struct span s, uint64_t *v)
{
	const char *colon = memchr(s.p, ':', s.len);
	uint64_t major, minor;
	size_t at;

	if (!colon)
		return false;
	at = (size_t)(colon - s.p);
	if (!take_dec((struct span){s.p, at}, &major) ||
	    !take_dec((struct span){colon + 1, s.len - at - 1}, &minor) ||
	    major >= 1 << 12 || minor >= 1 << DEV_MINOR_BITS)
		return false;
	*v = major << DEV_MINOR_BITS | minor;
	return true;
}

static void keep_first(char first[72], struct span s)
{
	if (!first[0])
		snprintf(first, 72, "%.*s", (int)MIN(s.len, (size_t)64), s.p);
}

/*
 * A byte offset to a page.  A negative one is what the kernel's shift left of
 * an index above 2^51: its upper bits are gone.
 */
static bool take_ofs(struct span s, struct text_values *tv, uint64_t *v)
{
	uint64_t mask = (1ULL << tv->page_shift) - 1;

	if (!take_signed(s, v))
		return false;
	if (*s.p == '-') {
		tv->nr_wrapped++;
		keep_first(tv->first_wrapped, s);
	}
	if (*v & mask) {
		tv->nr_unaligned++;
		keep_first(tv->first_unaligned, s);
	}
	tv->all_ofs |= *v;
	*v >>= tv->page_shift;
	return true;
}

/* "A-B", both inclusive, or "A" */
static bool split_range(struct span s, struct span *first, struct span *last)
{
	const char *dash = s.len < 2 ? NULL : memchr(s.p + 1, '-', s.len - 1);
	size_t at;

	*first = s;
	if (!dash)
		return false;
	at = (size_t)(dash - s.p);
	*first = (struct span){s.p, at};
	*last = (struct span){dash + 1, s.len - at - 1};
	return true;
}

static bool take_ofs_last(struct span s, struct text_values *tv, uint64_t *v)
{
	uint64_t mask = (1ULL << tv->page_shift) - 1, start;
	struct span first, last;

	if (!split_range(s, &first, &last) || !take_signed(last, v) ||
	    !take_signed(first, &start))
		return false;
	if (*v < start)
		return false;
	if ((*v & mask) != mask) {
		tv->nr_unaligned++;
		keep_first(tv->first_unaligned, s);
	}
	*v >>= tv->page_shift;
	return true;
}

static bool take_name(struct span s, const char *const *names, unsigned int nr,
		      uint64_t *v)
{
	unsigned int i;

	if (take_dec(s, v))
		return true;
	for (i = 0; i < nr; i++) {
		if (span_is(s, names[i])) {
			*v = i;
			return true;
		}
	}
	return false;
}

/* enum lru_list */
static const char *const lru_names[] = {"inactive_anon", "active_anon",
					"inactive_file", "active_file",
					"unevictable"};
/* enum migrate_reason */
static const char *const reason_names[] = {
	"compaction",      "memory_failure",
	"memory_hotplug",  "syscall_or_cpuset",
	"mempolicy_mbind", "numa_misplaced",
	"contig_range",    "longterm_pin",
	"demotion",        "damon"};

/* mm_lru_insertion: a letter or a blank for each flag; f: not anonymous. */
static bool take_lru_flags(struct span s, uint64_t *v)
{
	size_t i;

	*v = 0;
	for (i = 0; i < s.len; i++) {
		switch (s.p[i]) {
		case 'M':
			*v |= 0x01;
			break;
		case 'a':
			*v |= 0x02;
			break;
		case 's':
			*v |= 0x08;
			break;
		case 'b':
			*v |= 0x10;
			break;
		case 'd':
			*v |= 0x20;
			break;
		case 'B':
			*v |= 0x40;
			break;
		case 'f':
		case ' ':
			break;
		default:
			return false;
		}
	}
	return true;
}

/* An address within a text would end up in the log. */
static void hide_addresses(char *text)
{
	static const char digits[] = "0123456789abcdef";
	size_t len;

	for (; *(text += strcspn(text, digits)); text += len) {
		len = strspn(text, digits);
		if (len == 16 && !memcmp(text, "ff", 2))
			memset(text, 'x', len);
	}
}

static uint64_t keep_string(struct span s, struct text_values *tv,
			    unsigned int i)
{
	char *out = tv->strings[i];
	size_t len = MIN(s.len, (size_t)MMT_MAX_STRING - 1), at;

	tv->nr_cut += len < s.len;
	memcpy(out, s.p, len);
	out[len] = '\0';
	for (at = 0; (at = strlen(out)) < len;)
		out[at] = ' '; /* a NUL in the text */
	hide_addresses(out);
	return (uintptr_t)out;
}

static bool take_id(struct span s, struct text_values *tv, uint64_t *v)
{
	if (text_number(s, v) >= TEXT_STRING)
		return false;
	*v = ids_get(&tv->ids, *v);
	return true;
}

/* Values of probes: see enum probe_value. */
static bool take_probe(uint8_t op, struct span s, struct text_values *tv,
		       uint64_t *v)
{
	if (text_number(s, v) >= TEXT_STRING)
		return false;
	if (op == TEXT_FOLIO)
		*v = vmemmap_pfn(&tv->vmemmap, *v);
	else if (op == TEXT_TAGGED)
		*v = ids_get(&tv->ids, *v & ~3ULL) << 2 | (*v & 3);
	else if (op == TEXT_UNTAGGED)
		*v = ids_get(&tv->ids, *v & ~7ULL);
	else /* TEXT_SCRUBBED */
		*v = probe_scrub(*v);
	return true;
}

static bool take_value(const struct text_field *f, struct span s,
		       struct text_values *tv, uint64_t *v)
{
	struct span first, last;

	switch (f->op) {
	case TEXT_NUM:
		return text_number(s, v) < TEXT_STRING;
	case TEXT_HEX:
		return take_hex(s, v);
	case TEXT_DEV:
		return take_dev(s, v);
	case TEXT_OFS:
		split_range(s, &first, &last);
		return take_ofs(first, tv, v);
	case TEXT_OFS_LAST:
		return take_ofs_last(s, tv, v);
	case TEXT_LRU:
		return take_name(s, lru_names, ARRAY_SIZE(lru_names), v);
	case TEXT_REASON:
		return take_name(s, reason_names, ARRAY_SIZE(reason_names), v);
	case TEXT_LRU_FLAGS:
		return take_lru_flags(s, v);
	case TEXT_ID:
		return take_id(s, tv, v);
	case TEXT_FOLIO:
	case TEXT_TAGGED:
	case TEXT_UNTAGGED:
	case TEXT_SCRUBBED:
		return take_probe(f->op, s, tv, v);
	default:
		*v = 0;
		return true;
	}
}

void text_values_learn(struct text_values *tv, const struct text_shape *s,
		       const struct text_pairs *ps)
{
	uint64_t folio, pfn;

	if (s->learn[0] < 0 || s->learn[1] < 0 || !vmemmap_wants(&tv->vmemmap))
		return;
	if (text_number(ps->pair[s->learn[0]].val, &folio) == TEXT_POINTER &&
	    text_number(ps->pair[s->learn[1]].val, &pfn) == TEXT_UNSIGNED)
		vmemmap_learn(&tv->vmemmap, folio, pfn);
}

int text_shape_values(const struct text_shape *s, const struct text_pairs *ps,
		      struct text_values *tv, uint64_t *vals)
{
	unsigned int i;

	for (i = 0; i < s->schema.nr_fields; i++) {
		const struct text_field *f = &s->field[i];
		struct span val = ps->pair[f->pair].val;

		if (f->op == TEXT_TEXT)
			vals[i] = keep_string(val, tv, i);
		else if (!take_value(f, val, tv, &vals[i]))
			return -EBADMSG;
	}
	if (s->guarded)
		probe_guard(vals);
	return 0;
}
