/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list-main.c - mmcap list: sets, events, and what each analysis needs */

/*
 * Prints the catalogue.  Where tracefs can be read, events that this kernel
 * lacks are marked; without it, the list is still complete.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/catalog.h"
#include "capture/main.h"
#include "capture/plan.h"

static const char help[] =
	"usage: mmcap list [--root DIR]\n"
	"\n"
	"Prints the sets that -e takes, and the events in them.  -e takes\n"
	"any other tracepoint of the kernel, too, as system:event.\n";

static void print_needed(const struct catalog_set *set)
{
	unsigned int i;

	for (i = 0; i < catalog_nr_rows; i++)
		if (catalog_rows[i].required & set->bit)
			printf("  needs %s\n", catalog_rows[i].names[0]);
}

static void print_sets(void)
{
	const struct catalog_set *set;
	unsigned int i;

	puts("Sets, for -e of mmcap record:\n");
	for (i = 0; i < catalog_nr_sets; i++) {
		set = &catalog_sets[i];
		printf("%s, for %s%s\n  %s\n", set->name,
		       set->program ? set->program : "all analyses",
		       set->analyzed ? "" : " (not in this version)",
		       set->what);
		print_needed(set);
	}
	puts("\nAny set can be recorded; mm-log dumps and counts its events where\n"
	     "the analysis is not in this version.");
}

/* "required by a b", "used by c d". */
static void print_users(const char *word, unsigned int sets)
{
	unsigned int i;

	if (!sets)
		return;
	printf("  %s", word);
	for (i = 0; i < catalog_nr_sets; i++)
		if (sets & catalog_sets[i].bit)
			printf(" %s", catalog_sets[i].name);
	putchar('\n');
}

static bool row_is_here(const struct catalog_row *row,
			const struct event_names *names)
{
	unsigned int i, j;

	for (i = 0; i < names->nr; i++)
		for (j = 0; j < CATALOG_NAMES && row->names[j]; j++)
			if (!strcmp(names->name[i], row->names[j]))
				return true;
	return false;
}

static void print_row(const struct catalog_row *row,
		      const struct event_names *names)
{
	printf("%s\n  %s; %s\n", row->names[0], row->what, row->rate);
	if (names->nr && !row_is_here(row, names))
		printf("  not in this kernel%s%s\n",
		       row->since[0] ? ", since Linux " : "", row->since);
	print_users("needed by", row->required);
	print_users("used by", row->optional);
}

int list_main(int argc, char **argv)
{
	struct event_names names = {0};
	struct errbuf err = {0};
	enum tracing_state state;
	struct host h;
	unsigned int i;
	int ret;

	ret = plain_options(argc, argv, help, &h.root);
	if (ret)
		return ret - 1;
	if (!host_find_tracing(&h, &state, &err) &&
	    event_names_read(&names, &h)) {
		say("events: %s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	print_sets();
	puts("\nEvents:\n");
	for (i = 0; i < catalog_nr_rows; i++)
		print_row(&catalog_rows[i], &names);
	if (!names.nr)
		puts("\nWhat this kernel has is unknown: see mmcap doctor.");
	event_names_free(&names);
	return close_stdout(EXIT_DONE);
}
