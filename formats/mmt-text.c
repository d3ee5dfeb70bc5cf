/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmt-text.c - the named texts of a log, and the check of all of it */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "formats/events-dec.h"
#include "formats/mmt-log.h"

/* One text: name NUL, packed bytes. */
static int take_text(struct mmt *log, const struct mmt_entry *e,
		     const struct buf *payload, struct errbuf *err)
{
	const uint8_t *nul = memchr(payload->p, 0, payload->len);
	size_t name_len;
	int ret;

	if (!nul)
		goto damaged;
	name_len = (size_t)(nul - payload->p) + 1;
	log->text_name.len = 0;
	if (buf_append(&log->text_name, payload->p, name_len))
		return errbuf_set(err, -ENOMEM, "%s: out of memory", log->path);
	ret = mmt_unpack_bytes(&log->text, nul + 1, payload->len - name_len);
	if (!ret)
		return 0;
	if (ret == -ENOMEM)
		return errbuf_set(err, ret, "%s: out of memory", log->path);
damaged:
	return errbuf_set(err, -EBADMSG,
			  "%s: text at offset %" PRIu64 " is damaged",
			  log->path, e->at);
}

int mmt_text_next(struct mmt *log, unsigned int *i, struct mmt_text *text,
		  struct errbuf *err)
{
	struct buf payload = {0};
	int ret = 0;

	text->name = NULL;
	while (*i < log->index.nr && !ret && !text->name) {
		const struct mmt_entry *e = &log->index.entry[(*i)++];

		if (e->header.kind != BLOCK_TEXT)
			continue;
		ret = mmt_load(log, e, &payload, err);
		if (!ret)
			ret = take_text(log, e, &payload, err);
		if (ret == -EBADMSG) {
			ret = mmt_damage(
				log, err,
				"text at offset %" PRIu64 " is damaged", e->at);
			continue;
		}
		text->name = (const char *)log->text_name.p;
		text->time_ns = e->header.first_ns;
		text->text = (const char *)log->text.p;
		text->len = log->text.len;
	}
	buf_free(&payload);
	return ret;
}

/* Decodes all events of a block; their number must be what its header says. */
static int verify_events(struct events_dec *dec, struct run *r,
			 const struct mmt_entry *e, const struct buf *payload)
{
	uint64_t nr = 0;
	int ret = events_dec_load(dec, &e->header, payload->p, NULL);

	if (ret)
		return ret;
	while ((ret = events_dec_run(dec, r)) > 0)
		nr += (unsigned int)ret;
	return ret ? ret : nr == e->header.nr_events ? 0 : -EBADMSG;
}

static int verify_block(struct mmt *log, struct events_dec *dec, struct run *r,
			const struct mmt_entry *e, struct errbuf *err)
{
	struct buf payload = {0};
	int ret = mmt_load(log, e, &payload, err);

	if (!ret && block_has_events(e->header.kind)) {
		ret = verify_events(dec, r, e, &payload);
		if (ret)
			errbuf_set(err, ret,
				   "%s: events at offset %" PRIu64
				   " do not decode",
				   log->path, e->at);
	} else if (!ret && e->header.kind == BLOCK_TEXT) {
		ret = take_text(log, e, &payload, err);
	}
	buf_free(&payload);
	return ret;
}

int mmt_verify(struct mmt *log, struct errbuf *err)
{
	struct events_dec dec = {.types = &log->types};
	struct run *r = NULL;
	unsigned int i;
	int ret = run_new(&r);

	if (ret)
		errbuf_set(err, ret, "%s: out of memory", log->path);
	for (i = 0; !ret && i < log->index.nr; i++) {
		struct mmt_entry *e = &log->index.entry[i];

		ret = verify_block(log, &dec, r, e, err);
		e->damaged = ret == -EBADMSG;
		if (e->damaged)
			ret = mmt_damage(log, err,
					 "block at offset %" PRIu64
					 " is damaged (%u events)",
					 e->at, e->header.nr_events);
	}
	events_dec_free(&dec);
	run_free(r);
	return ret;
}
