/* The reference code of the kernels that work pixel by pixel. The levels use it for the last pixels of a row.
 */
#ifndef TILEWRIGHT_ELEMENTS_H
#define TILEWRIGHT_ELEMENTS_H

#include "CKernels.h"

static inline int16_t saturate(int32_t value) {
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

/* A sum of samples times weights, as a sample. */
static inline int16_t scale_down(int32_t sum) {
    return saturate((sum + (CR_WEIGHT_ONE >> 1)) >> CR_WEIGHT_BITS);
}

static inline void unpack_gray8_elements(
    const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int16_t value = (int16_t)(source[i] << 6);
        result[4 * i] = value;
        result[4 * i + 1] = value;
        result[4 * i + 2] = value;
        result[4 * i + 3] = CR_OPAQUE;
    }
}

static inline void unpack_rgb8_elements(
    const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        result[4 * i] = (int16_t)(source[3 * i] << 6);
        result[4 * i + 1] = (int16_t)(source[3 * i + 1] << 6);
        result[4 * i + 2] = (int16_t)(source[3 * i + 2] << 6);
        result[4 * i + 3] = CR_OPAQUE;
    }
}

/* c * a * 64 / 255 as c * m >> 16 with m = round(a * 64 * 65536 / 255). 64 * 65536 / 255 is 16448.25, so
 * m = a * 16448 + round(a / 4), which is exact at a = 255. c * m fits in 31 bits. */
static inline void unpack_rgba8_elements(
    const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32_t alpha = source[4 * i + 3];
        int32_t factor = alpha * 16448 + ((alpha + 2) >> 2);
        result[4 * i] = (int16_t)((source[4 * i] * factor + 32768) >> 16);
        result[4 * i + 1] = (int16_t)((source[4 * i + 1] * factor + 32768) >> 16);
        result[4 * i + 2] = (int16_t)((source[4 * i + 2] * factor + 32768) >> 16);
        result[4 * i + 3] = (int16_t)(alpha << 6);
    }
}

static inline int32_t clamp(int32_t value, int32_t upper) {
    return value < 0 ? 0 : value > upper ? upper : value;
}

/* The quotient of a sum below 2^24 and a divisor below 2^15, rounded half up, in single precision: the error
 * of the quotient, which is less than 256, is at most 2^-17, and a quotient that is not itself a half differs
 * from every half by at least 2^-16. */
static inline uint8_t divide(int32_t sum, int32_t divisor) {
    return (uint8_t)(int32_t)((float)sum / (float)divisor + 0.5f);
}

/* Alpha to 8 bits. */
static inline uint8_t pack_alpha(int32_t alpha) { return (uint8_t)clamp((alpha + 32) >> 6, 255); }

/* Colour: c * 255 / a. An alpha above opaque is not clamped: a sharp kernel overshoots in colour and alpha
 * alike, and their ratio is the colour. At an alpha of CR_OPAQUE, 255 * 64, the division is (c + 32) >> 6,
 * which is how the levels pack runs of opaque pixels. */
static inline cr_alpha_seen pack_rgba8_elements(
    const int16_t *restrict source, uint8_t *restrict result, size_t count) {
    cr_alpha_seen seen = {255, 0};
    for (size_t i = 0; i < count; i++) {
        int32_t alpha = clamp(source[4 * i + 3], INT16_MAX);
        uint8_t alpha8 = pack_alpha(alpha);
        uint8_t mask = alpha8 ? 255 : 0;
        int32_t divisor = alpha > 0 ? alpha : 1;
        for (int c = 0; c < 3; c++) {
            int32_t color = clamp(source[4 * i + c], alpha);
            result[4 * i + c] = divide(color * 255, divisor) & mask;
        }
        result[4 * i + 3] = alpha8;
        seen.alpha_and &= alpha8;
        seen.alpha_or |= alpha8;
    }
    return seen;
}

