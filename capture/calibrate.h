/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calibrate.h - learns from a few pages of our own what numbers mean here */
#ifndef CAPTURE_CALIBRATE_H
#define CAPTURE_CALIBRATE_H

#include "capture/session.h"
#include "formats/subbuf.h"

/*
 * Before a recording with probes: touches memory of our own with recording on
 * for a moment, so that the decoder learns which page frame a folio's address
 * stands for; the buffer is empty again afterwards.  Where that cannot be
 * learned, folios get numbers.  0 or -ENOMEM.
 */
int calibrate(struct session *s, struct tracefmt *fmt,
	      const struct subbuf_layout *layout);

#endif
