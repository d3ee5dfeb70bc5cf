/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import.c - makes a log of what another program recorded */

/*
 * The frame around all importers: finds the kind by the first bytes of the
 * input, creates the log, lets the importer fill it, and keeps with the log
 * what had to be assumed and what was missing.  A log of nothing, or of half an
 * input, is not left behind.  For analyzers the log is a
 * file without a name that goes away with them.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/block.h"
#include "formats/import-frame.h"
#include "formats/units.h"

/* The most CPUs that a kernel can be built for. */
#define MAX_CPUS 8192

const struct importer *const importers[] = {
	&import_tracedat,
	&import_keys64,
	&import_oracle_general,
	&import_csv,
	&import_text,
	&import_raw,
	NULL,
};

/* -------------------------------------------------------------- detection */

bool import_is_log(const uint8_t *head, size_t len)
{
	return len && !memcmp(head, MMT_MAGIC, MIN(len, 8));
}

const struct importer *import_detect(const struct import_options *options,
				     const uint8_t *head, size_t len,
				     const char *path)
{
	const struct importer *const *imp;

	for (imp = importers; *imp; imp++) {
		/* bytes without a form: only who has formats can mean them */
		if (*imp == &import_raw && !options->formats)
			continue;
		if ((*imp)->detect && (*imp)->detect(head, len, path))
			return *imp;
	}
	return NULL;
}

static const struct importer *find_importer(const char *name)
{
	const struct importer *const *imp;

	for (imp = importers; *imp; imp++)
		if (!strcmp((*imp)->name, name))
			return *imp;
	return NULL;
}

static void hint_kinds(const char *typed, struct errbuf *err)
{
	const char *names[ARRAY_SIZE(importers)], *near;
	char all[128] = "";
	unsigned int i;

	for (i = 0; importers[i]; i++) {
		names[i] = importers[i]->name;
		strncat(all, " ", sizeof(all) - strlen(all) - 1);
		strncat(all, names[i], sizeof(all) - strlen(all) - 1);
	}
	near = nearest_name(typed, names, i);
	if (near)
		errbuf_hint(err, "did you mean --from %s?", near);
	else
		errbuf_hint(err, "kinds:%s", all);
}

static int check_page_size(uint64_t size, struct errbuf *err)
{
	if (!size || (!(size & (size - 1)) && size >= 512 && size <= 1U << 24))
		return 0;
	errbuf_set(err, -EINVAL,
		   "--page-size %" PRIu64
		   ": not a power of two from 512 to 16M",
		   size);
	errbuf_hint(err, "kernels have pages of 4K, 16K or 64K");
	return -EINVAL;
}

int import_check_options(const struct import_options *options,
			 struct errbuf *err)
{
	char safe[128];

	if (check_page_size(options->page_size, err))
		return -EINVAL;
	if (!options->from || find_importer(options->from))
		return 0;
	errbuf_set(err, -EINVAL, "--from %s: no such kind",
		   units_escape(safe, sizeof(safe), options->from));
	hint_kinds(options->from, err);
	return -EINVAL;
}

/* What is known of files that are no input, for a hint. */
static int unknown_kind(const char *name, const uint8_t *head, size_t len,
			struct errbuf *err)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *hint;
	} known[] = {
		{"PERFILE2", 8,
		 "it is a perf.data: perf script prints it as text, which can be imported"},
		{"\xff\xfe", 2,
		 "it is UTF-16: iconv -f UTF-16 -t UTF-8 FILE gives text, and '-' reads a pipe"},
		{"\xfe\xff", 2,
		 "it is UTF-16: iconv -f UTF-16 -t UTF-8 FILE gives text, and '-' reads a pipe"},
		{"\x28\xb5\x2f\xfd", 4,
		 "it is compressed: zstd -dc FILE gives what is in it, and '-' reads a pipe"},
		{"\x1f\x8b", 2,
		 "it is compressed: gzip -dc FILE gives what is in it, and '-' reads a pipe"},
		{"\xfd"
		 "7zXZ",
		 5,
		 "it is compressed: xz -dc FILE gives what is in it, and '-' reads a pipe"},
	};
	unsigned int i;

	errbuf_set(err, -EINVAL, "%s: %s", name,
		   len >= 8 && !memcmp(head, "PERFILE2", 8)
			   ? "is a perf.data, not a trace.dat"
			   : "is of no kind that can be imported");
	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (len >= known[i].len &&
		    !memcmp(head, known[i].magic, known[i].len)) {
			errbuf_hint(err, "%s", known[i].hint);
			return -EINVAL;
		}
	if (import_raw.detect(head, len, name))
		errbuf_hint(err, "raw pages of a kernel need --formats with "
				 "its event formats");
	else
		errbuf_hint(err, "--from KIND if you know it better: tracedat, "
				 "text, raw, csv, keys64, oracleGeneral");
	return -EINVAL;
}

