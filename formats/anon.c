/* SPDX-License-Identifier: GPL-2.0-or-later */
/* anon.c - stable pseudonyms for what a log says of people and machines */

/*
 * A pseudonym is 40 bits of a keyed hash of the name, so that the same name has
 * the same pseudonym wherever it stands, and nobody without the key can try
 * names.  There is a key per kind of name, each made from the one that the
 * caller draws.  "comm-" and ten digits is as long as the kernel lets a comm
 * be; among a thousand names two are alike once in two million logs.
 *
 * The kernel's threads keep their names, because analyses know kswapd by its
 * name and because they are the same on every machine; a name must have
 * exactly their form.
 */

#include "config.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/anon.h"
#include "formats/event.h"
#include "formats/units.h"

#define DIGITS        "0123456789"
#define ANON_NAME_MAX 32

static const char *const prefixes[ANON_NR_KINDS] = {
	"comm", "name", "cgroup", "host", "boot", "command", "filter",
};

void anon_init(struct anon *a, const uint8_t key[SIPHASH_KEY_LEN])
{
	unsigned int i;
	char word[32];

	memset(a, 0, sizeof(*a));
	ids_init(&a->addresses);
	for (i = 0; i < ANON_NR_KINDS; i++) {
		int len = snprintf(word, sizeof(word), "%s 0", prefixes[i]);

		put_le64(a->key[i], siphash(key, word, (size_t)len));
		word[len - 1] = '1';
		put_le64(a->key[i] + 8, siphash(key, word, (size_t)len));
	}
}

void anon_free(struct anon *a)
{
	unsigned int i;

	for (i = 0; i < ANON_NR_KINDS; i++)
		strings_free(&a->seen[i]);
	strings_free(&a->kernel);
	ids_destroy(&a->addresses);
	buf_free(&a->word);
	explicit_bzero(a->key, sizeof(a->key));
}

/*
 * The pseudonym of a->word.  Those given are counted, without the names, so
 * that neither they nor much memory is kept.
 */
static int put_pseudonym(struct anon *a, struct buf *out, enum anon_kind kind)
{
	uint64_t hash = siphash(a->key[kind], a->word.p, a->word.len);
	char name[ANON_NAME_MAX];
	uint32_t nr;
	int ret;

	snprintf(name, sizeof(name), "%s-%010" PRIx64, prefixes[kind],
		 hash >> 24);
	ret = strings_get(&a->seen[kind], name, &nr);
	return ret ? ret : buf_printf(out, "%s", name);
}

/* Replaces a->word. */
static int set_word(struct anon *a, const char *text, size_t len)
{
	a->word.len = 0;
	return buf_printf(&a->word, "%.*s", (int)len, text);
}

/* ------------------------------------------------------------------ tasks */

/* Names of kernel threads: a beginning, and of what the rest is made. */
static const struct {
	const char *begin, *rest; /* "": nothing may follow */
} kernel_threads[] = {
	{"swapper/", DIGITS},   {"<idle>", ""},
	{"<...>", ""},          {"kswapd", DIGITS},
	{"kdamond.", DIGITS},   {"kcompactd", DIGITS},
	{"khugepaged", ""},     {"ksmd", ""},
	{"kthreadd", ""},       {"oom_reaper", ""},
	{"writeback", ""},      {"kworker/", DIGITS ":uHR"},
	{"ksoftirqd/", DIGITS}, {"migration/", DIGITS},
	{"cpuhp/", DIGITS},     {"rcu_sched", ""},
	{"rcu_preempt", ""},    {"kdevtmpfs", ""},
	{"kauditd", ""},        {"khungtaskd", ""},
};

/* Bytes of the name that are kept; 0 if it is not of the kernel. */
static size_t kernel_name_len(const char *comm)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kernel_threads); i++) {
		const char *rest = kernel_threads[i].rest;
		size_t len = strlen(kernel_threads[i].begin), n;

		if (strncmp(comm, kernel_threads[i].begin, len))
			continue;
		n = strspn(comm + len, rest);
		if (*rest && !n)
			return 0;
		len += n;
		/* "kworker/u8:3-events", "kworker/0:1+ext4": what it works at */
		if (!comm[len] ||
		    (strchr(rest, 'u') && strchr("-+", comm[len])))
			return len;
		return 0;
	}
	return 0;
}

/* As in the text "tasks", whatever form it came in. */
static int set_comm(struct anon *a, const char *comm, bool escaped)
{
	size_t room = strlen(comm) * 4 + 1;
	bool plain = true;
	const char *p;

	for (p = comm; *p; p++)
		plain &= isprint((unsigned char)*p) && (escaped || *p != '\\');
	if (plain)
		return set_word(a, comm, strlen(comm));
	a->word.len = 0;
	if (buf_reserve(&a->word, room))
		return -ENOMEM;
	units_escape((char *)a->word.p, room, comm);
	a->word.len = strlen((char *)a->word.p);
	return 0;
}

