// Decodes the common forms of PNG without libpng, several times faster: its rows are inflated
// and unfiltered into the rows that are delivered, without another copy.

#ifndef TILEWRIGHT_PNG_DIRECT_H
#define TILEWRIGHT_PNG_DIRECT_H

#include "png_chunks.h"
#include "png_expand.h"

/// The form of an image whose rows are not interlaced.
typedef struct cc_direct_form {
    uint32_t width;
    uint32_t height;
    /// Of a stored pixel: 1, 2, 4, 8, 16, 24 or 32.
    uint32_t bits_per_pixel;
    /// Whether `expansion` makes the delivered pixels; else they are the stored ones.
    bool is_expanded;
    cc_expansion expansion;
} cc_direct_form;

typedef struct cc_direct cc_direct;

/// The memory that decoding takes.
uint64_t cc_direct_bytes(const cc_direct_form *form);

/// A decoder for a file that has been read up to the data of its first IDAT chunk, with the header of
/// that chunk; NULL if there is no memory for it.
cc_direct *cc_direct_create(const cc_direct_form *form, FILE *file, const uint8_t header[CC_CHUNK_HEADER]);

/// Decodes the next `count` rows to `rows`; no more than are left. With the last row the file is
/// read to its end. *decoded is set to the number of rows that are sound. Returns whether all is
/// well; if not, cc_direct_failure says why.
bool cc_direct_read(cc_direct *direct, uint8_t *rows, size_t stride, size_t count, size_t *decoded);

/// Why there are no more rows.
const cc_failure *cc_direct_failure(const cc_direct *direct);

/// NULL is allowed.
void cc_direct_destroy(cc_direct *direct);

#endif
