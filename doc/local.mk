# SPDX-License-Identifier: GPL-2.0-or-later
dist_man_MANS += doc/mm-log.1 doc/mm-plot.1 doc/mm-refault.1 doc/mm-reuse.1 \
	doc/mmt.5
if CAPTURE
dist_man_MANS += doc/mmcap.1
else
EXTRA_DIST += doc/mmcap.1
endif
EXTRA_DIST += doc/refault-distance.png
