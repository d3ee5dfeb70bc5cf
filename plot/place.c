/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - where the texts of a chart stand without hiding a curve */

/*
 * Texts are boxes of estimated size.  A box is free if no curve has a value of
 * its height anywhere over its width, and no limit's line or text is in it.
 * Curves rise or fall, so this is hardly ever too strict.
 */
#include "config.h"

#include <math.h>

#include "plot/place.h"

/* Of the plot's width and height at 960 x 600. */
#define CHAR_WIDTH  0.0105
#define LINE_HEIGHT 0.055
#define KEY_SAMPLE  0.075

struct box {
	double left, right, low, high;
};

static bool meets_curve(const struct chart *c, unsigned int series,
			const struct box *b)
{
	double y, place, low, high;
	unsigned int i;

	low = high = chart_value(c, series,
				 exp2(c->from + b->left * (c->to - c->from)));
	for (i = 0; i < c->nr_points; i++) {
		place = chart_place(c, c->x[i]);
		y = c->series[series].y[i];
		if (place < b->left || place > b->right)
			continue;
		low = fmin(low, y);
		high = fmax(high, y);
	}
	/* Never true without a value. */
	return low / 100 <= b->high && high / 100 >= b->low;
}

static bool meets_curves(const struct chart *c, const struct box *b)
{
	unsigned int i;

	for (i = 0; i < c->nr_series; i++)
		if (meets_curve(c, i, b))
			return true;
	return false;
}

static struct box limit_box(const struct chart *c, unsigned int nr,
			    const struct place *p)
{
	double width = CHAR_WIDTH * (double)(strlen(c->limit[nr].text) + 2);

	return (struct box){
		.left = p->to_left ? p->x - width : p->x,
		.right = p->to_left ? p->x : p->x + width,
		.low = p->y - LINE_HEIGHT / 2,
		.high = p->y + LINE_HEIGHT / 2,
	};
}

/* At the top, at the bottom or between; to the right of the line or left. */
struct place place_limit(const struct chart *c, unsigned int nr)
{
	double shift = 0.05 * nr,
	       heights[] = {0.96 - shift, 0.05 + shift, 0.5 - shift};
	struct place p = {.x = chart_place(c, (double)c->limit[nr].bytes)};
	struct box b;
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(heights); i++) {
		p.y = heights[i / 2];
		p.to_left = (p.x > 0.6) ^ (i & 1);
		b = limit_box(c, nr, &p);
		if (b.left >= 0 && b.right <= 1 && !meets_curves(c, &b))
			return p;
	}
	p.y = heights[0];
	p.to_left = p.x > 0.6;
	return p;
}

static bool meets_limit(const struct chart *c, unsigned int nr,
			const struct box *b)
{
	struct place p = place_limit(c, nr);
	struct box text = limit_box(c, nr, &p);

	if (p.x >= b->left && p.x <= b->right)
		return true;
	return text.left <= b->right && text.right >= b->left &&
	       text.low <= b->high && text.high >= b->low;
}

static bool is_free(const struct chart *c, const struct box *b)
{
	unsigned int i;

	for (i = 0; i < c->nr_limits; i++)
		if (meets_limit(c, i, b))
			return false;
	return b->right - b->left < 0.5 && b->high - b->low < 0.6 &&
	       !meets_curves(c, b);
}

const char *place_key(const struct chart *c)
{
	static const char *const corners[] = {
		"inside bottom left", "inside top left", "inside top right",
		"inside bottom right"};
	double width = 0, height = LINE_HEIGHT * (c->nr_series + 0.5);
	struct box b;
	unsigned int i;

	for (i = 0; i < c->nr_series; i++)
		width = fmax(width, (double)strlen(c->series[i].label));
	width = KEY_SAMPLE + CHAR_WIDTH * width;
	for (i = 0; i < ARRAY_SIZE(corners); i++) {
		b.left = strstr(corners[i], "left") ? 0 : 1 - width;
		b.low = strstr(corners[i], "bottom") ? 0 : 1 - height;
		b.right = b.left + width;
		b.high = b.low + height;
		if (is_free(c, &b))
			return corners[i];
	}
	return "above left horizontal";
}
