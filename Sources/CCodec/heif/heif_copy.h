// What libheif is given of a file.

#ifndef TILEWRIGHT_HEIF_COPY_H
#define TILEWRIGHT_HEIF_COPY_H

#include "heif_picture.h"

/// The matrix of BT.601.
enum { CC_HEIF_BT601 = 6 };

/// Writes a file of the images that a picture uses, without its turns and colours. libheif reads it as it
/// would read the one that it is made of, but damaged descriptions do not reach it.
///
/// `matrix` is the one of H.273 that the samples are said to be coded by, in full range. `*bytes` is to be
/// freed by the caller; it is NULL if there is no memory.
void cc_heif_copy(
    const cc_heif_file *file, const cc_heif_picture *picture, unsigned matrix, uint8_t **bytes, size_t *size);

#endif
