// The row filters of PNG (specification, section 9): they predict each byte from its neighbours and
// keep the difference, which deflate packs better if neighbours are similar but seldom equal.

#ifndef TILEWRIGHT_PNG_FILTER_H
#define TILEWRIGHT_PNG_FILTER_H

#include <stddef.h>
#include <stdint.h>

enum { CC_FILTERS = 5 };

typedef enum cc_filter {
    CC_FILTER_NONE,
    CC_FILTER_SUB,
    CC_FILTER_UP,
    CC_FILTER_AVERAGE,
    CC_FILTER_PAETH,
} cc_filter;

/// Filters a row of `count` bytes to `filtered`; `above` is the row before it, zeros for the first,
/// and `pixel` the bytes of a pixel, at most `count`. The three do not overlap.
void cc_filter_row(
    cc_filter filter, const uint8_t *restrict row, const uint8_t *restrict above, size_t count, size_t pixel,
    uint8_t *restrict filtered);

/// A guess at the bits that deflate will need for a filtered row: the length of a typical Huffman
/// code for a value of each byte's distance from 0 modulo 256. Less than the usual sum of
/// distances, it lets a few large steps, the edges of a plan, outweigh many zeros.
uint32_t cc_filtered_cost(const uint8_t *filtered, size_t count);

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
