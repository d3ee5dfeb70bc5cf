/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doctor-main.c - mmcap doctor: what this kernel can give, and why not more */

/*
 * Only reads.  One line a fact, "name: fact", so that it survives a mail;
 * then the events of the catalogue, here or not, with how often they fire.
 * Without root some facts cannot be seen: they read "unknown".
 */

#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/catalog.h"
#include "capture/cgroup.h"
#include "capture/clock.h"
#include "capture/cpus.h"
#include "capture/kconfig.h"
#include "capture/main.h"
#include "capture/plan.h"
#include "capture/session.h"
#include "formats/units.h"
#include "formats/wrap.h"

static const char help[] =
	"usage: mmcap doctor [--root DIR]\n"
	"\n"
	"Says whether record can run here, with which events, and what the\n"
	"kernel offers beyond that.  Changes nothing; needs no root, but\n"
	"sees more with it.  Exit status: 0 record can run, 1 it cannot.\n";

/* Names and reasons may be long.  stdout is checked at the end. */
#define fact(...) wrap_print(stdout, __VA_ARGS__)

static void print_tracing(const struct host *h, enum tracing_state state,
			  const struct errbuf *err)
{
	static const char *const words[] = {
		[TRACING_OK] = "works",
		[TRACING_ABSENT] = "not in this kernel",
		[TRACING_NOT_MOUNTED] = "not mounted",
		[TRACING_EMPTY] = "mounted, but empty",
		[TRACING_DENIED] = "no permission",
	};
	struct utsname uts;

	if (!uname(&uts))
		fact("kernel: %s %s", uts.release, uts.machine);
	printf("tracefs: %s\n", words[state]);
	if (state == TRACING_OK)
		/* for scripts: whole, however long */
		printf("tracefs directory: %s\n", h->tracing);
	else
		fact("tracefs reason: %s", err->text);
	if (err->hint[0])
		fact("hint: %s", err->hint);
}

/* Older kernels do not say; theirs are a page. */
static void print_subbuf(const struct host *h)
{
	char path[PATH_MAX + 64], line[32];

	snprintf(path, sizeof(path), "%s/buffer_subbuf_size_kb", h->tracing);
	if (!file_read_line(path, line, sizeof(line)) && line[0])
		fact("sub-buffer KiB: %s", line);
	else
		fact("sub-buffer KiB: %ld", sysconf(_SC_PAGESIZE) >> 10);
}

static void print_offer(const struct host *h, const char *title,
			const char *file)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", h->tracing, file);
	if (!access(path, F_OK))
		printf("%s: in this kernel, for -e\n", title);
	else
		printf("%s: not in this kernel\n", title);
}

/*
 * Event probes have no file of their own: only the configuration tells.  Until
 * Linux 6.17 there was no option for them, they came with kprobe events.
 */
static void print_eprobes(const struct host *h)
{
	char own, with;

	if (kconfig_get(h, "EPROBE_EVENTS", &own) ||
	    kconfig_get(h, "KPROBE_EVENTS", &with))
		puts("event probes: unknown (no kernel configuration)");
	else if (own == 'y' || with == 'y')
		puts("event probes: in this kernel, for -e");
	else
		puts("event probes: not in this kernel");
}

static void print_buffers(const struct host *h)
{
	char list[256], clocks[CLOCK_LIST_MAX];
	struct cpus cpus;

	if (clock_list(h, clocks))
		puts("clocks: unknown");
	else
		fact("clocks: %s", clocks[0] ? clocks : "none in nanoseconds");
	print_subbuf(h);
	if (cpus_read_dirs(&cpus, h->tracing))
		puts("CPUs with a buffer: unknown");
	else
		fact("CPUs with a buffer: %s",
		     cpus_list(&cpus, list, sizeof(list)));
	print_offer(h, "kprobes", "kprobe_events");
	print_eprobes(h);
}

static void print_cgroup(const struct cgroup *cg)
{
	char size[UNITS_MAX], safe[1024];

	fact("memory cgroup: %s", units_escape(safe, sizeof(safe), cg->path));
	if (cg->has_limit)
		fact("memory limit: %s (%s)", units_size(size, cg->max_bytes),
		     cgroup_limit_file(cg));
	else
		puts("memory limit: none");
}

static void print_host(const struct host *h)
{
	char path[PATH_MAX], line[128];
	struct cgroup cg;

	if (!host_path(h, path, "/sys/kernel/btf/vmlinux") &&
	    !access(path, F_OK))
		puts("BTF: in this kernel (not used at L0)");
	else
		puts("BTF: not in this kernel");
	if (host_read_line(h, "/sys/kernel/mm/lru_gen/enabled", line,
			   sizeof(line)))
		puts("MGLRU: not in this kernel");
	else
		printf("MGLRU: enabled %s\n", line);
	host_lockdown(h, line, sizeof(line));
	printf("lockdown: %s\n", line);
	if (host_container(h))
		printf("container mark: %s\n", host_container(h));
	if (cgroup_of_task(&cg, h, 0))
		puts("memory cgroup: unknown");
	else
		print_cgroup(&cg);
}

