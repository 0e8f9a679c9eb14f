// Compresses drawings: what repeats is looked for at pixels, not at bytes, and of the ways to say it the
// cheapest is taken.

#ifndef TILEWRIGHT_DEFLATE_DEFLATE_H
#define TILEWRIGHT_DEFLATE_DEFLATE_H

#include "raster.h"

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

/// Writes a zlib stream anew, with the same literals and matches in other blocks, whose codes fit better.
/// Both may lie at the same place. Other encoders make blocks where they first see that something else
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
