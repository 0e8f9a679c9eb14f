/* Functions on pixels that have one body for all levels. */
#include "kernels.h"

#include <string.h>

/* Kernels that copy or compare whole pixels: a deep pixel is one value of 64 bits. */
static inline uint64_t load_pixel(const int16_t *pixel) {
    uint64_t value;
    memcpy(&value, pixel, sizeof value);
    return value;
}

static inline void store_pixel(int16_t *pixel, uint64_t value) { memcpy(pixel, &value, sizeof value); }

static inline const int16_t *pixel_at(cr_window window, int32_t x, int32_t y) {
    return window.origin + 4 * ((ptrdiff_t)y * window.pixels_per_row + x);
}

void cr_pick_row(cr_window window, const int32_t *x, const int32_t *y, int16_t *result, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (x[i] == INT32_MIN)
            store_pixel(result + 4 * i, 0);
        else
            store_pixel(result + 4 * i, load_pixel(pixel_at(window, x[i], y[i])));
}

/* Counts a value among those seen so far; plans have few colours, so the search is short. */
static inline size_t count_value(uint64_t value, uint64_t *values, uint32_t *counts, size_t distinct) {
    for (size_t i = 0; i < distinct; i++)
        if (values[i] == value) {
            counts[i]++;
            return distinct;
        }
    values[distinct] = value;
    counts[distinct] = 1;
    return distinct + 1;
}

static inline uint64_t most_frequent(const uint64_t *values, const uint32_t *counts, size_t distinct) {
    size_t best = 0;
    for (size_t i = 1; i < distinct; i++)
        if (counts[i] > counts[best]) best = i;
    return values[best];
}

void cr_mode_row(
    cr_window window, const int32_t *x, const int32_t *y, int reach_x, int reach_y, uint64_t *scratch,
    uint32_t *counts, int16_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (x[i] == INT32_MIN) {
            store_pixel(result + 4 * i, 0);
            continue;
        }
        size_t distinct = 0;
        for (int dy = -reach_y; dy <= reach_y; dy++) {
            const int16_t *row = pixel_at(window, x[i] - reach_x, y[i] + dy);
            for (int k = 0; k <= 2 * reach_x; k++)
                distinct = count_value(load_pixel(row + 4 * k), scratch, counts, distinct);
        }
        store_pixel(result + 4 * i, most_frequent(scratch, counts, distinct));
    }
}

/* If one of four values occurs twice, no other can occur three times; so the first repeated value wins. */
static inline uint64_t mode_of_four(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    if (a == b || a == c || a == d) return a;
    if (b == c || b == d) return b;
    return c == d ? c : a;
}

void cr_halve_mode(const int16_t *upper, const int16_t *lower, int16_t *result, size_t count) {
    for (size_t i = 0; i < count; i++)
        store_pixel(
            result + 4 * i,
            mode_of_four(
                load_pixel(upper + 8 * i), load_pixel(upper + 8 * i + 4), load_pixel(lower + 8 * i),
                load_pixel(lower + 8 * i + 4)));
}

void cr_halve_nearest(const int16_t *source, int16_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) store_pixel(result + 4 * i, load_pixel(source + 8 * i));
}