/* Reads the first bytes of the input.  Their number or an error. */
static ssize_t read_head(const char *path, const struct import_options *o,
			 uint8_t *head, struct errbuf *err)
{
	int fd = import_input(path, o, err);
	char name[IMPORT_NAME_MAX];
	ssize_t len;

	if (fd < 0)
		return fd;
	/* a copy of a descriptor shares its position: leave it alone */
	do {
		len = pread(fd, head, IMPORT_HEAD, 0);
	} while (len < 0 && errno == EINTR);
	if (len < 0)
		len = errbuf_set(err, -errno, "%s: %s", import_name(name, path),
				 strerror(errno));
	close(fd);
	return len;
}

/* Finds the importer, by --from or by the first bytes of the first input. */
static int choose(const struct importer **impp, const char *path,
		  const struct import_options *o, struct errbuf *err)
{
	uint8_t *head = malloc(IMPORT_HEAD);
	char name[IMPORT_NAME_MAX];
	ssize_t len;
	int ret = 0;

	if (!head)
		return errbuf_set(err, -ENOMEM, "out of memory");
	len = read_head(path, o, head, err);
	*impp = o->from ? find_importer(o->from) : NULL;
	if (len < 0)
		ret = (int)len;
	else if (!len)
		ret = errbuf_set(err, -ENODATA, "%s: is an empty file",
				 import_name(name, path));
	else if (import_is_log(head, (size_t)len))
		ret = errbuf_set(err, -EINVAL, "%s: is a log already",
				 import_name(name, path));
	else if (!*impp)
		*impp = import_detect(o, head, (size_t)len, path);
	if (!ret && !*impp)
		ret = unknown_kind(import_name(name, path), head, (size_t)len,
				   err);
	free(head);
	return ret;
}

/* ----------------------------------------------------------------- output */

/* The log would replace what it is made from. */
static int check_output(const struct import *im, const char *out)
{
	char name[IMPORT_NAME_MAX];
	struct stat a, b;
	unsigned int i;

	if (!out || stat(out, &a))
		return 0;
	for (i = 0; i < im->nr_paths; i++)
		if (!stat(im->paths[i], &b) && a.st_dev == b.st_dev &&
		    a.st_ino == b.st_ino)
			return errbuf_set(im->err, -EINVAL,
					  "%s: is input and output",
					  import_name(name, out));
	return 0;
}

/* Creates the log; *fdp is another descriptor of one without a name. */
static int create_log(struct import *im, const char *out, unsigned int flags,
		      int *fdp)
{
	int fd, ret;

	if (out)
		return mmt_writer_create(&im->writer, out, flags | MMT_WHOLE,
					 im->err);
	fd = import_nameless(im->err);
	if (fd < 0)
		return fd;
	*fdp = dup(fd);
	if (*fdp < 0) {
		ret = errbuf_set(im->err, -errno, "temporary file: %s",
				 strerror(errno));
		close(fd);
		return ret;
	}
	ret = mmt_writer_create_fd(&im->writer, fd);
	if (ret)
		errbuf_set(im->err, ret, "out of memory");
	return ret;
}

struct mmt_track *import_track(struct import *im, unsigned int cpu)
{
	struct mmt_track **tracks;

	if (cpu >= MAX_CPUS)
		return NULL;
	if (cpu >= im->nr_tracks) {
		tracks = realloc(im->tracks, (cpu + 1) * sizeof(*tracks));
		if (!tracks)
			return NULL;
		memset(tracks + im->nr_tracks, 0,
		       (cpu + 1 - im->nr_tracks) * sizeof(*tracks));
		im->tracks = tracks;
		im->nr_tracks = cpu + 1;
	}
	if (!im->tracks[cpu] &&
	    mmt_track_open(&im->tracks[cpu], im->writer, cpu))
		return NULL;
	return im->tracks[cpu];
}

