// PNG files around a zlib stream, and what those of tiles and of views have in common.

#ifndef TILEWRIGHT_PNG_FILE_H
#define TILEWRIGHT_PNG_FILE_H

#include "../../message.h"
#include "../png_filter.h"
#include "png_form.h"

// libdeflate's levels, chosen by measurement on tiles of plans and of photographs.
enum {
    // Photographs leave it little but Huffman coding: more effort gains 4 % at twice the time.
    CC_LEVEL_FAST = 1,
    // Between: scans become 9 % smaller for half as much time again, and by 6 another 5 % for twice
    // the time.
    CC_LEVEL_SCAN = 2,
};

// It averages noise away: on samples at most 2 % behind the best filter, mostly ahead of it.
enum { CC_PHOTOGRAPH_FILTER = CC_FILTER_AVERAGE };

/// What a file takes besides its zlib stream: signature, IHDR, PLTE and tRNS of 256 entries, the frames of
/// IDAT and IEND. 8 + 25 + 780 + 268 + 12 + 12.
enum { CC_PNG_FRAME_SIZE = 1105 };

/// What stands in a file.
typedef struct cc_png_content {
    const cc_form *form;
    uint32_t width;
    uint32_t height;
    /// The rows, filtered and compressed.
    const uint8_t *stream;
    size_t stream_size;
} cc_png_content;

/// Writes a file to `file`, which has room for the stream and CC_PNG_FRAME_SIZE bytes more.
cc_status cc_png_write_file(
    const cc_png_content *content, uint8_t *file, size_t *file_size, cc_message *message);

#endif
