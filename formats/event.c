/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event.c - names and roles of the event kinds */

#include "config.h"

#include <stdio.h>

#include "formats/event.h"

struct kind {
	const char *name;
	uint8_t nr_roles;
	uint8_t roles[24];
};

#define NR_ROLES(...) (sizeof((uint8_t[]){__VA_ARGS__}))
#define X(kind, text, ...) \
	[MMT_##kind] = {text, NR_ROLES(__VA_ARGS__), {__VA_ARGS__}},
static const struct kind kinds[MMT_NR_KINDS] = {MMT_KINDS(X)};
#undef X

static const char *const role_names[MMT_NR_ROLES] = {
	[MMT_NO_ROLES] = "",
	[MMT_DEV] = "dev",
	[MMT_INO] = "ino",
	[MMT_INDEX] = "index",
	[MMT_LAST_INDEX] = "last_index",
	[MMT_PFN] = "pfn",
	[MMT_ORDER] = "order",
	[MMT_LRU] = "lru",
	[MMT_LRU_FLAGS] = "lru_flags",
	[MMT_GFP] = "gfp",
	[MMT_NID] = "nid",
	[MMT_NR] = "nr",
	[MMT_NR_SCANNED] = "nr_scanned",
	[MMT_NR_TAKEN] = "nr_taken",
	[MMT_NR_RECLAIMED] = "nr_reclaimed",
	[MMT_NR_SUCCEEDED] = "nr_succeeded",
	[MMT_NR_FAILED] = "nr_failed",
	[MMT_REASON] = "reason",
	[MMT_TID] = "tid",
	[MMT_COMM] = "comm",
	[MMT_NR_LOST] = "nr_lost",
	[MMT_SINCE_NS] = "since_ns",
	[MMT_PAGE_FLAGS] = "page_flags",
	[MMT_MAPPING] = "mapping",
	[MMT_HEAD_ORDER] = "head_order",
	[MMT_SWAP] = "swap",
	[MMT_MEMCG] = "memcg",
	[MMT_TARGET] = "target",
	[MMT_SHADOW] = "shadow",
	[MMT_GEN] = "gen",
	[MMT_OLD_GEN] = "old_gen",
	[MMT_RET] = "ret",
	[MMT_LRUVEC] = "lruvec",
	[MMT_MAX_SEQ] = "max_seq",
	[MMT_MIN_SEQ_ANON] = "min_seq_anon",
	[MMT_MIN_SEQ_FILE] = "min_seq_file",
	[MMT_NONRESIDENT_AGE] = "nonresident_age",
	[MMT_MEMCG_ID] = "memcg_id",
	[MMT_CGROUP] = "cgroup_ino",
	[MMT_SEQ] = "seq",
	[MMT_CALLER] = "caller",
	[MMT_RECLAIMED] = "reclaimed",
	[MMT_POS] = "pos",
	[MMT_COUNT] = "count",
	[MMT_DONE] = "done",
	[MMT_FIRST_INDEX] = "first_index",
	[MMT_FAULT_FLAGS] = "fault_flags",
	[MMT_FGP] = "fgp",
	[MMT_LOOKAHEAD] = "lookahead",
	[MMT_NEW_PFN] = "new_pfn",
	[MMT_NEW_FLAGS] = "new_flags",
	[MMT_NEW_ORDER] = "new_order",
	[MMT_PGDAT] = "pgdat",
};

const struct mmt_schema mmt_loss_schema = {
	.system = "mmcap",
	.name = "loss",
	.kind = MMT_LOSS,
	.nr_fields = 2,
	.field =
		{
			{"nr_lost", MMT_UNSIGNED, MMT_NR_LOST, 8},
			{"since_ns", MMT_UNSIGNED, MMT_SINCE_NS, 8},
		},
};

const char *mmt_kind_name(enum mmt_kind kind)
{
	return kind < MMT_NR_KINDS ? kinds[kind].name : "unknown";
}

const char *mmt_role_name(uint8_t role)
{
	return role < MMT_NR_ROLES ? role_names[role] : "";
}

unsigned int mmt_kind_roles(enum mmt_kind kind, const uint8_t **roles)
{
	*roles = kinds[kind].roles;
	/* MMT_NO_ROLES stands for an empty list */
	return kinds[kind].roles[0] == MMT_NO_ROLES ? 0 : kinds[kind].nr_roles;
}

void mmt_field_absent(struct mmt_field *field, uint8_t role)
{
	snprintf(field->name, sizeof(field->name), "%s", mmt_role_name(role));
	field->type = MMT_ABSENT;
	field->size = 0;
}
