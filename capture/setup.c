/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup.c - what the header of a log says about machine and recording */

/*
 * The setup paragraph that people type by hand and reviewers ask for: kernel,
 * machine, limits, swap, MGLRU, and what of the kernel's configuration is
 * known to distort a comparison.
 */

#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/kconfig.h"
#include "capture/plan-probe.h"
#include "capture/setup.h"

/* A file of one line; nothing if it is not there. */
static int meta_file(const struct setup *su, struct mmt_writer *w,
		     const char *key, const char *path)
{
	char line[512];

	if (host_read_line(su->host, path, line, sizeof(line)) || !line[0])
		return 0;
	return mmt_writer_meta(w, key, line);
}

static int meta_u64(struct mmt_writer *w, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	return mmt_writer_meta(w, key, text);
}

static int meta_kernel(const struct setup *su, struct mmt_writer *w)
{
	struct utsname uts;
	int ret;

	ret = mmt_writer_meta(w, "program.version", "mmcap " PACKAGE_VERSION);
	if (ret || uname(&uts))
		return ret;
	ret = mmt_writer_meta(w, "kernel.release", uts.release);
	if (!ret)
		ret = mmt_writer_meta(w, "kernel.version", uts.version);
	if (!ret)
		ret = mmt_writer_meta(w, "kernel.machine", uts.machine);
	if (!ret)
		ret = meta_u64(w, "page.size", (uint64_t)sysconf(_SC_PAGESIZE));
	if (!ret)
		ret = meta_file(su, w, "boot.id",
				"/proc/sys/kernel/random/boot_id");
	if (!ret)
		ret = meta_file(su, w, "cpus",
				"/sys/devices/system/cpu/online");
	return ret;
}

static int meta_clock(const struct setup *su, struct mmt_writer *w)
{
	clockid_t id = su->session->clock_id;
	char text[24];
	int ret;

	ret = mmt_writer_meta(w, "clock", su->options->clock);
	if (ret || id < 0)
		return ret;
	snprintf(text, sizeof(text), "%" PRId64, clock_offset(id));
	return mmt_writer_meta(w, "clock.offset_ns", text);
}

/* Quotes what a shell would split or expand. */
static int append_word(struct buf *b, const char *word)
{
	const char *p;
	int ret = 0;

	for (p = word;
	     *p && (isalnum((unsigned char)*p) || strchr("-_./:,=+@%", *p));)
		p++;
	if (*word && !*p)
		return buf_printf(b, "%s%s", b->len ? " " : "", word);
	ret = buf_printf(b, "%s'", b->len ? " " : "");
	for (p = word; *p && !ret; p++)
		ret = *p == '\'' ? buf_printf(b, "'\\''") : buf_append(b, p, 1);
	return ret ? ret : buf_printf(b, "'");
}

static int meta_command(const struct setup *su, struct mmt_writer *w)
{
	struct buf b = {0};
	int i, ret = 0;

	for (i = 0; su->argv[i] && !ret; i++)
		ret = append_word(&b, su->argv[i]);
	if (!ret && b.len)
		ret = mmt_writer_meta(w, "command", (char *)b.p);
	buf_free(&b);
	if (!ret && su->note)
		ret = mmt_writer_meta(w, "note", su->note);
	return ret;
}

/* Devices with their size, as /proc/swaps has them after its heading. */
static int meta_swap(const struct setup *su, struct mmt_writer *w)
{
	struct buf text = {0}, out = {0};
	unsigned long long kib;
	char name[256], *line, *save;
	int ret;

	if (host_read(su->host, &text, "/proc/swaps")) {
		buf_free(&text);
		return 0;
	}
	ret = buf_printf(&out, "%s", "");
	strtok_r((char *)text.p, "\n", &save);
	while (!ret && (line = strtok_r(NULL, "\n", &save)))
		if (sscanf(line, "%255s %*s %llu", name, &kib) == 2)
			ret = buf_printf(&out, "%s%s %llu KiB",
					 out.len ? ", " : "", name, kib);
	if (!ret)
		ret = mmt_writer_meta(w, "swap",
				      out.len ? (char *)out.p : "none");
	buf_free(&text);
	buf_free(&out);
	return ret;
}

