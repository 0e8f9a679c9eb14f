// The colours of a tile's pixels, which determine the form in which the pixels are stored.

#ifndef TILEWRIGHT_PIXELS_H
#define TILEWRIGHT_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CC_MOST_COLORS = 256 };

typedef struct cc_rgba {
    uint8_t r, g, b, a;
} cc_rgba;

typedef struct cc_colors {
    /// The colours in the order of their first pixels.
    cc_rgba colors[CC_MOST_COLORS];
    int count;
} cc_colors;

/// Counts the colours of an image, and writes the index of its colour for each pixel. Returns false as soon
/// as there are more than 256 colours; then the results are invalid.
bool cc_count_colors(const uint8_t *rgba, size_t width, size_t height, cc_colors *colors, uint8_t *indices);

/// a * b / 255, rounded; exact for 8 bits.
static inline uint8_t cc_product(unsigned a, unsigned b) { return (uint8_t)((a * b + 127) / 255); }

/// Whether every alpha is 255.
bool cc_is_opaque(const uint8_t *rgba, size_t pixels);

/// Whether red, green and blue are equal everywhere.
bool cc_is_gray(const uint8_t *rgba, size_t pixels);

#endif
