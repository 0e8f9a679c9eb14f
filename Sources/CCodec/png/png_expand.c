#include "png_expand.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/// All callers give constants for `bits` and `size`, so that the compiler can unroll.
INLINE void look_up(
    const cc_expansion *expansion, const uint8_t *restrict stored, uint32_t width, uint32_t bits,
    uint32_t size, uint8_t *restrict row) {
    const uint32_t pixels_per_byte = 8 / bits, mask = (1U << bits) - 1;
    for (size_t x = 0; x < width; x++) {
        const uint32_t shift = 8 - bits * (uint32_t)(x % pixels_per_byte + 1);
        const uint32_t value = (stored[x / pixels_per_byte] >> shift) & mask;
        memcpy(row + x * size, expansion->pixels[value], size);
    }
}

INLINE void look_up_bits(
    const cc_expansion *expansion, const uint8_t *restrict stored, uint32_t width, uint32_t bits,
    uint8_t *restrict row) {
    switch (expansion->bytes_per_pixel) {
    case 1: look_up(expansion, stored, width, bits, 1, row); return;
    case 3: look_up(expansion, stored, width, bits, 3, row); return;
    default: look_up(expansion, stored, width, bits, 4, row); return;
    }
}

static void spread_gray_alpha(const uint8_t *restrict stored, uint32_t width, uint8_t *restrict row) {
    for (size_t x = 0; x < width; x++) {
        memset(row + 4 * x, stored[2 * x], 3);
        row[4 * x + 3] = stored[2 * x + 1];
    }
}

void cc_expand_row(
    const cc_expansion *expansion, const uint8_t *restrict stored, uint32_t width, uint8_t *restrict row) {
    switch (expansion->stored_bits) {
    case 1: look_up_bits(expansion, stored, width, 1, row); return;
    case 2: look_up_bits(expansion, stored, width, 2, row); return;
    case 4: look_up_bits(expansion, stored, width, 4, row); return;
    case 8: look_up_bits(expansion, stored, width, 8, row); return;
    default: spread_gray_alpha(stored, width, row); return;
    }
}
