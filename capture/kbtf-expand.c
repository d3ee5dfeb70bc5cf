/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbtf-expand.c - probes that are written for any kernel, for this one */

#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "capture/kbtf-priv.h"

#define ARG          "$arg("
#define NAME_MAX_LEN 255
/* $argN: more than a function has, and than a probe may fetch */
#define NR_ARGS_MAX 32

struct expand {
	const struct kbtf *b;
	const char *func;
	struct buf *out;
	struct errbuf *err;
	int nr_believed;
};

/* Copies what is up to the closing character. */
static int inside(const char *text, char close, char out[NAME_MAX_LEN + 1],
		  struct errbuf *err)
{
	const char *end = strchr(text, close);
	size_t len = end ? (size_t)(end - text) : 0;

	if (!len || len > NAME_MAX_LEN)
		return errbuf_set(err, -EINVAL, "%.60s: no name and %c", text,
				  close);
	memcpy(out, text, len);
	out[len] = '\0';
	return (int)len;
}

/* "{PATH}".  Returns its length, as expand_arg() does. */
static int expand_offset(struct expand *e, const char *at)
{
	char path[NAME_MAX_LEN + 1];
	struct kbtf_member m;
	int len, ret;

	len = inside(at + 1, '}', path, e->err);
	if (len < 0)
		return len;
	if (!e->b)
		return errbuf_set(e->err, -ENOENT,
				  "%s: this kernel has no BTF to find it",
				  path);
	ret = kbtf_member(e->b, path, &m, e->err);
	if (!ret && !strpbrk(path, ".["))
		ret = errbuf_set(e->err, -EINVAL, "%s: names no member", path);
	if (!ret)
		ret = buf_printf(e->out, "%" PRIu64, m.offset);
	return ret ? ret : len + 2;
}

/* Cuts ":N" off.  0 if there is none. */
static int cut_position(char *what, int *position, struct errbuf *err)
{
	char *colon = strrchr(what, ':'), *end;
	unsigned long n;

	*position = 0;
	if (!colon)
		return 0;
	n = strtoul(colon + 1, &end, 10);
	if (!isdigit((unsigned char)colon[1]) || *end || !n || n > NR_ARGS_MAX)
		return errbuf_set(err, -EINVAL, "%s: is no position: %s", what,
				  colon + 1);
	*colon = '\0';
	*position = (int)n;
	return 0;
}

/* Where the argument is; the position given counts only without BTF. */
static int arg_position(struct expand *e, const char *what, int position)
{
	struct kbtf_func f;
	int ret;

	if (!e->func)
		return errbuf_set(e->err, -EINVAL,
				  "%s: only a function has arguments", what);
	ret = e->b ? kbtf_func(e->b, e->func, &f, e->err)
		   : errbuf_set(e->err, -ENOENT,
				"%s: this kernel has no BTF to find %s",
				e->func, what);
	if (ret == -ENOENT && position) {
		e->nr_believed++;
		return position;
	}
	return ret ? ret : kbtf_arg(e->b, e->func, what, e->err);
}

/* "$arg(WHAT)", "$arg(WHAT:N)" */
static int expand_arg(struct expand *e, const char *at)
{
	char what[NAME_MAX_LEN + 1];
	int len, position, ret;

	len = inside(at + strlen(ARG), ')', what, e->err);
	if (len < 0)
		return len;
	ret = cut_position(what, &position, e->err);
	if (!ret)
		ret = arg_position(e, what, position);
	if (ret < 0)
		return ret;
	ret = buf_printf(e->out, "$arg%d", ret);
	return ret ? ret : len + (int)strlen(ARG) + 1;
}

/* What is not replaced.  Returns its length. */
static int expand_text(struct expand *e, const char *at)
{
	size_t len = strcspn(at, "{$");
	int ret;

	len += !len; /* a $ of something else */
	ret = buf_append(e->out, at, len);
	return ret ? ret : (int)len;
}

int kbtf_expand(const struct kbtf *b, struct buf *out, const char *spec,
		const char *func, struct errbuf *err)
{
	struct expand e = {.b = b, .func = func, .out = out, .err = err};
	int ret;

	while (*spec) {
		if (*spec == '{')
			ret = expand_offset(&e, spec);
		else if (!strncmp(spec, ARG, strlen(ARG)))
			ret = expand_arg(&e, spec);
		else
			ret = expand_text(&e, spec);
		if (ret == -ENOMEM)
			errbuf_set(err, ret, "%s", strerror(ENOMEM));
		if (ret < 0)
			return ret;
		spec += ret;
	}
	/* a text, too, if it is empty */
	ret = buf_append(out, "", 1);
	if (ret)
		return errbuf_set(err, ret, "%s", strerror(-ret));
	out->len--;
	return e.nr_believed;
}
