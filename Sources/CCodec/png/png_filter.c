#include "png_filter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Filtering

// Each loop reads only stored bytes, never a result, so that compilers can vectorise it.

static void sub(const uint8_t *restrict row, size_t count, size_t pixel, uint8_t *restrict filtered) {
    memcpy(filtered, row, pixel);
    for (size_t i = pixel; i < count; i++) { filtered[i] = (uint8_t)(row[i] - row[i - pixel]); }
}

static void up(
    const uint8_t *restrict row, const uint8_t *restrict above, size_t count, uint8_t *restrict filtered) {
    for (size_t i = 0; i < count; i++) { filtered[i] = (uint8_t)(row[i] - above[i]); }
}

static void average(
    const uint8_t *restrict row, const uint8_t *restrict above, size_t count, size_t pixel,
    uint8_t *restrict filtered) {
    for (size_t i = 0; i < pixel; i++) { filtered[i] = (uint8_t)(row[i] - above[i] / 2); }
    for (size_t i = pixel; i < count; i++) {
        filtered[i] = (uint8_t)(row[i] - (row[i - pixel] + above[i]) / 2);
    }
}

/// The nearest of left, above and upper left to left + above - upper left; in a tie, the first. 16-bit
/// arithmetic without branches: eight lanes per register.
static int16_t paeth_predictor(int16_t left, int16_t above, int16_t corner) {
    const int16_t to_left = (int16_t)abs((int16_t)(above - corner));
    const int16_t to_above = (int16_t)abs((int16_t)(left - corner));
    const int16_t to_corner = (int16_t)abs((int16_t)(left + above - 2 * corner));
    const int16_t nearer = to_above <= to_corner ? above : corner;
    return to_left <= to_above && to_left <= to_corner ? left : nearer;
}

static void paeth(
    const uint8_t *restrict row, const uint8_t *restrict above, size_t count, size_t pixel,
    uint8_t *restrict filtered) {
    for (size_t i = 0; i < pixel; i++) { filtered[i] = (uint8_t)(row[i] - above[i]); }
    for (size_t i = pixel; i < count; i++) {
        filtered[i] = (uint8_t)(row[i] - paeth_predictor(row[i - pixel], above[i], above[i - pixel]));
    }
}

void cc_filter_row(
    cc_filter filter, const uint8_t *restrict row, const uint8_t *restrict above, size_t count, size_t pixel,
    uint8_t *restrict filtered) {
    switch (filter) {
    case CC_FILTER_NONE: memcpy(filtered, row, count); return;
    case CC_FILTER_SUB: sub(row, count, pixel, filtered); return;
    case CC_FILTER_UP: up(row, above, count, filtered); return;
    case CC_FILTER_AVERAGE: average(row, above, count, pixel, filtered); return;
    case CC_FILTER_PAETH: paeth(row, above, count, pixel, filtered); return;
    }
}

/// The estimated bits of a value, by its distance from 0 modulo 256: 0 for 0, 3 below 4, 5 below 16, 7 below
/// 64, else 8.
static uint8_t bits_of(uint8_t value) {
    const uint8_t negated = (uint8_t)-value;
    const uint8_t distance = value < negated ? value : negated;
    const int bits = (distance > 0 ? 3 : 0) + (distance >= 4 ? 2 : 0) + (distance >= 16 ? 2 : 0)
        + (distance >= 64 ? 1 : 0);
    return (uint8_t)bits;
}

uint32_t cc_filtered_cost(const uint8_t *filtered, size_t count) {
    // Sums stay bytes, a register of them, as long as they cannot overflow.
    enum { LANES = 16, MOST_BITS = 8, TURNS = 255 / MOST_BITS, BLOCK = LANES * TURNS };
    uint32_t cost = 0;
    size_t i = 0;
    while (count - i >= LANES) {
        uint8_t sums[LANES] = {0};
        const size_t left = count - i;
        const size_t end = i + (left < BLOCK ? left / LANES * LANES : BLOCK);
        for (; i < end; i += LANES) {
            for (int lane = 0; lane < LANES; lane++) {
                sums[lane] = (uint8_t)(sums[lane] + bits_of(filtered[i + lane]));
            }
        }
        for (int lane = 0; lane < LANES; lane++) { cost += sums[lane]; }
    }
    for (; i < count; i++) { cost += bits_of(filtered[i]); }
    return cost;
}

// Unfiltering

