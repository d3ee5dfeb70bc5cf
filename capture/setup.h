/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup.h - what the header of a log says about machine and recording */
#ifndef CAPTURE_SETUP_H
#define CAPTURE_SETUP_H

#include "capture/cgroup.h"
#include "capture/host.h"
#include "capture/session.h"
#include "formats/mmt.h"

struct setup {
	const struct host *host;
	const struct session *session;
	const struct session_options *options;
	const struct plan *plan;
	char **argv; /* the whole command line */
	const char *note;
};

/* Puts everything into the header.  Facts that cannot be had are left out. */
int setup_write(const struct setup *setup, struct mmt_writer *w);

/* The cgroup and its limit; where the command moved, written once more. */
int setup_write_cgroup(const struct cgroup *cg, struct mmt_writer *w);

#endif
