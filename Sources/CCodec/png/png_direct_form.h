// Which images are decoded without libpng.

#ifndef TILEWRIGHT_PNG_DIRECT_FORM_H
#define TILEWRIGHT_PNG_DIRECT_FORM_H

#include <png.h>

#include "png_direct.h"

/// The form of an image whose header libpng has read; false if it is left to libpng: interlaced,
/// 16 bits, or RGB with a transparent colour.
bool cc_direct_form_of(png_structp png, png_infop info, cc_direct_form *form);

#endif
