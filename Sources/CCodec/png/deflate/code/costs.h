// What tokens cost, in parts of a bit.

#ifndef TILEWRIGHT_DEFLATE_COSTS_H
#define TILEWRIGHT_DEFLATE_COSTS_H

#include "token.h"

enum { CC_BIT = 64 };

typedef struct cc_frequencies {
    uint32_t literals[CC_LITERALS];
    uint32_t distances[CC_DISTANCES];
} cc_frequencies;

typedef struct cc_costs {
    uint32_t literals[256];
    /// Of lengths less three, extra bits included.
    uint32_t lengths[256];
    /// By symbol, extra bits included.
    uint32_t distances[CC_DISTANCES];
} cc_costs;

/// Adds the symbols of tokens.
void cc_count_tokens(const cc_token *tokens, size_t count, cc_frequencies *frequencies);

/// Adds other frequencies.
void cc_add_frequencies(cc_frequencies *frequencies, const cc_frequencies *others);

/// Of a code for these frequencies; what does not occur gets a guess.
void cc_costs_of(const cc_frequencies *frequencies, cc_costs *costs);

/// The binary logarithm of 1 or more.
uint32_t cc_log2(uint32_t value);

#endif
