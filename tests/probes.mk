# SPDX-License-Identifier: GPL-2.0-or-later
# What a kernel offers to probes: symbols, types, the bits of its page flags.
if CAPTURE
MOCK_TREE = tests/mock-tree.c tests/mock-tree.h capture/host.c
BTF_GEN = tests/btf-gen.c tests/btf-gen.h
KBTF = capture/kbtf.c capture/kbtf-expand.c capture/kbtf-func.c
PAGEFLAGS = capture/kconfig.c capture/pageflags.c
SYMBOLS = capture/symbols.c capture/symbols-limits.c
UNIT_TESTS += tests/t-symbols tests/t-kbtf tests/t-pageflags
tests_t_symbols_SOURCES = tests/t-symbols.c $(MOCK_TREE) $(SYMBOLS) \
	capture/kconfig.c
tests_t_symbols_LDADD = $(TEST_LIBS)
tests_t_kbtf_CPPFLAGS = $(AM_CPPFLAGS) $(LIBBPF_CFLAGS)
tests_t_kbtf_SOURCES = tests/t-kbtf.c $(MOCK_TREE) $(BTF_GEN) $(KBTF)
tests_t_kbtf_LDADD = $(TEST_LIBS) $(LIBBPF_LIBS)
tests_t_pageflags_CPPFLAGS = $(AM_CPPFLAGS) $(LIBBPF_CFLAGS)
tests_t_pageflags_SOURCES = tests/t-pageflags.c $(MOCK_TREE) $(BTF_GEN) \
	$(KBTF) $(PAGEFLAGS) capture/pageflags-cal.c
tests_t_pageflags_LDADD = $(TEST_LIBS) $(LIBBPF_LIBS)

check_PROGRAMS += tests/kernelfacts
tests_kernelfacts_CPPFLAGS = $(AM_CPPFLAGS) $(LIBBPF_CFLAGS)
tests_kernelfacts_SOURCES = tests/kernelfacts.c capture/host.c $(KBTF) \
	$(PAGEFLAGS) capture/pageflags-cal.c $(SYMBOLS)
tests_kernelfacts_LDADD = $(MMT_LIBS) $(LIBBPF_LIBS)
SHELL_TESTS += tests/t-kernels.sh
endif
