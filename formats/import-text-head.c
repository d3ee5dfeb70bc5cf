/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-text-head.c - finds the head of an event in a line of any dialect */

/*
 * Columns differ between tools, kernels and options, and a task's name may
 * have any bytes in it.  So the anchor is the CPU in brackets: behind it come
 * at most flags and then "TIME: EVENT:", before it a pid.  What stands before
 * the pid is the name.  If a name looks like a head itself, the last head
 * that leaves a name of possible length is the true one: TASK_COMM_LEN is too
 * short to hold a whole head with a fraction in its time.
 */
#include "config.h"

#include "formats/import-text.h"

#define COMM_LEN     15 /* TASK_COMM_LEN without the NUL */
#define HEAD_LEN     64 /* from a name to the CPU, with room */
#define FLAGS_LEN    16
#define NS_PER_SEC   1000000000ULL
#define FLAG_IRQS    0x01
#define FLAG_RESCHED 0x04
#define FLAG_PREEMPT 0x20
#define FLAG_NMI     0x40
#define FLAG_BH      0x80

#define BOTH (TEXT_IN_NAME | TEXT_IN_KEY)

const uint8_t text_bytes[256] = {
	['a' ... 'z'] = BOTH, ['A' ... 'Z'] = BOTH, ['0' ... '9'] = BOTH,
	['_'] = BOTH,         ['.'] = TEXT_IN_KEY,  ['-'] = TEXT_IN_KEY,
	['>'] = TEXT_IN_KEY,
};

/* A decimal number from p on; *v is untouched if it is too large. */
static const char *take_u64(const char *p, const char *end, uint64_t *v)
{
	uint64_t sum = 0;

	const char *safe = p + MIN(end - p, 19);

	for (; p < safe && text_is_digit(*p); p++)
		sum = sum * 10 + (uint64_t)(*p - '0');
	for (; p < end && text_is_digit(*p); p++) {
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(*p - '0'), &sum))
			return NULL;
	}
	*v = sum;
	return p;
}

/* "16136.595194:" and a blank or the end; returns where it ends. */
static const char *take_time(struct text_head *h, const char *p,
			     const char *end)
{
	static const uint32_t units[] = {
		1000000000, 100000000, 10000000, 1000000, 100000,
		10000,      1000,      100,      10,      1};
	uint64_t sec, frac = 0;
	unsigned int places = 0;
	const char *q;

	if (p == end || !text_is_digit(*p))
		return NULL;
	q = take_u64(p, end, &sec);
	if (!q || q == end)
		return NULL;
	h->whole_time = *q != '.';
	h->time_ns = sec;
	if (*q == '.') {
		for (q++; q < end && text_is_digit(*q) && places < 9; q++) {
			frac = frac * 10 + (uint64_t)(*q - '0');
			places++;
		}
		frac *= units[places];
		if (!places || __builtin_mul_overflow(sec, NS_PER_SEC, &sec) ||
		    __builtin_add_overflow(sec, frac, &h->time_ns))
			return NULL;
	}
	if (q == end || *q != ':')
		return NULL;
	q++;
	return q == end || text_is_blank(*q) ? q : NULL;
}

/* "NAME: " or "SYSTEM:NAME: " */
static const char *take_name(struct text_head *h, const char *p,
			     const char *end)
{
	const char *q;

	h->system = (struct span){p, 0};
	if (p == end || text_is_digit(*p))
		return NULL;
	q = text_skip(p, end, TEXT_IN_NAME);
	if (q > p && end - q > 1 && *q == ':' &&
	    text_skip(q + 1, q + 2, TEXT_IN_NAME) == q + 2) {
		h->system.len = (size_t)(q - p);
		p = q + 1;
		q = text_skip(p, end, TEXT_IN_NAME);
	}
	if (q == p || q == end || *q != ':')
		return NULL;
	h->name = (struct span){p, (size_t)(q - p)};
	q++;
	if (q < end && !text_is_blank(*q))
		return NULL;
	if (h->name.len >= sizeof(((struct mmt_schema *)0)->name) ||
	    h->system.len >= sizeof(((struct mmt_schema *)0)->system))
		return NULL;
	return q;
}

