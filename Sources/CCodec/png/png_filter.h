// The row filters of PNG (specification, section 9). They predict each byte from its neighbours, and keep the
// differences. Deflate compresses these better than the bytes if neighbours are similar, but seldom equal.

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

/// Filters a row of `count` bytes to `filtered`. `above` is the row before it, zeros for the first row;
/// `pixel` is the size of a pixel in bytes, at most `count`. The three buffers do not overlap.
void cc_filter_row(
    cc_filter filter, const uint8_t *restrict row, const uint8_t *restrict above, size_t count, size_t pixel,
    uint8_t *restrict filtered);

/// An estimate of the bits that deflate will need for a filtered row: each byte counts as the length of a
/// typical Huffman code for its distance from 0 modulo 256. In the usual sum of distances, a few large
/// steps, such as the edges of a plan, outweigh many zeros more.
uint32_t cc_filtered_cost(const uint8_t *filtered, size_t count);

/// Converts `count` filtered bytes to the row. `above` is the row before it, zeros for the first row; `pixel`
/// is the size of a pixel in bytes, 1...4, a divisor of `count`. The three buffers do not overlap, and no
/// bytes beyond them are accessed.
void cc_unfilter_row(
    cc_filter filter, const uint8_t *restrict filtered, const uint8_t *restrict above, size_t count,
    size_t pixel, uint8_t *restrict row);

/// The same for two rows with the Paeth filter, the second below the first. For photographs, this takes less
/// than half the time of two calls. The buffers do not overlap.
void cc_unfilter_two_paeth(
    const uint8_t *const filtered[2], const uint8_t *above, size_t count, size_t pixel,
    uint8_t *const row[2]);

#endif
