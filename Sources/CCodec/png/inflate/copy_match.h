// Copies what a stream repeats.

#ifndef TILEWRIGHT_INFLATE_COPY_MATCH_H
#define TILEWRIGHT_INFLATE_COPY_MATCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../deflate/code/token.h"

enum {
    CC_COPY_STEP = 32,
    /// Bytes that a copy may write.
    CC_COPY_ROOM = CC_LONGEST_MATCH + CC_COPY_STEP,
};

/// Copies steps that do not overlap what they write.
static inline void cc_copy_steps(uint8_t *to, const uint8_t *end, size_t distance, size_t step) {
    do {
        memcpy(to, to - distance, step);
        to += step;
    } while (to < end);
}

/// Repeats up to seven bytes.
static inline void cc_repeat(uint8_t *to, const uint8_t *end, size_t distance) {
    uint8_t pattern[8];
    for (size_t i = 0; i < sizeof pattern; i++) {
        pattern[i] = to[(ptrdiff_t)(i % distance) - (ptrdiff_t)distance];
    }
    // Whole repetitions at a time.
    const size_t step = sizeof pattern - sizeof pattern % distance;
    do {
        memcpy(to, pattern, sizeof pattern);
        to += step;
    } while (to < end);
}

/// Copies bytes that begin `distance` before `to`, one after the other: where they overlap, what was copied
/// is copied again. Behind them, less than CC_COPY_STEP bytes more are written, whatever they mean.
static inline void cc_copy_match(uint8_t *to, size_t length, size_t distance) {
    const uint8_t *const end = to + length;
    if (distance >= 32) {
        cc_copy_steps(to, end, distance, 32);
    } else if (distance == 1) {
        // Pixels that were foretold: the most frequent of all.
        uint8_t pattern[CC_COPY_STEP];
        memset(pattern, to[-1], sizeof pattern);
        do {
            memcpy(to, pattern, sizeof pattern);
            to += sizeof pattern;
        } while (to < end);
    } else if (distance >= 16) {
        cc_copy_steps(to, end, distance, 16);
    } else if (distance >= 8) {
        cc_copy_steps(to, end, distance, 8);
    } else {
        cc_repeat(to, end, distance);
    }
}

#endif
