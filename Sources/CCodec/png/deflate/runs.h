// Where pixels differ from their neighbours.

#ifndef TILEWRIGHT_DEFLATE_RUNS_H
#define TILEWRIGHT_DEFLATE_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "deflate.h"

enum {
    /// The places of a part of an image that is worked on at a time.
    CC_SPAN = 1 << 14,
    /// Tokens of as many places at most: literals of four bytes each, and of the filter before.
    CC_SPAN_TOKENS = CC_SPAN * 5,
};

/// A row of flags, a bit for each.
typedef uint64_t cc_flags;

enum { CC_FLAGS_PER_WORD = 64 };

static inline void cc_set_flag(cc_flags *flags, uint32_t i) {
    flags[i / CC_FLAGS_PER_WORD] |= UINT64_C(1) << i % CC_FLAGS_PER_WORD;
}

static inline bool cc_has_flag(const cc_flags *flags, uint32_t i) {
    return (flags[i / CC_FLAGS_PER_WORD] >> i % CC_FLAGS_PER_WORD & 1) != 0;
}

/// The first flag from `i` on that is set: there is one.
static inline uint32_t cc_next_flag(const cc_flags *flags, uint32_t i) {
    uint32_t word = i / CC_FLAGS_PER_WORD;
    uint64_t left = flags[word] >> i % CC_FLAGS_PER_WORD;
    if (left != 0) { return i + (uint32_t)__builtin_ctzll(left); }
    do { word++; } while (flags[word] == 0);
    return word * CC_FLAGS_PER_WORD + (uint32_t)__builtin_ctzll(flags[word]);
}

/// Flags of the places of a part of an image, and of its end.
enum { CC_SPAN_FLAGS = CC_SPAN / CC_FLAGS_PER_WORD + 1 };

/// By place less `first`. The end's are set.
typedef struct cc_runs {
    uint32_t first;
    uint32_t end;
    /// Whether a pixel differs from its left neighbour, or is the first of a row.
    cc_flags begins[CC_SPAN_FLAGS];
    /// Whether it differs from the pixel above, or begins a row with another filter than the row above.
    cc_flags differs[CC_SPAN_FLAGS];
} cc_runs;

/// Marks the pixels from one place up to another, at most CC_SPAN.
void cc_mark_runs(const cc_raster *raster, uint32_t first, uint32_t end, cc_runs *runs);

/// The place behind a run of equal pixels, of which `place` is one.
static inline uint32_t cc_run_end(const cc_runs *runs, uint32_t place) {
    return runs->first + cc_next_flag(runs->begins, place + 1 - runs->first);
}

/// From a place on, the first that does not repeat the one above it.
static inline uint32_t cc_repeat_end(const cc_runs *runs, uint32_t place) {
    return runs->first + cc_next_flag(runs->differs, place - runs->first);
}

#endif
