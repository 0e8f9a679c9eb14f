// What the primary image of a HEIF file is made of: tiles, transparency, how it is cut and turned, its
// colours.

#ifndef TILEWRIGHT_HEIF_PICTURE_H
#define TILEWRIGHT_HEIF_PICTURE_H

#include "heif_sequence.h"

/// Coded images side by side, all of one size and one form; most pictures have one.
typedef struct cc_heif_layer {
    uint32_t columns, rows;
    uint32_t tile_width, tile_height;
    /// Of the whole; the last tiles may reach beyond it.
    uint32_t width, height;
    /// `columns * rows` of them, row by row.
    const cc_item **tiles;
    /// `hvc1` or `av01`.
    uint32_t codec;
    unsigned bits;
    cc_heif_chroma chroma;
} cc_heif_layer;

/// From a pixel of the picture to one of its layers: `column = a x + b y + c`, `row = d x + e y + f`, where
/// two of a, b, d and e are 0, and the others 1 or -1. It is how a picture is cut, turned and mirrored.
typedef struct cc_heif_turn {
    int64_t a, b, c, d, e, f;
    /// Of the picture.
    uint32_t width, height;
} cc_heif_turn;

typedef struct cc_heif_picture {
    cc_heif_layer color;
    /// Without tiles if the picture is opaque.
    cc_heif_layer alpha;
    bool is_premultiplied;
    cc_heif_turn turn;
    /// Of the file; its coded images may have some of their own, which count if there are none here.
    bool has_code_points;
    cc_heif_code_points code_points;
    /// The ICC profile, or nothing.
    cc_cursor profile;
    /// The item of the EXIF block, or NULL.
    const cc_item *exif;
    /// Images that one could choose from.
    unsigned images;
    bool has_gain_map;
} cc_heif_picture;

/// Finds out what the primary image is made of. On failure, too, cc_heif_release_picture is to be called.
cc_status cc_heif_compose(
    const cc_heif_file *file, const cc_item *primary, cc_heif_picture *picture, cc_message *message);

void cc_heif_release_picture(cc_heif_picture *picture);

#endif
