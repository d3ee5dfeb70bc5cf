# SPDX-License-Identifier: GPL-2.0-or-later
bin_PROGRAMS += capture/mmcap
capture_mmcap_CPPFLAGS = $(AM_CPPFLAGS) $(TRACEFS_CFLAGS)
capture_mmcap_SOURCES = capture/main.c
capture_mmcap_LDADD = $(MMT_LIBS) $(TRACEFS_LIBS)
