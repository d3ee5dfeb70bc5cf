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
	c->cpu = h->cpu;
	c->nr_blocks++;
	c->nr_events += h->nr_events;
	if (h->seq >= c->next_seq) {
		c->nr_missing += h->seq - c->next_seq;
		c->next_seq = h->seq + 1;
	}
}

/* The CPUs that have blocks, in order; *nr of them, freed by the caller. */
static struct cpu *count_cpus(const struct mmt *log, unsigned int *nr)
{
	const struct cpu_counts *merged = &log->index.cpus;
	uint32_t *place = calloc(UINT16_MAX + 1, sizeof(*place));
	struct cpu *cpu = calloc(mmt_counts(log)->nr_cpus + 1, sizeof(*cpu));
	unsigned int i;

	*nr = 0;
	for (i = 0; place && cpu && i < log->index.nr; i++) {
		const struct block_header *h = &log->index.entry[i].header;

		if (h->kind != BLOCK_EVENTS_OF_CPU)
			continue;
		if (!place[h->cpu])
			place[h->cpu] = ++*nr;
		count_block(&cpu[place[h->cpu] - 1], h);
	}
	for (i = 0; place && cpu && i < merged->end; i++) {
		if (!merged->nr[i])
			continue;
		if (!place[i])
			place[i] = ++*nr;
		cpu[place[i] - 1].cpu = i;
		cpu[place[i] - 1].nr_events += merged->nr[i];
		cpu[place[i] - 1].merged = true;
	}
	if (!place) {
		free(cpu);
		cpu = NULL;
	}
	free(place);
	if (cpu)
		qsort(cpu, *nr, sizeof(*cpu), by_cpu);
	return cpu;
}

/* Merged blocks: their number, events, and how many are missing. */
static struct cpu count_merged(const struct mmt *log)
{
	struct cpu all = {.merged = false};
	unsigned int i;

	for (i = 0; i < log->index.nr; i++)
		if (log->index.entry[i].header.kind == BLOCK_MERGED)
			count_block(&all, &log->index.entry[i].header);
	return all;
}

static void print_row(FILE *out, const char *name, const struct cpu *cpu)
{
	fprintf(out, "%5s %8" PRIu64 " %12" PRIu64 " %8" PRIu64 "\n", name,
		cpu->nr_blocks, cpu->nr_events, cpu->nr_missing);
}

static int print_cpus(FILE *out, const struct cpu *cpu, unsigned int nr,
		      const struct cpu *all)
{
	char name[16];
	unsigned int i;

	if (nr || all->nr_blocks)
		fprintf(out, "\n%5s %8s %12s %8s\n", "cpu", "blocks", "events",
			"missing");
	if (all->nr_blocks)
		print_row(out, "all", all);
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%u", cpu[i].cpu);
		if (cpu[i].nr_blocks || !cpu[i].merged)
			print_row(out, name, &cpu[i]);
		else
			fprintf(out, "%5s %8s %12" PRIu64 " %8s\n", name, "-",
				cpu[i].nr_events, "-");
	}
	return nr || all->nr_blocks ? fputc('\n', out) < 0 ? -EIO : 0 : 0;
}

static int print_damage(FILE *out, const struct mmt *log)
{
	const char *text;
	size_t pos = 0;
	int ret = 0;

	while (!ret && (text = mmt_damage_next(log, &pos)))
		ret = log_words(out, "damage: %s", text);
	return ret;
}

static int print_gaps(FILE *out, const struct cpu *cpu, unsigned int nr,
		      const struct cpu *all)
{
	unsigned int i;
	int ret = 0;

	if (all->nr_missing)
		ret = log_words(
			out,
			"missing: %" PRIu64
			" of the merged blocks, up to %" PRIu64 " events",
			all->nr_missing, all->nr_missing * MERGED_EVENTS);

	for (i = 0; !ret && i < nr; i++)
		if (cpu[i].nr_missing)
			ret = log_words(out,
					"missing: CPU %u: %" PRIu64
					" of its blocks, up to %" PRIu64
					" events",
					cpu[i].cpu, cpu[i].nr_missing,
					cpu[i].nr_missing * BLOCK_EVENTS);
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
		ret = log_words(out,
				"%s: %" PRIu64 " bytes, %" PRIu64
				" blocks, %" PRIu64 " events",
				(char *)path.p, counts->nr_bytes,
				counts->nr_blocks, counts->nr_events);
	if (!ret)
		ret = log_words(out, "lost while recording: %s",
				(char *)loss.p);
	buf_free(&path);
	buf_free(&loss);
	return ret;
}

static int print_verdict(FILE *out, const struct mmt *log, bool gaps)
{
	const struct mmt_counts *counts = mmt_counts(log);

	if (counts->damaged || gaps)
		return log_words(out, "result: damaged; with --salvage what is "
				      "whole can be used");
	if (log_defect(counts))
		return log_words(out, "result: usable, but %s",
				 log_defect(counts));
	return log_words(out, "result: sound");
}

static int print_all(FILE *out, struct mmt *log, bool *gaps)
{
	unsigned int nr, i;
	struct cpu *cpu = count_cpus(log, &nr);
	struct cpu all = count_merged(log);
	int ret;

	if (!cpu)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		*gaps |= cpu[i].nr_missing != 0;
	*gaps |= all.nr_missing != 0;
	ret = print_facts(out, log);
	if (!ret)
		ret = print_cpus(out, cpu, nr, &all);
	if (!ret)
		ret = print_damage(out, log);
	if (!ret)
		ret = print_gaps(out, cpu, nr, &all);
	if (!ret)
		ret = print_verdict(out, log, *gaps);
	free(cpu);
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
