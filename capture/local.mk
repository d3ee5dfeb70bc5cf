# SPDX-License-Identifier: GPL-2.0-or-later
bin_PROGRAMS += capture/mmcap
capture_mmcap_CPPFLAGS = $(AM_CPPFLAGS) $(TRACEFS_CFLAGS) $(LIBBPF_CFLAGS)
capture_mmcap_SOURCES = \
	capture/calibrate.c capture/calibrate.h \
	capture/catalog.c capture/catalog.h \
	capture/cgroup.c capture/cgroup.h capture/cgroup-tree.c \
	capture/cgroup-watch.c capture/cgroup-watch.h \
	capture/cleanup-main.c \
	capture/clock.c capture/clock.h \
	capture/command.c capture/command.h \
	capture/cpus.c capture/cpus.h \
	capture/doctor-main.c \
	capture/filter.c capture/filter.h \
	capture/host.c capture/host.h \
	capture/kbtf.c capture/kbtf.h capture/kbtf-priv.h \
	capture/kbtf-expand.c capture/kbtf-func.c \
	capture/kconfig.c capture/kconfig.h \
	capture/list-main.c \
	capture/main.c capture/main.h \
	capture/output.c capture/output.h \
	capture/pageflags.c capture/pageflags.h \
	capture/pageflags-cal.c capture/pageflags-cal.h \
	capture/plan.c capture/plan.h \
	capture/plan-probe.c capture/plan-probe.h \
	capture/probe-group.c capture/probe-group.h \
	capture/reader.c capture/reader.h \
	capture/readers.c capture/readers.h \
	capture/record-main.c \
	capture/record-options.c capture/record-options.h \
	capture/recorder.c capture/recorder.h \
	capture/recorder-prepare.c \
	capture/session.c capture/session.h \
	capture/setup.c capture/setup.h \
	capture/snapshot.c capture/snapshot.h \
	capture/supervisor.c capture/supervisor.h \
	capture/symbols.c capture/symbols.h capture/symbols-priv.h \
	capture/symbols-limits.c
capture_mmcap_LDADD = $(MMT_LIBS) $(TRACEFS_LIBS) $(LIBBPF_LIBS)
