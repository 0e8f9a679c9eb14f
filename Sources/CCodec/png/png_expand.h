// Turns stored pixels into delivered ones if the two differ: palettes, gray of few bits, gray with a
// transparent value, gray with alpha.

#ifndef TILEWRIGHT_PNG_EXPAND_H
#define TILEWRIGHT_PNG_EXPAND_H

#include <stddef.h>
#include <stdint.h>

typedef struct cc_expansion {
    /// Of a stored pixel: 1, 2, 4 or 8, leftmost pixels in the highest bits, or 16 for gray with
    /// alpha.
    uint32_t stored_bits;
    /// Of a delivered pixel: 1 gray, 3 RGB, 4 RGBA.
    uint32_t bytes_per_pixel;
    /// The pixel that each stored value of up to 8 bits stands for.
    uint8_t pixels[256][4];
} cc_expansion;

/// Delivers a row of `width` pixels.
void cc_expand_row(
    const cc_expansion *expansion, const uint8_t *restrict stored, uint32_t width, uint8_t *restrict row);

#endif
