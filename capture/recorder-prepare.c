/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorder-prepare.c - all that can be checked before anything is changed */

/*
 * A recording that cannot work is refused here, with the machine, the log and
 * the command untouched.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/output.h"
#include "capture/recorder.h"

static int check_cpus(struct recorder *r, struct errbuf *err)
{
	struct cpus dirs;
	unsigned int cpu;
	int ret;

	if (!r->opts->have_cpus)
		return 0;
	ret = cpus_read_dirs(&dirs, r->host.tracing);
	if (ret)
		return errbuf_set(err, ret, "%s/per_cpu: %s", r->host.tracing,
				  strerror(-ret));
	for (cpu = 0; cpu <= r->opts->cpus.highest; cpu++)
		if (cpus_have(&r->opts->cpus, cpu) && !cpus_have(&dirs, cpu))
			return errbuf_set(err, -ENODEV,
					  "-C: this machine has no CPU %u",
					  cpu);
	ret = cpus_mask(&r->opts->cpus, &r->cpumask);
	r->session_options.cpumask = (char *)r->cpumask.p;
	return ret ? errbuf_set(err, ret, "-C: %s", strerror(-ret)) : 0;
}

static int check_instances(struct recorder *r, struct errbuf *err)
{
	char path[PATH_MAX + 16];
	int ret;

	snprintf(path, sizeof(path), "%s/instances", r->host.tracing);
	if (!access(path, W_OK))
		return 0;
	ret = -errno;
	errbuf_set(err, ret, "cannot create a tracing instance: %s: %s", path,
		   strerror(-ret));
	if (ret == -EACCES)
		errbuf_hint(err, "run as root");
	return ret;
}

static int compile_formats(struct recorder *r, struct errbuf *err)
{
	const uint16_t one = 1;
	bool big_endian = !*(const uint8_t *)&one;
	char path[PATH_MAX + 32];
	struct buf text = {0};
	int ret;

	snprintf(path, sizeof(path), "%s/events/header_page", r->host.tracing);
	ret = file_read(path, &text);
	if (ret)
		errbuf_set(err, ret, "%s: %s", path, strerror(-ret));
	else
		ret = subbuf_layout_parse(&r->layout, (char *)text.p, text.len,
					  err);
	buf_free(&text);
	if (ret)
		return ret;
	r->layout.big_endian = big_endian;
	ret = tracefmt_new(&r->fmt, big_endian, r->layout.commit_size);
	if (ret)
		return errbuf_set(err, ret, "formats: %s", strerror(-ret));
	return plan_compile(&r->plan, &r->host, r->fmt, err);
}

int recorder_prepare(struct recorder *r, const struct record_options *opts,
		     struct errbuf *err)
{
	enum tracing_state state;
	int ret;

	memset(r, 0, sizeof(*r));
	r->opts = opts;
	r->session_options = opts->session;
	r->signal_fd = -1;
	r->host.root = opts->root;
	ret = host_find_tracing(&r->host, &state, err);
	if (!ret)
		ret = plan_make(&r->plan, &r->host, opts->req, opts->nr_req,
				err);
	if (!ret)
		ret = clock_check(&r->host, opts->session.clock, err);
	if (!ret)
		ret = check_cpus(r, err);
	if (!ret)
		ret = compile_formats(r, err);
	if (!ret)
		ret = output_check(opts->output, opts->force, err);
	if (!ret)
		ret = check_instances(r, err);
	if (!ret && opts->command)
		ret = command_check(opts->command[0], err);
	return ret;
}
