/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-flips-raw.c - raw sub-buffers and their formats, spoiled 5,000 times */

/*
 * Pages of a real recording with some of the formats of its kernel.  Three of
 * four inputs have damaged pages, the others damaged formats.
 */

#include "config.h"

#include <zstd.h>

#include "tests/flips.h"

#define NR_PAGES   3
#define PAGE       4096
#define RECORD_MIN 4
#define MARK       "=== "

static struct flips pages, formats;

static char *data_path(char *out, size_t size, const char *name)
{
	const char *top = getenv("top_srcdir");

	snprintf(out, size, "%s/tests/data/%s", top ? top : ".", name);
	return out;
}

/* The first pages of a packed recording. */
static uint8_t *load_pages(size_t len)
{
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	ZSTD_inBuffer in = {0};
	ZSTD_outBuffer out = {0};
	uint8_t *packed;
	char path[512];

	assert_non_null(zstd);
	data_path(path, sizeof(path), "raw-ftrace/cpu0.raw.zst");
	packed = flips_load(path, &in.size);
	in.src = packed;
	out.size = len;
	out.dst = malloc(len);
	assert_non_null(out.dst);
	while (out.pos < len)
		assert_false(
			ZSTD_isError(ZSTD_decompressStream(zstd, &out, &in)));
	ZSTD_freeDCtx(zstd);
	free(packed);
	return out.dst;
}

/* Is it a section of a text of formats that the pages need? */
static bool is_needed(const char *section)
{
	static const char *const names[] = {
		"header_page", "filemap/mm_filemap_add",
		"filemap/mm_filemap_get", "pagemap/mm_lru_insertion"};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(section, names[i], strlen(names[i])))
			return true;
	return false;
}

static void load_formats(struct flips *f)
{
	struct buf kept = {0};
	char path[512], *all, *p, *next;
	size_t len;

	data_path(path, sizeof(path), "raw-ftrace/formats.txt");
	all = (char *)flips_load(path, &len);
	all[len] = '\0';
	for (p = strstr(all, MARK); p; p = next) {
		next = strstr(p + 1, MARK);
		len = next ? (size_t)(next - p) : strlen(p);
		if (is_needed(p + strlen(MARK)))
			assert_int_equal(buf_append(&kept, p, len), 0);
	}
	free(all);
	flips_new(f, kept.p, kept.len);
}

static int setup(void **state)
{
	(void)state;
	flips_new(&pages, load_pages(NR_PAGES * PAGE), NR_PAGES * PAGE);
	load_formats(&formats);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	flips_free(&pages);
	flips_free(&formats);
	return 0;
}

static void read_pages(struct flips_result *r)
{
	const struct import_options options = {.from = "raw",
					       .formats = formats.path};

	flips_import(&pages, &options, pages.len / RECORD_MIN, r);
}

static void test_prefixes(void **state)
{
	uint64_t before = 0;
	struct flips_result r;
	size_t len;

	(void)state;
	flips_seed("raw pages, cut");
	flips_put(&formats, formats.bytes, formats.len);
	for (len = 1; len <= pages.len; len++) {
		/* a page is like another: every length of the last one */
		if (len < pages.len - PAGE && len % PAGE > 64 && len % 16)
			continue;
		flips_put(&pages, pages.bytes, len);
		read_pages(&r);
		assert_true(r.nr_events >= before);
		assert_true(r.ret || r.damaged || len % PAGE == 0);
		before = r.nr_events;
	}
	assert_int_equal(r.ret, 0);
	assert_true(r.nr_events > 100);
	flips_done();
}

static void test_flips(void **state)
{
	unsigned int i, nr_read = 0;
	struct flips_result r;

	(void)state;
	flips_seed("raw pages, spoiled");
	for (i = 0; i < NR_FLIPS / 2; i++) {
		flips_put(&pages, pages.bytes, pages.len);
		flips_put(&formats, formats.bytes, formats.len);
		if (i % 4) {
			/* half of the time in the head of a page */
			size_t at = flips_random() % NR_PAGES * PAGE;

			flips_spoil(&pages, at, at + (i % 2 ? PAGE : 64));
			flips_put(&pages, pages.copy, pages.len);
		} else {
			flips_spoil(&formats, 0, formats.len);
			flips_put(&formats, formats.copy, formats.len);
		}
		read_pages(&r);
		nr_read += !r.ret;
	}
	assert_true(nr_read > NR_FLIPS / 4);
	flips_done();
}

#define TEST(test) cmocka_unit_test_teardown(test, flips_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_prefixes),
		TEST(test_flips),
	};

	return cmocka_run_group_tests_name("spoiled raw pages", tests, setup,
					   teardown);
}
