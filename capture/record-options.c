/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record-options.c - the command line of mmcap record */

/*
 * Letters are those of perf and trace-cmd where they agree.  Everything that
 * can be checked without looking at the machine is checked here.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "capture/record-options.h"
#include "formats/option.h"
#include "formats/units.h"

enum { OPT_FILTER = 256, OPT_CLOCK, OPT_SNAP, OPT_NOTE, OPT_STRICT, OPT_ROOT };

static const struct option longopts[] = {
	{"event", required_argument, NULL, 'e'},
	{"filter", required_argument, NULL, OPT_FILTER},
	{"cpus", required_argument, NULL, 'C'},
	{"buffer", required_argument, NULL, 'b'},
	{"max-size", required_argument, NULL, 'm'},
	{"duration", required_argument, NULL, 'd'},
	{"snap", required_argument, NULL, OPT_SNAP},
	{"clock", required_argument, NULL, OPT_CLOCK},
	{"note", required_argument, NULL, OPT_NOTE},
	{"output", required_argument, NULL, 'o'},
	{"force", no_argument, NULL, 'f'},
	{"strict", no_argument, NULL, OPT_STRICT},
	{"root", required_argument, NULL, OPT_ROOT},
	{"all-cpus", no_argument, NULL, 'a'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

#define MAX_BUFFER_KIB (16U << 20)

static int add_request(struct record_options *o, const char *what)
{
	struct plan_request *req;

	req = reallocarray(o->req, o->nr_req + 1, sizeof(*req));
	if (!req)
		return -ENOMEM;
	o->req = req;
	req[o->nr_req].what = what;
	req[o->nr_req].filter = NULL;
	o->nr_req++;
	return 0;
}

static int add_filter(struct record_options *o, const char *expr,
		      struct errbuf *err)
{
	if (!o->nr_req) {
		errbuf_set(err, -EINVAL, "--filter: there is no -e before it");
		errbuf_hint(err, "a filter belongs to the -e it follows");
		return -EINVAL;
	}
	o->req[o->nr_req - 1].filter = expr;
	return 0;
}

static int set_buffer(struct record_options *o, const char *arg,
		      struct errbuf *err)
{
	uint64_t kib;

	if (units_parse_u64(arg, &kib) || !kib || kib > MAX_BUFFER_KIB)
		return errbuf_set(err, -EINVAL,
				  "-b: '%s' is not a number of KiB", arg);
	o->session.buffer_kib = (unsigned int)kib;
	return 0;
}

static int set_limits(struct record_options *o, int opt, const char *arg,
		      struct errbuf *err)
{
	if (opt == 'm') {
		if (units_parse_size(arg, &o->max_bytes) || !o->max_bytes)
			return errbuf_set(err, -EINVAL,
					  "-m: '%s' is not a size", arg);
		return 0;
	}
	if (opt == 'd' || opt == OPT_SNAP) {
		uint64_t *ns = opt == 'd' ? &o->duration_ns : &o->snap_ns;

		if (units_parse_time(arg, ns) || !*ns)
			return errbuf_set(err, -EINVAL,
					  "%s: '%s' is not a time",
					  opt == 'd' ? "-d" : "--snap", arg);
		return 0;
	}
	if (cpus_parse(&o->cpus, arg))
		return errbuf_set(err, -EINVAL,
				  "-C: '%s' is not a list of CPUs", arg);
	o->have_cpus = true;
	return 0;
}

static int set_option(struct record_options *o, int opt, char **argv,
		      struct errbuf *err)
{
	switch (opt) {
	case 'e':
		if (add_request(o, optarg))
			return errbuf_set(err, -ENOMEM, "out of memory");
		return 0;
	case OPT_FILTER:
		return add_filter(o, optarg, err);
	case 'b':
		return set_buffer(o, optarg, err);
	case 'C':
	case 'm':
	case 'd':
	case OPT_SNAP:
		return set_limits(o, opt, optarg, err);
	case OPT_CLOCK:
		o->session.clock = optarg;
		return 0;
	case OPT_NOTE:
		o->note = optarg;
		return 0;
	case 'o':
		o->output = optarg;
		return 0;
	case 'f':
		o->force = true;
		return 0;
	case OPT_STRICT:
		o->strict = true;
		return 0;
	case OPT_ROOT:
		o->root = optarg;
		return 0;
	case 'q':
		o->quiet = true;
		return 0;
	case 'h':
		o->help = true;
		return 0;
	case 'a': /* all CPUs and tasks are recorded anyway */
		return 0;
	}
	return option_error(longopts, opt, argv,
			    "'mmcap record --help' shows all options", err);
}

int record_options_parse(struct record_options *o, int argc, char **argv,
			 struct errbuf *err)
{
	int opt, ret;

	memset(o, 0, sizeof(*o));
	o->session.buffer_kib = 8192;
	o->session.clock = "mono";
	o->output = "trace.mmt";
	o->root = "";
	o->argv = argv;
	opterr = 0;
	optind = 2; /* behind "mmcap record" */
	/* "+": what follows the first other word belongs to the command */
	while ((opt = getopt_long(argc, argv, "+:e:C:b:m:d:o:faqh", longopts,
				  NULL)) != -1) {
		ret = set_option(o, opt, argv, err);
		if (ret)
			return ret;
	}
	if (optind < argc)
		o->command = argv + optind;
	return 0;
}

void record_options_free(struct record_options *o)
{
	free(o->req);
	o->req = NULL;
}