int import_put_page_size(struct import *im, uint64_t stated)
{
	uint64_t said = im->options->page_size;
	char name[IMPORT_NAME_MAX], text[24];

	if (stated && said && stated != said) {
		errbuf_set(im->err, -EINVAL,
			   "%s: has pages of %" PRIu64
			   " bytes, --page-size says %" PRIu64,
			   import_name(name, im->paths[0]), stated, said);
		errbuf_hint(im->err,
			    "--page-size is for inputs that do not state it");
		return -EINVAL;
	}
	if (!stated)
		stated = said;
	snprintf(text, sizeof(text), "%" PRIu64, stated);
	return stated ? mmt_writer_meta(im->writer, "page.size", text) : 0;
}

int import_put_order(struct import *im)
{
	int ret = 0;

	if (im->options->clock)
		ret = import_note(
			im,
			"--clock is not used: times are places in the stream");
	return ret ? ret : mmt_writer_meta(im->writer, "clock", "order");
}

static void count_tracks(struct import *im)
{
	struct import_report *r = im->report;
	uint64_t nr_events, nr_lost, nr_gaps;
	unsigned int i;

	for (i = 0; i < im->nr_tracks; i++) {
		if (!im->tracks[i])
			continue;
		mmt_track_counts(im->tracks[i], &nr_events, &nr_lost, &nr_gaps);
		r->nr_events += nr_events;
		r->nr_lost += nr_lost;
		r->nr_gaps_uncounted += nr_gaps;
	}
}

/* --------------------------------------------------------------- the import */

/* An input of which nothing came out: why, in one line. */
static int nothing_read(struct import *im)
{
	const struct import_report *r = im->report;
	char name[IMPORT_NAME_MAX];
	const char *damage = (const char *)r->damage.p;

	import_name(name, im->paths[0]);
	if (r->damage.len)
		return errbuf_set(im->err, -ENODATA,
				  "%s: no event could be read: %.*s", name,
				  (int)strcspn(damage, "\n"), damage);
	if (*r->first_failed)
		return errbuf_set(im->err, -ENODATA,
				  "%s: no event could be read, as in: %s", name,
				  r->first_failed);
	return errbuf_set(im->err, -ENODATA,
			  "%s: has no event that can be read", name);
}

/* What the log says of its origin, so that later readers know, too. */
static int put_origin(struct import *im)
{
	const struct import_report *r = im->report;
	int ret = mmt_writer_meta(im->writer, "import.kind", r->kind);

	if (!ret && r->notes.len)
		ret = mmt_writer_meta(im->writer, "import.notes",
				      (char *)r->notes.p);
	if (!ret && r->damage.len)
		ret = mmt_writer_meta(im->writer, "import.damage",
				      (char *)r->damage.p);
	return ret;
}

/* What the user said of the input and this kind cannot have. */
static int note_unused(struct import *im, const struct importer *importer)
{
	const struct import_options *o = im->options;
	bool is_text = importer == &import_text;
	char name[IMPORT_NAME_MAX];
	int ret = 0;

	if (o->buffer && !is_text && importer != &import_tracedat)
		ret = import_note(im, "--buffer is not used: %s has none",
				  importer->name);
	if (!ret && o->unwrap && !is_text)
		ret = import_note(im, "--unwrap is not used: %s is no text",
				  importer->name);
	if (ret || !o->formats || importer == &import_raw || im->probes.nr)
		return ret;
	if (access(o->formats, R_OK))
		return errbuf_set(im->err, -errno, "%s: %s",
				  import_name(name, o->formats),
				  strerror(errno));
	return import_note(
		im, "--formats is not used: no definition of a probe in it");
}

static int run_importer(struct import *im, const struct importer *importer)
{
	char name[IMPORT_NAME_MAX];
	int ret, status;

	ret = mmt_writer_meta(im->writer, "import.program",
			      "mm-log " PACKAGE_VERSION);
	if (im->options->level)
		mmt_writer_level(im->writer, im->options->level);
	if (!ret)
		ret = import_probes_load(im);
	if (!ret)
		ret = note_unused(im, importer);
	if (!ret)
		ret = importer->run(im);
	probes_free(&im->probes);
	status = import_report_close(im);
	if (!ret)
		ret = status;
	count_tracks(im);
	if (!ret && !im->report->nr_events && !im->report->empty)
		ret = nothing_read(im);
	if (!ret)
		ret = put_origin(im);
	if (ret && !*im->err->text)
		errbuf_set(im->err, ret, "%s: %s",
			   import_name(name, im->paths[0]), strerror(-ret));
	return ret;
}

