// The parts of a HEIF file's primary image: coded images, transparency, cropping and turns, colours.

#ifndef TILEWRIGHT_HEIF_PICTURE_H
#define TILEWRIGHT_HEIF_PICTURE_H

#include "heif_coded.h"
#include "heif_turn.h"

typedef struct cc_heif_picture {
    /// The coded image, or the grid of coded images; and the first coded image.
    cc_item *base, *first;
    /// The transparency of `base`, or NULL. In a grid, each tile may have its own transparency instead.
    cc_item *alpha;
    bool is_premultiplied;
    uint32_t columns, rows;
    /// The size before turns.
    uint32_t width, height;
    cc_heif_turn turn;
    /// The form of the first coded image.
    cc_heif_coded coded;
    /// Pixels that the decoder of the largest coded image allocates.
    uint64_t largest;
    /// Bytes of all used image data.
    uint64_t data_size;
    bool has_alpha;
    /// The ICC profile, or nothing.
    cc_cursor profile;
    /// Whether the file has code points; otherwise, those of `coded` are used.
    bool has_code_points;
    cc_heif_code_points code_points;
    /// The content of the EXIF item, or nothing.
    cc_cursor exif;
    /// The number of images in the file, without thumbnails, masks and parts of other images.
    unsigned images;
    bool has_gain_map;
} cc_heif_picture;

/// Finds the parts of the primary image, and marks the items that are used. Also checks the coded
/// sizes, so that `width`, `height` and `largest` suffice to bound the memory for decoding.
cc_status cc_heif_compose(
    cc_heif_file *file, cc_item *primary, cc_heif_picture *picture, cc_message *message);

/// The configuration of a coded image, `hvcC` or `av1C`, or NULL.
const cc_box *cc_heif_configuration(const cc_heif_file *file, const cc_item *item);

#endif