static void print_leftovers(const struct host *h)
{
	unsigned int nr_dead = 0, nr_live = 0;
	char path[PATH_MAX + 16];
	struct dirent *d;
	DIR *dir;
	int pid;

	snprintf(path, sizeof(path), "%s/instances", h->tracing);
	dir = opendir(path);
	if (!dir) {
		puts("leftovers: unknown");
		return;
	}
	while ((d = readdir(dir))) {
		if (!session_is_ours(d->d_name, &pid))
			continue;
		if (session_is_dead(h, d->d_name))
			nr_dead++;
		else
			nr_live++;
	}
	closedir(dir);
	printf("recorders running: %u\nleftovers: %u\n", nr_live, nr_dead);
	if (nr_dead)
		puts("hint: 'mmcap cleanup' removes them");
}

static const char *row_name_here(const struct catalog_row *row,
				 const struct event_names *names)
{
	unsigned int i, j;

	for (j = 0; j < CATALOG_NAMES && row->names[j]; j++)
		for (i = 0; i < names->nr; i++)
			if (!strcmp(names->name[i], row->names[j]))
				return row->names[j];
	return NULL;
}

static void print_events(const struct event_names *names)
{
	const struct catalog_row *row;
	unsigned int i;
	const char *name;

	puts("\nEvents (a recorded one costs its task about 0.2 us):\n");
	for (i = 0; i < catalog_nr_rows; i++) {
		row = &catalog_rows[i];
		name = row_name_here(row, names);
		if (name)
			printf("yes %s %s\n", name, row->rate);
		else
			printf("no  %s%s%s\n", row->names[0],
			       row->since[0] ? " since Linux " : "",
			       row->since);
	}
}

static unsigned int count_lacking(const struct catalog_set *set,
				  const struct event_names *names)
{
	unsigned int i, nr = 0;

	for (i = 0; i < catalog_nr_rows; i++)
		nr += (catalog_rows[i].required & set->bit) &&
		      !row_name_here(&catalog_rows[i], names);
	return nr;
}

/* A set works if every event that it needs is there. */
static void print_sets(const struct event_names *names)
{
	const struct catalog_set *set;
	unsigned int i, nr_lacking;

	puts("\nSets:\n");
	for (i = 0; i < catalog_nr_sets; i++) {
		set = &catalog_sets[i];
		nr_lacking = count_lacking(set, names);
		if (nr_lacking)
			printf("no  %s lacks %u event%s that it needs\n",
			       set->name, nr_lacking,
			       nr_lacking == 1 ? "" : "s");
		else if (set->analyzed)
			printf("yes %s\n", set->name);
		else
			printf("yes %s, but %s is not in this version\n",
			       set->name, set->program);
	}
}

/* The verdict: the events of the default set, and the right to record them. */
static int print_verdict(const struct host *h, struct errbuf *err)
{
	char path[PATH_MAX + 16];
	struct plan plan;
	int ret;

	ret = plan_make(&plan, h, NULL, 0, err);
	if (!ret) {
		plan_free(&plan);
		snprintf(path, sizeof(path), "%s/instances", h->tracing);
		if (!access(path, W_OK)) {
			puts("\nlevel: L0 (tracepoints)\nrecord: can run");
			return EXIT_DONE;
		}
		errbuf_set(err, -errno, "%s: %s", path, strerror(errno));
		errbuf_hint(err, "run as root");
	}
	putchar('\n');
	fact("record: cannot run: %s", err->text);
	if (err->hint[0])
		fact("hint: %s", err->hint);
	return EXIT_FAILED;
}

int doctor_main(int argc, char **argv)
{
	struct event_names names = {0};
	struct errbuf err = {0};
	enum tracing_state state;
	struct host h;
	int ret;

	ret = plain_options(argc, argv, help, &h.root);
	if (ret)
		return ret - 1;
	ret = host_find_tracing(&h, &state, &err);
	print_tracing(&h, state, &err);
	print_host(&h);
	if (ret) {
		putchar('\n');
		fact("record: cannot run: %s", err.text);
		return close_stdout(EXIT_FAILED);
	}
	print_buffers(&h);
	print_leftovers(&h);
	if (event_names_read(&names, &h)) {
		say("events: %s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	print_events(&names);
	print_sets(&names);
	ret = print_verdict(&h, &err);
	event_names_free(&names);
	return close_stdout(ret);
}
