# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += formats/libmmt.a
formats_libmmt_a_SOURCES = \
	formats/anon.c formats/anon.h \
	formats/base.c formats/base.h \
	formats/block.c formats/block.h \
	formats/block-dec.c formats/block-dec.h formats/block-load.c \
	formats/block-enc.c formats/block-enc.h formats/block-finish.c \
	formats/dict.c formats/dict.h \
	formats/option.c formats/option.h \
	formats/outdir.c formats/outdir.h \
	formats/pack.c formats/payload.h \
	formats/cpu.c formats/cpu.h \
	formats/column.h formats/columns.c formats/columns.h formats/columns-out.c \
	formats/event.c formats/event.h \
	formats/hist.c formats/hist.h \
	formats/ids.c formats/ids.h \
	formats/import.c formats/import.h formats/import-frame.h \
	formats/import-dir.c formats/import-input.c formats/import-report.c \
	formats/import-probes.c formats/import-tasks.c \
	formats/import-csv.c formats/import-keys.c \
	formats/import-text.c formats/import-text.h \
	formats/import-text-head.c formats/import-text-fields.c \
	formats/import-text-shape.c formats/import-text-read.c \
	formats/import-text-probe.c \
	formats/import-text-report.c formats/import-text-tasks.c \
	formats/import-text-unwrap.c \
	formats/import-book.c formats/import-book.h \
	formats/import-pages.c formats/import-pages.h formats/import-raw.c \
	formats/import-tracedat.c formats/import-tracedat.h \
	formats/import-tracedat-cur.c formats/import-tracedat-data.c \
	formats/import-tracedat-find.c formats/import-tracedat-options.c \
	formats/import-tracedat-text.c formats/import-tracedat-v6.c \
	formats/import-tracedat-v7.c \
	formats/events-dec.h \
	formats/merge-common.h formats/merge-dec.c formats/merge-enc.c \
	formats/merge-model.c formats/merge-model.h formats/merge-walk.c \
	formats/mmt.h \
	formats/mmt-index.c formats/mmt-index.h \
	formats/mmt-log.h formats/mmt-read.c formats/mmt-scan.c \
	formats/mmt-text.c \
	formats/mmt-write.c \
	formats/outfile.c formats/outfile.h \
	formats/pages.c formats/pages.h formats/pages-priv.h \
	formats/pages-access.c formats/pages-add.c \
	formats/pages-key.c formats/pages-task.c \
	formats/probe.c formats/probe.h formats/probe-list.c \
	formats/probe-map.c formats/probe-map.h \
	formats/probe-names.c formats/probe-names.h \
	formats/repack.c formats/repack.h \
	formats/run.c formats/run.h \
	formats/sink.c formats/sink.h \
	formats/siphash.c formats/siphash.h \
	formats/stream.c formats/stream.h \
	formats/subbuf.c formats/subbuf.h \
	formats/table.c formats/table.h \
	formats/table-cells.h formats/table-csv.c formats/table-guess.c \
	formats/table-json.c formats/table-text.c \
	formats/tracefmt.c formats/tracefmt.h \
	formats/tracefmt-check.c \
	formats/tracefmt-decode.c formats/tracefmt-priv.h \
	formats/tracefmt-numbers.c \
	formats/tracefmt-map.c formats/tracefmt-map.h \
	formats/tracefmt-probe.c formats/vmemmap.c formats/vmemmap.h \
	formats/units.c formats/units.h \
	formats/varints.c formats/varints.h \
	formats/wrap.c formats/wrap.h

MMT_LIBS = formats/libmmt.a $(TRACEEVENT_LIBS) $(ZSTD_LIBS) $(XXHASH_LIBS) \
	$(CSV_LIBS) $(JSONC_LIBS) $(ZLIB_LIBS) -lm -lpthread

bin_PROGRAMS += formats/mm-log
formats_mm_log_SOURCES = formats/log-main.c formats/log-cmd.h \
	formats/log-anon.c formats/log-anon.h formats/log-anon-report.c \
	formats/log-check.c formats/log-copy.c formats/log-dump.c formats/log-dump.h \
	formats/log-fields.c formats/log-import.c formats/log-info.c \
	formats/log-options.c formats/log-pages.c formats/log-print.c \
	formats/log-repack.c formats/log-rows.c formats/log-texts.c
formats_mm_log_LDADD = $(MMT_LIBS)
