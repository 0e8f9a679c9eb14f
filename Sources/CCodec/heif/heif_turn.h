// Cropping, turning and mirroring: the properties clap, irot and imir of ISO/IEC 23008-12.

#ifndef TILEWRIGHT_HEIF_TURN_H
#define TILEWRIGHT_HEIF_TURN_H

#include "heif_boxes.h"

/// Maps a pixel of the picture to a pixel of the coded image: `column = a x + b y + c`, `row = d x + e y +
/// f`. Two of a, b, d and e are 0, the other two 1 or -1.
typedef struct cc_heif_turn {
    int64_t a, b, c, d, e, f;
    /// The size of the picture.
    uint32_t width, height;
} cc_heif_turn;

/// The mapping of a picture that is displayed as it is coded.
cc_heif_turn cc_heif_no_turn(uint32_t width, uint32_t height);

/// Applies the properties of an item in their order.
cc_status cc_heif_apply_turns(
    const cc_heif_file *file, const cc_item *item, cc_heif_turn *turn, cc_message *message);

#endif
