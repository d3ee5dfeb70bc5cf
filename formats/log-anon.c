/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-anon.c - mm-log anon: a copy of a log that names nobody */

/*
 * Everything is copied in the order of the log; strings of events, facts of
 * the header and texts pass anon.c on their way.  What nobody knows to be
 * harmless is left out, and all that was replaced, left out or is still there
 * is told.  Numbers stay as they are, so that every analysis gives the same
 * result.
 */

#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "formats/log-anon.h"
#include "formats/repack.h"

static const struct option longs[] = {
	{"key", required_argument, NULL, 'K'},
	{"keep-note", no_argument, NULL, 'N'},
	LOG_COPY_OPTIONS,
	{NULL, 0, NULL, 0},
};

static int note(struct strings *names, const char *name)
{
	uint32_t nr;

	return strings_get(names, name, &nr);
}

/* ------------------------------------------------------------- the header */

static unsigned int count_lines(const char *text)
{
	unsigned int nr = 0;

	for (; *text; nr++) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return nr;
}

static int put_lines(struct buf *out, const char *value)
{
	unsigned int nr = count_lines(value);

	return buf_printf(out, "%u line%s that mm-log anon left out", nr,
			  nr == 1 ? "" : "s");
}

/* What the copy says under this key, in out; *drop if it says nothing. */
static int change_fact(struct anon_copy *c, struct buf *out, const char *key,
		       const char *value, bool *drop)
{
	enum anon_kind kind = ANON_PATH;
	enum anon_rule rule = anon_fact(key, &kind);

	if (rule == ANON_NOTE)
		rule = c->o->keep_note ? ANON_KEEP : ANON_DROP;
	if (rule == ANON_NUMERIC)
		rule = anon_is_numeric(value) ? ANON_KEEP : ANON_REPLACE;
	*drop = rule == ANON_DROP || rule == ANON_GONE;
	switch (rule) {
	case ANON_SWAP:
		return anon_swap(&c->anon, out, value);
	case ANON_LINES:
		return put_lines(out, value);
	case ANON_REPLACE:
		return anon_whole(&c->anon, out, kind, value);
	case ANON_REPLACE_PATH:
		return anon_path(&c->anon, out, kind, value);
	case ANON_GONE:
		return 0;
	case ANON_DROP:
		return note(&c->dropped, key);
	default:
		if (note(&c->kept_facts, key))
			return -ENOMEM;
		return buf_printf(out, "%s", value);
	}
}

/* What the log misses, its copy misses, too, though it will be whole. */
static int put_damage(struct anon_copy *c)
{
	const struct mmt_counts *counts = mmt_counts(c->log);
	const char *defect = counts->cut_before ? NULL : log_defect(counts);
	struct buf out = {0};
	int ret = repack_damage(&out, c->log, defect);

	if (!ret && out.len)
		ret = mmt_writer_meta(c->w, "import.damage", (char *)out.p);
	buf_free(&out);
	return ret;
}

static int copy_facts(struct anon_copy *c)
{
	struct buf out = {0};
	const char *key, *value;
	unsigned int i = 0;
	int ret = 0;
	bool drop;

	while (!ret && mmt_meta_next(c->log, &i, &key, &value)) {
		/* of a repeated one the last stands */
		if (mmt_meta(c->log, key) != value)
			continue;
		out.len = 0;
		ret = change_fact(c, &out, key, value, &drop);
		if (!ret && !drop)
			ret = mmt_writer_meta(c->w, key, (char *)out.p);
	}
	buf_free(&out);
	return ret ? ret : put_damage(c);
}

/* "comm", "prev_comm": a task's name, whatever the event. */
static uint8_t field_treatment(const struct mmt_field *field)
{
	size_t len = strlen(field->name);

	if (field->type != MMT_STRING)
		return field->type == MMT_UNSIGNED &&
				       field->role == MMT_NO_ROLES &&
				       field->size == 8
			       ? FIELD_ADDRESS
			       : FIELD_KEEP;
	if (field->role == MMT_COMM ||
	    (len >= 4 && !strcmp(field->name + len - 4, "comm")))
		return FIELD_COMM;
	return FIELD_PATH;
}

/* Type 0, loss, is in every log from the start. */
static int copy_schemas(struct anon_copy *c)
{
	unsigned int i, f;

	for (i = 0; i < mmt_nr_types(c->log); i++) {
		const struct mmt_schema *s = mmt_schema(c->log, i);
		int type = 0;

		if (i || s->kind != MMT_LOSS)
			type = mmt_writer_schema(c->w, s);
		if (type < 0)
			return type;
		c->type[i] = (uint16_t)type;
		for (f = 0; f < s->nr_fields; f++) {
			c->field[i][f] = field_treatment(&s->field[f]);
			c->changes[i] |= c->field[i][f] != FIELD_KEEP;
		}
	}
	return 0;
}

