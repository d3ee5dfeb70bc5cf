/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sink.c - the file a log is written to, kept out of the page cache */

/*
 * The recorder must not show up in the page cache it measures.  With O_DIRECT
 * only whole, aligned pages can be written, so the last, partial page of the
 * file is kept in memory, written padded with zeros, and written again when
 * more has come:
 *
 *   file   |pppp|pppp|pp00|          after a write of 2.5 pages
 *   buffer           |pp..|          what the next write begins with
 *
 * A reader of a file whose writer was killed finds whole blocks and zeros.
 * Where O_DIRECT is refused (tmpfs, some FUSE), bytes are written as they are
 * and dropped from the cache once they are on the disk.
 */

#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/outfile.h"
#include "formats/sink.h"

#define PAGE        4096U
#define BUFFER      (1U << 20)
#define DROP_BEHIND (8U << 20)

struct sink {
	int fd;
	struct outfile *whole; /* has fd, with SINK_WHOLE */
	bool direct;
	bool nameless;   /* it will be read at once, then it is gone */
	uint64_t len;    /* of the file, without padding */
	uint8_t *buffer; /* direct: bytes from base on */
	uint64_t base;   /* page aligned */
	size_t fill;
	uint64_t dropped; /* buffered: out of the cache up to here */
};

static int open_new(struct sink *s, const char *path, bool replace,
		    struct errbuf *err)
{
	int ret = outfile_check(path, replace, err);

	if (ret)
		return ret;
	if (replace)
		unlink(path);
	s->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		     0600);
	if (s->fd >= 0)
		return 0;
	return errbuf_set(err, -errno, "%s: %s", path, strerror(errno));
}

static int open_whole(struct sink *s, const char *path, bool replace,
		      struct errbuf *err)
{
	int ret = outfile_open(&s->whole, path, replace, err);

	if (!ret)
		s->fd = outfile_fd(s->whole);
	return ret;
}

int sink_create(struct sink **sp, const char *path, unsigned int flags,
		struct errbuf *err)
{
	struct sink *s = calloc(1, sizeof(*s));
	int ret = -ENOMEM;

	if (!s)
		return errbuf_set(err, ret, "%s: out of memory", path);
	if (posix_memalign((void **)&s->buffer, PAGE, BUFFER)) {
		errbuf_set(err, ret, "%s: out of memory", path);
		goto err_free;
	}
	ret = flags & SINK_WHOLE
		      ? open_whole(s, path, flags & SINK_REPLACE, err)
		      : open_new(s, path, flags & SINK_REPLACE, err);
	if (ret)
		goto err_free;
	/* a log that stays root's is still a log */
	(void)outfile_give_away(s->fd);
	s->direct = flags & SINK_DIRECT &&
		    !fcntl(s->fd, F_SETFL, fcntl(s->fd, F_GETFL) | O_DIRECT);
	*sp = s;
	return 0;

err_free:
	free(s->buffer);
	free(s);
	return ret;
}

int sink_create_fd(struct sink **sp, int fd)
{
	struct sink *s = calloc(1, sizeof(*s));

	if (!s) {
		close(fd);
		return -ENOMEM;
	}
	s->fd = fd;
	s->nameless = true;
	*sp = s;
	return 0;
}

static int write_all(int fd, const uint8_t *p, size_t len, uint64_t at)
{
	while (len) {
		ssize_t n = pwrite(fd, p, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -ENOSPC;
		p += n;
		at += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

/* Some file systems take the flag and refuse the write. */
static int direct_refused(struct sink *s)
{
	s->direct = false;
	fcntl(s->fd, F_SETFL, fcntl(s->fd, F_GETFL) & ~O_DIRECT);
	return write_all(s->fd, s->buffer, s->fill, s->base);
}

/* Writes the buffer, keeps its last partial page. */
static int flush_direct(struct sink *s)
{
	size_t whole = s->fill & ~(size_t)(PAGE - 1);
	size_t padded = (s->fill + PAGE - 1) & ~(size_t)(PAGE - 1);
	int ret;

	memset(s->buffer + s->fill, 0, padded - s->fill);
	ret = write_all(s->fd, s->buffer, padded, s->base);
	if (ret == -EINVAL)
		ret = direct_refused(s);
	if (ret)
		return ret;
	memmove(s->buffer, s->buffer + whole, s->fill - whole);
	s->base += whole;
	s->fill -= whole;
	return 0;
}

static int put_direct(struct sink *s, const uint8_t *p, size_t len)
{
	while (len) {
		size_t n = MIN(len, BUFFER - s->fill);
		int ret;

		memcpy(s->buffer + s->fill, p, n);
		s->fill += n;
		p += n;
		len -= n;
		if (s->fill < BUFFER)
			continue;
		ret = flush_direct(s);
		if (ret)
			return ret;
	}
	return 0;
}

/* Starts the write-back of what is new, drops what has had its time. */
static void drop_behind(struct sink *s, uint64_t from)
{
	sync_file_range(s->fd, (off_t)from, (off_t)(s->len - from),
			SYNC_FILE_RANGE_WRITE);
	if (from - s->dropped < DROP_BEHIND)
		return;
	sync_file_range(s->fd, (off_t)s->dropped, (off_t)(from - s->dropped),
			SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
				SYNC_FILE_RANGE_WAIT_AFTER);
	posix_fadvise(s->fd, (off_t)s->dropped, (off_t)(from - s->dropped),
		      POSIX_FADV_DONTNEED);
	s->dropped = from;
}

static int put_pieces(struct sink *s, const void *head, size_t head_len,
		      const void *body, size_t body_len)
{
	int ret;

	if (s->direct) {
		ret = put_direct(s, head, head_len);
		if (!ret)
			ret = put_direct(s, body, body_len);
		return ret ? ret : flush_direct(s);
	}
	ret = write_all(s->fd, head, head_len, s->len);
	if (!ret)
		ret = write_all(s->fd, body, body_len, s->len + head_len);
	return ret;
}

int sink_write(struct sink *s, const void *head, size_t head_len,
	       const void *body, size_t body_len)
{
	uint64_t before = s->len;
	int ret = put_pieces(s, head, head_len, body, body_len);

	if (ret) {
		/* no half block is left to puzzle a reader */
		if (ftruncate(s->fd, (off_t)before))
			return ret;
		return ret;
	}
	s->len += head_len + body_len;
	if (!s->direct && !s->nameless)
		drop_behind(s, before);
	return 0;
}

uint64_t sink_bytes(const struct sink *s)
{
	return s->len;
}

static int close_file(struct sink *s, int ret)
{
	if (!s->whole)
		return close(s->fd) && !ret ? -errno : ret;
	if (!ret)
		return outfile_publish(s->whole);
	outfile_drop(s->whole);
	return ret;
}

int sink_close(struct sink *s, int ret)
{
	/* also where direct writes were refused on the way */
	if (ftruncate(s->fd, (off_t)s->len) && !ret)
		ret = -errno;
	if (!s->nameless && fdatasync(s->fd) && !ret)
		ret = -errno;
	if (!s->direct && !s->nameless)
		posix_fadvise(s->fd, 0, 0, POSIX_FADV_DONTNEED);
	ret = close_file(s, ret);
	free(s->buffer);
	free(s);
	return ret;
}