/*
 * irqs-off, need-resched, hard/softirq, preempt-depth, migrate-disable; RT
 * kernels put lazy columns in between, so that letters count, not places.
 */
static void take_flags(struct text_head *h, const char *p, size_t len)
{
	static const uint8_t bits[256] = {
		['N'] = FLAG_RESCHED | FLAG_PREEMPT,
		['n'] = FLAG_RESCHED,
		['p'] = FLAG_PREEMPT,
		['h'] = MMT_FLAG_HARDIRQ,
		['H'] = MMT_FLAG_HARDIRQ | MMT_FLAG_SOFTIRQ,
		['s'] = MMT_FLAG_SOFTIRQ,
		['z'] = FLAG_NMI,
		['Z'] = FLAG_NMI | MMT_FLAG_HARDIRQ,
	};
	size_t i;

	if (*p == 'd' || *p == 'D')
		h->flags |= FLAG_IRQS;
	if (*p == 'b' || *p == 'D')
		h->flags |= FLAG_BH;
	for (i = 1; i < len; i++)
		h->flags |= bits[(uint8_t)p[i]];
	if (len >= 4 && len <= 5 && text_is_digit(p[3]))
		h->preempt = (uint8_t)(p[3] - '0');
	if (len == 5 && text_is_digit(p[4]))
		h->preempt |= (uint8_t)((p[4] - '0') << 4);
}

/* From behind the CPU to behind the time: flags of any width, or none. */
static const char *take_flags_time(struct text_head *h, const char *p,
				   const char *end)
{
	const char *q, *time;
	unsigned int i;

	h->flags = 0;
	h->preempt = 0;
	for (i = 0; i < 3; i++) {
		q = text_skip_blanks(p, end);
		if (q == p)
			return NULL;
		time = take_time(h, q, end);
		if (time)
			return time;
		p = q;
		while (p < end && !text_is_blank(*p) && p - q <= FLAGS_LEN)
			p++;
		if (p == q || p - q > FLAGS_LEN)
			return NULL;
		if (!i)
			take_flags(h, q, (size_t)(p - q));
	}
	return NULL;
}

/* What follows the time; perf may say a period before the name. */
static const char *take_event(struct text_head *h, const char *p,
			      const char *end)
{
	const char *q;

	p = text_skip_blanks(p, end);
	for (q = p; q < end && text_is_digit(*q);)
		q++;
	if (q > p)
		p = text_skip_blanks(q, end);
	return take_name(h, p, end);
}

/* Before p: "( 1234)" or "(-----)"; returns its begin, NULL if it is none. */
static const char *take_tgid(struct text_head *h, const char *line,
			     const char *p)
{
	const char *q = p - 1, *digits;
	uint64_t v;

	while (q > line && p - q < FLAGS_LEN && q[-1] != '(')
		q--;
	if (q == line || q[-1] != '(')
		return NULL;
	digits = text_skip_blanks(q, p - 1);
	if (digits < p - 1 && text_is_digit(*digits)) {
		if (take_u64(digits, p - 1, &v) != p - 1 || v > INT32_MAX)
			return NULL;
		h->tgid = (int32_t)v;
		return q - 1;
	}
	while (digits < p - 1 && *digits == '-')
		digits++;
	return digits == p - 1 ? q - 1 : NULL;
}

/* The digits that end at p; returns their begin, NULL if no pid fits. */
static const char *take_pid(const char *line, const char *p, int32_t *pid)
{
	const char *q = p;
	uint64_t v;

	while (q > line && p - q < 11 && text_is_digit(q[-1]))
		q--;
	if (q == p || !take_u64(q, p, &v) || v > INT32_MAX)
		return NULL;
	*pid = (int32_t)v;
	return q;
}

static const char *skip_blanks_back(const char *line, const char *p)
{
	while (p > line && text_is_blank(p[-1]))
		p--;
	return p;
}

/*
 * trace-cmd report says "BUFFER: " before a name of 16 columns, of which it
 * uses 15 at most: so two blanks or more follow the colon.
 */