/* Composites deep pixels over others, and applies coverage. */
static inline int16_t saturated(int32_t value) {
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

/* The weight of the pixel below a pixel with the given alpha. 16448 / 2^14 is about 2^14 / 16320; with
 * rounding, alphas 0 and CR_OPAQUE give exactly CR_WEIGHT_ONE and 0. */
static inline int32_t left_over(int32_t alpha) { return ((CR_OPAQUE - alpha) * 16448 + (1 << 13)) >> 14; }

static inline int16_t laid_over(int16_t below, int16_t above, int32_t weight) {
    return saturated(above + ((below * weight + CR_WEIGHT_ONE / 2) >> CR_WEIGHT_BITS));
}

void cr_lay_over(const int16_t *above, int16_t *result, size_t count) {
    for (size_t i = 0; i < count; i++, above += 4, result += 4) {
        int32_t weight = left_over(above[3]);
        for (int channel = 0; channel < 4; channel++)
            result[channel] = laid_over(result[channel], above[channel], weight);
    }
}

/* The weight with which the pixel below makes both together opaque, limited to the range from `left_over` to
 * CR_WEIGHT_ONE. For negative alphas, which negative weights give near an edge, `left_over` is the larger. */
static inline int32_t joining(int32_t above, int32_t below) {
    if (below == 0) return CR_WEIGHT_ONE;
    int32_t over = left_over(above);
    int32_t least = over < CR_WEIGHT_ONE ? over : CR_WEIGHT_ONE;
    int32_t most = over < CR_WEIGHT_ONE ? CR_WEIGHT_ONE : over;
    int64_t filling = ((int64_t)(CR_OPAQUE - above) * CR_WEIGHT_ONE) / below;
    return filling < least ? least : filling > most ? most : (int32_t)filling;
}

void cr_join(const int16_t *above, int16_t *result, size_t count) {
    for (size_t i = 0; i < count; i++, above += 4, result += 4) {
        int32_t weight = joining(above[3], result[3]);
        for (int channel = 0; channel < 4; channel++)
            result[channel] = laid_over(result[channel], above[channel], weight);
    }
}

void cr_cover(int16_t *pixels, const uint16_t *coverage, size_t count) {
    for (size_t i = 0; i < count; i++, pixels += 4)
        for (int channel = 0; channel < 4; channel++)
            pixels[channel] = (int16_t)((pixels[channel] * (int32_t)coverage[i] + 128) >> 8);
}

/* Writes pixels to tiles. The loops over rows are in C because windows are small, and a call from Swift for
 * each row would be slow. */
cr_alpha_seen cr_pack_window(
    const cr_kernels *kernels, cr_row_ring source, int32_t first_row, cr_packed_window result,
    const uint8_t *background) {
    cr_alpha_seen seen = {255, 0};
    for (size_t y = 0; y < result.rows; y++) {
        const int32_t row = first_row + (int32_t)y;
        uint8_t *packed = result.first + (ptrdiff_t)y * result.stride;
        const cr_alpha_seen row_seen = background
            ? kernels->pack_rgba8_over(row_of(source, row), background, packed, result.columns)
            : kernels->pack_rgba8(row_of(source, row), packed, result.columns);
        seen.alpha_and &= row_seen.alpha_and;
        seen.alpha_or |= row_seen.alpha_or;
    }
    return seen;
}

void cr_fill_packed(uint32_t pixel, cr_packed_window result) {
    for (size_t y = 0; y < result.rows; y++) {
        uint8_t *packed = result.first + (ptrdiff_t)y * result.stride;
        for (size_t x = 0; x < result.columns; x++) memcpy(packed + 4 * x, &pixel, sizeof pixel);
    }
}

/* The weights of a footprint that is cut into thin rows. */
void cr_add_slice(
    const int32_t *restrict above, float first, float length, float height, int32_t *restrict below,
    size_t count) {
    for (int32_t i = 0; i < (int32_t)count; i++) {
        float inner = first + (float)i;
        inner = inner < 0 ? 0 : inner;
        inner = inner > length ? length : inner;
        below[i] = above[i] + (int32_t)(height * inner);
    }
}

int32_t cr_shares(
    const int32_t *restrict above, const int32_t *restrict below, int32_t sum, int16_t *restrict weights,
    size_t count) {
    const int32_t base = sum - (below[0] - above[0]);
    for (size_t i = 0; i < count; i++) {
        int32_t left = (base + below[i] - above[i]) >> CR_SUM_BITS;
        int32_t right = (base + below[i + 1] - above[i + 1]) >> CR_SUM_BITS;
        weights[i] = (int16_t)(right - left);
    }
    return base + below[count] - above[count];
}