static int write_error(struct import *im, const char *out, int ret)
{
	char name[IMPORT_NAME_MAX];

	return errbuf_set(im->err, ret, "%s: %s",
			  out ? import_name(name, out) : "temporary file",
			  strerror(-ret));
}

static int finish(struct import *im, const char *out, int ret)
{
	struct errbuf err;
	struct stat st;
	int status;

	/* a full disk is not the input's fault, though its reader saw it */
	if (ret && mmt_writer_error(im->writer))
		ret = write_error(im, out, mmt_writer_error(im->writer));
	status = mmt_writer_finish(im->writer, ret, &err);
	if (!ret && status)
		write_error(im, out, status);
	free(im->tracks);
	if (!status && out && !stat(out, &st))
		im->report->nr_bytes = (uint64_t)st.st_size;
	return status;
}

static const char *plain_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

/* Imports the files of im->paths; name is for the log in memory. */
static int run_import(struct import *im, struct mmt **logp, const char *out,
		      unsigned int flags, const char *name)
{
	const struct importer *importer = NULL;
	int fd = -1, ret;

	ret = choose(&importer, im->paths[0], im->options, im->err);
	if (!ret)
		ret = check_output(im, out);
	if (!ret)
		ret = create_log(im, out, flags, &fd);
	if (!ret) {
		im->report->kind = importer->name;
		ret = finish(im, out, run_importer(im, importer));
	}
	if (!ret && !out) {
		ret = mmt_open_fd(logp, fd, name, 0, im->err);
		fd = -1;
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

int import_run(struct mmt **logp, const char *out, unsigned int flags,
	       const struct import_options *options, const char *const *paths,
	       unsigned int nr_paths, struct import_report *report,
	       struct errbuf *err)
{
	struct import im = {.options = options,
			    .paths = paths,
			    .nr_paths = nr_paths,
			    .report = report,
			    .err = err};
	struct import_files files = {0};
	int ret;

	*report = (struct import_report){0};
	*err = (struct errbuf){0};
	ret = import_check_options(options, err);
	if (!ret && nr_paths == 1 && import_is_dir(paths[0])) {
		ret = import_list_dir(&files, paths[0], err);
		im.paths = (const char *const *)files.path;
		im.nr_paths = files.nr;
	}
	if (!ret)
		ret = run_import(&im, logp, out, flags, plain_name(paths[0]));
	import_files_free(&files);
	return ret;
}

/* ------------------------------------------------------------------- open */

/* A damaged recording is for the user to decide on, as a damaged log is. */
static int refuse_damage(const char *path, const struct import_report *report,
			 struct errbuf *err)
{
	const char *text = (const char *)report->damage.p;
	char name[IMPORT_NAME_MAX];

	errbuf_set(err, -EBADMSG, "%s: %.*s", import_name(name, path),
		   text ? (int)strcspn(text, "\n") : 0, text ? text : "");
	errbuf_hint(err, "--salvage uses what is whole; results are then "
			 "marked incomplete");
	return -EBADMSG;
}

static int open_log(struct mmt **logp, const char *path, unsigned int flags,
		    struct errbuf *err)
{
	int fd = import_input(path, NULL, err);

	if (fd < 0)
		return fd;
	return mmt_open_fd(logp, fd,
			   strcmp(path, "-") ? path : "standard input", flags,
			   err);
}

/* Is it a log?  1, 0, or an error. */
static int is_log(const char *path, const struct import_options *options,
		  struct errbuf *err)
{
	uint8_t *head;
	ssize_t len;

	if (import_is_dir(path))
		return 0;
	head = malloc(IMPORT_HEAD);
	if (!head)
		return errbuf_set(err, -ENOMEM, "out of memory");
	len = read_head(path, options, head, err);
	if (len > 0)
		len = import_is_log(head, (size_t)len);
	free(head);
	return (int)len;
}

int import_open(struct mmt **logp, const char *path, unsigned int flags,
		const struct import_options *options,
		struct import_report *report, struct errbuf *err)
{
	int ret = is_log(path, options, err);

	*report = (struct import_report){0};
	if (ret < 0)
		return ret;
	if (ret)
		return open_log(logp, path, flags, err);
	ret = import_run(logp, NULL, 0, options, &path, 1, report, err);
	if (!ret && report->damaged && !(flags & MMT_SALVAGE)) {
		mmt_close(*logp);
		*logp = NULL;
		ret = refuse_damage(path, report, err);
	}
	return ret;
}