/* (color * 255 + (opaque - alpha) * background) / opaque; if alpha exceeds opaque, alpha is the divisor. */
static inline cr_alpha_seen pack_rgba8_over_elements(
    const int16_t *restrict source, const uint8_t *restrict background, uint8_t *restrict result,
    size_t count) {
    cr_alpha_seen seen = {255, 0};
    for (size_t i = 0; i < count; i++) {
        int32_t alpha = clamp(source[4 * i + 3], INT16_MAX);
        int32_t divisor = alpha > CR_OPAQUE ? alpha : CR_OPAQUE;
        for (int c = 0; c < 3; c++) {
            int32_t color = clamp(source[4 * i + c], alpha);
            int32_t behind = (divisor - alpha) * background[c];
            result[4 * i + c] = divide(color * 255 + behind, divisor);
        }
        result[4 * i + 3] = 255;
        seen.alpha_or |= pack_alpha(alpha);
    }
    return seen;
}

/* The index has 32 bits: few instruction sets convert vectors of 64-bit integers to floating point. */
static inline void interpolate_row_elements(
    double start, double step, double first, double *restrict result, size_t count) {
    for (int32_t i = 0; i < (int32_t)count; i++) result[i] = start + step * (first + (double)i);
}

/* The fixed-point form of a position. A conversion to an integer truncates, which is one too high below zero;
 * `floor` would be a call to libm. */
static inline int32_t fix_position(double position, cr_position_grid grid) {
    double step = (position - grid.origin) * grid.steps + 0.5;
    int32_t cut = (int32_t)step;
    return (cut - (cut > step)) * grid.unit;
}

static inline int32_t lesser(int32_t a, int32_t b) { return a < b ? a : b; }

static inline int32_t greater(int32_t a, int32_t b) { return a > b ? a : b; }

static inline void widen_extent(
    cr_position_extent *extent, const int32_t *x, const int32_t *y, size_t count) {
    int32_t min_x = extent->min_x, max_x = extent->max_x;
    int32_t min_y = extent->min_y, max_y = extent->max_y;
    for (size_t i = 0; i < count; i++) {
        int isInside = x[i] != INT32_MIN;
        min_x = lesser(min_x, isInside ? x[i] : INT32_MAX);
        max_x = greater(max_x, x[i]);
        min_y = lesser(min_y, isInside ? y[i] : INT32_MAX);
        max_y = greater(max_y, isInside ? y[i] : INT32_MIN);
    }
    *extent = (cr_position_extent){min_x, max_x, min_y, max_y};
}

/* Two loops without branches for each row, so that they can be vectorised. */
static inline void fix_block_elements(
    cr_position_block block, cr_position_grid grid, cr_position_limits limits, cr_position_extent *extent) {
    for (ptrdiff_t line = 0; line < (ptrdiff_t)block.rows; line++) {
        const double *restrict x = block.x + line * block.stride, *restrict y = block.y + line * block.stride;
        int32_t *restrict fixed_x = block.fixed_x + line * block.fixed_stride;
        int32_t *restrict fixed_y = block.fixed_y + line * block.fixed_stride;
        for (size_t i = 0; i < block.columns; i++) {
            // Comparisons with NaN are false.
            int isInside = (x[i] > limits.low_x) & (y[i] > limits.low_y) & (x[i] < limits.high_x)
                & (y[i] < limits.high_y);
            int32_t column = fix_position(isInside ? x[i] : grid.origin, grid);
            int32_t row = fix_position(isInside ? y[i] : grid.origin, grid);
            fixed_x[i] = isInside ? column : INT32_MIN;
            fixed_y[i] = isInside ? row : 0;
        }
        widen_extent(extent, fixed_x, fixed_y, block.columns);
    }
}

/* Samples from `begin` to `end` of `combine_rows`. */
static inline void combine_rows_elements(
    const int16_t *const *rows, const int16_t *weights, int taps, int16_t *restrict result, size_t begin,
    size_t end) {
    for (size_t i = begin; i < end; i++) {
        int32_t sum = 0;
        int k = 0;
        do { sum += weights[k] * rows[k][i]; } while (++k < taps);
        result[i] = scale_down(sum);
    }
}

static inline void halve_box_elements(
    const int16_t *restrict upper, const int16_t *restrict lower, int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++, upper += 8, lower += 8, result += 4)
        for (int c = 0; c < 4; c++) {
            int left = (upper[c] + lower[c] + 1) >> 1;
            int right = (upper[4 + c] + lower[4 + c] + 1) >> 1;
            result[c] = (int16_t)((left + right + 1) >> 1);
        }
}

#endif
