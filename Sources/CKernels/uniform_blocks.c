/* Finds the parts of an image that are of one colour. */
#include "rounding.h"

#include "CKernels.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* Whether bytes differ, at least 8 of them. All callers give a constant count, so that this becomes a few
 * vectors. */
INLINE int differ(const uint8_t *a, const uint8_t *b, size_t count) {
    uint64_t bits = 0;
    for (size_t i = 0; i + 8 <= count; i += 8) bits |= load(a + i) ^ load(b + i);
    if (count % 8 != 0) bits |= load(a + count - 8) ^ load(b + count - 8);
    return bits != 0;
}

INLINE uint8_t is_uniform(const uint8_t *pixels, ptrdiff_t stride, size_t rows, size_t size) {
    enum { COLUMNS = CR_UNIFORM_COLUMNS };
    if (differ(pixels, pixels + size, (COLUMNS - 1) * size)) return 0;
    for (size_t y = 1; y < rows; y++)
        if (differ(pixels, pixels + (ptrdiff_t)y * stride, COLUMNS * size)) return 0;
    return 1;
}

void cr_find_uniform(
    const uint8_t *pixels, ptrdiff_t stride, size_t bytes_per_pixel, size_t rows, uint8_t *result,
    size_t count) {
    for (size_t i = 0; i < count; i++, pixels += CR_UNIFORM_COLUMNS * bytes_per_pixel)
        switch (bytes_per_pixel) {
        case 1: result[i] = is_uniform(pixels, stride, rows, 1); break;
        case 3: result[i] = is_uniform(pixels, stride, rows, 3); break;
        default: result[i] = is_uniform(pixels, stride, rows, 4); break;
        }
}

void cr_fill(const int16_t *pixel, int16_t *result, size_t count) {
    uint64_t value;
    memcpy(&value, pixel, sizeof value);
    for (size_t i = 0; i < count; i++) memcpy(result + 4 * i, &value, sizeof value);
}
