/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-table.c - tables: CSV there and back, JSON, text, and bad CSV refused */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "formats/table.h"

static char *written(const struct table *t,
		     int (*write)(const struct table *, FILE *))
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_int_equal(write(t, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* Reads len bytes as a CSV file; returns what table_read_csv() does. */
static int read_bytes(struct table **tp, const char *text, size_t len,
		      struct errbuf *err)
{
	char path[] = "/tmp/t-table-XXXXXX";
	int fd = mkstemp(path), ret;

	assert_true(fd >= 0);
	assert_true(write(fd, text, len) == (ssize_t)len);
	close(fd);
	ret = table_read_csv(tp, path, err);
	unlink(path);
	return ret;
}

static int read_text(struct table **tp, const char *text, struct errbuf *err)
{
	return read_bytes(tp, text, strlen(text), err);
}

/* Must be refused with exactly these words behind the file's name. */
static void refused(const char *text, size_t len, const char *fact)
{
	struct errbuf err = {0};
	struct table *t = NULL;
	char *colon;

	assert_int_equal(read_bytes(&t, text, len, &err), -EINVAL);
	assert_null(t);
	colon = strchr(err.text, ':');
	assert_non_null(colon);
	assert_string_equal(colon + 2, fact);
}

static struct table *sample(void)
{
	struct table *t;

	assert_int_equal(table_new(&t, "mm-reuse", "mrc", 1), 0);
	assert_int_equal(table_note(t, "base: %s lost %d", "a\nb.mmt", 0), 0);
	assert_int_equal(table_column(t, "size_bytes", TABLE_U64, 0), 0);
	assert_int_equal(table_column(t, "delta", TABLE_S64, 0), 1);
	assert_int_equal(table_column(t, "ratio", TABLE_REAL, 3), 2);
	assert_int_equal(table_column(t, "comm", TABLE_TEXT, 0), 3);
	table_row(t);
	table_set_u64(t, 0, UINT64_MAX);
	table_set_s64(t, 1, INT64_MIN);
	table_set_real(t, 2, 0.5);
	table_set_text(t, 3, "=1+1, \"x\"\n\xff");
	table_row(t);
	table_set_u64(t, 0, 4096);
	table_set_real(t, 2, NAN);
	table_set_text(t, 3, "'-' and \\");
	table_row(t);
	table_set_s64(t, 1, -1);
	table_set_real(t, 2, -0.0001);
	table_set_text(t, 3, "#not a note ");
	return t;
}

static const char sample_csv[] =
	"# mm-reuse " PACKAGE_VERSION " table mrc/1\n"
	"# base: a\\x0ab.mmt lost 0\n"
	"size_bytes,delta,ratio,comm\n"
	"18446744073709551615,-9223372036854775808,0.500,"
	"\"'=1+1, \"\"x\"\"\\x0a\\xff\"\n"
	"4096,,,''-' and \\\\\n"
	",-1,0.000,\"#not a note \"\n";

static void csv_is_written(void **state)
{
	struct table *t = sample();
	char *text = written(t, table_write_csv);

	(void)state;
	assert_string_equal(text, sample_csv);
	free(text);
	table_free(t);
}

static void csv_comes_back(void **state)
{
	struct errbuf err = {0};
	struct table *t;
	char *text;

	(void)state;
	assert_int_equal(read_text(&t, sample_csv, &err), 0);
	assert_string_equal(table_program(t), "mm-reuse");
	assert_string_equal(table_name(t), "mrc");
	assert_int_equal(table_nr_notes(t), 1);
	assert_string_equal(table_note_at(t, 0), "base: a\\x0ab.mmt lost 0");
	assert_int_equal(table_nr_rows(t), 3);
	assert_int_equal(table_find_column(t, "ratio"), 2);
	assert_int_equal(table_find_column(t, "rat"), -1);
	assert_true(table_empty(t, 1, 1) && !table_empty(t, 1, 0));
	assert_true(isnan(table_real(t, 1, 2)) && isnan(table_real(t, 0, 3)));
	assert_true(table_real(t, 0, 2) == 0.5 && table_real(t, 2, 1) == -1);
	assert_string_equal(table_text(t, 0, 3), "=1+1, \"x\"\\x0a\\xff");
	assert_string_equal(table_text(t, 1, 1), "");
	text = written(t, table_write_csv);
	assert_string_equal(text, sample_csv);
	free(text);
	table_free(t);
}

static void json_is_valid(void **state)
{
	struct json_object *o, *rows, *row, *v;
	struct table *t = sample();
	char *text = written(t, table_write_json);

	(void)state;
	o = json_tokener_parse(text);
	assert_non_null(o);
	assert_true(json_object_object_get_ex(o, "rows", &rows));
	assert_int_equal(json_object_array_length(rows), 3);
	row = json_object_array_get_idx(rows, 0);
	assert_true(json_object_object_get_ex(row, "size_bytes", &v));
	assert_true(json_object_get_uint64(v) == UINT64_MAX);
	assert_true(json_object_object_get_ex(row, "comm", &v));
	assert_string_equal(json_object_get_string(v), "=1+1, \"x\"\\x0a\\xff");
	row = json_object_array_get_idx(rows, 1);
	assert_true(json_object_object_get_ex(row, "ratio", &v));
	assert_null(v);
	assert_non_null(strstr(text, "\"ratio\":0.500,"));
	json_object_put(o);
	free(text);
	table_free(t);
}

static void text_is_aligned(void **state)
{
	struct errbuf err = {0};
	struct table *t;
	char *text;

	(void)state;
	assert_int_equal(read_text(&t,
				   "metric,base,fg\nrefaults,4688,4426\n"
				   "with blank,1.5,\n",
				   &err),
			 0);
	text = written(t, table_write_text);
	assert_string_equal(text, "metric         base    fg\n"
				  "refaults       4688  4426\n"
				  "with\\x20blank   1.5     -\n");
	free(text);
	table_free(t);
}

/* Wide tables become panels; no line is longer than 72 or ends in a blank. */
static void text_fits_a_mail(void **state)
{
	struct table *t;
	char name[80], *text, *line, *next;
	unsigned int i, panels = 0;

	(void)state;
	assert_int_equal(table_new(&t, "p", "n", 1), 0);
	for (i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "%u_%0*u_bytes", i,
			 i % 3 ? 10 : 55, 0);
		assert_int_equal(table_column(t, name, TABLE_U64, 0), i);
	}
	table_row(t);
	text = written(t, table_write_text);
	for (line = text; *line; line = next) {
		next = strchr(line, '\n') + 1;
		assert_true(next - line <= 73);
		assert_true(next - line == 1 || next[-2] != ' ');
		panels += !strncmp(line, "0_0", 3);
	}
	assert_true(panels > 1);
	free(text);
	table_free(t);
}

static void types_are_found(void **state)
{
	struct errbuf err = {0};
	struct table *t;
	char *text;

	(void)state;
	assert_int_equal(read_text(&t,
				   "a,b,c,d,e,f\n1,-1,1.5,1e3,0x1,'-5\n"
				   "2,3,-2,1,2,7\n",
				   &err),
			 0);
	text = written(t, table_write_json);
	assert_non_null(strstr(text, "{\"a\":1,\"b\":-1,\"c\":1.5,\"d\":1e3,"
				     "\"e\":\"0x1\",\"f\":\"-5\"}"));
	assert_non_null(strstr(text, "\"e\":\"2\",\"f\":\"7\"}"));
	free(text);
	table_free(t);
}

/* A spreadsheet's file: BOM, CRLF, quoted names, a last line without end. */
static void foreign_csv_is_read(void **state)
{
	struct errbuf err = {0};
	struct table *t;

	(void)state;
	assert_int_equal(read_text(&t,
				   "\xef\xbb\xbf\"kernel\",tps\r\n\r\n"
				   "A,17303.41\r\n\"two\r\nlines\",1",
				   &err),
			 0);
	assert_string_equal(table_column_name(t, 0), "kernel");
	assert_int_equal(table_nr_rows(t), 2);
	assert_string_equal(table_text(t, 1, 0), "two\\x0alines");
	assert_true(table_real(t, 0, 1) == 17303.41);
	table_free(t);
}

static void bad_csv_is_refused(void **state)
{
	char *big;

	(void)state;
#define REFUSED(text, fact) refused(text, sizeof(text) - 1, fact)
	REFUSED("", "no head line, so not a table");
	REFUSED("# p 0.1 table n/1\n", "no head line, so not a table");
	REFUSED("a,b\n1,2\n3\n", "line 3: 1 cells where the head line has 2");
	REFUSED("a\n1\n2,3\n", "line 3: 2 cells where the head line has 1");
	REFUSED("a,b\n1,2\nA,\"cold,3\nB,4\n",
		"line 3: a quote is opened here and never closed");
	REFUSED("a,b\nA,\"cold,3\nB,\"4\"\n",
		"line 2: a quote is opened here and not closed properly");
	REFUSED("a,b\n1,x\"y\"\n", "line 2: a quote in the wrong place");
	REFUSED("a\n1\0\n", "line 2: contains a NUL byte");
	REFUSED("a\n1\r2\n", "line 2: carriage return without a line feed");
	REFUSED("a,a\n", "line 1: two columns have the same name");
	REFUSED("a,\n", "line 1: a column has no name");

	big = malloc(2 << 20);
	assert_non_null(big);
	memset(big, 'x', 2 << 20);
	memcpy(big, "a\n", 2);
	refused(big, 2 << 20, "line 2: longer than 1 MiB");
	big[80000] = '\n';
	refused(big, 80001, "line 2: a cell is longer than 64 KiB");
	free(big);
}

static void setters_check(void **state)
{
	struct table *t;

	(void)state;
	assert_int_equal(table_new(&t, "p", "n", 1), 0);
	assert_int_equal(table_column(t, "a", TABLE_U64, 0), 0);
	assert_int_equal(table_column(t, "a", TABLE_U64, 0), -EEXIST);
	assert_int_equal(table_set_u64(t, 0, 1), -EINVAL);
	assert_int_equal(table_row(t), 0);
	assert_int_equal(table_set_u64(t, 1, 1), -EINVAL);
	assert_int_equal(table_set_text(t, 0, "x"), -EINVAL);
	assert_int_equal(table_set_real(t, 0, 1.5), -EINVAL);
	assert_int_equal(table_column(t, "b", TABLE_U64, 0), -EINVAL);
	table_free(t);
}

/*
 * A decimal point stays one where the user's language has a comma:
 * t-locale.sh runs all of this under such a locale.
 */
static void locale_does_not_matter(void **state)
{
	const char *point = getenv("TEST_DECIMAL_POINT");
	struct errbuf err = {0};
	struct table *t;
	char *text;

	(void)state;
	if (point)
		assert_string_equal(localeconv()->decimal_point, point);
	assert_int_equal(read_text(&t, "r\n1.5\n2.25\n", &err), 0);
	assert_true(table_real(t, 1, 0) == 2.25);
	assert_int_equal(table_row(t), 0);
	assert_int_equal(table_set_real(t, 0, 3.5), 0);
	text = written(t, table_write_csv);
	assert_string_equal(text, "r\n1.5\n2.25\n3.50\n");
	free(text);
	table_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_is_written),
		cmocka_unit_test(csv_comes_back),
		cmocka_unit_test(json_is_valid),
		cmocka_unit_test(text_is_aligned),
		cmocka_unit_test(text_fits_a_mail),
		cmocka_unit_test(types_are_found),
		cmocka_unit_test(foreign_csv_is_read),
		cmocka_unit_test(bad_csv_is_refused),
		cmocka_unit_test(setters_check),
		cmocka_unit_test(locale_does_not_matter),
	};

	setlocale(LC_ALL, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
