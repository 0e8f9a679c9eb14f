#include "shared.h"

#include <string.h>

// A hash table four times as large as its content: one or two probes on average.
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

/// The index of a colour in the list. A new colour is added; -1 if the list is full.
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

// Pixels between two checks whether the result is known. The inner loops have no checks, so that compilers
// can vectorise them.
enum { BLOCK = 1024 };

static size_t end_of_block(size_t first, size_t pixels) {
    return pixels - first < BLOCK ? pixels : first + BLOCK;
}

bool cc_is_opaque(const uint8_t *rgba, size_t pixels) {
    for (size_t first = 0; first < pixels; first += BLOCK) {
        uint32_t all = UINT32_MAX;
        const size_t end = end_of_block(first, pixels);
        for (size_t i = first; i < end; i++) { all &= load(rgba, i); }
        cc_rgba color;
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

void cc_rearrange(
    const uint8_t *pixels, size_t size, size_t count, const uint8_t channels[4], const uint8_t *table,
    uint8_t *result, size_t result_size) {
    for (size_t i = 0; i < count; i++, pixels += size, result += result_size) {
        for (size_t c = 0; c < result_size; c++) {
            const uint8_t sample = pixels[channels[c]];
            result[c] = c == 3 ? sample : table[sample];
        }
    }
}

/// Expands two pixels of three samples to four samples.
static void expand_two(const uint8_t *samples, uint8_t *result) {
    uint64_t stored;
    memcpy(&stored, samples, sizeof stored);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    stored = (stored & 0xffffff) | (stored & UINT64_C(0xffffff000000)) << 8 | UINT64_C(0xff000000ff000000);
#else
    stored = (stored & UINT64_C(0xffffff0000000000)) | (stored >> 8 & UINT64_C(0xffffff00))
        | UINT64_C(0x000000ff000000ff);
#endif
    memcpy(result, &stored, sizeof stored);
}

void cc_expand_to_rgba(const uint8_t *samples, size_t size, uint8_t *result, size_t count) {
    // Each pixel is read before it is overwritten: the result may overlap the samples of later pixels.
    size_t i = 0;
    // Expanding two pixels also reads two samples of a third one, which must therefore exist.
    for (; size == 3 && i + 3 <= count; i += 2, samples += 6, result += 8) { expand_two(samples, result); }
    for (; i < count; i++, samples += size, result += 4) {
        const uint8_t pixel[4] = {samples[0], samples[size == 1 ? 0 : 1], samples[size == 1 ? 0 : 2], 255};
        memcpy(result, pixel, sizeof pixel);
    }
}
