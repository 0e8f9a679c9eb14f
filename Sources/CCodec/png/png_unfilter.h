// Takes back the row filters of PNG (specification, section 9).

#ifndef TILEWRIGHT_PNG_UNFILTER_H
#define TILEWRIGHT_PNG_UNFILTER_H

#include "png_filter.h"

/// Turns `count` filtered bytes into the row; `above` is the row before it, zeros for the
/// first, and `pixel`, 1...4, the bytes of a pixel, a divisor of `count`. The three do not overlap;
/// nothing beyond them is touched.
void cc_unfilter_row(
    cc_filter filter, const uint8_t *restrict filtered, const uint8_t *restrict above, size_t count,
    size_t pixel, uint8_t *restrict row);

/// The same for two rows under the Paeth filter, the second below the first: for photographs in less than
/// half the time of one after the other. None of them overlap.
void cc_unfilter_two_paeth(
    const uint8_t *const filtered[2], const uint8_t *above, size_t count, size_t pixel,
    uint8_t *const row[2]);

#endif
