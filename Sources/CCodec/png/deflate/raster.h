// What is compressed: rows of pixels, each behind the byte that names its filter.

#ifndef TILEWRIGHT_DEFLATE_RASTER_H
#define TILEWRIGHT_DEFLATE_RASTER_H

#include <stddef.h>
#include <stdint.h>

typedef struct cc_raster {
    /// The rows without gaps.
    const uint8_t *bytes;
    /// Their pixels, a value for each, the first byte lowest; `width` to a row.
    const uint32_t *pixels;
    uint32_t width;
    uint32_t height;
    /// The bytes of a pixel, 1 to 4.
    uint32_t pixel;
} cc_raster;

static inline size_t cc_row_begin(const cc_raster *raster, uint32_t y) {
    return y * (1 + (size_t)raster->width * raster->pixel);
}

static inline uint8_t cc_row_filter(const cc_raster *raster, uint32_t y) {
    return raster->bytes[cc_row_begin(raster, y)];
}

/// Where the bytes of a place begin: the filter belongs to the first pixel of its row.
static inline size_t cc_byte_at(const cc_raster *raster, uint32_t place) {
    const uint32_t y = place / raster->width;
    return (size_t)place * raster->pixel + y + (place > y * raster->width);
}

/// Where the bytes of a place's pixel begin, behind its row's filter.
static inline size_t cc_pixel_byte_at(const cc_raster *raster, uint32_t place) {
    return (size_t)place * raster->pixel + place / raster->width + 1;
}

#endif
