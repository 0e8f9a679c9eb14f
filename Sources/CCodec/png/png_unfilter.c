#include "png_unfilter.h"

#include <stdbool.h>
#include <string.h>

// Sub, Average and Paeth lean on the pixel to the left, so that pixels come one after the other;
// its bytes are worked on together, each in 16 bits. The vectors are the compiler's, for whatever
// instruction set it compiles for: SSE2 or NEON suffice, and elsewhere it emulates them. `pixel` is
// a constant in every call of these functions, and everything is inlined.
typedef int16_t lanes __attribute__((vector_size(8)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));

#define INLINE static inline __attribute__((always_inline))

INLINE lanes load(const uint8_t *bytes, size_t pixel) {
    bytes4 values = {0};
    memcpy(&values, bytes, pixel);
    return __builtin_convertvector(values, lanes);
}

INLINE void store(uint8_t *bytes, lanes values, size_t pixel) {
    const bytes4 narrow = __builtin_convertvector(values, bytes4);
    memcpy(bytes, &narrow, pixel);
}

/// Sums modulo 256 of lanes that are 0...255: the upper bytes stay 0.
INLINE lanes add(lanes a, lanes b) { return (lanes)((bytes8)a + (bytes8)b); }

INLINE lanes choose(lanes mask, lanes a, lanes b) { return (mask & a) | (~mask & b); }

INLINE lanes magnitude(lanes a) { return choose(a > -a, a, -a); }

INLINE bool are_equal(lanes a, lanes b) {
    const lanes difference = a ^ b;
    uint64_t bits;
    memcpy(&bits, &difference, sizeof bits);
    return bits == 0;
}

INLINE void undo_sub(const uint8_t *filtered, size_t count, size_t pixel, uint8_t *row) {
    lanes left = {0};
    for (size_t i = 0; i < count; i += pixel) {
        left = add(left, load(filtered + i, pixel));
        store(row + i, left, pixel);
    }
}

static void undo_up(
    const uint8_t *restrict filtered, const uint8_t *restrict above, size_t count, uint8_t *restrict row) {
    for (size_t i = 0; i < count; i++) { row[i] = (uint8_t)(filtered[i] + above[i]); }
}

INLINE void undo_average(
    const uint8_t *filtered, const uint8_t *above, size_t count, size_t pixel, uint8_t *row) {
    lanes left = {0};
    for (size_t i = 0; i < count; i += pixel) {
        left = add((left + load(above + i, pixel)) >> 1, load(filtered + i, pixel));
        store(row + i, left, pixel);
    }
}

/// The residual plus the prediction: whichever of left, above and corner (the upper left) is nearest to
/// left + above - corner, the first of them if two are equally near. Written so that few operations
/// have to wait for left, the pixel before.
INLINE lanes undo_paeth_of(lanes left, lanes above, lanes corner, lanes residual) {
    const lanes to_left = magnitude(above - corner);
    const lanes to_above = magnitude(left - corner);
    const lanes to_corner = magnitude(left - (corner + corner - above));
    const lanes nearer = choose(to_above < to_left, to_above, to_left);
    const lanes of_two = choose(to_above < to_left, add(above, residual), add(left, residual));
    return choose(to_corner < nearer, add(corner, residual), of_two);
}

// A drawing's residuals are zero for long runs, which are taken in blocks: whole pixels, and whole words.
INLINE size_t block_bytes(size_t pixel) { return pixel == 3 ? 24 : 16; }

INLINE bool is_zero(const uint8_t *bytes, size_t count) {
    uint64_t all = 0;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        all |= word;
    }
    return all == 0;
}

/// Copies blocks from above while their residuals are zero. Returns how many bytes.
INLINE size_t
copy_blocks(const uint8_t *filtered, const uint8_t *above, size_t count, size_t block, uint8_t *row) {
    size_t i = 0;
    while (count - i >= block && is_zero(filtered + i, block)) {
        memcpy(row + i, above + i, block);
        i += block;
    }
    return i;
}

INLINE void undo_paeth(
    const uint8_t *filtered, const uint8_t *above, size_t count, size_t pixel, uint8_t *row) {
    const size_t block = block_bytes(pixel);
    lanes left = {0}, corner = {0};
    size_t i = 0;
    while (i < count) {
        if (are_equal(left, corner)) {
            // The prediction is then the pixel above, and so are residuals of zero; the next
            // pixel's neighbours are equal too.
            const size_t first = i;
            i += copy_blocks(filtered + i, above + i, count - i, 4 * block, row + i);
            i += copy_blocks(filtered + i, above + i, count - i, block, row + i);
            if (i == count) { break; }
            if (i > first) { left = corner = load(above + i - pixel, pixel); }
        }
        const size_t end = count - i < block ? count : i + block;
        for (; i < end; i += pixel) {
            const lanes up = load(above + i, pixel);
            left = undo_paeth_of(left, up, corner, load(filtered + i, pixel));
            corner = up;
            store(row + i, left, pixel);
        }
    }
}

INLINE void undo(
    cc_filter filter, const uint8_t *restrict filtered, const uint8_t *restrict above, size_t count,
    size_t pixel, uint8_t *restrict row) {
    switch (filter) {
    case CC_FILTER_NONE: memcpy(row, filtered, count); return;
    case CC_FILTER_SUB: undo_sub(filtered, count, pixel, row); return;
    case CC_FILTER_UP: undo_up(filtered, above, count, row); return;
    case CC_FILTER_AVERAGE: undo_average(filtered, above, count, pixel, row); return;
    case CC_FILTER_PAETH: undo_paeth(filtered, above, count, pixel, row); return;
    }
}

void cc_unfilter_row(
    cc_filter filter, const uint8_t *restrict filtered, const uint8_t *restrict above, size_t count,
    size_t pixel, uint8_t *restrict row) {
    switch (pixel) {
    case 1: undo(filter, filtered, above, count, 1, row); return;
    case 2: undo(filter, filtered, above, count, 2, row); return;
    case 3: undo(filter, filtered, above, count, 3, row); return;
    default: undo(filter, filtered, above, count, 4, row); return;
    }
}
