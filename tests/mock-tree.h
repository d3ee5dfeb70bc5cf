/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mock-tree.h - the files of a machine that is not there, for --root */
#ifndef TESTS_MOCK_TREE_H
#define TESTS_MOCK_TREE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "capture/host.h"

/* cmocka setup and teardown: *state is a struct host of an empty tree. */
int mock_setup(void **state);
int mock_teardown(void **state);

/* Files with this content, below the root; folders are made. */
void mock_write(const struct host *h, const char *path, const void *p,
		size_t len);
void mock_text(const struct host *h, const char *path, const char *text);
/* The same, compressed as /proc/config.gz is. */
void mock_gz(const struct host *h, const char *path, const char *text);
void mock_remove(const struct host *h, const char *path);

#endif