/* ------------------------------------------------------------------ texts */

static int copy_names(struct anon_copy *c, const struct mmt_text *text,
		      bool tasks)
{
	struct buf out = {0};
	uint64_t nr_bad = 0;
	int ret = tasks ? anon_tasks(&c->anon, &out, text->text, &nr_bad)
			: anon_cgroups(&c->anon, &out, text->text);

	/* what stands behind a NUL is no line either */
	if (tasks)
		c->nr_bad_tasks += nr_bad + (strlen(text->text) != text->len);
	if (!ret)
		ret = mmt_writer_text(c->w, text->name, text->time_ns, out.p,
				      out.len);
	buf_free(&out);
	return ret;
}

static int drop_text(struct anon_copy *c, const struct mmt_text *text)
{
	struct buf word = {0};
	int ret = buf_printf(&word, "text %s", text->name);

	if (!ret)
		ret = note(&c->dropped, (char *)word.p);
	buf_free(&word);
	return ret;
}

static int copy_text(struct anon_copy *c, const struct mmt_text *text)
{
	enum anon_text kind = anon_text_kind(text->name);
	int ret;

	switch (kind) {
	case ANON_TEXT_UNKNOWN:
		return drop_text(c, text);
	case ANON_TEXT_TASKS:
	case ANON_TEXT_CGROUPS:
		return copy_names(c, text, kind == ANON_TEXT_TASKS);
	case ANON_TEXT_PLAIN:
		break;
	}
	ret = note(&c->kept_texts, text->name);
	return ret ? ret
		   : mmt_writer_text(c->w, text->name, text->time_ns,
				     text->text, text->len);
}

static int copy_texts(struct anon_copy *c)
{
	struct mmt_text text;
	unsigned int i = 0;
	int ret;

	while (!(ret = mmt_text_next(c->log, &i, &text, c->err)) && text.name) {
		ret = copy_text(c, &text);
		if (ret)
			break;
	}
	return ret;
}

/* ----------------------------------------------------------------- events */

static struct mmt_track *track_of(struct anon_copy *c, uint16_t cpu)
{
	if (!c->track[cpu] && mmt_track_open(&c->track[cpu], c->w, cpu))
		return NULL;
	return c->track[cpu];
}

static int change_values(struct anon_copy *c, const struct mmt_event *ev,
			 uint64_t *vals)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ev->nr && !ret; i++) {
		uint8_t field = c->field[ev->type][i];
		struct buf *text = &c->text[i];

		vals[i] = ev->v[i];
		if (field == FIELD_ADDRESS)
			vals[i] = anon_address(&c->anon, ev->v[i]);
		if (field == FIELD_KEEP || field == FIELD_ADDRESS)
			continue;
		text->len = 0;
		if (field == FIELD_COMM)
			ret = anon_comm(&c->anon, text, mmt_event_string(ev, i),
					false);
		else
			ret = anon_path(&c->anon, text, ANON_PATH,
					mmt_event_string(ev, i));
		vals[i] = (uintptr_t)text->p;
	}
	return ret;
}

static int copy_event(struct anon_copy *c, const struct mmt_event *ev)
{
	uint64_t vals[MMT_MAX_FIELDS];
	struct mmt_event copy = *ev;
	struct mmt_track *track = track_of(c, ev->cpu);

	if (!track)
		return -ENOMEM;
	if (c->changes[ev->type]) {
		if (change_values(c, ev, vals))
			return -ENOMEM;
		copy.v = vals;
	}
	copy.type = c->type[ev->type];
	c->nr_events += ev->kind != MMT_LOSS;
	return mmt_track_append(track, &copy);
}

static int copy_events(struct anon_copy *c)
{
	const struct mmt_event *ev;
	struct mmt_stream *s;
	int ret = mmt_stream_open(&s, c->log, NULL, c->err);

	if (ret)
		return ret;
	while (!ret && (ev = mmt_stream_next(s)))
		ret = copy_event(c, ev);
	if (!ret)
		ret = mmt_stream_error(s, c->err);
	mmt_stream_close(s);
	return ret;
}

/* ------------------------------------------------------------------- verb */