static int meta_lru_gen(const struct setup *su, struct mmt_writer *w)
{
	char line[64];

	if (host_read_line(su->host, "/sys/kernel/mm/lru_gen/enabled", line,
			   sizeof(line)))
		strcpy(line, "absent");
	return mmt_writer_meta(w, "lru_gen.enabled", line);
}

/* "model name : X" of the first CPU; some architectures have no such line. */
static int meta_model(struct mmt_writer *w, const char *cpuinfo)
{
	const char *p = strstr(cpuinfo, "model name");
	char model[128];

	if (!p || sscanf(p, "model name%*[ \t]: %127[^\n]", model) != 1)
		return 0;
	return mmt_writer_meta(w, "cpu.model", model);
}

static int meta_cpu(const struct setup *su, struct mmt_writer *w)
{
	struct buf text = {0};
	const char *p;
	int ret = 0;

	if (!host_read(su->host, &text, "/proc/cpuinfo")) {
		p = strstr((char *)text.p, " hypervisor");
		ret = mmt_writer_meta(w, "hypervisor", p ? "yes" : "no");
		if (!ret)
			ret = meta_model(w, (char *)text.p);
	}
	buf_free(&text);
	return ret;
}

static int meta_memory(const struct setup *su, struct mmt_writer *w)
{
	struct buf text = {0};
	unsigned long long kib;
	const char *p = NULL;
	int ret = 0;

	if (!host_read(su->host, &text, "/proc/meminfo"))
		p = strstr((char *)text.p, "MemTotal:");
	if (p && sscanf(p, "MemTotal: %llu", &kib) == 1)
		ret = meta_u64(w, "memory.total", kib << 10);
	buf_free(&text);
	return ret;
}

static int meta_config(const struct setup *su, struct mmt_writer *w)
{
	struct buf text = {0};
	int ret = 0;

	if (!kconfig_read(su->host, &text))
		ret = mmt_writer_meta(w, "config", (char *)text.p);
	buf_free(&text);
	return ret;
}

static int meta_capture(const struct setup *su, struct mmt_writer *w)
{
	int ret;

	ret = mmt_writer_meta(w, "level", plan_level(su->plan));
	if (!ret)
		ret = meta_u64(w, "buffer.kib", su->options->buffer_kib);
	if (!ret && su->options->cpumask)
		ret = mmt_writer_meta(w, "capture.cpumask",
				      su->options->cpumask);
	if (!ret && su->plan->nr_missing)
		ret = mmt_writer_meta(w, "capture.missing",
				      (char *)su->plan->missing.p);
	return ret;
}

/* A filter changes what counts mean: it is part of the setup. */
static int meta_filters(const struct setup *su, struct mmt_writer *w)
{
	const struct plan_event *ev;
	struct buf b = {0};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < su->plan->nr && !ret; i++) {
		ev = &su->plan->event[i];
		if (ev->filter)
			ret = buf_printf(&b, "%s%s:%s if %s", b.len ? "; " : "",
					 ev->system, ev->name, ev->filter);
	}
	if (!ret && b.len)
		ret = mmt_writer_meta(w, "capture.filters", (char *)b.p);
	buf_free(&b);
	return ret;
}

int setup_write_cgroup(const struct cgroup *cg, struct mmt_writer *w)
{
	char text[24] = "none";
	int ret;

	if (!cg->path[0])
		return 0;
	if (cg->has_limit)
		snprintf(text, sizeof(text), "%" PRIu64, cg->max_bytes);
	ret = mmt_writer_meta(w, "cgroup", cg->path);
	if (!ret)
		ret = mmt_writer_meta(w, "memory.max", text);
	/* the key has the name that v2 gave the file */
	if (!ret && cg->v1)
		ret = mmt_writer_meta(w, "memory.limit.file",
				      cgroup_limit_file(cg));
	return ret;
}

int setup_write(const struct setup *su, struct mmt_writer *w)
{
	static int (*const steps[])(const struct setup *,
				    struct mmt_writer *) = {
		meta_kernel,  meta_clock,   meta_command, meta_cpu,
		meta_memory,  meta_lru_gen, meta_swap,    meta_config,
		meta_capture, meta_filters,
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(steps) && !ret; i++)
		ret = steps[i](su, w);
	return ret;
}
