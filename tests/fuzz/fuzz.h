/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz.h - what the fuzz targets share */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "formats/mmt.h"

#define FUZZ_PATH_MAX 64

/* libFuzzer calls these by name. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
/* LeakSanitizer does. */
const char *__lsan_default_suppressions(void);

/* What was read is summed up here, so that no read is left out. */
extern volatile uint64_t fuzz_sum;

/* A file without a name that has these bytes, to be closed by the caller. */
int fuzz_file(const uint8_t *data, size_t size);
/* A path to it, for what takes one. */
char *fuzz_path(char out[FUZZ_PATH_MAX], int fd);

/*
 * Reads all that a log has, as the programs do: texts, events, every byte of
 * every string.  Closes the log.
 */
void fuzz_read_log(struct mmt *log);

/* Imports the bytes as this kind and reads the log that comes out. */
void fuzz_import(const char *kind, const uint8_t *data, size_t size);

#endif
