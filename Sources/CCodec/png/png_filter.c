#include "png_filter.h"

#include <stdlib.h>
#include <string.h>

// Each loop reads stored bytes only, never a result, so that compilers turn it into vectors.

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

/// Whichever of left, above and upper left is nearest to left + above - upper left; the first of them
/// if two are equally near. 16-bit arithmetic without branches: eight lanes to a register.
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

/// 0 bits for 0, 3 below 4, 5 below 16, 7 below 64, else 8, of the distance from 0 modulo 256.
static uint8_t bits_of(uint8_t value) {
    const uint8_t negated = (uint8_t)-value;
    const uint8_t distance = value < negated ? value : negated;
    const int bits = (distance > 0 ? 3 : 0) + (distance >= 4 ? 2 : 0) + (distance >= 16 ? 2 : 0)
        + (distance >= 64 ? 1 : 0);
    return (uint8_t)bits;
}

uint32_t cc_filtered_cost(const uint8_t *filtered, size_t count) {
    // Sums of bytes stay bytes, a register full of them, for as long as they cannot overflow.
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
