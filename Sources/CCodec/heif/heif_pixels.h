// Planes of luma and chroma into pixels.

#ifndef TILEWRIGHT_HEIF_PIXELS_H
#define TILEWRIGHT_HEIF_PIXELS_H

#include "heif_coded.h"
#include "heif_turn.h"

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

enum {
    /// Columns of a plane that become rows of a picture at a time: a cache line of samples or two.
    CC_HEIF_BAND = 64,
};

/// Samples of one kind; `bytes` is NULL if there are none.
typedef struct cc_heif_plane {
    const uint8_t *bytes;
    size_t stride;
    /// Whether a sample has two bytes, in the machine's order.
    bool is_wide;
    /// Whether a sample is for two columns, and for two rows: 1 or 0.
    unsigned across, down;
    /// If columns are rows of the picture: those from `first` on.
    uint16_t *band;
    int64_t first;
} cc_heif_plane;

typedef struct cc_heif_pixels {
    /// Luma, Cb and Cr.
    cc_heif_plane planes[3], alpha;
    /// Of the planes.
    uint32_t width, height;
    cc_heif_turn turn;
    /// Whether chroma is interpolated: each sample counts for two columns, or rows.
    bool is_smooth_across, is_smooth_down;
    bool is_premultiplied;
    unsigned alpha_bits;
    cc_heif_matrix matrix;
    /// Of a pixel: 1, 3 or 4 samples of 1 or 2 bytes.
    uint32_t samples, sample_bytes;
    /// Six lines.
    int32_t *lines;
} cc_heif_pixels;

/// Makes room for lines and bands, to be freed on failure, too; false if there is no memory.
bool cc_heif_make_room(cc_heif_pixels *pixels);

void cc_heif_free_room(cc_heif_pixels *pixels);

/// Makes a row of the picture.
void cc_heif_mix(cc_heif_pixels *pixels, uint32_t y, uint8_t *row);

#endif
