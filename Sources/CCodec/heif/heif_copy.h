// The copy of a file that libheif reads.

#ifndef TILEWRIGHT_HEIF_COPY_H
#define TILEWRIGHT_HEIF_COPY_H

#include "heif_picture.h"

/// The matrix of BT.601.
enum { CC_HEIF_BT601 = 6 };

/// Writes a file with the images that a picture uses, without its turns and colours. libheif decodes the copy
/// like the original, but never sees a damaged description.
///
/// `matrix` is the H.273 matrix that the copy declares for its samples, in full range. The caller must free
/// `*bytes`, which is NULL if there is not enough memory.
void cc_heif_copy(
    const cc_heif_file *file, const cc_heif_picture *picture, unsigned matrix, uint8_t **bytes, size_t *size);

#endif
