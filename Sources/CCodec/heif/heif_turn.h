// How a picture is cut, turned and mirrored: the properties clap, irot and imir of ISO/IEC 23008-12.

#ifndef TILEWRIGHT_HEIF_TURN_H
#define TILEWRIGHT_HEIF_TURN_H

#include "heif_boxes.h"

/// From a pixel of the picture to one of the coded image: `column = a x + b y + c`, `row = d x + e y + f`,
/// where two of a, b, d and e are 0, and the others 1 or -1.
typedef struct cc_heif_turn {
    int64_t a, b, c, d, e, f;
    /// Of the picture.
    uint32_t width, height;
} cc_heif_turn;

/// A picture as it is coded.
cc_heif_turn cc_heif_no_turn(uint32_t width, uint32_t height);

/// Applies the properties of an item in their order.
cc_status cc_heif_apply_turns(
    const cc_heif_file *file, const cc_item *item, cc_heif_turn *turn, cc_message *message);

#endif
