/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repack.c - the same log again, merged by time and as small as it gets */

/*
 * Pairs, types and texts are copied as they are; events go, in the order in
 * which the stream gives them, into one track of merged blocks.  That order is
 * then the file's own, so that every reader sees what it saw before.
 */

#include "config.h"

#include "formats/repack.h"
#include "formats/stream.h"

int repack_damage(struct buf *out, const struct mmt *log, const char *defect)
{
	const char *text;
	size_t pos = 0;
	int ret = 0;

	while (!ret && (text = mmt_damage_next(log, &pos))) {
		ret = buf_printf(out, "%s\n", text);
		defect = NULL;
	}
	return !ret && defect ? buf_printf(out, "%s\n", defect) : ret;
}

/* What the source misses, the copy misses, too, though it will be whole. */
static int put_damage(struct mmt *log, struct mmt_writer *w, const char *defect)
{
	const char *before = mmt_meta(log, "import.damage");
	struct buf out = {0};
	int ret = 0;

	if (!defect || mmt_counts(log)->cut_before)
		return 0;
	if (before)
		ret = buf_printf(&out, "%s%s", before,
				 *before && before[strlen(before) - 1] != '\n'
					 ? "\n"
					 : "");
	if (!ret)
		ret = repack_damage(&out, log, defect);
	if (!ret)
		ret = mmt_writer_meta(w, "import.damage", (char *)out.p);
	buf_free(&out);
	return ret;
}

static int copy_pairs(struct mmt *log, struct mmt_writer *w)
{
	const char *key, *value;
	unsigned int i = 0;
	int ret = 0;

	while (!ret && mmt_meta_next(log, &i, &key, &value))
		ret = mmt_writer_meta(w, key, value);
	return ret;
}

/* Type 0, loss, is in every log from the start. */
static int copy_schemas(struct mmt *log, struct mmt_writer *w,
			struct errbuf *err)
{
	unsigned int i;
	int ret = 0;

	if (mmt_nr_types(log) && mmt_schema(log, 0)->kind != MMT_LOSS)
		return errbuf_set(err, -EBADMSG,
				  "%s: its first event type is not loss",
				  mmt_path(log));
	for (i = 1; ret >= 0 && i < mmt_nr_types(log); i++)
		ret = mmt_writer_schema(w, mmt_schema(log, i));
	return MIN(ret, 0);
}

static int copy_texts(struct mmt *log, struct mmt_writer *w, struct errbuf *err)
{
	struct mmt_text text;
	unsigned int i = 0;
	int ret;

	while (!(ret = mmt_text_next(log, &i, &text, err)) && text.name) {
		ret = mmt_writer_text(w, text.name, text.time_ns, text.text,
				      text.len);
		if (ret)
			break;
	}
	return ret;
}

static int copy_events(struct mmt *log, struct mmt_track *t, struct errbuf *err)
{
	const struct mmt_event *ev;
	struct mmt_stream *s;
	int ret = mmt_stream_open(&s, log, NULL, err);

	if (ret)
		return ret;
	while (!ret && (ev = mmt_stream_next(s)))
		ret = mmt_track_append(t, ev);
	if (!ret)
		ret = mmt_stream_error(s, err);
	mmt_stream_close(s);
	return ret;
}

int mmt_repack(struct mmt *log, struct mmt_writer *w, const char *defect,
	       struct errbuf *err)
{
	struct mmt_track *t;
	int ret = copy_pairs(log, w);

	if (!ret)
		ret = put_damage(log, w, defect);
	if (!ret)
		ret = copy_schemas(log, w, err);
	if (!ret)
		ret = mmt_track_open_merged(&t, w);
	if (!ret)
		ret = mmt_writer_start(w);
	if (!ret)
		ret = copy_texts(log, w, err);
	return ret ? ret : copy_events(log, t, err);
}
