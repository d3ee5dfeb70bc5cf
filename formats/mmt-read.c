/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmt-read.c - opens a log and answers questions about it */

/*
 * The tail of the file points to the index block; where either is missing or
 * damaged, mmt-scan.c makes the index anew from the blocks.  Nothing is
 * believed that a checksum or a limit does not cover.
 */

#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/mmt-log.h"

#define MAX_DAMAGES 1000
#define MAX_META    (64U << 20)

int mmt_pread(const struct mmt *log, void *p, size_t len, uint64_t at)
{
	while (len) {
		ssize_t n = pread(log->fd, p, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -ENODATA;
		p = (uint8_t *)p + n;
		at += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

/* For the list of mmt_damage_next(); the same place is met more than once. */
static void note_damage(struct mmt *log, const char *text)
{
	const char *known;
	size_t pos = 0;

	if (log->nr_damages == MAX_DAMAGES)
		return;
	while ((known = mmt_damage_next(log, &pos)))
		if (!strcmp(known, text))
			return;
	/* a list cut short by its limit or by want of memory is still true */
	if (!buf_append(&log->damages, text, strlen(text) + 1))
		log->nr_damages++;
}

int mmt_damage(struct mmt *log, struct errbuf *err, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (log->salvage) {
		/* the first damage is the one to show */
		if (!log->counts.damaged)
			snprintf(log->counts.damage, sizeof(log->counts.damage),
				 "%s", text);
		log->counts.damaged = true;
		note_damage(log, text);
		return 0;
	}
	errbuf_set(err, -EBADMSG, "%s: %s", log->path, text);
	errbuf_hint(err, "--salvage uses what is whole; results are then "
			 "marked incomplete");
	return -EBADMSG;
}

int mmt_load(struct mmt *log, const struct mmt_entry *e, struct buf *payload,
	     struct errbuf *err)
{
	uint8_t head[BLOCK_HEADER_LEN];
	struct block_header h;
	int ret;

	payload->len = 0;
	if (e->header.len > log->size || e->at > log->size - e->header.len)
		return errbuf_set(err, -EBADMSG,
				  "%s: block at offset %" PRIu64
				  " lies beyond the end",
				  log->path, e->at);
	if (buf_reserve(payload, e->header.len + 1U))
		return errbuf_set(err, -ENOMEM, "%s: out of memory", log->path);
	ret = mmt_pread(log, head, sizeof(head), e->at);
	if (!ret)
		ret = mmt_pread(log, payload->p, e->header.len,
				e->at + BLOCK_HEADER_LEN);
	if (ret && ret != -ENODATA)
		return errbuf_set(err, ret, "%s: %s", log->path,
				  strerror(-ret));
	if (ret || block_header_get(&h, head) || h.len != e->header.len ||
	    h.kind != e->header.kind || h.nr_events != e->header.nr_events ||
	    block_check(head, payload->p, h.len))
		return errbuf_set(err, -EBADMSG,
				  "%s: block at offset %" PRIu64 " is damaged",
				  log->path, e->at);
	payload->len = h.len;
	return 0;
}

/* --------------------------------------------------------------- opening */

/* read() until the piece is full or the input ends. */
static ssize_t read_full(int fd, uint8_t *p, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(fd, p + got, len - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (!n)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

/*
 * A pipe is copied to a file without a name: blocks are read out of order.
 * What does not begin like a log is not copied to its end, if it has one.
 */
static int spool(int from, struct errbuf *err)
{
	static uint8_t chunk[1 << 16];
	FILE *tmp = tmpfile();
	bool first = true;
	ssize_t n = 0;
	int fd = -1;

	if (!tmp)
		return errbuf_set(err, -errno, "temporary file: %s",
				  strerror(errno));
	while ((n = read_full(from, chunk, sizeof(chunk))) > 0) {
		if (fwrite(chunk, 1, (size_t)n, tmp) != (size_t)n)
			break;
		if (first && memcmp(chunk, MMT_MAGIC, MIN((size_t)n, 8))) {
			n = 0;
			break;
		}
		first = false;
	}
	if (n || fflush(tmp))
		errbuf_set(err, -EIO, "standard input: %s", strerror(errno));
	else
		fd = dup(fileno(tmp));
	fclose(tmp);
	return fd < 0 ? -EIO : fd;
}

static int take_input(struct mmt *log, int fd, struct errbuf *err)
{
	struct stat st;

	if (fstat(fd, &st)) {
		int ret = -errno;

		close(fd);
		return errbuf_set(err, ret, "%s: %s", log->path,
				  strerror(-ret));
	}
	if (S_ISDIR(st.st_mode)) {
		close(fd);
		return errbuf_set(err, -EISDIR, "%s: is a directory",
				  log->path);
	}
	if (!S_ISREG(st.st_mode)) {
		int spooled = spool(fd, err);

		close(fd);
		fd = spooled;
		if (fd < 0)
			return fd;
		if (fstat(fd, &st)) {
			close(fd);
			return -EIO;
		}
	}
	log->fd = fd;
	log->size = (uint64_t)st.st_size;
	return 0;
}

static int foreign(struct mmt *log, const uint8_t *head, size_t len,
		   struct errbuf *err)
{
	static const char tracedat[] = "\x17\x08\x44tracing";

	errbuf_set(err, -EINVAL, "%s: not an mmcap log", log->path);
	if (len >= sizeof(tracedat) - 1 &&
	    !memcmp(head, tracedat, sizeof(tracedat) - 1))
		errbuf_hint(err, "it is a trace.dat of trace-cmd: mm-log "
				 "import makes a log of it");
	else if (len >= 8 && !memcmp(head, "PERFILE2", 8))
		errbuf_hint(err, "it is a perf.data: perf script prints it as "
				 "text, which mm-log import reads");
	else
		errbuf_hint(err, "mm-log import makes logs of what other "
				 "programs recorded");
	return -EINVAL;
}

static int read_file_header(struct mmt *log, struct errbuf *err)
{
	uint8_t head[MMT_HEADER_LEN] = {0};
	size_t len = MIN(log->size, sizeof(head));
	unsigned int version;

	if (!log->size)
		return errbuf_set(err, -EINVAL, "%s: is empty", log->path);
	if (mmt_pread(log, head, len, 0))
		return errbuf_set(err, -EIO, "%s: cannot be read", log->path);
	if (memcmp(head, MMT_MAGIC, MIN(len, 8)))
		return foreign(log, head, len, err);
	if (len < sizeof(head))
		return errbuf_set(err, -EBADMSG,
				  "%s: ends inside its header, at offset %zu",
				  log->path, len);
	version = get_le16(head + 8);
	if (version == MMT_VERSION || version == MMT_VERSION_MERGED)
		return 0;
	errbuf_set(err, -EPROTO,
		   "%s: log format %u, this program reads %u and %u", log->path,
		   version, MMT_VERSION, MMT_VERSION_MERGED);
	errbuf_hint(err, "%s mmcap wrote it; use that one's programs",
		    version > MMT_VERSION ? "a newer" : "an older");
	return -EPROTO;
}

static int take_schemas(struct mmt *log, const struct buf *raw)
{
	const uint8_t *p = raw->p, *end = raw->p + raw->len;
	struct mmt_schema schema;
	int ret = 0;

	while (!ret && p < end) {
		ret = mmt_schema_get(&schema, &p, end);
		if (!ret) {
			ret = types_add(&log->types, &schema);
			ret = MIN(ret, 0);
		}
	}
	return ret;
}

/*
 * Pairs come as key NUL value NUL; anything else is damage, as is more of them
 * than a recording could have: a few bytes may unpack to a lot.
 */
static int take_meta(struct mmt *log, const struct buf *raw)
{
	unsigned int nuls = 0;
	size_t i;

	for (i = 0; i < raw->len; i++)
		nuls += !raw->p[i];
	if (nuls % 2 || (raw->len && raw->p[raw->len - 1]) ||
	    raw->len > MAX_META - log->meta.len)
		return -EBADMSG;
	return buf_append(&log->meta, raw->p, raw->len);
}

int mmt_read_description(struct mmt *log, struct errbuf *err)
{
	struct buf payload = {0}, raw = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < log->index.nr; i++) {
		const struct mmt_entry *e = &log->index.entry[i];

		if (e->header.kind != BLOCK_META &&
		    e->header.kind != BLOCK_SCHEMA)
			continue;
		ret = mmt_load(log, e, &payload, err);
		if (ret)
			break;
		ret = mmt_unpack_bytes(&raw, payload.p, payload.len);
		if (!ret && e->header.kind == BLOCK_META)
			ret = take_meta(log, &raw);
		else if (!ret)
			ret = take_schemas(log, &raw);
		if (ret)
			errbuf_set(err, ret,
				   "%s: description at offset %" PRIu64
				   " is damaged",
				   log->path, e->at);
	}
	buf_free(&payload);
	buf_free(&raw);
	return ret;
}

/* What a whole tail says of where the index is; 0 if there is none. */
static uint64_t index_offset(const struct mmt *log)
{
	uint8_t tail[MMT_TAIL_LEN];
	uint64_t at;

	if (log->size < MMT_HEADER_LEN + BLOCK_HEADER_LEN + MMT_TAIL_LEN ||
	    mmt_pread(log, tail, sizeof(tail), log->size - sizeof(tail)) ||
	    memcmp(tail + 8, MMT_TAIL_MAGIC, 8))
		return 0;
	at = get_le64(tail);
	return at < log->size ? at : 0;
}

static int read_index(struct mmt *log, uint64_t at)
{
	uint8_t head[BLOCK_HEADER_LEN];
	struct mmt_entry e = {.at = at};
	struct buf payload = {0}, raw = {0};
	struct errbuf ignored;
	int ret = mmt_pread(log, head, sizeof(head), at);

	if (!ret)
		ret = block_header_get(&e.header, head);
	if (!ret && e.header.kind != BLOCK_INDEX)
		ret = -EBADMSG;
	if (!ret)
		ret = mmt_load(log, &e, &payload, &ignored);
	if (!ret)
		ret = mmt_unpack_bytes(&raw, payload.p, payload.len);
	if (!ret)
		ret = mmt_index_get(&log->index, &raw, log->size);
	buf_free(&payload);
	buf_free(&raw);
	return ret;
}

static int load_by_index(struct mmt *log, uint64_t at, struct errbuf *err)
{
	int ret = read_index(log, at);

	if (!ret)
		ret = mmt_read_description(log, err);
	if (!ret && log->types.nr != log->index.nr_types)
		ret = -EBADMSG;
	return ret;
}

static void count(struct mmt *log)
{
	struct mmt_counts *c = &log->counts;
	bool seen[UINT16_MAX + 1] = {false};
	unsigned int i;

	c->nr_bytes = log->size;
	c->nr_lost = log->index.nr_lost;
	c->nr_gaps_uncounted = log->index.nr_gaps_uncounted;
	for (i = 0; i < log->index.nr; i++) {
		const struct block_header *h = &log->index.entry[i].header;

		c->nr_blocks++;
		if (!block_has_events(h->kind))
			continue;
		if (h->kind == BLOCK_EVENTS_OF_CPU) {
			c->nr_cpus += !seen[h->cpu];
			seen[h->cpu] = true;
		}
		if (!c->first_ns || h->first_ns < c->first_ns)
			c->first_ns = h->first_ns;
		c->last_ns = MAX(c->last_ns, h->last_ns);
	}
	for (i = 0; i < log->index.cpus.end; i++)
		c->nr_cpus += log->index.cpus.nr[i] && !seen[i];
	for (i = 0; i < log->types.nr; i++)
		if (log->types.schema[i]->kind != MMT_LOSS)
			c->nr_events += log->index.type_counts[i];
}

static void forget(struct mmt *log)
{
	types_free(&log->types);
	mmt_index_free(&log->index);
	mmt_index_free(&log->gone);
	log->meta.len = 0;
}

static int load(struct mmt *log, struct errbuf *err)
{
	uint64_t at;
	int ret = read_file_header(log, err);

	if (ret)
		return ret;
	at = index_offset(log);
	if (at && !load_by_index(log, at, err)) {
		log->counts.complete = true;
	} else {
		forget(log);
		ret = mmt_scan(log, err);
		if (!ret && at)
			ret = mmt_damage(
				log, err,
				"index at offset %" PRIu64 " is damaged", at);
	}
	if (!ret)
		count(log);
	return ret;
}

/* A log made from a damaged recording is whole, but does not have all of it. */
static void recall_damage(struct mmt *log)
{
	const char *text = mmt_meta(log, "import.damage");
	struct mmt_counts *counts = &log->counts;

	if (!text || counts->damaged)
		return;
	counts->cut_before = true;
	snprintf(counts->damage, sizeof(counts->damage), "%.*s",
		 (int)strcspn(text, "\n"), text);
}

int mmt_open_fd(struct mmt **logp, int fd, const char *name, unsigned int flags,
		struct errbuf *err)
{
	struct mmt *log = calloc(1, sizeof(*log));
	int ret = -ENOMEM;

	if (log) {
		log->fd = -1;
		log->salvage = flags & MMT_SALVAGE;
		log->path = strdup(name);
	}
	if (!log || !log->path) {
		close(fd);
		errbuf_set(err, ret, "%s: out of memory", name);
		goto err_close;
	}
	ret = take_input(log, fd, err);
	if (!ret)
		ret = load(log, err);
	if (ret)
		goto err_close;
	recall_damage(log);
	*logp = log;
	return 0;

err_close:
	mmt_close(log);
	return ret;
}

int mmt_open(struct mmt **logp, const char *path, unsigned int flags,
	     struct errbuf *err)
{
	bool is_stdin = !strcmp(path, "-");
	const char *name = is_stdin ? "standard input" : path;
	int fd =
		is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errbuf_set(err, -errno, "%s: %s", name, strerror(errno));
	return mmt_open_fd(logp, fd, name, flags, err);
}

void mmt_close(struct mmt *log)
{
	if (!log)
		return;
	if (log->fd >= 0)
		close(log->fd);
	forget(log);
	buf_free(&log->meta);
	buf_free(&log->damages);
	buf_free(&log->text_name);
	buf_free(&log->text);
	free(log->path);
	free(log);
}

/* --------------------------------------------------------------- answers */

const char *mmt_path(const struct mmt *log)
{
	return log->path;
}

bool mmt_meta_next(const struct mmt *log, unsigned int *i, const char **key,
		   const char **value)
{
	const char *p;

	if (*i >= log->meta.len)
		return false;
	p = (const char *)log->meta.p + *i;
	*key = p;
	*value = p + strlen(p) + 1;
	*i += (unsigned int)(strlen(p) + strlen(*value) + 2);
	return true;
}

const char *mmt_meta(const struct mmt *log, const char *key)
{
	const char *k, *v, *found = NULL;
	unsigned int i = 0;

	/* the last one stands: the end may correct the start */
	while (mmt_meta_next(log, &i, &k, &v))
		if (!strcmp(k, key))
			found = v;
	return found;
}

unsigned int mmt_nr_types(const struct mmt *log)
{
	return log->types.nr;
}

const struct mmt_schema *mmt_schema(const struct mmt *log, unsigned int type)
{
	return type < log->types.nr ? log->types.schema[type] : NULL;
}

bool mmt_has_kind(const struct mmt *log, enum mmt_kind kind)
{
	unsigned int i;

	for (i = 0; i < log->types.nr; i++)
		if (log->types.schema[i]->kind == kind)
			return true;
	return false;
}

const struct mmt_counts *mmt_counts(const struct mmt *log)
{
	return &log->counts;
}

const char *mmt_damage_next(const struct mmt *log, size_t *pos)
{
	const char *text;

	if (*pos >= log->damages.len)
		return NULL;
	text = (const char *)log->damages.p + *pos;
	*pos += strlen(text) + 1;
	return text;
}

const uint64_t *mmt_type_counts(const struct mmt *log)
{
	return log->index.type_counts;
}
