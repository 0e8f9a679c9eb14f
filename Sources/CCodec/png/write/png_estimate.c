#include "png_estimate.h"

#include <string.h>

enum {
    // Deflate's window (RFC 1951).
    WINDOW = 32768,
    // Of bytes that are looked up. Deflate takes three, but seldom gains by them.
    SHORTEST = 4,
    // A table of 16 KiB, which stays in the level-1 cache.
    TABLE_BITS = 12,
    // A literal takes some 8 bits, a match with its distance some 12. Of 1, 1.5, 2 ... 4 literals,
    // 1.5 chooses best on tiles of plans.
    LITERAL = 2,
    MATCH = 3,
};

static uint32_t load(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/// How far two places hold the same bytes; `count` are left after the second.
static size_t match_length(const uint8_t *earlier, const uint8_t *later, size_t count) {
    size_t length = 0;
    while (length + 8 <= count && memcmp(earlier + length, later + length, 8) == 0) { length += 8; }
    while (length < count && earlier[length] == later[length]) { length++; }
    return length;
}

size_t cc_estimated_size(const uint8_t *bytes, size_t count) {
    uint32_t places[1 << TABLE_BITS] = {0};  // of the last four bytes with a given hash
    size_t size = 0;
    size_t i = 0;
    while (i + SHORTEST <= count) {
        // Fibonacci hashing, as for colours. Bytes inside a match are not entered: on a drawing
        // that is most of them.
        const uint32_t slot = load(bytes + i) * UINT32_C(0x9E3779B1) >> (32 - TABLE_BITS);
        const size_t place = places[slot];
        places[slot] = (uint32_t)i;
        if (place < i && i - place <= WINDOW && load(bytes + place) == load(bytes + i)) {
            i += match_length(bytes + place, bytes + i, count - i);
            size += MATCH;
        } else {
            i++;
            size += LITERAL;
        }
    }
    return size + (count - i) * LITERAL;
}

cc_subject cc_subject_of(const uint8_t *rgba, size_t width, size_t height) {
    enum { STEP = 4 };
    size_t repeats = 0, shown = 0;
    for (size_t y = 0; y < height; y += STEP) {
        const uint8_t *row = rgba + y * width * 4;
        uint32_t row_repeats = 0, row_shown = 0;
        for (size_t x = 1; x < width; x++) {
            const uint32_t pixel = load(row + x * 4);
            const uint32_t is_shown = pixel != 0;
            row_repeats += is_shown & (pixel == load(row + (x - 1) * 4));
            row_shown += is_shown;
        }
        repeats += row_repeats;
        shown += row_shown;
    }
    if (repeats * 8 >= shown * 5) { return CC_DRAWING; }
    if (repeats * 2 >= shown) { return CC_DENSE_DRAWING; }
    return repeats * 8 >= shown ? CC_SCAN : CC_PHOTOGRAPH;
}