static void split_buffer(struct text_head *h)
{
	const char *p = h->comm.p, *end = p + h->comm.len, *q;

	h->buffer = (struct span){p, 0};
	for (q = p; (q = memchr(q, ':', (size_t)(end - q))); q++) {
		if (q == p || end - q < 4 || !text_is_blank(q[1]) ||
		    !text_is_blank(q[2]))
			continue;
		h->buffer.len = (size_t)(q - p);
		q = text_skip_blanks(q + 1, end);
		h->comm = (struct span){q, (size_t)(end - q)};
		return;
	}
}

static void set_comm(struct text_head *h, const char *line, const char *end)
{
	line = text_skip_blanks(line, end);
	h->comm = (struct span){line, (size_t)(end - line)};
}

/* What stands before p: name and pid of ftrace, or of perf. */
static bool take_task(struct text_head *h, const char *line, const char *p)
{
	const char *q = skip_blanks_back(line, p);

	h->tgid = -1;
	h->buffer = (struct span){line, 0};
	if (q == p || q == line)
		return false;
	if (q[-1] == ')') {
		q = take_tgid(h, line, q);
		if (!q)
			return false;
		q = skip_blanks_back(line, q);
	}
	q = take_pid(line, q, &h->pid);
	if (!q || q == line)
		return false;
	if (q[-1] == '-') {
		set_comm(h, line, q - 1);
		split_buffer(h);
		return true;
	}
	if (q[-1] == '/')
		q = take_pid(line, q - 1, &h->tgid);
	if (!q || q == line || !text_is_blank(q[-1]))
		return false;
	set_comm(h, line, skip_blanks_back(line, q));
	return h->comm.len > 0;
}

/* "[001]" at p; returns what is behind it. */
static const char *take_cpu(struct text_head *h, const char *p, const char *end)
{
	const char *q = p + 1;
	uint32_t cpu = 0;

	for (; q < end && text_is_digit(*q) && q - p <= 5; q++)
		cpu = cpu * 10 + (uint32_t)(*q - '0');
	if (q - p < 4 || q == end || *q != ']')
		return NULL;
	h->cpu = cpu;
	h->no_cpu = false;
	return q + 1;
}

static bool head_at(struct text_head *h, const char *line, const char *p,
		    const char *end)
{
	const char *q = take_cpu(h, p, end);

	if (!q)
		return false;
	q = take_flags_time(h, q, end);
	if (!q)
		return false;
	h->payload = take_event(h, q, end);
	return h->payload && take_task(h, line, p);
}

/* perf script of a task's own events: no CPU.  "COMM PID TIME: SYS:EVENT:" */
static bool head_without_cpu(struct text_head *h, const char *line,
			     const char *end)
{
	const char *p = line, *limit = line + MIN(end - line, 2 * HEAD_LEN);

	while ((p = memchr(p, '.', (size_t)(limit - p)))) {
		const char *q = p++;

		while (q > line && text_is_digit(q[-1]))
			q--;
		if (q == line || !text_is_blank(q[-1]))
			continue;
		h->payload = take_time(h, q, end);
		if (h->payload)
			h->payload = take_event(h, h->payload, end);
		if (!h->payload || !h->system.len || !take_task(h, line, q))
			continue;
		h->cpu = 0;
		h->no_cpu = true;
		h->flags = h->preempt = 0;
		return h->buffer.len == 0;
	}
	return false;
}

bool text_head_parse(struct text_head *h, const char *line, const char *end)
{
	const char *p = line, *limit = end;
	struct text_head got;
	bool found = false;

	while (p < limit && (p = memchr(p, '[', (size_t)(limit - p)))) {
		if (head_at(&got, line, p, end)) {
			if (!found)
				limit = got.comm.p +
					MIN(end - got.comm.p, HEAD_LEN);
			if (!found || got.comm.len <= COMM_LEN)
				*h = got;
			found = true;
		}
		p++;
	}
	if (!found)
		found = head_without_cpu(h, line, end);
	/* a comment that quotes an event is a comment; perf's names may be # */
	return found && (*line != '#' || h->system.len);
}

