/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpus.c - sets of CPUs as users type them and as the kernel wants them */

/*
 * CPU numbers may have holes, and be as high as the kernel allows: nothing
 * here counts CPUs, everything names them.
 */

#include "config.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/cpus.h"

static int parse_number(const char **p, unsigned int *nr)
{
	unsigned int v = 0;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	for (; isdigit((unsigned char)**p); (*p)++) {
		v = v * 10 + (unsigned int)(**p - '0');
		if (v >= CPUS_MAX)
			return -EINVAL;
	}
	*nr = v;
	return 0;
}

int cpus_parse(struct cpus *cpus, const char *list)
{
	unsigned int from, to;

	memset(cpus, 0, sizeof(*cpus));
	for (;; list++) {
		if (parse_number(&list, &from))
			return -EINVAL;
		to = from;
		if (*list == '-' && (list++, parse_number(&list, &to)))
			return -EINVAL;
		if (to < from)
			return -EINVAL;
		for (; from <= to; from++)
			cpus_add(cpus, from);
		if (*list != ',')
			break;
	}
	return *list ? -EINVAL : 0;
}

char *cpus_list(const struct cpus *cpus, char *out, size_t size)
{
	unsigned int cpu, end;
	size_t len = 0;
	int n;

	out[0] = '\0';
	for (cpu = 0; cpu <= cpus->highest; cpu = end + 1) {
		end = cpu;
		if (!cpus_have(cpus, cpu))
			continue;
		while (cpus_have(cpus, end + 1))
			end++;
		n = snprintf(out + len, size - len,
			     end > cpu ? "%s%u-%u" : "%s%u", len ? "," : "",
			     cpu, end);
		if (n < 0 || (size_t)n >= size - len)
			break;
		len += (size_t)n;
	}
	return out;
}

int cpus_mask(const struct cpus *cpus, struct buf *out)
{
	unsigned int i = cpus->highest / 32 + 1;
	int ret = 0;

	while (i-- && !ret)
		ret = buf_printf(out, "%08x%s",
				 (uint32_t)(cpus->bits[i / 2] >> i % 2 * 32),
				 i ? "," : "");
	return ret;
}

int cpus_read_dirs(struct cpus *cpus, const char *tracing)
{
	char path[4096 + 64];
	struct dirent *d;
	const char *p;
	unsigned int cpu;
	DIR *dir;

	memset(cpus, 0, sizeof(*cpus));
	snprintf(path, sizeof(path), "%s/per_cpu", tracing);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((d = readdir(dir))) {
		if (strncmp(d->d_name, "cpu", 3))
			continue;
		p = d->d_name + 3;
		if (!parse_number(&p, &cpu) && !*p)
			cpus_add(cpus, cpu);
	}
	closedir(dir);
	return 0;
}
