/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log-check.c - mm-log check: is a log whole, and if not, what is missing */

/*
 * Everything is verified as --salvage would read it, so that all damage is
 * listed and not only the first.  The blocks of a CPU are numbered: a gap in
 * the numbers is a block that is gone, whatever the file looks like there.
 * Merged blocks of a repacked log have events of all CPUs, and numbers of their
 * own.
 */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "formats/log-cmd.h"
#include "formats/mmt-log.h"
#include "formats/units.h"

static const struct option longs[] = {
	{"strict", no_argument, NULL, 'S'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

struct cpu {
	unsigned int cpu;
	uint64_t nr_blocks, nr_events; /* loss events count here */
	uint64_t next_seq, nr_missing;
	/* of the missing blocks, those whose headers tell of it */
	uint64_t nr_headers, nr_gone_events;
	bool merged; /* its events are in merged blocks, counted apart */
};

static int by_cpu(const void *a, const void *b)
{
	const struct cpu *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* Blocks of a CPU are in the file in the order of their numbers. */
static void count_block(struct cpu *c, const struct block_header *h)
{
	c->nr_blocks++;
	c->nr_events += h->nr_events;
	if (h->seq >= c->next_seq) {
		c->nr_missing += h->seq - c->next_seq;
		c->next_seq = h->seq + 1;
	}
}

/*
 * A block that is cut or damaged.  No checksum covers what its header says, so
 * that a number far behind the ones before is not believed.
 */
static void count_gone(struct cpu *c, const struct block_header *h,
		       unsigned int nr_gone)
{
	if (h->seq >= c->next_seq && h->seq - c->next_seq > nr_gone)
		return;
	c->nr_headers++;
	c->nr_gone_events += h->nr_events;
	if (h->seq >= c->next_seq) {
		c->nr_missing += h->seq - c->next_seq + 1;
		c->next_seq = h->seq + 1;
	}
}

struct cpus {
	struct cpu *cpu;
	unsigned int nr;
	uint32_t *place; /* by number: its place in cpu + 1, or 0 */
};

static struct cpu *cpu_of(struct cpus *cpus, unsigned int cpu)
{
	struct cpu *c;

	if (!cpus->place[cpu])
		cpus->place[cpu] = ++cpus->nr;
	c = &cpus->cpu[cpus->place[cpu] - 1];
	c->cpu = cpu;
	return c;
}

/* Of a CPU may be left only a header that is not believed. */
static void drop_empty(struct cpus *cpus)
{
	unsigned int i, nr = 0;

	for (i = 0; i < cpus->nr; i++) {
		const struct cpu *c = &cpus->cpu[i];

		if (c->nr_blocks || c->nr_missing || c->merged)
			cpus->cpu[nr++] = *c;
	}
	cpus->nr = nr;
}

static void count_blocks(struct cpus *cpus, struct cpu *all,
			 const struct mmt *log)
{
	unsigned int i;

	for (i = 0; i < log->index.nr; i++) {
		const struct mmt_entry *e = &log->index.entry[i];
		const struct block_header *h = &e->header;
		struct cpu *c = all;

		if (!block_has_events(h->kind))
			continue;
		if (h->kind == BLOCK_EVENTS_OF_CPU)
			c = cpu_of(cpus, h->cpu);
		if (e->damaged)
			count_gone(c, h, log->index.nr);
		else
			count_block(c, h);
	}
	for (i = 0; i < log->gone.nr; i++) {
		const struct block_header *h = &log->gone.entry[i].header;

		count_gone(h->kind == BLOCK_MERGED ? all : cpu_of(cpus, h->cpu),
			   h, log->gone.nr);
	}
}

static void count_events_of_merged(struct cpus *cpus, const struct mmt *log)
{
	const struct cpu_counts *merged = &log->index.cpus;
	unsigned int i;

	for (i = 0; i < merged->end; i++) {
		struct cpu *c;

		if (!merged->nr[i])
			continue;
		c = cpu_of(cpus, i);
		c->nr_events += merged->nr[i];
		c->merged = true;
	}
}

/*
 * The CPUs that have blocks, in order, and in all the merged blocks.  0 or
 * -ENOMEM; cpus->cpu is freed by the caller.
 */
static int count_cpus(struct cpus *cpus, struct cpu *all, const struct mmt *log)
{
	size_t nr = mmt_counts(log)->nr_cpus + log->gone.nr;

	cpus->place = calloc(UINT16_MAX + 1, sizeof(*cpus->place));
	cpus->cpu = calloc(nr + 1, sizeof(*cpus->cpu));
	if (!cpus->place || !cpus->cpu) {
		free(cpus->place);
		free(cpus->cpu);
		return -ENOMEM;
	}
	count_blocks(cpus, all, log);
	count_events_of_merged(cpus, log);
	free(cpus->place);
	drop_empty(cpus);
	qsort(cpus->cpu, cpus->nr, sizeof(*cpus->cpu), by_cpu);
	return 0;
}

static void print_row(FILE *out, const char *name, const struct cpu *cpu)
{
	fprintf(out, "%5s %8" PRIu64 " %12" PRIu64 " %8" PRIu64 "\n", name,
		cpu->nr_blocks, cpu->nr_events, cpu->nr_missing);
}

static int print_cpus(FILE *out, const struct cpus *cpus, const struct cpu *all)
{
	bool merged = all->nr_blocks || all->nr_missing;
	char name[16];
	unsigned int i;

	if (!cpus->nr && !merged)
		return 0;
	fprintf(out, "\n%5s %8s %12s %8s\n", "cpu", "blocks", "events",
		"missing");
	if (merged)
		print_row(out, "all", all);
	for (i = 0; i < cpus->nr; i++) {
		const struct cpu *c = &cpus->cpu[i];

		snprintf(name, sizeof(name), "%u", c->cpu);
		if (c->nr_blocks || c->nr_missing)
			print_row(out, name, c);
		else
			fprintf(out, "%5s %8s %12" PRIu64 " %8s\n", name, "-",
				c->nr_events, "-");
	}
	return fputc('\n', out) < 0 ? -EIO : 0;
}

static int print_damage(FILE *out, const struct mmt *log)
{
	const char *text;
	size_t pos = 0;
	int ret = 0;

	while (!ret && (text = mmt_damage_next(log, &pos)))
		ret = wrap_print(out, "damage: %s", text);
	return ret;
}

/* What is known of missing blocks is their most events, or how many. */
static int print_gap(FILE *out, const char *what, const struct cpu *c,
		     uint64_t block_events)
{
	bool known = c->nr_headers >= c->nr_missing;
	uint64_t events =
		known ? c->nr_gone_events : c->nr_missing * block_events;

	if (!c->nr_missing)
		return 0;
	return wrap_print(out,
			  "missing: %s: %" PRIu64 " of its blocks, %s%" PRIu64
			  " event%s",
			  what, c->nr_missing, known ? "" : "up to ", events,
			  events == 1 ? "" : "s");
}

static int print_gaps(FILE *out, const struct cpus *cpus, const struct cpu *all)
{
	char name[32];
	unsigned int i;
	int ret = print_gap(out, "all CPUs", all, MERGED_EVENTS);

	for (i = 0; !ret && i < cpus->nr; i++) {
		snprintf(name, sizeof(name), "CPU %u", cpus->cpu[i].cpu);
		ret = print_gap(out, name, &cpus->cpu[i], BLOCK_EVENTS);
	}
	return ret;
}

static int print_facts(FILE *out, const struct mmt *log)
{
	const struct mmt_counts *counts = mmt_counts(log);
	struct buf path = {0}, loss = {0};
	int ret = log_escape(&path, mmt_path(log));

	if (!ret)
		ret = log_loss(&loss, counts);
	if (!ret)
		ret = wrap_print(out,
				 "%s: %" PRIu64 " bytes, %" PRIu64
				 " blocks, %" PRIu64 " events",
				 (char *)path.p, counts->nr_bytes,
				 counts->nr_blocks, counts->nr_events);
	if (!ret)
		ret = wrap_print(out, "lost while recording: %s",
				 (char *)loss.p);
	buf_free(&path);
	buf_free(&loss);
	return ret;
}

static int print_verdict(FILE *out, const struct mmt *log, bool gaps)
{
	const struct mmt_counts *counts = mmt_counts(log);

	if (counts->damaged || gaps)
		return wrap_print(out,
				  "result: damaged; with --salvage what is "
				  "whole can be used");
	if (log_defect(counts))
		return wrap_print(out, "result: usable, but %s",
				  log_defect(counts));
	return wrap_print(out, "result: sound");
}

static int print_all(FILE *out, struct mmt *log, bool *gaps)
{
	struct cpus cpus = {0};
	struct cpu all = {0};
	unsigned int i;
	int ret = count_cpus(&cpus, &all, log);

	if (ret)
		return ret;
	*gaps = all.nr_missing != 0;
	for (i = 0; i < cpus.nr; i++)
		*gaps |= cpus.cpu[i].nr_missing != 0;
	ret = print_facts(out, log);
	if (!ret)
		ret = print_cpus(out, &cpus, &all);
	if (!ret)
		ret = print_damage(out, log);
	if (!ret)
		ret = print_gaps(out, &cpus, &all);
	if (!ret)
		ret = print_verdict(out, log, *gaps);
	free(cpus.cpu);
	return ret;
}

static int check(const struct log_options *o, FILE *out, struct errbuf *err)
{
	struct log_options salvage = *o;
	struct mmt *log;
	bool gaps = false;
	int ret;

	salvage.salvage = true;
	ret = log_open(&log, &salvage, err);
	if (ret)
		return ret;
	ret = print_all(out, log, &gaps);
	if (ret == -ENOMEM)
		errbuf_set(err, ret, "%s: out of memory", mmt_path(log));
	if (!ret && (gaps || log_defect(mmt_counts(log))))
		ret = LOG_INCOMPLETE;
	if (!ret)
		ret = log_status(o, log);
	mmt_close(log);
	return ret;
}

const struct log_verb log_check_verb = {
	.name = "check",
	.help = "usage: mm-log check [OPTION...] FILE\n"
		"\n"
		"Verifies every checksum and decodes every event.  Exit: 0\n"
		"sound, 3 usable but not complete, 1 not usable.\n"
		"\n"
		"      --strict   records lost while recording give 3, too\n"
		"  -h, --help     this text\n"
		"  -V, --version  the version\n",
	.shorts = ":hV",
	.longs = longs,
	.run = check,
};
