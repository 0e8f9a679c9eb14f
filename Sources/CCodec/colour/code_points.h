// Code points of ITU-T H.273: the numbers with which files describe their colours.

#ifndef TILEWRIGHT_CODE_POINTS_H
#define TILEWRIGHT_CODE_POINTS_H

#include "CCodec.h"

/// Sets x and y of white, red, green and blue, in units of a PNG's cHRM: 100000 is 1.
void cc_set_chromaticities(cc_color_tags *tags, const int32_t values[8]);

/// Sets primaries from table 2; false if pictures do not use them.
bool cc_use_primaries(unsigned code, cc_color_tags *tags);

/// Sets a transfer function from table 3; false if it is unknown, or goes beyond a screen's white.
bool cc_use_transfer(unsigned code, cc_color_tags *tags);

/// Sets primaries and transfer function. If they cannot be used, sets `tags->problem`.
void cc_use_code_points(unsigned primaries, unsigned transfer, cc_color_tags *tags);

#endif
