#include <string.h>

#include "png_writer.h"

static const uint8_t *row_of(const cc_rows *rows, size_t y) {
    return rows->bytes + y * cc_rows_stride(rows) + 1;
}

static const uint8_t *row_before(const cc_rows *rows, size_t y) {
    return y > 0 ? row_of(rows, y - 1) : rows->zeros;
}

static void filter_row(const cc_rows *rows, cc_filter filter, size_t y, uint8_t *filtered) {
    cc_filter_row(filter, row_of(rows, y), row_before(rows, y), rows->row_bytes, rows->pixel, filtered);
}

// CC_FILTER_AVERAGE is not tried: it suits photographs, which use it for all rows; on drawings and scans it
// gains nothing.
static const cc_filter candidates[CC_ADAPTIVE_FILTERS] = {
    CC_FILTER_UP, CC_FILTER_NONE, CC_FILTER_SUB, CC_FILTER_PAETH};

// CC_FILTER_UP is used without trying the others if it leaves few bits: less than one in four bytes. That
// takes a third of the time; tiles of plans grow by 0.07 %.
enum { ENOUGH = 4 };

/// Writes the row with its best filter, and returns that filter; in a tie, the first.
static int filter_adaptively(const cc_rows *rows, size_t y, uint8_t *filtered) {
    const size_t count = rows->row_bytes;
    if (memcmp(row_of(rows, y), row_before(rows, y), count) == 0) {
        memset(filtered, 0, count);
        return CC_FILTER_UP;
    }
    int best = 0;
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < CC_ADAPTIVE_FILTERS; i++) {
        uint8_t *candidate = rows->scratch + (size_t)i * count;
        filter_row(rows, candidates[i], y, candidate);
        const uint32_t cost = cc_filtered_cost(candidate, count);
        if (cost < least) {
            least = cost;
            best = i;
        }
        if (i == 0 && cost < count / ENOUGH) { break; }
    }
    memcpy(filtered, rows->scratch + (size_t)best * count, count);
    return (int)candidates[best];
}

size_t cc_filter_rows(const cc_rows *rows, int strategy, size_t first, size_t end, uint8_t *filtered) {
    const size_t stride = cc_rows_stride(rows);
    if (strategy == CC_FILTER_NONE) {
        memcpy(filtered, rows->bytes + first * stride, (end - first) * stride);
        return (end - first) * stride;
    }
    uint8_t *out = filtered;
    for (size_t y = first; y < end; y++, out += stride) {
        if (strategy == CC_FILTER_ADAPTIVE) {
            out[0] = (uint8_t)filter_adaptively(rows, y, out + 1);
        } else {
            out[0] = (uint8_t)strategy;
            filter_row(rows, (cc_filter)strategy, y, out + 1);
        }
    }
    return (size_t)(out - filtered);
}

enum {
    // Deflate's window (RFC 1951).
    WINDOW = 32768,
    // Bytes of a match that is looked up. Deflate allows three, but they seldom save bits.
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

/// How many bytes at two places are the same; `count` are left after the second.
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
        // Fibonacci hashing, as for colours. Bytes inside a match are not entered: in a drawing, that is most
        // bytes.
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
