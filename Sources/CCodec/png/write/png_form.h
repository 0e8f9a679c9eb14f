// The forms that PNG has for pixels, and which of them holds an image in the fewest bits.

#ifndef TILEWRIGHT_PNG_FORM_H
#define TILEWRIGHT_PNG_FORM_H

#include "../../tile_colors.h"

typedef struct cc_form {
    /// As in IHDR: 1, 2, 4 or 8; 0 gray, 2 RGB, 3 palette, 4 gray + alpha, 6 RGBA.
    int bit_depth;
    int color_type;
    /// Bits from one pixel to the next.
    int pixel_bits;
    /// With a palette: its entries, the first `transparent_entries` of which tRNS names.
    cc_color palette[CC_MOST_COLORS];
    int palette_size;
    int transparent_entries;
    /// With at most 256 colours: what is stored for the colour of a given place in the count.
    uint8_t values[CC_MOST_COLORS];
    /// Whether pixels are stored by way of `values`.
    bool is_indexed;
} cc_form;

/// Chooses the form of an image; `is_opaque` says that all alphas are known to be 255. `indices` is room for
/// a byte per pixel; it is filled if the form is indexed.
void cc_choose_form(
    const uint8_t *rgba, size_t width, size_t height, bool is_opaque, uint8_t *indices, cc_form *form);

/// Writes a row of pixels in a form; `indices` belong to this row.
void cc_pack_row(
    const cc_form *form, const uint8_t *rgba, const uint8_t *indices, size_t width, uint8_t *packed);

#endif