/* The key in a file, so that several logs get the same pseudonyms. */
static int read_key(uint8_t key[SIPHASH_KEY_LEN], const char *path,
		    struct errbuf *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	ssize_t n;

	if (fd < 0)
		return errbuf_set(err, -errno, "%s: %s", path, strerror(errno));
	n = read(fd, key, SIPHASH_KEY_LEN);
	ret = n < 0 ? -errno : 0;
	close(fd);
	if (ret)
		return errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
	if (n == SIPHASH_KEY_LEN)
		return 0;
	errbuf_set(err, -EINVAL, "%s: a key has %d bytes", path,
		   SIPHASH_KEY_LEN);
	errbuf_hint(err, "head -c %d /dev/urandom >FILE makes one",
		    SIPHASH_KEY_LEN);
	return -EINVAL;
}

static int draw_key(struct anon_copy *c)
{
	uint8_t key[SIPHASH_KEY_LEN];
	int ret = 0;

	if (c->o->key)
		ret = read_key(key, c->o->key, c->err);
	else if (getrandom(key, sizeof(key), 0) != sizeof(key))
		ret = errbuf_set(c->err, -EIO, "no random numbers: %s",
				 strerror(errno));
	if (!ret)
		anon_init(&c->anon, key);
	explicit_bzero(key, sizeof(key));
	return ret;
}

static int refuse_raw(struct anon_copy *c)
{
	const char *raw = mmt_meta(c->log, "raw");

	if (!raw || strcmp(raw, "yes"))
		return 0;
	errbuf_set(c->err, -EINVAL, "%s: has raw kernel addresses",
		   mmt_path(c->log));
	errbuf_hint(c->err, "only a log recorded without --raw can be shared");
	return -EINVAL;
}

static int fill_copy(void *data, struct mmt_writer *w, struct errbuf *err)
{
	struct anon_copy *c = data;
	int ret;

	(void)err; /* it is c->err */
	c->w = w;
	ret = copy_facts(c);
	if (!ret)
		ret = copy_schemas(c);
	if (!ret)
		ret = mmt_writer_start(c->w);
	if (!ret)
		ret = copy_texts(c);
	return ret ? ret : copy_events(c);
}

static void copy_free(struct anon_copy *c)
{
	unsigned int i;

	anon_free(&c->anon);
	for (i = 0; i < MMT_MAX_FIELDS; i++)
		buf_free(&c->text[i]);
	strings_free(&c->dropped);
	strings_free(&c->kept_facts);
	strings_free(&c->kept_texts);
	free(c->track);
	free(c);
}

static int anon_log(const struct log_options *o, struct mmt *log, FILE *out,
		    struct errbuf *err)
{
	struct anon_copy *c = calloc(1, sizeof(*c));
	int ret = -ENOMEM;

	if (!c)
		return errbuf_set(err, ret, "out of memory");
	c->o = o;
	c->log = log;
	c->err = err;
	c->track = calloc(UINT16_MAX + 1, sizeof(struct mmt_track *));
	if (c->track)
		ret = refuse_raw(c);
	if (!ret)
		ret = draw_key(c);
	if (!ret)
		ret = log_copy_write(o, 0, fill_copy, c, err);
	if (!ret)
		ret = anon_report(out, c);
	if (ret && !*err->text)
		errbuf_set(err, ret, "%s: %s", mmt_path(log), strerror(-ret));
	copy_free(c);
	return ret;
}

static int run_anon(const struct log_options *o, FILE *out, struct errbuf *err)
{
	struct mmt *log;
	int ret = log_copy_open(&log, o, "anon", err);

	if (ret)
		return ret;
	ret = anon_log(o, log, out, err);
	if (!ret)
		ret = log_status(o, log);
	mmt_close(log);
	return ret;
}

const struct log_verb log_anon_verb = {
	.name = "anon",
	.help = "usage: mm-log anon [OPTION...] FILE -o OUT.mmt\n"
		"\n"
		"Copies a log with pseudonyms for names of tasks, files,\n"
		"cgroups and hosts, and for the command line; prints what was\n"
		"replaced and what remains.  Analyses of both give the same.\n"
		"\n"
		"  -o, --output FILE  the copy\n"
		"  -f, --overwrite    replace it if it exists\n"
		"      --key FILE     16 random bytes, for the same pseudonyms\n"
		"                     in several logs; drawn anew without it\n"
		"      --keep-note    keep the note of the recording\n"
		"      --level N      compression, 1 (fast) to 19 (small)\n"
		"      --salvage      use what is whole of a damaged log\n"
		"      --strict       loss or damage gives exit 3\n"
		"  -h, --help         this text\n"
		"  -V, --version      the version\n",
	.shorts = LOG_COPY_SHORTS,
	.longs = longs,
	.run = run_anon,
};
