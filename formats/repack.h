/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repack.h - the same log again, merged by time and as small as it gets */
#ifndef FORMATS_REPACK_H
#define FORMATS_REPACK_H

#include "formats/mmt.h"

#define REPACK_LEVEL 9 /* of zstd, unless another is asked for */

/*
 * Copies all of a log into a writer that has not started; the caller finishes
 * it.  defect, if not NULL, is why the source is not all of what happened.
 * 0, or a negative errno with the reason in err where more than the errno is
 * known.
 */
int mmt_repack(struct mmt *log, struct mmt_writer *w, const char *defect,
	       struct errbuf *err);

/*
 * Appends a line for all damage that was met in the log; if there is none,
 * defect, which may be NULL.  0 or -ENOMEM.
 */
int repack_damage(struct buf *out, const struct mmt *log, const char *defect);

#endif
