/* SPDX-License-Identifier: GPL-2.0-or-later */
/* units.c - sizes, times and shares: read what users type, print what we say */

/*
 * A number with a unit is read into whole part and decimal fraction and then
 * scaled in 128-bit integers, so that "2.5G" is exact and "16E" is caught and
 * not wrapped.  Nothing here depends on the locale.
 */
#include <math.h>
#include <stdio.h>

#include "formats/units.h"

struct unit {
	const char *name;
	uint64_t scale;
};

/* whole + frac / denom */
struct decimal {
	uint64_t whole;
	uint64_t frac;
	uint64_t denom;
};

#define MAX_DENOM 1000000000000ULL

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int parse_whole(const char **text, uint64_t *v)
{
	const char *s = *text;

	if (!is_digit(*s))
		return -EINVAL;
	for (*v = 0; is_digit(*s); s++)
		if (__builtin_mul_overflow(*v, 10, v) ||
		    __builtin_add_overflow(*v, (uint64_t)(*s - '0'), v))
			return -ERANGE;
	*text = s;
	return 0;
}

static int parse_decimal(const char **text, struct decimal *d)
{
	const char *s = *text;
	int ret;

	d->frac = 0;
	d->denom = 1;
	ret = parse_whole(&s, &d->whole);
	if (ret)
		return ret;
	if (*s == '.') {
		s++;
		if (!is_digit(*s))
			return -EINVAL;
		for (; is_digit(*s); s++) {
			if (d->denom == MAX_DENOM)
				continue;
			d->frac = d->frac * 10 + (uint64_t)(*s - '0');
			d->denom *= 10;
		}
	}
	*text = s;
	return 0;
}

static bool same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if ((*a | 0x20) != (*b | 0x20))
			return false;
	return *a == *b;
}

static int parse_scaled(const char *text, const struct unit *units,
			unsigned int nr, uint64_t *v)
{
	unsigned __int128 sum;
	struct decimal d;
	unsigned int i;
	int ret;

	ret = parse_decimal(&text, &d);
	if (ret)
		return ret;
	for (i = 0; i < nr && !same_name(text, units[i].name); i++)
		;
	if (i == nr)
		return -EINVAL;
	sum = (unsigned __int128)d.whole * units[i].scale;
	sum += (unsigned __int128)d.frac * units[i].scale / d.denom;
	if (sum > UINT64_MAX)
		return -ERANGE;
	*v = (uint64_t)sum;
	return 0;
}

int units_parse_size(const char *text, uint64_t *bytes)
{
	/* KB and MB too: the kernel's kB in meminfo is 1024 as well. */
	static const struct unit units[] = {
		{"", 1},
		{"B", 1},
		{"K", 1ULL << 10},
		{"KB", 1ULL << 10},
		{"M", 1ULL << 20},
		{"MB", 1ULL << 20},
		{"G", 1ULL << 30},
		{"GB", 1ULL << 30},
		{"T", 1ULL << 40},
		{"TB", 1ULL << 40},
		{"P", 1ULL << 50},
		{"PB", 1ULL << 50},
		{"KiB", 1ULL << 10},
		{"MiB", 1ULL << 20},
		{"GiB", 1ULL << 30},
		{"TiB", 1ULL << 40},
		{"PiB", 1ULL << 50},
	};

	return parse_scaled(text, units, ARRAY_SIZE(units), bytes);
}

int units_parse_time(const char *text, uint64_t *ns)
{
	static const struct unit units[] = {
		{"", 1000000000},
		{"s", 1000000000},
		{"ms", 1000000},
		{"us", 1000},
		{"ns", 1},
		{"m", 60000000000},
		{"min", 60000000000},
		{"h", 3600000000000},
	};

	return parse_scaled(text, units, ARRAY_SIZE(units), ns);
}

int units_parse_u64(const char *text, uint64_t *v)
{
	uint64_t sum;
	int ret;

	ret = parse_whole(&text, &sum);
	if (ret)
		return ret;
	if (*text)
		return -EINVAL;
	*v = sum;
	return 0;
}

/*
 * One decimal, which is left out only where it would be an exact zero: "4 KiB"
 * is 4096 bytes, "4.0 KiB" is about that.
 */
