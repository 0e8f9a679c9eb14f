// The numbers by which files name colours: code points of ITU-T H.273.

#ifndef TILEWRIGHT_CODE_POINTS_H
#define TILEWRIGHT_CODE_POINTS_H

#include "CCodec.h"

/// Sets x and y of white, red, green and blue, in units of a PNG's cHRM: 100000 is 1.
void cc_set_chromaticities(cc_color_tags *tags, const int32_t values[8]);

/// Table 2: the primaries that pictures use; false for others.
bool cc_use_primaries(unsigned code, cc_color_tags *tags);

/// Table 3: the functions without more light than a screen's white; false for others.
bool cc_use_transfer(unsigned code, cc_color_tags *tags);

/// Sets what both say; what cannot be used becomes a problem.
void cc_use_code_points(unsigned primaries, unsigned transfer, cc_color_tags *tags);

#endif
