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

INLINE uint32_t first_pixel(const uint8_t *bytes, size_t size) {
    uint32_t pixel = 0;
    memcpy(&pixel, bytes, size);
    return pixel;
}

/* All callers give a constant size. */
INLINE void find_uniform(
    const uint8_t *bytes, ptrdiff_t stride, size_t size, size_t rows, uint8_t *result, uint32_t *pixels,
    size_t count) {
    for (size_t i = 0; i < count; i++, bytes += CR_UNIFORM_COLUMNS * size) {
        result[i] = is_uniform(bytes, stride, rows, size);
        pixels[i] = first_pixel(bytes, size);
    }
}

void cr_find_uniform(
    const uint8_t *bytes, ptrdiff_t stride, size_t bytes_per_pixel, size_t rows, uint8_t *result,
    uint32_t *pixels, size_t count) {
    switch (bytes_per_pixel) {
    case 1: return find_uniform(bytes, stride, 1, rows, result, pixels, count);
    case 3: return find_uniform(bytes, stride, 3, rows, result, pixels, count);
    default: return find_uniform(bytes, stride, 4, rows, result, pixels, count);
    }
}

void cr_fill(const int16_t *pixel, int16_t *result, size_t count) {
    uint64_t value;
    memcpy(&value, pixel, sizeof value);
    for (size_t i = 0; i < count; i++) memcpy(result + 4 * i, &value, sizeof value);
}