static void put_tenths(char out[UNITS_MAX], uint64_t v, uint64_t scale,
		       const char *unit)
{
	uint64_t tenths;

	if (v % scale == 0) {
		snprintf(out, UNITS_MAX, "%llu %s",
			 (unsigned long long)(v / scale), unit);
		return;
	}
	tenths = (uint64_t)(((unsigned __int128)v * 10 + scale / 2) / scale);
	snprintf(out, UNITS_MAX, "%llu.%u %s",
		 (unsigned long long)(tenths / 10), (unsigned int)(tenths % 10),
		 unit);
}

/* The largest unit in which v, rounded to tenths, is at least one. */
static const struct unit *fitting(const struct unit *units, unsigned int nr,
				  uint64_t v)
{
	unsigned int i;

	for (i = 0; i + 1 < nr; i++) {
		if (v >= units[i].scale - units[i + 1].scale / 20)
			break;
	}
	return &units[i];
}

char *units_size(char out[UNITS_MAX], uint64_t bytes)
{
	static const struct unit units[] = {
		{"PiB", 1ULL << 50}, {"TiB", 1ULL << 40}, {"GiB", 1ULL << 30},
		{"MiB", 1ULL << 20}, {"KiB", 1ULL << 10}, {"B", 1},
	};
	const struct unit *u = fitting(units, ARRAY_SIZE(units), bytes);

	put_tenths(out, bytes, u->scale, u->name);
	return out;
}

char *units_time(char out[UNITS_MAX], uint64_t ns)
{
	static const struct unit units[] = {
		{"s", 1000000000},
		{"ms", 1000000},
		{"us", 1000},
		{"ns", 1},
	};
	const struct unit *u = fitting(units, ARRAY_SIZE(units), ns);

	/* Three digits are enough below the second. */
	if (u->scale > 1 && u->scale < 1000000000 && ns >= 100 * u->scale)
		ns = (ns + u->scale / 2) / u->scale * u->scale;
	u = fitting(units, ARRAY_SIZE(units), ns);
	put_tenths(out, ns, u->scale, u->name);
	return out;
}

/* Hundredths of a per cent and the like: v / 10^decimals, rounded half up. */
static void put_fixed(char out[UNITS_MAX], const char *sign, double v,
		      unsigned int decimals)
{
	uint64_t n, scale = decimals == 1 ? 10 : 100;

	if (v > 1e15) {
		snprintf(out, UNITS_MAX, "%s%.0e%%", sign, v);
		return;
	}
	n = (uint64_t)(v * (double)scale + 0.5);
	snprintf(out, UNITS_MAX, "%s%llu.%0*u%%", n ? sign : "",
		 (unsigned long long)(n / scale), (int)decimals,
		 (unsigned int)(n % scale));
}

char *units_share(char out[UNITS_MAX], uint64_t part, uint64_t whole)
{
	if (whole)
		put_fixed(out, "", 100.0 * (double)part / (double)whole, 1);
	else
		snprintf(out, UNITS_MAX, "-");
	return out;
}

char *units_delta(char out[UNITS_MAX], double base, double value)
{
	double pct;

	if (!isfinite(base) || !isfinite(value)) {
		snprintf(out, UNITS_MAX, "-");
		return out;
	}
	if (base == 0) {
		snprintf(out, UNITS_MAX, value == 0 ? "0.00%%" : "new");
		return out;
	}
	pct = 100 * (value - base) / fabs(base);
	put_fixed(out, pct < 0 ? "-" : "+", fabs(pct), 2);
	return out;
}

char *units_escape(char *out, size_t size, const char *text)
{
	static const char hex[] = "0123456789abcdef";
	char *o = out, *end = out + size - 1;
	unsigned char c;

	if (!size)
		return out;
	for (; (c = (unsigned char)*text); text++) {
		if (c >= 32 && c < 127 && c != '\\') {
			if (end - o < 1)
				break;
			*o++ = (char)c;
		} else if (c == '\\') {
			if (end - o < 2)
				break;
			*o++ = '\\';
			*o++ = '\\';
		} else {
			if (end - o < 4)
				break;
			*o++ = '\\';
			*o++ = 'x';
			*o++ = hex[c >> 4];
			*o++ = hex[c & 15];
		}
	}
	*o = '\0';
	return out;
}