int anon_comm(struct anon *a, struct buf *out, const char *comm, bool escaped)
{
	size_t len = kernel_name_len(comm);
	uint32_t nr;
	int ret;

	if (!*comm)
		return buf_printf(out, "%s", "");
	if (!len) {
		ret = set_comm(a, comm, escaped);
		return ret ? ret : put_pseudonym(a, out, ANON_COMM);
	}
	ret = set_word(a, comm, len);
	if (!ret)
		ret = strings_get(&a->kernel, (char *)a->word.p, &nr);
	return ret ? ret : buf_printf(out, "%s", (char *)a->word.p);
}

/* Bytes of a number and a blank, 0 if there is something else; -1: unknown. */
static size_t task_number(const char *p)
{
	size_t sign = *p == '-', digits = strspn(p + sign, DIGITS);

	return digits && p[sign + digits] == ' ' ? sign + digits + 1 : 0;
}

/* Bytes of "TID TGID " at the start of a line, 0 if it has another form. */
static size_t task_numbers(const char *line)
{
	size_t tid = task_number(line);
	size_t tgid = tid ? task_number(line + tid) : 0;

	return tgid ? tid + tgid : 0;
}

int anon_tasks(struct anon *a, struct buf *out, const char *text,
	       uint64_t *nr_bad)
{
	struct buf line = {0};
	size_t len, numbers;
	int ret = 0;

	*nr_bad = 0;
	for (; *text && !ret; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		line.len = 0;
		ret = buf_printf(&line, "%.*s", (int)len, text);
		numbers = ret ? 0 : task_numbers((char *)line.p);
		*nr_bad += !numbers;
		if (!numbers)
			continue;
		ret = buf_append(out, line.p, numbers);
		if (!ret)
			ret = anon_comm(a, out, (char *)line.p + numbers, true);
		if (!ret)
			ret = buf_printf(out, "\n");
	}
	buf_free(&line);
	return ret;
}

/* ------------------------------------------------------------------ paths */

int anon_whole(struct anon *a, struct buf *out, enum anon_kind kind,
	       const char *text)
{
	int ret = set_word(a, text, strlen(text));

	return ret ? ret : put_pseudonym(a, out, kind);
}

/* A component that names nothing: "", "." and "..". */
static bool is_dots(const char *p, size_t len)
{
	return !len || (len <= 2 && !memcmp(p, "..", len));
}

int anon_path(struct anon *a, struct buf *out, enum anon_kind kind,
	      const char *path)
{
	size_t start = out->len, len;
	const char *p;
	int ret = buf_printf(out, "%s", "");

	for (p = path; *p && !ret; p += len) {
		len = *p == '/' ? 1 : strcspn(p, "/");
		if (*p == '/' || is_dots(p, len)) {
			ret = buf_printf(out, "%.*s", (int)len, p);
			continue;
		}
		ret = set_word(a, p, len);
		if (!ret)
			ret = put_pseudonym(a, out, kind);
	}
	if (ret || out->len - start < MMT_MAX_STRING)
		return ret;
	/* pseudonyms are longer than the names: what is too deep is one */
	out->len = start;
	return anon_whole(a, out, kind, path);
}

/* Devices whose names say no more than their number: /dev/sda2, /dev/dm-0. */
static bool is_plain_device(const char *path, size_t len)
{
	static const char *const drivers[] = {"zram", "sd",     "vd",
					      "xvd",  "nvme",   "dm-",
					      "md",   "mmcblk", "loop"};
	unsigned int i;
	size_t n;

	if (len < 6 || strncmp(path, "/dev/", 5))
		return false;
	for (i = 0; i < ARRAY_SIZE(drivers); i++) {
		n = strlen(drivers[i]);
		if (strncmp(path + 5, drivers[i], n))
			continue;
		/* "sdaa12", "nvme0n1p3": no word is that short */
		n += 5;
		return len <= n + 8 &&
		       n + strspn(path + n, DIGITS "abcdefghnp") == len;
	}
	return false;
}

int anon_swap(struct anon *a, struct buf *out, const char *swap)
{
	struct buf path = {0};
	size_t len, rest;
	int ret = 0;

	if (!strcmp(swap, "none"))
		return buf_printf(out, "none");
	for (; *swap && !ret; swap += len + rest) {
		/* /proc/swaps writes a blank in a path as \\040 */
		len = strcspn(swap, " ");
		rest = strspn(swap + len, " " DIGITS "KiB,");
		path.len = 0;
		ret = buf_printf(&path, "%.*s", (int)len, swap);
		if (!ret && is_plain_device(swap, len))
			ret = buf_printf(out, "%s", (char *)path.p);
		else if (!ret)
			ret = anon_path(a, out, ANON_PATH, (char *)path.p);
		if (!ret)
			ret = buf_printf(out, "%.*s", (int)rest, swap + len);
	}
	buf_free(&path);
	return ret;
}

uint64_t anon_address(struct anon *a, uint64_t value)
{
	/* x86-64 with five levels and arm64 begin no lower than here */
	if (value < 0xff00000000000000ULL || value >= (uint64_t)-4095)
		return value;
	return ids_get(&a->addresses, value);
}

