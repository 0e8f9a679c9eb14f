#include "tile_colors.h"

#include <string.h>

#include "CCodec.h"

// A hash table four times as large as what it holds: one or two probes on average.
enum { TABLE_BITS = 10, TABLE_SIZE = 1 << TABLE_BITS };

typedef struct table {
    uint32_t keys[TABLE_SIZE];
    int16_t places[TABLE_SIZE];  // in the list of colours; -1: empty
} table;

static uint32_t load(const uint8_t *rgba, size_t pixel) {
    uint32_t key;
    memcpy(&key, rgba + pixel * 4, 4);
    return key;
}

/// The place of a colour in the list, which it joins if it is new; -1 if it does not fit.
static int place_of(uint32_t key, table *table, cc_colors *colors) {
    // Fibonacci hashing: the top bits of the product with 2^32 / golden ratio.
    uint32_t slot = key * UINT32_C(0x9E3779B1) >> (32 - TABLE_BITS);
    while (table->places[slot] >= 0) {
        if (table->keys[slot] == key) { return table->places[slot]; }
        slot = (slot + 1) % TABLE_SIZE;
    }
    if (colors->count == CC_MOST_COLORS) { return -1; }
    table->keys[slot] = key;
    table->places[slot] = (int16_t)colors->count;
    memcpy(&colors->colors[colors->count], &key, 4);
    return colors->count++;
}

static bool count_row(const uint8_t *rgba, size_t width, table *table, cc_colors *colors, uint8_t *indices) {
    uint32_t previous = ~load(rgba, 0);
    int place = -1;
    for (size_t x = 0; x < width; x++) {
        const uint32_t key = load(rgba, x);
        if (key != previous) {  // plans are made of runs
            place = place_of(key, table, colors);
            if (place < 0) { return false; }
            previous = key;
        }
        indices[x] = (uint8_t)place;
    }
    return true;
}

bool cc_count_colors(const uint8_t *rgba, size_t width, size_t height, cc_colors *colors, uint8_t *indices) {
    table table;
    memset(table.places, -1, sizeof table.places);
    colors->count = 0;
    for (size_t y = 0; y < height; y++) {
        const uint8_t *row = rgba + y * width * 4;
        uint8_t *out = indices + y * width;
        if (y > 0 && memcmp(row, row - width * 4, width * 4) == 0) {
            memcpy(out, out - width, width);
        } else if (!count_row(row, width, &table, colors, out)) {
            return false;
        }
    }
    return true;
}

// Pixels between two looks at whether the answer is known: the loops inside are plain, for
// compilers to vectorise.
enum { BLOCK = 1024 };

static size_t end_of_block(size_t first, size_t pixels) {
    return pixels - first < BLOCK ? pixels : first + BLOCK;
}

bool cc_is_opaque(const uint8_t *rgba, size_t pixels) {
    for (size_t first = 0; first < pixels; first += BLOCK) {
        uint32_t all = UINT32_MAX;
        const size_t end = end_of_block(first, pixels);
        for (size_t i = first; i < end; i++) { all &= load(rgba, i); }
        cc_color color;
        memcpy(&color, &all, 4);
        if (color.a != 255) { return false; }
    }
    return true;
}

bool cc_is_gray(const uint8_t *rgba, size_t pixels) {
    for (size_t first = 0; first < pixels; first += BLOCK) {
        uint8_t any = 0;
        const size_t end = end_of_block(first, pixels);
        for (size_t i = first; i < end; i++) {
            any |= (rgba[i * 4] ^ rgba[i * 4 + 1]) | (rgba[i * 4] ^ rgba[i * 4 + 2]);
        }
        if (any != 0) { return false; }
    }
    return true;
}

bool cc_is_uniform(const uint8_t *rgba, size_t pixels) {
    return memcmp(rgba, rgba + 4, (pixels - 1) * 4) == 0;
}
