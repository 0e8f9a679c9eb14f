// Rows of flags, a bit for each.

#ifndef TILEWRIGHT_DEFLATE_FLAGS_H
#define TILEWRIGHT_DEFLATE_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