/* ------------------------------------------------------------- the header */

static const struct fact {
	const char *key;
	uint8_t rule, kind;
} facts[] = {
	{"program.version", ANON_KEEP, 0},
	{"kernel.release", ANON_KEEP, 0},
	{"kernel.version", ANON_KEEP, 0},
	{"kernel.machine", ANON_KEEP, 0},
	{"page.size", ANON_KEEP, 0},
	{"clock", ANON_KEEP, 0},
	{"clock.offset_ns", ANON_KEEP, 0},
	{"cpus", ANON_KEEP, 0},
	{"level", ANON_KEEP, 0},
	{"lru_gen.enabled", ANON_KEEP, 0},
	{"hypervisor", ANON_KEEP, 0},
	{"memory.max", ANON_KEEP, 0},
	{"memory.limit.file", ANON_KEEP, 0},
	{"memory.total", ANON_KEEP, 0},
	{"cpu.model", ANON_KEEP, 0},
	{"config", ANON_KEEP, 0},
	{"buffer.kib", ANON_KEEP, 0},
	{"raw", ANON_KEEP, 0}, /* "yes" is refused before */
	{"capture.cpumask", ANON_KEEP, 0},
	{"capture.missing", ANON_KEEP, 0},
	{"capture.never", ANON_KEEP, 0},
	{"capture.switched_off", ANON_KEEP, 0},
	{"stop.reason", ANON_KEEP, 0},
	{"stop.status", ANON_KEEP, 0},
	{"import.kind", ANON_KEEP, 0},
	{"import.program", ANON_KEEP, 0},
	{"import.notes", ANON_LINES, 0},
	{"import.damage", ANON_LINES, 0},
	{"capture.filters", ANON_NUMERIC, ANON_FILTER},
	{"kernel.addresses", ANON_GONE, 0},
	{"note", ANON_NOTE, 0},
	{"swap", ANON_SWAP, 0},
	{"boot.id", ANON_REPLACE, ANON_BOOT},
	{"command", ANON_REPLACE, ANON_COMMAND},
	{"host", ANON_REPLACE, ANON_HOST},
	{"kernel.nodename", ANON_REPLACE, ANON_HOST},
	{"cgroup", ANON_REPLACE_PATH, ANON_CGROUP},
};

enum anon_rule anon_fact(const char *key, enum anon_kind *kind)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(facts); i++) {
		if (strcmp(facts[i].key, key))
			continue;
		*kind = (enum anon_kind)facts[i].kind;
		return (enum anon_rule)facts[i].rule;
	}
	/* functions of the kernel and what was fetched: see probe.h */
	if (!strncmp(key, "probe.", 6))
		return ANON_KEEP;
	return ANON_DROP;
}

bool anon_is_numeric(const char *filter)
{
	const char *p = filter;

	if (strpbrk(filter, "\"'~"))
		return false;
	/* behind each comparison a number has to follow */
	while ((p = strpbrk(p, "=<>"))) {
		p += strspn(p, "=<>&! ");
		if (*p == '-')
			p++;
		if (!isdigit((unsigned char)*p))
			return false;
	}
	return true;
}

enum anon_text anon_text_kind(const char *name)
{
	static const char *const plain[] = {
		"vmstat",  "meminfo", "stat",       "diskstats",
		"psi.cpu", "psi.io",  "psi.memory", "capture.stats",
	};
	unsigned int i;

	if (!strcmp(name, "tasks"))
		return ANON_TEXT_TASKS;
	if (!strcmp(name, "memcg") || !strcmp(name, "lru_gen") ||
	    !strcmp(name, "lru_gen_full"))
		return ANON_TEXT_CGROUPS;
	for (i = 0; i < ARRAY_SIZE(plain); i++)
		if (!strcmp(plain[i], name))
			return ANON_TEXT_PLAIN;
	return fnmatch("zram*.mm_stat", name, 0) ? ANON_TEXT_UNKNOWN
						 : ANON_TEXT_PLAIN;
}

/* "cgroup PATH" of memcg, "memcg NUMBER PATH" of lru_gen: the path; or NULL. */
static const char *cgroup_in_line(const char *line)
{
	if (!strncmp(line, "cgroup /", 8))
		return line + 7;
	if (strncmp(line, "memcg ", 6))
		return NULL;
	line += 6 + strspn(line + 6, " 0123456789");
	return *line == '/' ? line : NULL;
}

int anon_cgroups(struct anon *a, struct buf *out, const char *text)
{
	struct buf line = {0};
	const char *path;
	size_t len;
	int ret = 0;

	for (; *text && !ret; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		line.len = 0;
		ret = buf_printf(&line, "%.*s", (int)len, text);
		if (ret)
			break;
		path = cgroup_in_line((char *)line.p);
		ret = buf_append(out, line.p,
				 path ? (size_t)(path - (char *)line.p) : len);
		if (!ret && path)
			ret = anon_path(a, out, ANON_CGROUP, path);
		if (!ret)
			ret = buf_printf(out, "\n");
	}
	buf_free(&line);
	return ret;
}
