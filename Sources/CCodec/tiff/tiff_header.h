// The description of an image from the tags of a TIFF directory.

#ifndef TILEWRIGHT_TIFF_HEADER_H
#define TILEWRIGHT_TIFF_HEADER_H

#include "tiff_file.h"
#include "tiff_pixels.h"

/// Describes the current directory, and chooses whether libtiff converts its colours. CC_UNSUPPORTED if its
/// pixels are of an unsupported kind.
cc_status cc_tiff_describe(cc_tiff_file *file, cc_tiff_header *header, cc_message *message);

/// As cc_tiff_numbers.
size_t cc_tiff_tag_numbers(TIFF *tiff, uint32_t tag, double *numbers, size_t capacity);

/// As cc_tiff_text.
const char *cc_tiff_tag_text(TIFF *tiff, uint32_t tag, size_t *size);

/// The ranges of the current directory's samples: TIFF 6.0, section 23; ICC.1, 6.3.4.2 for ICCLAB, whose 16
/// bits end at 0xFF00; RFC 2301, 5.2.3, for ITULAB, unless the tag Decode defines other ranges.
void cc_tiff_lab_ranges(TIFF *tiff, const cc_tiff_header *header, cc_lab_range ranges[3]);

#endif
