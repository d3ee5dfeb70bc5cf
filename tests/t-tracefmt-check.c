/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-tracefmt-check.c - format texts that are none reach no parser */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/tracefmt-priv.h"
#include "formats/tracefmt.h"

#define HEAD "name: x\nID: 7\nformat:\n"
#define COMMON                                                                 \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\t"    \
	"signed:0;\n"                                                          \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELD(declaration) "\tfield:" declaration ";\toffset:8;\tsize:4;\t"
#define END                "\nprint fmt: \"\"\n"

static int add(const char *text, size_t len)
{
	struct tracefmt *f;
	struct errbuf err = {0};
	int ret;

	assert_int_equal(tracefmt_new(&f, false, 8), 0);
	ret = tracefmt_add(f, "x", text, len, &err);
	if (ret < 0)
		assert_true(*err.text);
	tracefmt_free(f);
	return ret;
}

static void what_kernels_print_is_taken(void **state)
{
	static const char *const good[] = {
		HEAD COMMON FIELD("int a") "signed:1;\n" END,
		HEAD COMMON FIELD("char comm[16]") "signed:0;\n" END,
		HEAD COMMON FIELD("__data_loc char[] name") "signed:0;\n" END,
		HEAD COMMON FIELD("const char * name") "signed:0;\n" END,
		HEAD COMMON FIELD("unsigned long args[6]") "signed:0;\n" END,
		/* 2.6.32 */
		HEAD COMMON FIELD("int a") "\n" END,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++)
		if (add(good[i], strlen(good[i])) != 7)
			fail_msg("refused: %s", good[i]);
}

/* Each of these has sent libtraceevent astray, or could. */
static void what_breaks_off_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"name: x\n",
		"ID: 7\n",
		"name: x\nID: 7x\nformat:\n",
		"name: x\nID: 99999999999\nformat:\n",
		HEAD COMMON "\tfield:int order[",
		HEAD COMMON FIELD("int order[") "signed:1;\n" END,
		HEAD COMMON FIELD("int order]") "signed:1;\n" END,
		HEAD COMMON FIELD("int order[[1]]") "signed:1;\n" END,
		HEAD COMMON FIELD("int (order") "signed:1;\n" END,
		HEAD COMMON FIELD("int \"order") "signed:1;\n" END,
		HEAD COMMON FIELD("int") "signed:1;\n" END,
		HEAD COMMON FIELD("[ order") "signed:1;\n" END,
		HEAD COMMON FIELD("int \001") "signed:1;\n" END,
		HEAD COMMON FIELD("int a") "signed:1;\nfield:\n" END,
		HEAD COMMON "\tfield:int a;\toffset:;\tsize:4;\tsigned:1;\n",
		HEAD COMMON "\tfield:int a;\toffset:8;\tsigned:1;\n",
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (add(bad[i], strlen(bad[i])) != -EINVAL)
			fail_msg("taken: %s", bad[i]);
}

/* What is behind a NUL is not there: not even the end of a declaration. */
static void nul_is_the_end(void **state)
{
	static const char text[] =
		HEAD COMMON FIELD("int order[\002\0]") "signed:1;\n" END;

	(void)state;
	assert_int_equal(add(text, sizeof(text) - 1), -EINVAL);
}

/* A text that ends anywhere: refused, or taken for what there is of it. */
static void every_prefix_is_survived(void **state)
{
	static const char text[] =
		HEAD COMMON FIELD("char comm[16]") "signed:0;\n" END;
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(text); len++) {
		int ret = add(text, len);

		assert_true(ret == 7 || ret == -EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_kernels_print_is_taken),
		cmocka_unit_test(what_breaks_off_is_refused),
		cmocka_unit_test(nul_is_the_end),
		cmocka_unit_test(every_prefix_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
