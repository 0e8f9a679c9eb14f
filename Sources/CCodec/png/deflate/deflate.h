// Compresses drawings: searches for repeated pixels instead of bytes, and uses the cheapest encoding.

#ifndef TILEWRIGHT_DEFLATE_DEFLATE_H
#define TILEWRIGHT_DEFLATE_DEFLATE_H

#include "CCodec.h"

/// The input: rows of pixels, each preceded by its filter byte.
typedef struct cc_raster {
    /// The rows without gaps.
    const uint8_t *bytes;
    /// Their pixels, one value each, the first byte lowest; `width` per row.
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

/// The beginning of a place's bytes. A row's filter byte belongs to its first pixel.
static inline size_t cc_byte_at(const cc_raster *raster, uint32_t place) {
    const uint32_t y = place / raster->width;
    return (size_t)place * raster->pixel + y + (place > y * raster->width);
}

/// The beginning of the bytes of a place's pixel, after its row's filter byte.
static inline size_t cc_pixel_byte_at(const cc_raster *raster, uint32_t place) {
    return (size_t)place * raster->pixel + place / raster->width + 1;
}

typedef struct cc_deflater cc_deflater;

/// Creates a deflater, or returns NULL if memory is refused. It takes 2.2 MB, with CC_PNG_FAST 1 MB, whatever
/// the size of the image.
///
/// With CC_PNG_FAST, it takes the first match that is found; with CC_PNG_STANDARD, from several matches at
/// each place, the combination that takes the fewest bits. With CC_PNG_SMALL, it does the same with more
/// matches, and chooses them again by the costs in the resulting codes; then it also recodes streams.
cc_deflater *cc_deflater_create(cc_png_effort effort);
void cc_deflater_destroy(cc_deflater *deflater);

/// The number of bytes after the image that must be readable. They must not vary between calls for the same
/// image; zeros will do.
enum { CC_READ_AHEAD = 8 };

/// The buffer size needed to compress `size` bytes; the finished stream may be smaller.
size_t cc_deflate_bound(size_t size);

/// Writes the zlib stream of an image, and returns its size. With CC_PNG_FAST, all rows must have the
/// same filter.
size_t cc_deflate(cc_deflater *deflater, const cc_raster *raster, uint8_t *stream);

/// Rewrites a zlib stream with the same literals and matches, but with other blocks, whose codes fit better.
/// Both streams may be in the same buffer. Other encoders begin a block as soon as the data change, but the
/// best blocks are known only at the end: tiles of plans become 1 % smaller.
///
/// - Parameters:
///   - bytes: the uncompressed bytes of the stream, `size` of them.
///   - deflater: its effort is CC_PNG_SMALL.
/// - Returns: the stream's new size; 0 if there are too many tokens, and then nothing is written.
size_t cc_recode(
    cc_deflater *deflater, const uint8_t *bytes, size_t size, const uint8_t *stream, size_t stream_size,
    uint8_t *recoded);

#endif
