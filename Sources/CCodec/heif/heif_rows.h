// Samples of luma and chroma into pixels.

#ifndef TILEWRIGHT_HEIF_ROWS_H
#define TILEWRIGHT_HEIF_ROWS_H

#include "heif_cache.h"

/// From samples to red, green and blue: whole numbers with fractional bits, so that every machine gives the
/// same bytes.
typedef struct cc_heif_matrix {
    int64_t luma[3], cb[3], cr[3], bias[3];
    /// The largest value of a result: 255 or 65535.
    int32_t largest;
} cc_heif_matrix;

/// The matrix of some code points for samples of so many bits; false if it is none that is read.
bool cc_heif_make_matrix(
    const cc_heif_code_points *points, unsigned bits, bool is_gray, int32_t largest, cc_heif_matrix *matrix);

/// What pixels are made of, and room to make them.
typedef struct cc_heif_mixer {
    cc_heif_cache color, alpha;
    bool has_alpha, is_premultiplied;
    cc_heif_matrix matrix;
    /// Of a pixel: 1, 3 or 4 samples of 1 or 2 bytes.
    uint32_t samples, sample_bytes;
    /// Three lines and four shorter ones.
    int32_t *lines;
    uint32_t longest;
} cc_heif_mixer;

/// Writes adjacent pixels of a row of the layers.
cc_status cc_heif_mix(
    cc_heif_mixer *mixer, uint32_t column, uint32_t row, uint32_t count, uint8_t *pixels,
    cc_message *message);

#endif
