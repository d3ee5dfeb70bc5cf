/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefmt.h - from a kernel's format text to a decoder of fixed offsets */
#ifndef FORMATS_TRACEFMT_H
#define FORMATS_TRACEFMT_H

#include "formats/event.h"
#include "formats/probe.h"

/*
 * A book of the formats of one kernel.  tracefmt_add() parses a format file
 * (events/SYSTEM/EVENT/format) with libtraceevent, finds the kind it stands
 * for and compiles a decoder: offset, size and sign of every field come from
 * the kernel's own text, never from a table.
 */
struct tracefmt;
struct tracefmt_decoder;

/* big_endian, long_size: of the machine that wrote the records. */
int tracefmt_new(struct tracefmt **fp, bool big_endian, unsigned int long_size);
void tracefmt_free(struct tracefmt *f);

/*
 * Kernel pointers are not kept; where a field is one, resolve() gives the
 * number to store instead (a dense id).  Without it ids are counted here, per
 * book; resolve() may be called from several threads.
 */
void tracefmt_resolver(struct tracefmt *f,
		       uint64_t (*resolve)(void *arg, uint64_t pointer),
		       void *arg);

/*
 * The definitions of the kernel's probes, before their formats are added; they
 * stay the caller's.  An event that has one gets the kind of its function.
 */
void tracefmt_probes(struct tracefmt *f, const struct probes *probes);

/*
 * Learns from any number of records where the kernel's struct pages lie; after
 * them tracefmt_settle() makes frames of the folios' addresses that probes have
 * fetched, if that was found out.  Schemas are final only then.
 */
void tracefmt_learn(struct tracefmt *f, const void *record, size_t len);
void tracefmt_settle(struct tracefmt *f);
/* Is there a folio's address that it could make a frame of? */
bool tracefmt_has_folios(const struct tracefmt *f);

/* Compiles one format text.  Returns the kernel's event id or -errno. */
int tracefmt_add(struct tracefmt *f, const char *system, const char *text,
		 size_t len, struct errbuf *err);

/* The schema of a kernel event id; NULL if it was not added. */
const struct mmt_schema *tracefmt_schema(const struct tracefmt *f, int id);
/* The definition of a probe's event; NULL if none is known. */
const struct probe_def *tracefmt_probe(const struct tracefmt *f, int id);
/* May a number of this event be an address of the kernel? */
bool tracefmt_has_addresses(const struct tracefmt *f, int id);
/* Types in a log differ from kernel ids: what decoded events shall carry. */
int tracefmt_set_type(struct tracefmt *f, int id, uint16_t type);

/*
 * Decodes one record (its bytes begin with the common fields).  Fills all of
 * ev but time_ns and cpu, and vals, to which ev->v is set; strings point into
 * the record or to a constant.  -ENOENT: unknown id.  -EBADMSG: shorter than
 * its format, or with a string outside of it.
 */
int tracefmt_decode(const struct tracefmt *f, const void *record, size_t len,
		    struct mmt_event *ev, uint64_t *vals);

#endif
