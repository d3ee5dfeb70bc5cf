/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mock-tree.c - the files of a machine that is not there, for --root */

#include "config.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "tests/mock-tree.h"

int mock_setup(void **state)
{
	char root[] = "/tmp/mmcap-mock.XXXXXX";
	struct host *h = calloc(1, sizeof(*h));

	if (!h || !mkdtemp(root))
		return -1;
	h->root = strdup(root);
	*state = h;
	return h->root ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int mock_teardown(void **state)
{
	struct host *h = *state;
	int ret;

	ret = nftw(h->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free((char *)h->root);
	free(h);
	return ret;
}

/* The path on this machine; the folders above it are there. */
static void make_path(const struct host *h, const char *path,
		      char full[PATH_MAX])
{
	char *p;

	assert_int_equal(host_path(h, full, "%s", path), 0);
	for (p = full + strlen(h->root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(full, 0755) && errno != EEXIST)
			fail_msg("%s: %s", full, strerror(errno));
		*p = '/';
	}
}

void mock_write(const struct host *h, const char *path, const void *p,
		size_t len)
{
	char full[PATH_MAX];
	FILE *f;

	make_path(h, path, full);
	/* ext4 writes a file out that replaces another in place */
	unlink(full);
	f = fopen(full, "we");
	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

void mock_text(const struct host *h, const char *path, const char *text)
{
	mock_write(h, path, text, strlen(text));
}

void mock_gz(const struct host *h, const char *path, const char *text)
{
	char full[PATH_MAX];
	gzFile gz;

	make_path(h, path, full);
	gz = gzopen(full, "we");
	assert_non_null(gz);
	assert_int_equal(gzputs(gz, text), (int)strlen(text));
	assert_int_equal(gzclose(gz), Z_OK);
}

void mock_remove(const struct host *h, const char *path)
{
	char full[PATH_MAX];

	assert_int_equal(host_path(h, full, "%s", path), 0);
	assert_int_equal(remove(full), 0);
}
