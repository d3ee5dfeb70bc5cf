/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tcmd.c - bench tool: how fast libtracecmd reads a trace.dat, the peer */

/*
 * usage: tcmd FILE.dat
 *
 * Opens the file, walks the events of all its buffers merged by time, and
 * reads every field but the common ones as a number.  Prints "events N cpu_s
 * S"; the time is that of the whole, as an import's is.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <trace-cmd.h>

#include "tests/bench/bench.h"

#define MAX_BUFFERS 64
#define MAX_IDS     65536

struct walk {
	struct tep_format_field **fields[MAX_IDS]; /* by type, as met */
	uint64_t nr, sum;
};

static int see_event(struct tracecmd_input *handle, struct tep_record *record,
		     int cpu, void *arg)
{
	struct tep_handle *tep = tracecmd_get_tep(handle);
	int id = tep_data_type(tep, record) & (MAX_IDS - 1);
	struct tep_format_field **field;
	struct walk *w = arg;
	struct tep_event *event;
	unsigned long long v;

	(void)cpu;
	if (!w->fields[id]) {
		event = tep_find_event(tep, id);
		w->fields[id] = event ? tep_event_fields(event) : NULL;
	}
	w->nr++;
	w->sum += record->ts;
	for (field = w->fields[id]; field && *field; field++)
		if (!tep_read_number_field(*field, record->data, &v))
			w->sum += v;
	return 0;
}

/* The top buffer and the instances. */
static int buffers(struct tracecmd_input *top, struct tracecmd_input **handle)
{
	int i, nr = tracecmd_buffer_instances(top);

	handle[0] = top;
	for (i = 0; i < nr && i < MAX_BUFFERS - 1; i++) {
		handle[i + 1] = tracecmd_buffer_instance_handle(top, i);
		if (!handle[i + 1])
			break;
	}
	return i + 1;
}

int main(int argc, char **argv)
{
	struct tracecmd_input *handle[MAX_BUFFERS];
	double start_s = bench_cpu_s();
	struct walk *w;
	int i, nr;

	if (argc != 2)
		return 2;
	w = calloc(1, sizeof(*w));
	if (!w)
		return 1;
	handle[0] = tracecmd_open(argv[1], 0);
	if (!handle[0]) {
		fprintf(stderr, "tcmd: %s: cannot be opened\n", argv[1]);
		return 1;
	}
	nr = buffers(handle[0], handle);
	if (tracecmd_iterate_events_multi(handle, nr, see_event, w) < 0) {
		fprintf(stderr, "tcmd: %s: cannot be read\n", argv[1]);
		return 1;
	}
	printf("events %" PRIu64 " cpu_s %.4f sum %" PRIx64 "\n", w->nr,
	       bench_cpu_s() - start_s, w->sum);
	for (i = 0; i < MAX_IDS; i++)
		free(w->fields[i]);
	free(w);
	while (nr--)
		tracecmd_close(handle[nr]);
	return fflush(stdout) ? 1 : 0;
}