bool text_head_begins(const char *line, const char *end)
{
	struct text_head h;
	const char *p = line;

	if (*line == '#')
		return false;
	for (; (p = memchr(p, '[', (size_t)(end - p))); p++)
		if (take_cpu(&h, p, end) && take_task(&h, line, p))
			return true;
	return head_without_cpu(&h, line, end);
}

/* ------------------------------------------------------------ other lines */

static bool has_text(const char *p, const char *end, const char *text)
{
	return memmem(p, (size_t)(end - p), text, strlen(text)) != NULL;
}

/* "CPU:7 [LOST 17 EVENTS]", "CPU:7 [17 EVENTS DROPPED]", without count */
static bool is_loss(const char *line, const char *end, struct text_loss *loss)
{
	const char *at = memmem(line, (size_t)(end - line), "CPU:", 4), *p;
	const char *name = text_skip_blanks(line, end);
	uint64_t cpu;

	if (!at)
		return false;
	p = take_u64(at + 4, end, &cpu);
	if (!p || p == at + 4 || cpu > TEXT_MAX_CPU)
		return false;
	p = text_skip_blanks(p, end);
	if (p == end || *p++ != '[' || !has_text(p, end, "EVENTS"))
		return false;
	if (end - p > 5 && !memcmp(p, "LOST ", 5))
		p += 5;
	else if (!has_text(p, end, "DROPPED"))
		return false;
	loss->cpu = (uint32_t)cpu;
	if (!text_is_digit(*p) || !take_u64(p, end, &loss->nr))
		loss->nr = MMT_LOST_UNKNOWN;
	at = skip_blanks_back(name, MAX(at, name));
	if (at > name && at[-1] == ':')
		at--;
	loss->buffer = (struct span){name, (size_t)(at - name)};
	return true;
}

/* perf script --show-lost-events: "... [001] TIME: PERF_RECORD_LOST lost 17" */
static bool is_perf_loss(const char *line, const char *end,
			 struct text_loss *loss)
{
	static const char words[] = ": PERF_RECORD_LOST";
	const char *at =
		memmem(line, (size_t)(end - line), words, sizeof(words) - 1);
	const char *nr, *p = at;
	struct text_head h;

	if (!at)
		return false;
	while (p > line && *p != '[')
		p--;
	if (!take_cpu(&h, p, end) || h.cpu > TEXT_MAX_CPU)
		return false;
	nr = memmem(at, (size_t)(end - at), "lost ", 5);
	loss->cpu = h.cpu;
	loss->buffer = (struct span){line, 0};
	if (!nr || nr + 5 == end || !text_is_digit(nr[5]) ||
	    !take_u64(nr + 5, end, &loss->nr))
		loss->nr = MMT_LOST_UNKNOWN;
	return true;
}

static bool is_hex(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'f');
}

/* perf: an indented address and a symbol; ftrace: " => symbol" */
static bool is_chain(const char *line, const char *end)
{
	const char *p = text_skip_blanks(line, end), *q;

	if (end - p > 3 && !memcmp(p, "=> ", 3))
		return true;
	for (q = p; q < end && is_hex(*q);)
		q++;
	return p > line && q - p >= 4 && (q == end || text_is_blank(*q));
}

static bool is_added(const char *p, const char *end)
{
	static const char *const begins[] = {"cpus=", "version = ", "#", "CPU ",
					     "trace-cmd: "};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(begins); i++) {
		size_t len = strlen(begins[i]);

		if ((size_t)(end - p) >= len && !memcmp(p, begins[i], len))
			return i != 3 || has_text(p, end, " is empty");
	}
	return false;
}

enum text_line text_line_kind(const char *line, const char *end,
			      struct text_loss *loss)
{
	const char *p = text_skip_blanks(line, end);

	if (p == end)
		return TEXT_EMPTY;
	if (is_added(p, end))
		return TEXT_COMMENT;
	if (is_loss(line, end, loss) || is_perf_loss(line, end, loss))
		return TEXT_LOSS;
	return is_chain(line, end) ? TEXT_CHAIN : TEXT_OTHER;
}
