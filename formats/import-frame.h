/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import-frame.h - inside of the frame of all importers */
#ifndef FORMATS_IMPORT_FRAME_H
#define FORMATS_IMPORT_FRAME_H

#include <sys/types.h>

#include "formats/import.h"

#define IMPORT_HEAD (1U << 16) /* bytes that a kind is detected by */

/* "standard input", or the path, printable; at most 200 characters. */
#define IMPORT_NAME_MAX 256
const char *import_name(char out[IMPORT_NAME_MAX], const char *path);

/* -------------------------------------------------------- import-input.c */

/*
 * Opens an input as a regular file, to be closed by the caller: a pipe is
 * copied to a file without a name when it is first opened.  With detect, one
 * that nobody knows is not copied to its end, which it may not have.
 */
int import_input(const char *path, const struct import_options *detect,
		 struct errbuf *err);

/* A file without a name, open for reading and writing. */
int import_nameless(struct errbuf *err);

/* read() until it is full or the input ends: bytes, or -errno. */
ssize_t import_read(int fd, uint8_t *p, size_t len);

/* --------------------------------------------------------- import-tasks.c */

/* A line of the text "tasks", see mmt(5): the comm is escaped.  0, -ENOMEM. */
int import_task_line(struct buf *out, int64_t tid, int64_t tgid,
		     const char *comm, size_t len);

/* -------------------------------------------------------- import-probes.c */

/*
 * Reads the definitions that the options name.  Lines that are none become
 * notes; a file without a single one that was named as such is an error.
 */
int import_probes_load(struct import *im);

/* Is it a text of definitions, and so nothing else? */
bool import_is_probes(const char *path);

/* ---------------------------------------------------------- import-dir.c */

/* Files of a directory, to be freed also if there are none. */
struct import_files {
	char **path;
	unsigned int nr;
};

bool import_is_dir(const char *path);
/* -EISDIR if none is of a CPU. */
int import_list_dir(struct import_files *files, const char *dir,
		    struct errbuf *err);
void import_files_free(struct import_files *files);

/* -------------------------------------------------------------- import.c */

/* The importer for an input that begins like this, or NULL. */
const struct importer *import_detect(const struct import_options *options,
				     const uint8_t *head, size_t len,
				     const char *path);

/* Does a log begin like this? */
bool import_is_log(const uint8_t *head, size_t len);

/* ------------------------------------------------------- import-report.c */

/* Cuts lists that went over their limit, with a line that says so. */
int import_report_close(struct import *im);

#endif
