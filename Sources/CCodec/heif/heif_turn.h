// How a picture is cut, turned and mirrored: the properties clap, irot and imir of ISO/IEC 23008-12.

#ifndef TILEWRIGHT_HEIF_TURN_H
#define TILEWRIGHT_HEIF_TURN_H

#include "heif_picture.h"

/// A picture as its layers are.
cc_heif_turn cc_heif_no_turn(uint32_t width, uint32_t height);

/// Applies the properties of an item in their order.
cc_status cc_heif_apply_turns(
    const cc_meta *meta, const cc_item *item, cc_heif_turn *turn, cc_message *message);

/// Whether columns of the picture are rows of its layers.
static inline bool cc_heif_swaps_axes(const cc_heif_turn *turn) { return turn->a == 0; }

#endif
