// Filters whole images.

#ifndef TILEWRIGHT_PNG_ROWS_H
#define TILEWRIGHT_PNG_ROWS_H

#include "../png_filter.h"

/// For each row the filter that leaves the least, by cc_filtered_cost; CC_FILTER_AVERAGE is not
/// tried. The other strategies are values of cc_filter, one for all rows.
enum { CC_FILTER_ADAPTIVE = CC_FILTERS };

enum { CC_ADAPTIVE_FILTERS = 4 };

/// An image of whole bytes per sample, or of packed samples, which no filter suits.
typedef struct cc_rows {
    /// The rows without gaps, each behind a byte that is 0, as if CC_FILTER_NONE had been applied.
    const uint8_t *bytes;
    /// A row of zeros, which stands in for the row before the first.
    const uint8_t *zeros;
    size_t row_bytes;
    size_t height;
    /// Bytes of a pixel.
    size_t pixel;
    /// Room for CC_ADAPTIVE_FILTERS filtered rows.
    uint8_t *scratch;
} cc_rows;

/// Writes the rows from `first` up to `end`, each behind the byte that names its filter; `strategy`
/// is a cc_filter or CC_FILTER_ADAPTIVE. Returns the bytes written.
size_t cc_filter_rows(const cc_rows *rows, int strategy, size_t first, size_t end, uint8_t *filtered);

/// From one row, or its filter, to the next.
static inline size_t cc_rows_stride(const cc_rows *rows) { return 1 + rows->row_bytes; }

#endif
