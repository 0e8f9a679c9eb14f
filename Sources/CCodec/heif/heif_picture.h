// What the primary image of a HEIF file is made of: coded images, transparency, how it is cut and turned, its
// colours.

#ifndef TILEWRIGHT_HEIF_PICTURE_H
#define TILEWRIGHT_HEIF_PICTURE_H

#include "heif_coded.h"
#include "heif_turn.h"

typedef struct cc_heif_picture {
    /// The coded image, or the grid of several; its first coded image.
    cc_item *base, *first;
    /// Its transparency, or NULL if it is opaque. A grid may also have it tile by tile.
    cc_item *alpha;
    bool is_premultiplied;
    uint32_t columns, rows;
    /// Before it is turned.
    uint32_t width, height;
    cc_heif_turn turn;
    /// The form of the first coded image.
    cc_heif_coded coded;
    /// Pixels that the decoder of the largest coded image allocates.
    uint64_t largest;
    /// Bytes of the data of all that is used.
    uint64_t data_size;
    bool has_alpha;
    /// The ICC profile, or nothing.
    cc_cursor profile;
    /// Whether the file itself has code points; else those of `coded` count.
    bool has_code_points;
    cc_heif_code_points code_points;
    /// The content of the EXIF item, or nothing.
    cc_cursor exif;
    /// Images that one could choose from.
    unsigned images;
    bool has_gain_map;
} cc_heif_picture;

/// Finds out what the primary image is made of, and marks the items that are used. Fails if decoding them
/// would take more memory than `width`, `height` and `largest` say.
cc_status cc_heif_compose(
    cc_heif_file *file, cc_item *primary, cc_heif_picture *picture, cc_message *message);

/// The configuration of a coded image, `hvcC` or `av1C`; NULL if there is none.
const cc_box *cc_heif_configuration(const cc_heif_file *file, const cc_item *item);

#endif
