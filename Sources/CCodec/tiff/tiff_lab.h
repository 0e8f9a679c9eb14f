// What samples of CIELAB stand for.

#ifndef TILEWRIGHT_TIFF_LAB_H
#define TILEWRIGHT_TIFF_LAB_H

#include "tiff_file.h"
#include "tiff_pixels.h"

/// What the samples of the current directory stand for: TIFF 6.0, section 23; ICC.1, 6.3.4.2 for ICCLAB,
/// whose 16 bits end at 0xFF00; and RFC 2301, 5.2.3, for ITULAB, where the tag Decode may say something else.
void cc_tiff_lab_ranges(TIFF *tiff, const cc_tiff_header *header, cc_lab_range ranges[3]);

#endif
