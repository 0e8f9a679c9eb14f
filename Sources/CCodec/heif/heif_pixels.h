// Converts planes of luma and chroma to pixels.

#ifndef TILEWRIGHT_HEIF_PIXELS_H
#define TILEWRIGHT_HEIF_PIXELS_H

#include "heif_coded.h"
#include "heif_turn.h"

/// The matrix from samples to red, green and blue, in fixed point, so that every machine gives the same
/// bytes.
typedef struct cc_heif_matrix {
    int64_t luma[3], cb[3], cr[3], bias[3];
    /// The largest value of a result: 255 or 65535.
    int32_t largest;
} cc_heif_matrix;

/// Makes the matrix of the code points for samples of `bits` bits; false if the matrix is unsupported.
bool cc_heif_make_matrix(
    const cc_heif_code_points *points, unsigned bits, bool is_gray, int32_t largest, cc_heif_matrix *matrix);

enum {
    /// Columns of a picture turned by a quarter that are transposed at once: one or two cache lines a row.
    CC_HEIF_BAND = 64,
};

/// Samples of one channel; `bytes` is NULL if the image does not have the channel.
typedef struct cc_heif_plane {
    const uint8_t *bytes;
    size_t stride;
    /// Whether a sample has two bytes, in the machine's order.
    bool is_wide;
    /// 1 if a sample belongs to two columns (`across`) or two rows (`down`); else 0.
    unsigned across, down;
    /// For a picture turned by a quarter: the turned rows, from `first` on.
    uint16_t *band;
    int64_t first;
} cc_heif_plane;

typedef struct cc_heif_pixels {
    /// Luma, Cb and Cr.
    cc_heif_plane planes[3], alpha;
    /// The size of the planes.
    uint32_t width, height;
    cc_heif_turn turn;
    /// Whether chroma is interpolated because each sample belongs to two columns, or rows.
    bool is_smooth_across, is_smooth_down;
    bool is_premultiplied;
    unsigned alpha_bits;
    cc_heif_matrix matrix;
    /// A pixel has 1, 3 or 4 samples of 1 or 2 bytes.
    uint32_t samples, sample_bytes;
    /// Memory for six lines.
    int32_t *lines;
} cc_heif_pixels;

/// Allocates lines and bands; false if there is not enough memory. They must be freed even on failure.
bool cc_heif_make_room(cc_heif_pixels *pixels);

void cc_heif_free_room(cc_heif_pixels *pixels);

/// Computes a row of the picture.
void cc_heif_mix(cc_heif_pixels *pixels, uint32_t y, uint8_t *row);

#endif
