// Compresses drawings: repetitions are searched for at pixels, not at bytes, and the cheapest way to write
// them is taken.

#ifndef TILEWRIGHT_DEFLATE_DEFLATE_H
#define TILEWRIGHT_DEFLATE_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/// What is compressed: rows of pixels, each behind the byte that names its filter.
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

typedef enum cc_deflate_effort {
    /// The first match that is found.
    CC_DEFLATE_QUICK,
    /// Of several matches at each place, those that together take the fewest bits.
    CC_DEFLATE_CHEAPEST,
    /// Of many matches, and weighed again by the codes that they lead to. Streams can be recoded.
    CC_DEFLATE_SMALLEST,
} cc_deflate_effort;

typedef struct cc_deflater cc_deflater;

/// NULL if memory is refused. Takes 2.2 MB, whatever the size of the images, and 1 MB if it is quick.
cc_deflater *cc_deflater_create(cc_deflate_effort effort);
void cc_deflater_destroy(cc_deflater *deflater);

/// Bytes behind an image's that can be read, and are the same for the same image: zeros, say.
enum { CC_READ_AHEAD = 8 };

/// The most bytes that a stream of `size` bytes takes while it is written.
size_t cc_deflate_bound(size_t size);

/// Writes the zlib stream of an image, and returns its size. If it is quick, all rows have the same filter.
size_t cc_deflate(cc_deflater *deflater, const cc_raster *raster, uint8_t *stream);

/// Writes a zlib stream again, with the same literals and matches in other blocks, whose codes fit better.
/// Both may be in the same buffer. Other encoders make blocks where they first see that something else
/// begins; which ones pay is known at the end: files of tiles of plans are 1 % smaller.
///
/// - Parameters:
///   - bytes: what the stream stands for, `size` of them.
///   - deflater: its effort is CC_DEFLATE_SMALLEST.
/// - Returns: the stream's new size; 0 if there are too many tokens, and then nothing is written.
size_t cc_recode(
    cc_deflater *deflater, const uint8_t *bytes, size_t size, const uint8_t *stream, size_t stream_size,
    uint8_t *recoded);

#endif
