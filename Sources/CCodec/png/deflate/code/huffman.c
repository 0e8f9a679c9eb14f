#include "huffman.h"

#include <string.h>

enum { LONGEST = 15, SYMBOL_BITS = 9 };

/// Sorts by what stands above the symbol, byte by byte from the lowest; frequencies have 24 bits at most.
static void sort(uint64_t *keys, size_t count) {
    uint64_t other[CC_MOST_SYMBOLS];
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++) { any |= keys[i]; }
    for (unsigned shift = SYMBOL_BITS; any >> shift != 0; shift += 8) {
        uint16_t ends[257] = {0};
        for (size_t i = 0; i < count; i++) { ends[(keys[i] >> shift & 0xFF) + 1]++; }
        for (int i = 0; i < 256; i++) { ends[i + 1] = (uint16_t)(ends[i + 1] + ends[i]); }
        for (size_t i = 0; i < count; i++) { other[ends[keys[i] >> shift & 0xFF]++] = keys[i]; }
        memcpy(keys, other, count * sizeof *keys);
    }
}

/// Counts the leaves at each depth of the Huffman tree over sorted frequencies. Inner nodes come out in
/// the order of their weights, so that two queues suffice.
static void count_depths(const uint64_t *keys, size_t count, uint32_t *depths) {
    uint64_t weights[CC_MOST_SYMBOLS];
    uint16_t leaf_parents[CC_MOST_SYMBOLS], parents[CC_MOST_SYMBOLS];
    size_t leaf = 0, inner = 0;
    for (size_t node = 0; node + 1 < count; node++) {
        weights[node] = 0;
        for (int child = 0; child < 2; child++) {
            const uint64_t next = leaf < count ? keys[leaf] >> SYMBOL_BITS : UINT64_MAX;
            if (inner < node && weights[inner] < next) {
                weights[node] += weights[inner];
                parents[inner++] = (uint16_t)node;
            } else {
                weights[node] += next;
                leaf_parents[leaf++] = (uint16_t)node;
            }
        }
    }
    uint16_t levels[CC_MOST_SYMBOLS];
    levels[count - 2] = 0;
    for (size_t node = count - 2; node-- > 0;) { levels[node] = (uint16_t)(levels[parents[node]] + 1); }
    for (size_t i = 0; i < count; i++) { depths[levels[leaf_parents[i]] + 1]++; }
}

/// Moves leaves that are too deep up to `longest`, and pays for them with the deepest of the others. A leaf
/// at the limit takes 1 of 2^longest.
static void limit_depths(uint32_t *depths, unsigned deepest, unsigned longest) {
    for (unsigned depth = longest + 1; depth <= deepest; depth++) { depths[longest] += depths[depth]; }
    uint64_t taken = 0;
    for (unsigned depth = 1; depth <= longest; depth++) {
        taken += (uint64_t)depths[depth] << (longest - depth);
    }
    for (; taken > UINT64_C(1) << longest; taken--) {
        // A leaf above the limit goes one down, and takes one that is at the limit for a sibling.
        unsigned depth = longest - 1;
        while (depths[depth] == 0) { depth--; }
        depths[depth]--;
        depths[depth + 1] += 2;
        depths[longest]--;
    }
}

void cc_huffman_lengths(const uint32_t *frequencies, size_t count, unsigned longest, uint8_t *lengths) {
    uint64_t keys[CC_MOST_SYMBOLS];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        lengths[i] = 0;
        if (frequencies[i] > 0) { keys[used++] = (uint64_t)frequencies[i] << SYMBOL_BITS | i; }
    }
    if (used < 2) {
        const size_t only = used > 0 ? (size_t)keys[0] & ((1 << SYMBOL_BITS) - 1) : 0;
        lengths[only] = lengths[only > 0 ? 0 : 1] = 1;
        return;
    }
    sort(keys, used);
    uint32_t depths[CC_MOST_SYMBOLS + 1] = {0};
    count_depths(keys, used, depths);
    limit_depths(depths, (unsigned)used, longest);
    // The rarest symbols stand first.
    size_t i = 0;
    for (unsigned depth = longest; depth > 0; depth--) {
        for (uint32_t n = depths[depth]; n > 0; n--) {
            lengths[keys[i++] & ((1 << SYMBOL_BITS) - 1)] = (uint8_t)depth;
        }
    }
}

static uint16_t reversed(unsigned code, unsigned length) {
    unsigned result = 0;
    for (; length > 0; length--, code >>= 1) { result = result << 1 | (code & 1); }
    return (uint16_t)result;
}

void cc_huffman_codes(const uint8_t *lengths, size_t count, uint16_t *codes) {
    unsigned starts[LONGEST + 2] = {0};
    for (size_t i = 0; i < count; i++) { starts[lengths[i] + 1]++; }
    starts[1] = 0;
    for (unsigned length = 1; length <= LONGEST; length++) {
        starts[length + 1] = (starts[length + 1] + starts[length]) << 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] > 0) { codes[i] = reversed(starts[lengths[i]]++, lengths[i]); }
    }
}
