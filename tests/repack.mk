# SPDX-License-Identifier: GPL-2.0-or-later
MERGE_GEN = tests/merge-gen.c tests/merge-gen.h tests/kind-schema.h tests/log-expect.c \
	tests/log-expect.h tests/log-gen.c tests/log-gen.h
UNIT_TESTS += tests/t-merge tests/t-merge-damage
tests_t_merge_SOURCES = tests/t-merge.c $(MERGE_GEN)
tests_t_merge_LDADD = $(TEST_LIBS)
tests_t_merge_damage_SOURCES = tests/t-merge-damage.c $(MERGE_GEN)
tests_t_merge_damage_LDADD = $(TEST_LIBS)
SHELL_TESTS += tests/t-repack.sh
