/* SPDX-License-Identifier: GPL-2.0-or-later */
/* catalog.h - what we record, by meaning, and the sets users ask for */
#ifndef CAPTURE_CATALOG_H
#define CAPTURE_CATALOG_H

#include "formats/base.h"

/* Sets are bits, so that a row of the catalogue says where it belongs. */
#define SET_REUSE     0x01U
#define SET_REFAULT   0x02U
#define SET_LRUGEN    0x04U
#define SET_COLDSTART 0x08U
#define SET_TIERING   0x10U
#define SET_SWAP      0x20U
#define SET_ALL       0x40U

struct catalog_set {
	const char *name;
	unsigned int bit;
	const char *program; /* the analysis that wants it; NULL: all of them */
	const char *what;    /* what it can do at L0, in a few words */
	bool analyzed;       /* by a program of this version */
};

#define CATALOG_NAMES 2

/*
 * One meaning.  Kernels name it in different ways: the first of names[] that
 * is there is used.  Sets that cannot do without it are in required.
 */
struct catalog_row {
	const char *names[CATALOG_NAMES]; /* "system:event"; NULL ends them */
	const char *what;
	const char *since; /* the first kernel that has it, "" if all do */
	const char *rate;  /* how often it fires */
	unsigned int required, optional;
};

extern const struct catalog_set catalog_sets[];
extern const unsigned int catalog_nr_sets;
extern const struct catalog_row catalog_rows[];
extern const unsigned int catalog_nr_rows;

/* NULL if there is no set of this name. */
const struct catalog_set *catalog_find_set(const char *name);

#endif
