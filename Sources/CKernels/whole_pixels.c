/* Kernels that copy or compare whole pixels: a deep pixel is one value of 64 bits. */
#include "rounding.h"

#include "kernels.h"

#include <string.h>

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