// Sub, Average and Paeth depend on the pixel to the left, so pixels are computed one after the other. The
// bytes of a pixel are computed together, each in 16 bits. The vectors are compiler extensions, which work
// with any instruction set: SSE2 or NEON suffice, and on other machines the compiler emulates them. A vector
// has room for a second pixel, of another row. `pixel` is a constant in every call of these functions, and
// all of them are inlined.
typedef int16_t lanes __attribute__((vector_size(16)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

enum { SECOND = 4 };  // the lane where the second pixel begins

#define INLINE static inline __attribute__((always_inline))

INLINE lanes load(const uint8_t *bytes, size_t pixel) {
    bytes8 values = {0};
    memcpy(&values, bytes, pixel);
    return __builtin_convertvector(values, lanes);
}

INLINE void store(uint8_t *bytes, lanes values, size_t pixel) {
    const bytes8 narrow = __builtin_convertvector(values, bytes8);
    memcpy(bytes, &narrow, pixel);
}

/// Sums modulo 256 of lanes that are 0...255: the upper bytes stay 0.
INLINE lanes add(lanes a, lanes b) { return (lanes)((bytes16)a + (bytes16)b); }

INLINE lanes subtract(lanes a, lanes b) { return (lanes)((bytes16)a - (bytes16)b); }

/// Whether the first pixels are equal.
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

/// The residual plus the prediction: the nearest of left, above and corner (the upper left) to left + above -
/// corner; in a tie, the first.
///
/// With limit = 3 corner - above - left, the prediction is: the lower of left and above if the higher is at
/// most the limit; the higher if the lower is at least the limit; else corner. If both conditions hold, all
/// are equal. In this form, only a chain of five operations has to wait for left, the pixel before. The
/// subtraction is a saturating one, although it never saturates, to keep the compiler from adding left to
/// above first, which would make the chain longer.
INLINE lanes undo_paeth_of(lanes left, lanes above, lanes corner, lanes residual) {
    const lanes less_above = corner + corner + corner - above;
    const lanes threshold = __builtin_elementwise_sub_sat(less_above, left);
    const lanes low = __builtin_elementwise_min(left, above);
    const lanes high = __builtin_elementwise_max(left, above);
    const lanes to_low = ~(high > threshold) & subtract(low, corner);
    const lanes to_high = ~(threshold > low) & subtract(high, corner);
    return add(add(corner, residual), to_low | to_high);
}

// In a drawing, residuals are zero in long runs, which are copied in blocks of whole pixels and whole words.
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

/// Copies blocks from above while their residuals are zero. Returns the number of bytes.
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
            // Then the prediction is the pixel above. A residual of zero gives that pixel again, so the next
            // pixel's neighbours are equal, too.
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

// Two rows with the Paeth filter at once. The second row, below the first, lags two pixels behind, so that
// the pixel above is known early enough, without waiting.
typedef struct two_rows {
    const uint8_t *filtered[2];
    const uint8_t *above;
    uint8_t *row[2];
    lanes left;
    lanes left_of_left;
    lanes corner;
} two_rows;

INLINE lanes load_two(const uint8_t *first, const uint8_t *second, size_t size) {
    bytes8 values = {0};
    memcpy(&values, first, size);
    memcpy((uint8_t *)&values + SECOND, second, size);
    return __builtin_convertvector(values, lanes);
}

INLINE void store_two(uint8_t *first, uint8_t *second, lanes values, size_t size) {
    const bytes8 narrow = __builtin_convertvector(values, bytes8);
    memcpy(first, &narrow, size);
    memcpy(second, (const uint8_t *)&narrow + SECOND, size);
}

/// Computes the next pixel of both rows. `above` is above the first row's pixel; a pixel of the first row is
/// above the second row's.
INLINE lanes next_two(two_rows *two, lanes above, lanes residual) {
    const lanes both = __builtin_shufflevector(above, two->left_of_left, 0, 1, 2, 3, 8, 9, 10, 11);
    const lanes next = undo_paeth_of(two->left, both, two->corner, residual);
    two->corner = both;
    two->left_of_left = two->left;
    two->left = next;
    return next;
}

/// Computes the pixels from `first` to before `end`, and the pixels two to the left in the row below. `size`
/// is the size of a pixel, or more if the next bytes may be overwritten.
INLINE void undo_two_from(two_rows *two, size_t first, size_t end, size_t pixel, size_t size) {
    for (size_t i = first; i < end; i += pixel) {
        const size_t j = i - 2 * pixel;
        const lanes residual = load_two(two->filtered[0] + i, two->filtered[1] + j, size);
        const lanes next = next_two(two, load(two->above + i, size), residual);
        store_two(two->row[0] + i, two->row[1] + j, next, size);
    }
}

/// Rows of three pixels or more.
INLINE void undo_two(two_rows *two, size_t count, size_t pixel) {
    const uint8_t none[4] = {0};
    uint8_t unused[4];
    for (size_t i = 0; i < 2 * pixel; i += pixel) {
        const lanes residual = load_two(two->filtered[0] + i, none, pixel);
        store_two(two->row[0] + i, unused, next_two(two, load(two->above + i, pixel), residual), pixel);
    }
    // Moving four bytes is faster than three, but the last pixel does not have four.
    const size_t last = count - pixel;
    undo_two_from(two, 2 * pixel, last, pixel, pixel == 3 ? 4 : pixel);
    undo_two_from(two, last, count, pixel, pixel);
    for (size_t i = count - 2 * pixel; i < count; i += pixel) {
        const lanes residual = load_two(none, two->filtered[1] + i, pixel);
        store_two(unused, two->row[1] + i, next_two(two, (lanes){0}, residual), pixel);
    }
}

/// Whether a row of 8 bytes or more looks like a drawing: then it is faster to decode it alone.
static bool is_mostly_zero(const uint8_t *filtered, size_t count) {
    enum { SAMPLES = 32 };
    size_t zeros = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        zeros += is_zero(filtered + (count - 8) * i / (SAMPLES - 1), 8) ? 1 : 0;
    }
    return zeros > SAMPLES / 2;
}

void cc_unfilter_two_paeth(
    const uint8_t *const filtered[2], const uint8_t *above, size_t count, size_t pixel,
    uint8_t *const row[2]) {
    if (count < 16 || is_mostly_zero(filtered[0], count) || is_mostly_zero(filtered[1], count)) {
        cc_unfilter_row(CC_FILTER_PAETH, filtered[0], above, count, pixel, row[0]);
        cc_unfilter_row(CC_FILTER_PAETH, filtered[1], row[0], count, pixel, row[1]);
        return;
    }
    two_rows two = {{filtered[0], filtered[1]}, above, {row[0], row[1]}, {0}, {0}, {0}};
    switch (pixel) {
    case 1: undo_two(&two, count, 1); return;
    case 2: undo_two(&two, count, 2); return;
    case 3: undo_two(&two, count, 3); return;
    default: undo_two(&two, count, 4); return;
    }
}
